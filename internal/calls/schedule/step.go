package schedule

import (
	"fmt"
	"slices"

	"onward/internal/todo"
)

// Step is one change of a document while it is made: the calls that it touched, and the first transition that was not
// possible, after which the whole change must be dropped.
type Step struct {
	doc *Document
	now todo.Time
	did Change
	err error
}

// Step begins a change.
func (d *Document) Step(now todo.Time) *Step { return &Step{doc: d, now: now} }

// Result completes the step, and returns its change.
func (s *Step) Result() (Change, error) { return s.did, s.err }

// done applies the consequences of a change, and returns it with its description; an empty one
// means that nothing is to be committed.
func (s *Step) done(what string) (Change, error) {
	s.did.What = what
	s.propagate()
	if s.err != nil {
		return Change{}, s.err
	}
	return s.did, nil
}

// touched describes what was done to the calls that were touched so far; empty if there are none.
func (s *Step) touched(verb string) string {
	if len(s.did.Calls) == 0 {
		return ""
	}
	return verb + " " + todo.Plural(len(s.did.Calls), "call")
}

// move changes the status of a call.
func (s *Step) move(c *Call, to Status) {
	if err := c.move(to, s.now); err != nil && s.err == nil {
		s.err = err
	}
	s.touch(c.ID)
}

// touch records that a call was touched.
func (s *Step) touch(id string) {
	did := &s.did
	// The last one is looked at first, since calls come in runs.
	if n := len(did.Calls); n > 0 && did.Calls[n-1] == id || n < 64 && slices.Contains(did.Calls, id) {
		return
	}
	did.Calls = append(did.Calls, id)
}

// allow lets a call run.
func (s *Step) allow(c *Call, outcome string) {
	c.Approval, c.Reason = &Approval{Outcome: outcome, At: s.now}, ""
	s.move(c, Scheduled)
}

// fail ends a call that must not run, or whose process died.
func (s *Step) fail(c *Call, class, reason string) {
	c.Class, c.Reason = class, reason
	s.move(c, Errored)
}

// cancel ends a call that has not started.
func (s *Step) cancel(c *Call, reason string) {
	c.Reason = reason
	s.move(c, Cancelled)
}

// cancelRest cancels the calls that have not started in the batch of a cancelled call.
func (s *Step) cancelRest(of *Call, what string) {
	for _, c := range s.doc.CallsOf(of.Batch) {
		if c.Status == Scheduled || c.Status == Awaiting {
			s.cancel(c, fmt.Sprintf("call %s of its batch was %s", of.ID, what))
		}
	}
}

// interrupted ends a call whose process died. Its progress is unknown, so it is not run again.
func (s *Step) interrupted(c *Call) {
	s.fail(c, ClassInterrupted, "the process that ran it is gone; how far it came is not known")
}

// propagate applies the consequences of a change: calls that depend on one that did not succeed are cancelled,
// and a batch whose calls have all ended is complete, which is reported once.
func (s *Step) propagate() {
	d := s.doc
	// A call can only wait for one of its batch or of an earlier one, so this ends;
	// it takes more than one round if a batch lists its calls in reverse.
	for again := true; again && s.err == nil; {
		again = false
		for c := range d.all() {
			if len(c.After) == 0 || c.Status != Scheduled && c.Status != Awaiting {
				continue
			}
			for _, id := range c.After {
				if on := d.Find(id); on != nil && on.Status.Final() && on.Status != Success {
					s.cancel(c, fmt.Sprintf("it depends on %s, which ended as %s", id, on.Status))
					again = true
					break
				}
			}
		}
	}
	s.complete()
}

// complete marks the batches whose calls have all ended.
func (s *Step) complete() {
	d := s.doc
	open := make(map[string]bool, len(d.Batches))
	for c := range d.all() {
		if !c.Status.Final() {
			open[c.Batch] = true
		}
	}
	for i := range d.Batches {
		if b := &d.Batches[i]; !b.Complete && !open[b.ID] {
			b.Complete = true
			s.did.Complete = append(s.did.Complete, b.ID)
		}
	}
}
