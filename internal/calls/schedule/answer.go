package schedule

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/store"
	"onward/internal/todo"
)

// Approve approves calls that await it. With always, the session gets rules that allow calls like them, and other calls
// that await approval and match these rules are approved too; with save, the rules are returned for the configuration
// instead. A call for which there is no such rule is approved once.
func Approve(d *Document, ids []string, judge Judge, always, save bool, now todo.Time) (Change, []policy.Rule, error) {
	calls, err := d.awaiting(ids)
	if err != nil {
		return Change{}, nil, err
	}
	s := d.Step(now)
	var rules []policy.Rule
	for _, c := range calls {
		outcome := outcomeOnce
		if t := judge.Tools.Find(c.Tool); t != nil && (always || save) {
			if more, ok := policy.AlwaysRules(t.PolicyQuestion(c.Args, judge.Mode)); ok {
				rules = append(rules, more...)
				outcome = outcomeAlways
				if save {
					outcome = outcomeSaved
				}
			}
		}
		s.allow(c, outcome)
	}
	if len(rules) > 0 {
		if !save {
			d.Rules = policy.AppendMissing(d.Rules, rules...)
		}
		judge.Rules = append(judge.Rules, rules...)
		if err := policy.Check(judge.Rules); err != nil {
			return Change{}, nil, err
		}
		s.pass(judge)
	}
	did, err := s.done("approved " + todo.Plural(len(calls), "call"))
	return did, rules, err
}

// CheckTool returns an error if the call with an id is of another tool than the one that new arguments were validated for. A call that is
// not there is reported by the change itself.
func (d *Document) CheckTool(id, tool string) error {
	if c := d.Find(id); c != nil && c.Tool != tool {
		return fmt.Errorf("modify call %q: %w: it is another call by now", id, store.ErrBusy)
	}
	return nil
}

// ApproveWith gives a call other arguments, as Modify does, and approves it in the same commit if the policy still asks.
// If the policy forbids these arguments, it returns an error and changes nothing.
func ApproveWith(d *Document, id string, args jsontext.Value, judge Judge, always, save bool, now todo.Time) (Change, []policy.Rule, error) {
	did, err := Modify(d, id, args, judge, now)
	if err != nil {
		return did, nil, err
	}
	switch c := d.Find(id); {
	case c.Status.Final():
		return Change{}, nil, fmt.Errorf("%w: approve call %q with these arguments: %s", ErrRequest, id, c.Reason)
	case c.Status != Awaiting:
		return did, nil, nil // a rule allows it
	}
	did, rules, err := Approve(d, []string{id}, judge, always, save, now)
	did.What = "modified and approved call " + id
	return did, rules, err
}

// awaiting returns calls by their ids; one that is not awaiting approval is an error.
func (d *Document) awaiting(ids []string) ([]*Call, error) {
	calls, err := d.CallsByID(ids...)
	for _, c := range calls {
		if c.Status != Awaiting {
			return nil, fmt.Errorf("%w: call %q is not awaiting approval (status: %s)", ErrState, c.ID, c.Status)
		}
	}
	return calls, err
}

// pass approves the waiting calls that a new rule allows.
func (s *Step) pass(judge Judge) {
	for c := range s.doc.all() {
		if c.Status == Awaiting && judge.Tools.Find(c.Tool) != nil && judge.ask(c, s.doc.Rules).Decision == policy.Allow {
			s.allow(c, outcomePolicy)
		}
	}
}

// DenyBatch denies calls that await approval, and cancels the calls of their batches that have not started.
func DenyBatch(d *Document, ids []string, reason string, now todo.Time) (Change, error) {
	calls, err := d.awaiting(ids)
	if err != nil {
		return Change{}, err
	}
	s := d.Step(now)
	for _, c := range calls {
		c.Approval = &Approval{Outcome: outcomeRefused, At: now}
		s.cancel(c, because("denied", reason))
	}
	for _, c := range calls {
		s.cancelRest(c, "denied")
	}
	return s.done("denied " + todo.Plural(len(calls), "call"))
}

// because describes what was done to a call, with the user's reason if there is one.
func because(what, reason string) string {
	if reason == "" {
		return what
	}
	return what + ": " + reason
}

// Modify replaces the arguments of a call that is awaiting approval. Invalid arguments are an error, and nothing changes.
// The policy decides again; if it still asks, the call keeps waiting.
func Modify(d *Document, id string, args jsontext.Value, judge Judge, now todo.Time) (Change, error) {
	calls, err := d.awaiting([]string{id})
	if err != nil {
		return Change{}, err
	}
	c := calls[0]
	if err := c.checkArgs(args); err != nil {
		return Change{}, err
	}
	edited := *c
	edited.Args = args
	if _, reason := judge.whyImpossible(&edited); reason != "" {
		return Change{}, fmt.Errorf("%w: modify call %q: %s", ErrRequest, id, reason)
	}
	c.Args = args
	s := d.Step(now)
	judge.moveToNextState(s, c)
	if c.Status == Awaiting {
		c.Approval = &Approval{Outcome: outcomeModified, At: now}
	}
	return s.done("modified call " + id)
}

// Cancel ends calls, and the calls of their batches that have not started. A call that runs is stopped by the process
// that runs it; if that process is gone, the call counts as interrupted.
func Cancel(d *Document, ids []string, reason string, alive func(*Process) bool, now todo.Time) (Change, error) {
	calls, err := d.CallsByID(ids...)
	if err != nil {
		return Change{}, err
	}
	s := d.Step(now)
	for _, c := range calls {
		if c.Status.Final() {
			return Change{}, fmt.Errorf("%w: call %s has ended as %s", ErrState, c.ID, c.Status)
		}
		s.stop(c, reason, alive)
	}
	for _, c := range calls {
		s.cancelRest(c, "cancelled")
	}
	return s.done("cancelled " + todo.Plural(len(calls), "call"))
}

// CancelAll cancels all calls that have not ended.
func CancelAll(d *Document, reason string, alive func(*Process) bool, now todo.Time) (Change, error) {
	s := d.Step(now)
	for c := range d.all() {
		if !c.Status.Final() {
			s.stop(c, reason, alive)
		}
	}
	return s.done(s.touched("cancelled"))
}

// stop ends a call, or asks the process that runs it to end it.
func (s *Step) stop(c *Call, reason string, alive func(*Process) bool) {
	switch why := because("cancelled", reason); {
	case c.Status != Executing:
		s.cancel(c, why)
	case alive(c.Owner):
		c.StopAt, c.StopFor = s.now, why
		s.touch(c.ID)
	default:
		s.interrupted(c)
	}
}

// Clear removes the calls that have ended, and returns the files of their results.
func Clear(d *Document) (Change, []string) {
	var did Change
	var files []string
	gone, used := map[string]bool{}, map[string]bool{}
	d.Calls = slices.DeleteFunc(d.Calls, func(c Call) bool {
		if !c.Status.Final() {
			used[c.Batch] = true
			return false
		}
		gone[c.ID] = true
		did.Calls = append(did.Calls, c.ID)
		files = append(files, c.files()...)
		return true
	})
	for c := range d.all() {
		// A dependency that is removed has succeeded; otherwise this call would have been cancelled.
		c.After = slices.DeleteFunc(c.After, func(id string) bool { return gone[id] })
	}
	d.Batches = slices.DeleteFunc(d.Batches, func(b Batch) bool { return !used[b.ID] })
	d.at = nil
	if len(did.Calls) > 0 {
		did.What = "cleared " + todo.Plural(len(did.Calls), "call")
	}
	return did, files
}
