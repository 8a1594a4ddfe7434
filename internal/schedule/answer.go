package schedule

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/policy"
	"onward/internal/todo"
)

// Approve lets calls run that wait for an approval. With always, the session gets rules
// for more calls like them, and what already waits and fits passes too; with save, the rules come back
// for the configuration instead. A call that no rule can be made for is approved this once.
func Approve(d *Document, ids []string, judge Judge, always, save bool, now todo.Time) (Change, []policy.Rule, error) {
	calls, err := d.find(ids)
	if err != nil {
		return Change{}, nil, err
	}
	did := Change{What: "approved " + todo.Plural(len(calls), "call")}
	var rules []policy.Rule
	for _, c := range calls {
		if err := c.awaits(); err != nil {
			return Change{}, nil, err
		}
		outcome := ProceedOnce
		if t := judge.Tools.Find(c.Tool); t != nil && (always || save) {
			if more, ok := policy.Always(t.Question(c.Args, judge.Mode)); ok {
				rules = append(rules, more...)
				outcome = ProceedAlways
				if save {
					outcome = ProceedSaved
				}
			}
		}
		if err := c.allow(outcome, now); err != nil {
			return Change{}, nil, err
		}
		did.touch(c.ID)
	}
	if len(rules) > 0 {
		if !save {
			d.Rules = policy.Add(d.Rules, rules...)
		}
		judge.Rules = append(judge.Rules, rules...)
		for i := range judge.Rules {
			if err := judge.Rules[i].Check(); err != nil {
				return Change{}, nil, err
			}
		}
		if err := d.pass(judge, &did, now); err != nil {
			return Change{}, nil, err
		}
	}
	return did, rules, d.propagate(&did, now)
}

// awaits refuses a call that is not awaiting approval.
func (c *Call) awaits() error {
	if c.Status != Awaiting {
		return fmt.Errorf("%w: call %q is not awaiting approval (status: %s)", ErrState, c.ID, c.Status)
	}
	return nil
}

// allow lets a call run.
func (c *Call) allow(outcome string, now todo.Time) error {
	c.Approval, c.Reason = &Approval{Outcome: outcome, At: now}, ""
	return c.move(Scheduled, now)
}

// pass lets calls through that wait and that a new rule allows.
func (d *Document) pass(judge Judge, did *Change, now todo.Time) error {
	for i := range d.Calls {
		c := &d.Calls[i]
		if c.Status != Awaiting || judge.Tools.Find(c.Tool) == nil || judge.ask(c, d.Rules).Decision != policy.Allow {
			continue
		}
		if err := c.allow(ByPolicy, now); err != nil {
			return err
		}
		did.touch(c.ID)
	}
	return nil
}

// Refuse denies calls that wait for an approval, and cancels what of their batches has not started.
func Refuse(d *Document, ids []string, reason string, now todo.Time) (Change, error) {
	calls, err := d.find(ids)
	if err != nil {
		return Change{}, err
	}
	did := Change{What: "denied " + todo.Plural(len(calls), "call")}
	why := "denied"
	if reason != "" {
		why += ": " + reason
	}
	for _, c := range calls {
		if err := c.awaits(); err != nil {
			return Change{}, err
		}
		c.Approval = &Approval{Outcome: Refused, At: now}
		if err := c.cancel(why, now); err != nil {
			return Change{}, err
		}
		did.touch(c.ID)
	}
	for _, c := range calls {
		if err := d.cancelRest(c, "denied", &did, now); err != nil {
			return Change{}, err
		}
	}
	return did, d.propagate(&did, now)
}

// cancelRest cancels what has not started of the batch of a call that was.
func (d *Document) cancelRest(of *Call, what string, did *Change, now todo.Time) error {
	for i := range d.Calls {
		c := &d.Calls[i]
		if c.Batch != of.Batch || c.Status != Scheduled && c.Status != Awaiting {
			continue
		}
		if err := c.cancel(fmt.Sprintf("call %s of its batch was %s", of.ID, what), now); err != nil {
			return err
		}
		did.touch(c.ID)
	}
	return nil
}

