package simulate

import (
	"errors"
	"fmt"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// queue is the list whose items the workers claim.
var queue = session.Name{Session: "queue"}

// worker claims one item after another from the queue. It may die while it holds an item, and come back.
type worker struct {
	*actor
	todo.Worker
	held string // the id of the item that it believes to hold
	said bool   // its last answer was that nothing is ready
}

// joinWorkers adds workers, an agent that keeps the queue with its own todo tool, and a person who adds items to it.
func (w *world) joinWorkers(many int) {
	w.most += 300
	for i := range many {
		w.spawn(fmt.Sprintf("w%d", i+1), func(a *actor) {
			a.far = a.choice(2, 1) == 1
			one := &worker{actor: a, Worker: todo.Worker{Name: a.name, Host: a.host(), Claims: true}}
			one.pass(5 * time.Minute)
			for {
				one.works()
			}
		})
	}
	w.spawn("planner", func(a *actor) { planner{a}.live() })
	w.editor = w.spawn("person", func(a *actor) {
		for {
			a.pass(10 * time.Minute)
			a.tends()
		}
	})
}

// works claims the next item that is ready, and works on it.
func (w *worker) works() {
	id := w.next()
	if id == "" {
		w.pass(5 * time.Minute)
		return
	}
	if w.held = id; w.choice(1, 1) == 1 {
		w.pass(2 * time.Minute)
		w.notes()
	}
	switch w.choice(5, 1, 1, 1, 1, 4) {
	case 0:
		w.pass(3 * time.Minute)
		w.reallyDone[id] = w.reallyDone[id] || w.choice(4, 1) == 0
		w.settles("done")
	case 5:
		w.runs(id)
	case 1:
		w.count("worker", "releases its item")
		w.settles("release")
	case 2:
		w.count("worker", "blocks its item")
		w.settles("block")
	case 3:
		w.count("worker", "dies with an item in hand")
		w.say(w.name, "is killed with an item in hand")
		w.held = ""
		w.pass(20 * time.Minute)
	case 4:
		w.count("worker", "hangs longer than its lease")
		w.say(w.name, "hangs")
		w.pass(time.Hour)
		w.settles([]string{"done", "block"}[w.choice(1, 1)])
	}
}

// repeats runs a command of the worker under one operation id, and repeats it while its result is unknown.
func (w *worker) repeats(do func(c *command, op string) error) (err error) {
	op := w.text("op")
	for range 4 {
		err = w.onward(queue, func(c *command) error {
			c.single, c.worker = true, w.Worker
			c.worker.Holds = c.keepsAway
			return do(c, "claim-"+op[3:])
		})
		if !errors.Is(err, store.ErrUnknown) {
			break
		}
	}
	return err
}

// next runs `onward todo next --claim`, and returns the id of the item.
func (w *worker) next() (id string) {
	err := w.repeats(func(c *command, op string) error {
		got, ready, err := c.next(op)
		switch id = got; {
		case err != nil:
		case id == "":
			c.idle(ready)
		default:
			c.given(id)
		}
		return err
	})
	switch {
	case err != nil:
		return ""
	case id == "":
		w.count("worker", "finds nothing ready")
		if !w.said {
			w.say(w.name, "finds nothing that is ready")
		}
		w.said = true
	default:
		w.count("worker", "claims an item")
		w.say(w.name, "claims %s", w.itemOf(id))
		w.said = false
	}
	return id
}

// next claims an item for the worker with the functions that package cmd uses.
func (c *command) next(op string) (id string, ready todo.Ready, err error) {
	doc, err := c.lists.Load(c.name)
	if err != nil {
		return "", ready, err
	}
	if doc == nil || !doc.Todos.Active {
		return "", ready, errNoQueue
	}
	if ready = todo.ReadyFor(doc.Todos.Items, c.worker, c.now); ready.Item >= 0 {
		id = doc.Todos.Items[ready.Item].ID
	}
	set, err := c.settings(doc)
	if err != nil {
		return "", ready, err
	}
	c.worker.Lease = set.ClaimLease
	commit, err := c.lists.Update(c.name, op, c.now, func(doc *session.Document) (session.Change, error) {
		var e todo.Edit
		var err error
		e, ready, err = todo.ClaimNext(doc.Todos.Current(), c.worker, c.now)
		if err != nil || ready.Item < 0 {
			return session.Change{}, err
		}
		id = e.Items[ready.Item].ID // if the claim is renewed within the same millisecond, nothing changes
		return c.edited(doc, e, "")
	})
	if err != nil || ready.Item < 0 && !commit.Again {
		return "", ready, err
	}
	// A repeated command gets the item that it claimed before, whatever is ready now.
	for _, touched := range commit.Change.Touched {
		id = touched.ID
	}
	return id, ready, nil
}

// errNoQueue is the error of a command if the queue does not exist.
var errNoQueue = errors.New("there is no list")

// edited applies an edit by the worker, and renews its other claims, as each command with its name does.
func (c *command) edited(doc *session.Document, e todo.Edit, by string, passed ...string) (session.Change, error) {
	did, err := continuation.Apply(doc, continuation.Event{
		Type: continuation.Edited, Items: e.Items, Touched: e.Touched, Passed: passed, Change: e.What, Source: "cli", By: by,
	}, c.now)
	if err == nil && did.What != "" && c.worker.Name != "" {
		doc.Todos.Items = todo.Worker{Name: c.worker.Name, Host: c.worker.Host}.Renew(doc.Todos.Items, c.now)
	}
	return did, err
}

// settles ends the work on the item that the worker holds.
func (w *worker) settles(how string) {
	if w.held == "" {
		return
	}
	id := w.held
	w.held = ""
	at, err := todo.ParseRange("id:" + id)
	if err != nil {
		panic(err)
	}
	said := w.itemOf(id)
	err = w.repeats(func(c *command, op string) error {
		if how == "done" {
			return c.completes(op, []todo.Range{at}, "")
		}
		return c.update(op, func(doc *session.Document) (session.Change, error) {
			var e todo.Edit
			var err error
			switch items := doc.Todos.Current(); how {
			case "block":
				e, err = todo.SetStatusBy(items, []todo.Range{at}, todo.Blocked, "no key", c.worker, c.now)
			case "release":
				e, err = todo.Release(items, []todo.Range{at}, c.worker, c.now)
			}
			if err != nil {
				return session.Change{}, err
			}
			return c.edited(doc, e, "")
		})
	})
	if errors.Is(err, todo.ErrHeld) {
		w.count("worker", "is refused what another one holds")
	}
	w.say(w.name, "runs `onward todo %s` for %s%s", how, said, map[bool]string{true: ": " + fmt.Sprint(err)}[err != nil])
}

// notes adds a subtask to the item that the worker holds, which renews the claim.
func (w *worker) notes() {
	place, err := todo.ParsePosition("id:" + w.held + ".last")
	if err != nil {
		return
	}
	w.count("worker", "renews its claim")
	_ = w.repeats(func(c *command, op string) error {
		return c.update(op, func(doc *session.Document) (session.Change, error) {
			e, err := todo.Add(doc.Todos.Current(), place, []todo.Draft{{Content: w.text("part")}}, c.now)
			if err != nil {
				return session.Change{}, err
			}
			return c.edited(doc, e, "")
		})
	})
}

// itemOf returns the name of an item of the queue for the log.
func (w *world) itemOf(id string) string {
	for _, it := range w.of(queue.String()).items {
		if it.ID == id {
			return fmt.Sprintf("%q", it.Content)
		}
	}
	return "an item that is gone"
}

// tends runs a command of a person at a terminal on the queue: it adds items, some of which depend on others, reopens
// a blocked item, or completes one that a worker holds.
func (a *actor) tends() {
	items := a.of(queue.String()).items
	if len(items) == 0 {
		return
	}
	one, changes := items[a.upTo(len(items))], false
	if at := slices.IndexFunc(items, func(it todo.Item) bool { return it.ID == a.mind }); at >= 0 {
		one, changes = items[at], true // the person changes it while its gate runs
	}
	a.mind = ""
	at, err := todo.ParseRange("id:" + one.ID)
	if err != nil {
		panic(err)
	}
	by := todo.ByUser
	edit := func(do func(*command, []todo.Item) (todo.Edit, error)) {
		_ = a.onward(queue, func(c *command) error {
			c.single, c.worker = true, todo.Worker{Host: a.host(), Take: true}
			return c.update("", func(doc *session.Document) (session.Change, error) {
				e, err := do(c, doc.Todos.Current())
				if err != nil {
					return session.Change{}, err
				}
				return c.edited(doc, e, by)
			})
		})
	}
	gate := a.text("make test")
	what := a.choice(3, 3, 2, 1, 2)
	if changes {
		what = 4
	}
	switch what {
	case 1:
		if len(items) > 30 {
			return
		}
		text := a.text("item")
		a.count("worker", "is given an item that comes after another one")
		a.say(a.name, "runs `onward todo add %q`, after %q", text, one.Content)
		with := ""
		switch a.choice(2, 1, 1) {
		case 0:
			with = gate
		case 1:
			by = "" // an agent adds it by a command, so that the rights of the user do not protect its order
		}
		edit(func(c *command, items []todo.Item) (todo.Edit, error) {
			return todo.Add(items, todo.EndPosition(), []todo.Draft{{Content: text, After: []string{"id:" + one.ID}, Gate: with}}, c.now)
		})
	case 2:
		if one.Status != todo.Blocked {
			return
		}
		a.say(a.name, "runs `onward todo reopen` for %q", one.Content)
		edit(func(c *command, items []todo.Item) (todo.Edit, error) {
			return todo.SetStatusBy(items, []todo.Range{at}, todo.Pending, "", c.worker, c.now)
		})
	case 3:
		if !one.Status.Open() {
			return
		}
		a.count("worker", "loses an item to a person")
		a.say(a.name, "runs `onward todo done` for %q", one.Content)
		a.reallyDone[one.ID] = a.reallyDone[one.ID] || a.choice(2, 1) == 0
		_ = a.onward(queue, func(c *command) error {
			c.single, c.worker = true, todo.Worker{Host: a.host(), Take: true}
			return c.completes("", []todo.Range{at}, todo.ByUser)
		})
	case 4:
		if !one.Status.Open() {
			return
		}
		place, err := todo.ParsePosition("id:" + one.ID)
		if err != nil {
			panic(err)
		}
		a.count("worker", "has the gate of an item changed")
		a.say(a.name, "runs `onward todo edit --gate %q` for %q", gate, one.Content)
		edit(func(c *command, items []todo.Item) (todo.Edit, error) {
			return todo.Revise(items, place, todo.Revision{Gate: &gate}, c.now)
		})
	}
}

// planner is an agent that keeps the queue with its own tool. It always writes the whole list, from a copy that may be old.
type planner struct{ *actor }

func (p planner) live() {
	var known []todo.Item
	for range 3 + p.upTo(4) {
		known = append(known, todo.Item{Content: p.text("item"), Status: todo.Pending})
	}
	for {
		p.say(p.name, "writes the queue, of %s", todo.Plural(len(known), "item"))
		_ = p.onward(queue, func(c *command) error {
			c.single, c.writes = true, true
			return c.apply("", continuation.Event{Type: continuation.Todos, Items: slices.Clone(known), Source: "script"})
		})
		p.proves()
		p.pass(20 * time.Minute)
		known = nil
		for _, it := range p.of(queue.String()).items {
			known = append(known, todo.Item{Content: it.Content, Status: it.Status})
		}
		p.pass(10 * time.Second)
		p.count("worker", "has its queue written anew by an agent")
		switch at := p.upTo(max(1, len(known))); p.choice(2, 1, 1, 1, 2) {
		case 1:
			if len(known) < 30 {
				known = append(known, todo.Item{Content: p.text("item"), Status: todo.Pending})
			}
		case 2:
			if len(known) > 0 {
				known = slices.Delete(known, at, at+1)
			}
		case 3:
			if len(known) > 0 {
				known[at].Content += ", renamed"
			}
		case 4:
			for i, it := range p.of(queue.String()).items {
				if it.Gate != nil && it.Status.Open() && i < len(known) {
					p.count("worker", "has an item with a gate completed by an agent's own write")
					known[i].Status = todo.Completed
				}
			}
		}
	}
}

// proves runs the gate of an item that the agent's write completed, as the agent's next question would.
func (p planner) proves() {
	_ = p.onward(queue, func(c *command) error {
		c.worker.Take = true // the gate decides, even if a worker holds the item
		doc, err := c.lists.Load(c.name)
		if err != nil {
			return err
		}
		at := todo.Unproven(doc.Current(), func(*todo.Item) bool { return false })
		if at < 0 {
			return nil
		}
		run := c.proveItem(doc.Todos.Items[at])
		return c.update("", func(doc *session.Document) (session.Change, error) {
			return continuation.SettleItem(doc, run, 0, c.now)
		})
	})
}
