package simulate

import (
	"errors"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// errFails is the error of a command that completes an item whose gate does not pass.
var errFails = errors.New("the gate does not pass")

// proveItem runs the gate of an item, which passes if the work of the item has really been done.
func (c *command) proveItem(it todo.Item) todo.GateRun {
	if !c.calm {
		if c.choice(5, 1) == 1 {
			c.mind = it.ID
			c.editor.wake()
		}
		c.sleep(time.Duration(c.upTo(60)) * time.Second)
	}
	run := todo.GateRun{Item: it}
	switch r := c.of(c.name.String()); {
	case c.choice(9, 1) == 1:
		run.Problem = "it could not be started"
		c.count("worker", "has a gate that cannot be started")
	case !c.reallyDone[it.ID]:
		run.Code, run.Output = 1, "FAIL"
		c.count("worker", "has a gate that fails")
	default:
		r.passes[it.ID] = append(r.passes[it.ID], it.Gate.Command)
		c.count("worker", "has a gate that passes")
	}
	c.say("gate", "of %q: %d%s", it.Content, run.Code, run.Problem)
	c.now = c.clock()
	return run
}

// completes runs `onward todo done`: first the gates, then one commit that completes all items.
func (c *command) completes(op string, at []todo.Range, by string) error {
	doc, err := c.lists.Load(c.name)
	if err != nil {
		return err
	}
	gated, err := todo.ItemsWithGate(doc.Current(), at, c.worker, c.now)
	if err != nil {
		return err
	}
	var runs []todo.GateRun
	for _, i := range gated {
		run := c.proveItem(doc.Todos.Items[i])
		if !run.Passed() {
			return errors.Join(errFails, c.fails(run))
		}
		runs = append(runs, run)
	}
	return c.update(op, func(doc *session.Document) (session.Change, error) {
		e, passed, err := todo.CompleteBy(doc.Todos.Current(), at, "", runs, c.worker, c.now)
		if err != nil {
			return session.Change{}, err
		}
		return c.edited(doc, e, by, passed...)
	})
}

// fails commits the failed run of an item's gate.
func (c *command) fails(run todo.GateRun) error {
	if run.Problem != "" {
		return nil
	}
	c.single = false // the result of the gate is saved, although the command fails
	return c.update("", func(doc *session.Document) (session.Change, error) {
		if err := todo.CheckRuns(doc.Todos.Current(), []todo.GateRun{run}); err != nil {
			return session.Change{}, err
		}
		did, err := continuation.SettleItem(doc, run, 0, c.now)
		doc.Todos.Items = c.worker.Renew(doc.Todos.Items, c.now, run.Item.ID)
		return did, err
	})
}