// Modify replaces the arguments of a call that is awaiting approval. Those that do not fit are refused,
// and nothing changes. The policy is asked again; where it asks, the call continues waiting.
func Modify(d *Document, id string, args jsontext.Value, judge Judge, now todo.Time) (Change, error) {
	c := d.Find(id)
	if c == nil {
		return Change{}, fmt.Errorf("%w: call %q", ErrNotFound, id)
	}
	if err := cmp.Or(c.awaits(), c.checkArgs(args)); err != nil {
		return Change{}, err
	}
	edited := *c
	edited.Args = args
	if _, reason := judge.fault(&edited); reason != "" {
		return Change{}, fmt.Errorf("%w: modify call %q: %s", ErrRequest, id, reason)
	}
	c.Args = args
	did := Change{What: "modified call " + id, Calls: []string{id}}
	if err := judge.route(c, d.Rules, now); err != nil {
		return Change{}, err
	}
	if c.Status == Awaiting {
		c.Approval = &Approval{Outcome: Modified, At: now}
	}
	return did, d.propagate(&did, now)
}

// Cancel ends calls, and what has not started of their batches. What runs is asked to stop by the process that runs it;
// where that process is gone, the call was interrupted.
func Cancel(d *Document, ids []string, reason string, alive func(*Process) bool, now todo.Time) (Change, error) {
	calls, err := d.find(ids)
	if err != nil {
		return Change{}, err
	}
	did := Change{What: "cancelled " + todo.Plural(len(calls), "call")}
	for _, c := range calls {
		if c.Status.Final() {
			return Change{}, fmt.Errorf("%w: call %s has ended as %s", ErrState, c.ID, c.Status)
		}
		if err := c.stop(reason, alive, now); err != nil {
			return Change{}, err
		}
		did.touch(c.ID)
	}
	for _, c := range calls {
		if err := d.cancelRest(c, "cancelled", &did, now); err != nil {
			return Change{}, err
		}
	}
	return did, d.propagate(&did, now)
}

// CancelAll ends everything that has not ended.
func CancelAll(d *Document, reason string, alive func(*Process) bool, now todo.Time) (Change, error) {
	var did Change
	for i := range d.Calls {
		c := &d.Calls[i]
		if c.Status.Final() {
			continue
		}
		if err := c.stop(reason, alive, now); err != nil {
			return Change{}, err
		}
		did.touch(c.ID)
	}
	if len(did.Calls) > 0 {
		did.What = "cancelled " + todo.Plural(len(did.Calls), "call")
	}
	return did, d.propagate(&did, now)
}

func (c *Call) stop(reason string, alive func(*Process) bool, now todo.Time) error {
	why := "cancelled"
	if reason != "" {
		why += ": " + reason
	}
	switch {
	case c.Status != Executing:
		return c.cancel(why, now)
	case alive(c.Owner):
		c.StopAt, c.StopFor = now, why
		return nil
	default:
		return c.interrupted(now)
	}
}

// interrupted ends a call whose process died. Its progress is unknown, so it is not run again.
func (c *Call) interrupted(now todo.Time) error {
	c.Class, c.Reason = ClassInterrupted, "the process that ran it is gone; how far it came is not known"
	return c.move(Errored, now)
}

// Clear removes the calls that have ended, and returns their results' files.
func Clear(d *Document) (Change, []string) {
	var did Change
	var files []string
	var kept []Call
	gone := map[string]bool{}
	for _, c := range d.Calls {
		if !c.Status.Final() {
			kept = append(kept, c)
			continue
		}
		gone[c.ID] = true
		did.Calls = append(did.Calls, c.ID)
		files = append(files, c.files()...)
	}
	used := map[string]bool{}
	for i := range kept {
		c := &kept[i]
		used[c.Batch] = true
		// A removed dependency has succeeded, or the call would not be here.
		var after []string
		for _, id := range c.After {
			if !gone[id] {
				after = append(after, id)
			}
		}
		c.After = after
	}
	var batches []Batch
	for _, b := range d.Batches {
		if used[b.ID] {
			batches = append(batches, b)
		}
	}
	d.Calls, d.Batches, d.at = kept, batches, nil
	if len(did.Calls) > 0 {
		did.What = "cleared " + todo.Plural(len(did.Calls), "call")
	}
	return did, files
}
