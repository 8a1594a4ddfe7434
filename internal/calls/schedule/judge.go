package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/calls/tool"
	"onward/internal/todo"
)

// Judge decides whether a call may run: whether the tool exists, accepts the arguments, and is allowed by the policy.
type Judge struct {
	Tools  tool.Set
	Rules  []policy.Rule // of the configuration; those of the session are in the document
	Mode   policy.Mode
	Nobody bool // nobody can be asked

	// Check validates arguments against a tool's parameters; it is needed to submit or modify a call.
	Check func(*tool.Tool, jsontext.Value) error
}

// moveToNextState moves a call that is being validated, or was modified, to its next state.
func (j Judge) moveToNextState(s *Step, c *Call) {
	c.Mode = string(j.Mode)
	if class, reason := j.whyImpossible(c); class != "" {
		s.fail(c, class, reason)
		return
	}
	c.Tools = j.Tools.Find(c.Tool).Hash
	switch v := j.ask(c, s.doc.Rules); v.Decision {
	case policy.Deny:
		s.fail(c, ClassPolicy, v.Why)
	case policy.Allow:
		s.allow(c, outcomePolicy)
	default:
		c.Reason = v.Why
		s.move(c, Awaiting)
	}
}

// whyImpossible returns the reason why a call cannot run under any policy.
func (j Judge) whyImpossible(c *Call) (class, reason string) {
	t := j.Tools.Find(c.Tool)
	if t == nil {
		reason = fmt.Sprintf("there is no tool %q", c.Tool)
		if near := j.Tools.Suggest(c.Tool); len(near) > 0 {
			reason += "; did you mean " + strings.Join(near, ", ") + "?"
		}
		return ClassUnknownTool, reason
	}
	if err := j.Check(t, c.Args); err != nil {
		return ClassArguments, err.Error()
	}
	return "", ""
}

func (j Judge) ask(c *Call, session []policy.Rule) policy.Verdict {
	q := j.Tools.Find(c.Tool).PolicyQuestion(c.Args, j.Mode)
	q.Nobody = j.Nobody
	return policy.Decide(q, append(slices.Clone(session), j.Rules...))
}

// Review asks the policy again before a run, because the mode or the rules may have changed. Calls that await approval
// may now be allowed or denied; calls that the policy had allowed may be denied. Calls that the user approved stay approved.
func Review(d *Document, judge Judge, now todo.Time) (Change, error) {
	s := d.Step(now)
	for c := range d.all() {
		byPolicy := c.Status == Scheduled && c.Approval != nil && c.Approval.Outcome == outcomePolicy
		if c.Status != Awaiting && !byPolicy {
			continue
		}
		if judge.Tools.Find(c.Tool) == nil {
			continue // its run reports the problem
		}
		switch v := judge.ask(c, d.Rules); {
		case v.Decision == policy.Deny:
			c.Class = ClassPolicy
			s.cancel(c, v.Why)
		case v.Decision == policy.Allow && c.Status == Awaiting:
			c.Mode = string(judge.Mode)
			s.allow(c, outcomePolicy)
		}
	}
	return s.done(s.touched("reviewed"))
}
