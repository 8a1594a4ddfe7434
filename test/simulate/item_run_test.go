package simulate

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"onward/internal/agents"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	nights "onward/internal/night"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// itemRun is what the referee knows of a process of `onward run --item`.
type itemRun struct {
	ended time.Duration // when all its processes had ended; 0 if they have not
}

// itemShift is one process of `onward run --item`: package night drives it, as it drives the one without an item. The actor of the
// worker is also the agent, whose output it reads.
type itemShift struct {
	*runner // of the session in which the agent keeps the steps
	worker  *worker
	id      string // of the item
	self    *session.Process
	gate    string // the item's gate at the start of the run
	keeper  *session.Process
	begins  bool // the record names the keeper, so the agent may start

	renews   func(changed bool) bool // called at each interval; nil if nobody keeps the claim
	interval time.Duration
	due      time.Duration   // when it is called next
	came     os.Signal       // the signal that ends the run
	hears    func(os.Signal) // hears signals during a turn; nil between turns
	reads    *command        // the last command on the queue
	outcome  run.Outcome
	reason   string
}

// runs works on a claimed item by `onward run --item`.
func (w *worker) runs(id string) {
	own := queue.WorkerSession(w.name)
	s := &itemShift{worker: w, id: id, self: w.starts(), runner: &runner{
		command: newCommand(w.actor, own), shift: &shift{world: w.world, agent: &agent{actor: w.actor, list: own}},
	}}
	known := &itemRun{}
	w.itemRuns[s.self.PID] = known
	w.say(w.name, "runs `onward run --item` for %s", w.itemOf(id))
	err := s.run(never, func(*command) error {
		n, err := s.night()
		if err == nil {
			err = n.Acquire()
		}
		if err != nil {
			return err
		}
		return n.Run()
	})
	delete(w.alive, s.self.PID)
	if errors.Is(err, errKilled) {
		w.count("worker", "has its run killed")
		w.say(w.name, "has its run killed")
		if slow := []int{8, 900}[w.choice(1, 1)]; s.begins {
			w.sleep(time.Duration(w.upTo(slow)) * time.Second) // the keeper takes this long to end the agent
		}
	}
	if s.keeper != nil {
		delete(w.alive, s.keeper.PID)
	}
	known.ended = w.at
	w.held = ""
	w.say(w.name, "ends its run: %v", err)
	s.settled(err)
	if errors.Is(err, errKilled) && w.choice(1, 1) == 1 {
		w.pass(20 * time.Minute)
	}
}

// settled checks what a run leaves that has ended, and was not cut off: it has completed its item, blocked it, or given it back.
// If it has lost the item, whoever took it settles it.
func (s *itemShift) settled(err error) {
	switch {
	case err != nil && !errors.As(err, new(cli.ExitCode)) || s.outcome == "":
		return
	case s.reason == "claim_lost":
		s.count("worker", "loses its item while a run works on it")
		return
	case s.reason == "hold_lost":
		return
	}
	s.count("worker", "has a run that ends "+string(s.outcome))
	for _, it := range s.of(queue.String()).items {
		switch {
		case it.ID != s.id:
		case it.Status.Open() && it.Claim != nil && it.Claim.Process.Is(s.self):
			s.breaks(12, "a run of %s ends, and keeps its claim on %q", s.worker.name, it.Content)
		case it.Status == todo.Completed && s.outcome != run.Done:
			s.count("worker", "has its item completed while a run works on it")
		}
	}
}

// night returns the run with the ports of this world.
func (s *itemShift) night() (*nights.Runner, error) {
	q := nights.NewItem(s.id)
	q.Name, q.Label, q.Queue = queue, queue.String()+":"+s.id, itemQueue{s}
	q.Clock = func() (todo.Time, error) { return s.clock(), nil }
	q.Worker = s.worker.Worker
	q.Worker.Process = s.self
	q.Worker.Holds = func(it *todo.Item, now todo.Time) bool { return s.reads.keepsAway(it, now) }
	doc, err := q.Queue.Load(queue)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(doc.Current(), func(it todo.Item) bool { return it.ID == s.id })
	if at < 0 {
		return nil, todo.ErrNotFound
	}
	it := &doc.Todos.Items[at]
	if q.Text = it.Content; it.Gate != nil {
		s.gate = it.Gate.Command
	}
	q.Gate = s.gate
	program, _ := agents.ProgramOf("claude")
	return &nights.Runner{
		Name: s.name, Agent: "claude", Program: program, Task: continuation.ItemTask(it), Silence: silence, Item: q,
		Machine: run.Machine{Rules: run.Rules{Task: true, Item: true, MaxOutage: 6 * time.Hour}},
		Self:    s.self, Mark: s.text("mark"), Store: itemStore{runStore{s.runner}, s}, Clock: itemClock{runClock{s.runner}, s}, Programs: s,
		Tell: itemTeller{runTeller{s.runner}, s}, Hints: runHints{}, Errors: runErrors{},
		TaughtElsewhere: func() bool { return true },
		ChangedSince:    func(time.Time) bool { return true },
		Checkout:        noCheckout{},
		LastCommit:      func() string { return "" },
	}, nil
}

