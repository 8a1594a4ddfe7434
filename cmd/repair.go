package cmd

import (
	"errors"
	"fmt"

	"onward/internal/durable"
	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/tool"
)

type repairCmd struct {
	Session string `arg:"" name:"session" optional:"" complete:"session" help:"The session; default: the current one. SESSION+AGENT is a sub-agent's list."`
	Yes     bool   `short:"y" help:"Bring the newest good state back; without it, nothing is written."`
	Accept  bool   `help:"Accept a file that was edited by hand, if it is valid."`
}

// Run says what is wrong with a session's files, its list's and its tool calls', and with --yes mends them,
// or with --accept takes them as they are.
func (c *repairCmd) Run(a *app) error {
	if c.Yes && c.Accept {
		return usagef("--yes and --accept exclude each other: restore the newest good state, or accept the file as it is")
	}
	t, err := a.targetNamed(c.Session)
	if err != nil {
		return err
	}
	if doc, err := t.store.Load(t.name); c.Session != "" && doc == nil && err == nil {
		return fmt.Errorf("%w: %q", session.ErrNoSession, t.name)
	}
	calls := schedule.Store{Dir: t.store.Dir, LockTimeout: t.store.LockTimeout}
	list, ofCalls := t.store.Diagnose, calls.Diagnose
	switch {
	case c.Yes:
		list = func(name session.Name) (session.Diagnosis, error) { return t.store.Repair(name, t.now) }
		ofCalls = calls.Repair
	case c.Accept:
		list = func(name session.Name) (session.Diagnosis, error) { return t.store.Accept(name, t.now) }
		ofCalls = func(name session.Name) (schedule.Diagnosis, error) { return calls.Accept(name, t.now) }
	}
	writes := c.Yes || c.Accept
	d, err := list(t.name)
	if err != nil {
		return err
	}
	a.committed = writes && d.Problem != nil
	of, err := ofCalls(t.name)
	if err != nil && a.committed {
		return fmt.Errorf("%w: the list is repaired, its tool calls are not: %w", session.ErrNotDurable, err)
	}
	if err != nil {
		return err
	}
	a.committed = a.committed || writes && of.Problem != nil
	rules := tool.Lost(configDir(), "policy")
	gone := errors.Is(rules, durable.ErrGone)
	if a.committed && rules != nil && !gone {
		return fmt.Errorf("%w: the session is repaired, whether the rules are there is not known: %w", session.ErrNotDurable, rules)
	}
	found := render.Repaired{Name: t.name, List: d, Calls: of, Wrote: writes, Rules: rules}
	if c.Accept && gone {
		if err := tool.Forget(configDir(), "policy", t.store.LockTimeout); err != nil {
			return err
		}
		found.Forgot = true
	}
	if a.JSON {
		a.write(found.JSON())
	} else {
		a.print(found.Text(a.style(), t.now.Time()))
	}
	if (d.Problem != nil || of.Problem != nil) && !writes || found.Rules != nil && !found.Forgot {
		return answer(exitData)
	}
	return nil
}
