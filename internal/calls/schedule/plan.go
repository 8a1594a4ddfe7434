package schedule

import (
	"cmp"
	"slices"

	"onward/internal/todo"
)

// Plan has the calls of one round of a run: those of the batches that awaited no approval when the round began.
// Calls that are submitted during a round wait for the next round.
type Plan struct {
	order    []string            // the calls that have not ended, by priority, then in the order of the requests
	barriers map[string][]string // the calls that wait for all before them, by batch, in the order of the requests
	parallel func(string) bool   // whether a tool may run next to others
}

// NewPlan starts a round. It returns nil if no call can start.
func NewPlan(d *Document, parallel func(tool string) bool) *Plan {
	waiting := d.waiting()
	p := &Plan{parallel: parallel, barriers: map[string][]string{}}
	var calls []*Call
	for c := range d.all() {
		if c.Status == Scheduled && !waiting[c.Batch] {
			calls = append(calls, c)
			if c.Barrier {
				p.barriers[c.Batch] = append(p.barriers[c.Batch], c.ID)
			}
		}
	}
	slices.SortStableFunc(calls, func(a, b *Call) int { return cmp.Compare(b.Priority, a.Priority) })
	for _, c := range calls {
		p.order = append(p.order, c.ID)
	}
	if len(p.Next(d, 0, 1)) == 0 {
		return nil
	}
	return p
}

// Next returns the calls that may start now, at most this many, next to those that run already.
// A call of a tool that may change something starts when nothing runs, and nothing starts next to it.
func (p *Plan) Next(d *Document, running, free int) []*Call {
	for len(p.order) > 0 {
		if c := d.Find(p.order[0]); c != nil && !c.Status.Final() {
			break
		}
		p.order = p.order[1:]
	}
	var start []*Call
	for _, id := range p.order {
		if len(start) >= free {
			break
		}
		c := d.Find(id)
		if c == nil {
			continue // the call has been removed since
		}
		alone := !p.parallel(c.Tool)
		switch {
		case c.Status == Executing && alone:
			return nil
		case c.Status != Scheduled || p.held(d, c, start) || !d.dependenciesDone(c):
		case !alone:
			start = append(start, c)
		case running+len(start) > 0:
			return start
		default:
			return []*Call{c}
		}
	}
	return start
}

// held reports whether a call comes after a barrier of its batch that has not started and does not start now.
func (p *Plan) held(d *Document, c *Call, start []*Call) bool {
	for list := p.barriers[c.Batch]; len(list) > 0; list = list[1:] {
		first := d.Find(list[0])
		if first != nil && first.Status == Scheduled && !slices.Contains(start, first) {
			p.barriers[c.Batch] = list
			return d.at[first.ID] < d.at[c.ID]
		}
	}
	return false
}

// dependenciesDone reports whether the calls that a call waits for have succeeded.
func (d *Document) dependenciesDone(c *Call) bool {
	for _, id := range c.After {
		if on := d.Find(id); on != nil && on.Status != Success {
			return false
		}
	}
	if !c.Barrier {
		return true
	}
	for before := range d.all() {
		if before.ID == c.ID {
			break
		}
		if before.Batch == c.Batch && !before.Status.Final() {
			return false
		}
	}
	return true
}

// Start marks a call as running. It is in the store before the call runs,
// so that no other process runs it too.
func (s *Step) Start(c *Call, owner Process) {
	c.Owner = &owner
	s.move(c, Executing)
}

// Ending is the end of a running call.
type Ending struct {
	ID     string
	Status Status // success, error or cancelled
	Class  string
	Reason string
	Result *Result
}

// End records the ends of calls, and updates the calls that depend on them.
func (s *Step) End(endings []Ending) {
	failed := false
	for _, e := range endings {
		c := s.doc.Find(e.ID)
		if c == nil || c.Status != Executing {
			continue // another process ended it, and an end is final
		}
		c.Class, c.Reason, c.Result = e.Class, e.Reason, e.Result
		s.move(c, e.Status)
		failed = failed || e.Status != Success
		if e.Status == Cancelled {
			s.cancelRest(c, "cancelled")
		}
	}
	if failed {
		s.propagate()
	} else {
		s.complete()
	}
}

// Recover ends the calls whose process is gone. They are not run again.
func Recover(d *Document, alive func(*Process) bool, now todo.Time) (Change, error) {
	s := d.Step(now)
	for c := range d.all() {
		if c.Status == Executing && !alive(c.Owner) {
			s.interrupted(c)
		}
	}
	what := s.touched("found")
	if what != "" {
		what += " interrupted"
	}
	return s.done(what)
}

// Orphaned reports whether a call is marked as running although its process is gone.
func Orphaned(d *Document, alive func(*Process) bool) bool {
	return d != nil && slices.ContainsFunc(d.Calls, func(c Call) bool { return c.Status == Executing && !alive(c.Owner) })
}

// Outcome sums up several calls for an exit code.
type Outcome int

// The outcomes, the most important one last.
const (
	AllWell Outcome = iota
	SomeFailed
	SomeAwaitApproval // for an approval
)

// Statuses returns those of the calls that an outcome is about.
func (o Outcome) Statuses() []Status {
	switch o {
	case SomeAwaitApproval:
		return []Status{Awaiting}
	case SomeFailed:
		return []Status{Errored, Cancelled}
	}
	return nil
}

// OutcomeOf returns the outcome of calls: one that waits for an approval outranks one that failed.
func OutcomeOf(calls []*Call) Outcome {
	for _, o := range []Outcome{SomeAwaitApproval, SomeFailed} {
		if len(IDsWithStatus(calls, o.Statuses()...)) > 0 {
			return o
		}
	}
	return AllWell
}

// CallsToReport returns the calls that have ended and that no run has reported yet, and those that await approval,
// in the order of the requests.
func CallsToReport(d *Document) []*Call {
	var out []*Call
	for c := range d.all() {
		if c.Status.Final() && !c.Reported {
			c.Reported = true
			out = append(out, c)
		} else if c.Status == Awaiting {
			out = append(out, c)
		}
	}
	return out
}