// itemQueue is the list of the item: each call is a command of its own, by the run's process.
type itemQueue struct{ *itemShift }

func (q itemQueue) part(list session.Name, do func(*command) error) error {
	err := newCommand(q.actor, list).run(10*time.Second, func(c *command) error {
		c.worker = q.worker.Worker
		c.worker.Process = q.self
		q.reads = c
		return do(c)
	})
	if errors.Is(err, errKilled) {
		panic(killed{}) // the command is part of this process, which was killed
	}
	return err
}

func (q itemQueue) Load(list session.Name) (doc *session.Document, err error) {
	return doc, q.part(list, func(c *command) error {
		doc, err = c.lists.Load(c.name)
		return err
	})
}

func (q itemQueue) Update(_ todo.Time, change func(*session.Document) (session.Change, error)) error {
	return q.part(queue, func(c *command) error {
		return c.update("", func(doc *session.Document) (session.Change, error) {
			did, err := change(doc)
			if err == nil && did.What != "" {
				doc.Todos.Items = todo.Worker{Name: c.worker.Name, Host: c.worker.Host}.Renew(doc.Todos.Items, c.now)
			}
			return did, err
		})
	})
}

func (q itemQueue) Repeat(interval time.Duration, do func(changed bool) bool) (stop func()) {
	q.renews, q.interval, q.due = do, interval, q.at+interval
	return func() { q.renews = nil }
}

// lasts lets time pass in which the run keeps its claim.
func (s *itemShift) lasts(d time.Duration) {
	for until := s.at + d; s.at < until && s.came == nil; {
		left := until - s.at
		if s.renews != nil {
			left = min(left, max(0, s.due-s.at))
		}
		s.sleep(left)
		s.keeps()
	}
}

// keeps renews the claim if that is due.
func (s *itemShift) keeps() {
	if s.renews == nil || s.at < s.due {
		return
	}
	if s.due = s.at + s.interval; !s.renews(false) {
		s.renews = nil
	}
}

// signals sends the run a signal.
func (s *itemShift) signals(is os.Signal) {
	if s.came = is; s.hears != nil {
		s.hears(is)
	}
}

// itemStore is the store of the session in which the agent keeps the steps of the item.
type itemStore struct {
	runStore
	of *itemShift
}

func (r itemStore) Update(why nights.ChangeCause, _ todo.Time, change func(*session.Document) (session.Change, error)) error {
	return r.part(func(c *command) error {
		switch why {
		case nights.Prompted:
			c.means = c.spoken("")
		case nights.TakenUp, nights.GivenBack:
			c.means = givesBack
		}
		return c.update("", change)
	})
}

func (r itemStore) Settings(doc *session.Document) (set continuation.Settings, err error) {
	set, err = r.runStore.Settings(doc)
	return r.of.withGate(set), err
}

// withGate replaces the gate by that of the item.
func (s *itemShift) withGate(set continuation.Settings) continuation.Settings {
	set.Gate, set.GateFrom, set.GateElsewhere = s.gate, continuation.FromFlag, ""
	return set
}

func (r itemStore) WithQuestion(do func(ask.Question) (ask.Answer, error)) (got ask.Answer, err error) {
	return got, r.part(func(c *command) error {
		c.since = r.start
		got, err = do(ask.Question{List: itemAsked{asked{c}, r.of}, Name: c.name, Waiting: &waiting{command: c, since: c.at}, Notes: asked{c}, Gate: itemGate{r.of, c}})
		if err == nil {
			c.say("onward", "answers the run of %s: %s", r.of.worker.name, c.told(got))
		}
		return err
	})
}

func (r itemStore) WithGate(prove func(ask.Gate) error) error {
	return r.part(func(c *command) error { return prove(itemGate{r.of, c}) })
}

// itemAsked is the list of a question about the steps of an item.
type itemAsked struct {
	asked
	of *itemShift
}

func (l itemAsked) Settings(doc *session.Document) (continuation.Settings, error) {
	set, err := l.asked.Settings(doc)
	return l.of.withGate(set), err
}

// itemGate runs the gate of an item for a run.
type itemGate struct {
	of *itemShift
	c  *command
}

func (g itemGate) Prove(continuation.Settings, func() *session.GateResult) (*session.GateResult, error) {
	s, list := g.of, g.c.of(queue.String())
	had := slices.Contains(list.passes[s.id], s.gate)
	ran := s.reads.proveItem(todo.Item{ID: s.id, Content: s.itemOf(s.id), Gate: &todo.Gate{Command: s.gate}})
	s.keeps()
	if had && ran.Passed() { // one that passes several times completes its item once
		passes := list.passes[s.id]
		list.passes[s.id] = passes[:len(passes)-1]
	}
	is := &session.GateResult{Command: s.gate, Code: ran.Code, Output: ran.Output, Problem: ran.Problem}
	return is.WithFiles(session.GateFiles{NoTree: "this is not a git repository"}), nil
}

func (itemGate) Release() {}

// itemClock is the clock of a run that keeps a claim.
type itemClock struct {
	runClock
	of *itemShift
}

