package simulate

import (
	"errors"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
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
	gated, err := todo.Gated(doc.Current(), at, c.worker, c.now)
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

// itemRun is what the referee knows of a process of `onward run --item`.
type itemRun struct {
	keeper int           // the process that keeps its agent
	ended  time.Duration // when all its processes had ended; 0 if they have not
}

// itemShift runs `onward run --item` with the functions that package cmd uses.
type itemShift struct {
	*worker
	self   *session.Process
	held   todo.Holding
	gate   string // the item's gate at the start of the run
	record store.Held
}

// runs works on a claimed item by `onward run --item`.
func (w *worker) runs(id string) {
	s := &itemShift{worker: w, self: w.starts(), held: todo.Holding{ID: id}}
	keeper := w.starts()
	known := &itemRun{keeper: keeper.PID}
	w.itemRuns[s.self.PID] = known
	w.say(w.name, "runs `onward run --item` for %s", w.itemOf(id))
	began := false // true when the record names the agent's keeper, and the agent may start
	err := newCommand(w.actor, queue).run(never, func(c *command) (err error) {
		own := queue.OfWorker(w.name)
		if s.record, err = c.store.Hold(session.RunKey(own), true); err != nil {
			return err
		}
		if err = s.renews(); err != nil {
			return err
		}
		r := &session.Run{Process: s.self, Keeper: keeper, Agent: "claude", Mark: c.text("mark"), Queue: queue.String(), Item: id, Claim: s.held.Number}
		if err = session.WriteRun(s.record, own, r, c.clock()); err != nil {
			return err
		}
		began = true
		if err = s.works(); err != nil {
			return err
		}
		return session.WriteRun(s.record, own, nil, c.clock())
	})
	delete(w.alive, s.self.PID)
	if errors.Is(err, errKilled) {
		w.count("worker", "has its run killed")
		w.say(w.name, "has its run killed")
		if slow := []int{8, 900}[w.choice(1, 1)]; began {
			w.sleep(time.Duration(w.upTo(slow)) * time.Second) // the keeper takes this long to end the agent
		}
	}
	delete(w.alive, keeper.PID)
	known.ended = w.at
	w.held = ""
	if errors.Is(err, todo.ErrHeld) {
		w.count("worker", "loses its item while a run works on it")
	}
	w.say(w.name, "ends its run: %v", err)
	if errors.Is(err, errKilled) && w.choice(1, 1) == 1 {
		w.pass(20 * time.Minute)
	}
}

// part runs one command of the run on the queue.
func (s *itemShift) part(do func(*command) error) error {
	err := newCommand(s.actor, queue).run(10*time.Second, func(c *command) error {
		c.worker = s.Worker
		c.worker.Process = s.self
		c.worker.Holds = c.keepsAway
		return do(c)
	})
	if errors.Is(err, errKilled) {
		panic(killed{}) // the command is part of this process, which was killed
	}
	return err
}

// renews renews the claim.
func (s *itemShift) renews() error {
	return s.part(func(c *command) error {
		var held todo.Item
		err := c.update("", func(doc *session.Document) (session.Change, error) {
			items, at, err := c.worker.Hold(doc.Current(), s.held, c.now)
			if err != nil {
				return session.Change{}, err
			}
			doc.Todos.Items, held = items, items[at]
			return session.Change{What: c.worker.Name + " renewed its claim", By: "cli"}, nil
		})
		if err == nil {
			if s.held.Number = held.Claim.Number; held.Gate != nil && s.gate == "" {
				s.gate = held.Gate.Command
			}
		}
		return err
	})
}

// works lets the agent work, and completes, blocks or releases the item.
func (s *itemShift) works() error {
	for range 1 + s.upTo(6) {
		s.sleep(time.Duration(1+s.upTo(180)) * time.Second)
		switch s.choice(12, 1, 1) {
		case 1:
			panic(killed{})
		case 2:
			s.count("worker", "has its run suspended")
			s.say(s.name, "has its run suspended")
			s.sleep(time.Hour)
		}
		if err := s.renews(); errors.Is(err, todo.ErrHeld) || errors.Is(err, todo.ErrNotFound) {
			return err
		}
	}
	s.reallyDone[s.held.ID] = s.reallyDone[s.held.ID] || s.choice(4, 1) == 0
	return s.part(func(c *command) error {
		status, reason := todo.Completed, ""
		if s.gate != "" {
			it := todo.Item{ID: s.held.ID, Content: c.itemOf(s.held.ID), Gate: &todo.Gate{Command: s.gate}}
			if run := c.proveItem(it); !run.Passed() {
				status, reason = todo.Blocked, "its gate fails"
			}
		}
		return c.update("", func(doc *session.Document) (session.Change, error) {
			e, err := c.worker.Settle(doc.Current(), s.held, status, reason, c.now)
			if err != nil {
				return session.Change{}, err
			}
			for _, it := range e.Items {
				if it.ID == s.held.ID && status == todo.Completed && it.Gate != nil && it.Gate.Command != s.gate {
					return session.Change{}, todo.ErrChanged
				}
			}
			return c.edited(doc, e, todo.ByUser, s.held.ID)
		})
	})
}