func (r itemClock) Wait(d time.Duration, _ bool) os.Signal {
	r.of.lasts(d)
	return r.of.came
}

func (r itemClock) PendingSignal() os.Signal { return r.of.came }

func (r itemClock) HandledSignal() os.Signal { return r.of.came }

func (r itemClock) OnSignal(do func(os.Signal)) (stop func()) {
	r.of.hears = do
	return func() { r.of.hears = nil }
}

func (r itemClock) Send(is os.Signal, _ <-chan struct{}) { r.of.signals(is) }

// itemTeller notes how the run ends.
type itemTeller struct {
	runTeller
	of *itemShift
}

func (r itemTeller) Tell(e nights.Event, text string) {
	if r.say("run of "+r.of.worker.name, "%s", text); e.Type == "ended" && e.Code != nil && *e.Code != cli.ExitTerminated {
		r.of.outcome, r.of.reason = run.Outcome(e.Outcome), e.Reason
	}
}

// Start starts the agent once it may begin.
func (s *itemShift) Start(run.Action, string, string) (nights.Process, error) {
	s.keeper = s.worker.starts()
	return &itemAgent{itemShift: s, steps: 1 + s.upTo(6)}, nil
}

// WaitForEnd reports whether the processes of a run that was cut off have ended: the worker has waited for them.
func (s *itemShift) WaitForEnd(*session.Run) bool { return true }

func (s *itemShift) SubAgentUsage(string) (used continuation.Usage, err error) { return used, nil }

// itemAgent is the agent in one turn.
type itemAgent struct {
	*itemShift
	steps int // that are left
	text  []byte
	over  bool
	code  int
	idle  func() error
}

func (p *itemAgent) Keeper() *session.Process { return p.keeper }
func (p *itemAgent) Begin() {
	p.begins = true
	p.line(object{"type": "system", "subtype": "init", "session_id": p.worker.text("c")[1:], "model": "claude-sonnet-4-5", "tools": []string{"TodoWrite"}, "cwd": "/project"})
}

func (p *itemAgent) Output(idle func() error, _ <-chan struct{}) io.Reader {
	p.idle = idle
	return p
}

// Read lets the agent work until it prints something.
func (p *itemAgent) Read(into []byte) (int, error) {
	for len(p.text) == 0 {
		if p.over {
			return 0, io.EOF
		}
		if err := p.idle(); err != nil {
			return 0, err
		}
		p.works()
	}
	n := copy(into, p.text)
	p.text = p.text[n:]
	return n, nil
}

// works does one step, in which the run may be killed, suspended or interrupted. The last step ends the turn.
func (p *itemAgent) works() {
	w := p.worker
	if p.steps--; p.steps >= 0 {
		p.lasts(time.Duration(1+w.upTo(180)) * time.Second)
		switch w.choice(24, 2, 2, 1) {
		case 1:
			panic(killed{})
		case 2:
			w.count("worker", "has its run suspended")
			w.say(w.name, "has its run suspended")
			w.sleep(time.Hour)
			p.keeps()
		case 3:
			w.count("worker", "interrupts its run")
			w.say(w.name, "presses Ctrl-C")
			p.signals(os.Interrupt)
		}
		return
	}
	w.reallyDone[p.id] = w.reallyDone[p.id] || w.choice(4, 1) == 0
	message, status := "I did it.", todo.Completed
	switch w.choice(8, 1, 1, 1) {
	case 1:
		status = todo.Pending
	case 2:
		message, status = "ONWARD-PAUSE: I have no key", todo.Pending
	case 3:
		p.over, p.code = true, 1
		return
	}
	id := w.text("toolu")
	p.line(object{"type": "assistant", "message": object{"id": "msg" + id, "role": "assistant", "content": []object{
		{"type": "tool_use", "id": id, "name": "TodoWrite", "input": object{"todos": []object{{"content": "do it", "status": status}}}},
	}}})
	p.line(object{"type": "user", "message": object{"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": id, "content": "done"}}}})
	p.line(object{"type": "result", "subtype": "success", "is_error": false, "num_turns": 1, "result": message})
	p.over = true
}

// line prints a line of the agent's stream.
func (p *itemAgent) line(o object) {
	line, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	p.text = append(append(p.text, line...), '\n')
}

func (p *itemAgent) Problems() string { return "" }

func (p *itemAgent) Printed() string { return "" }

func (p *itemAgent) Complaint(time.Duration) string { return "" }
func (p *itemAgent) OnSilence(time.Duration, func(time.Duration) bool) (stop func()) {
	return func() {}
}

func (p *itemAgent) Interrupt(time.Duration) { p.ends() }
func (p *itemAgent) Terminate(time.Duration) { p.ends() }
func (p *itemAgent) Kill()                   { p.ends() }
func (p *itemAgent) Left() bool              { return false }
func (p *itemAgent) Abandon()                { p.ends() }

// ends ends the agent before its turn has ended.
func (p *itemAgent) ends() {
	if !p.over {
		p.over, p.code = true, 143
	}
}

func (p *itemAgent) Wait() int {
	p.begins = false
	delete(p.alive, p.keeper.PID)
	return p.code
}

func (p *itemAgent) Lost() error { return nil }
