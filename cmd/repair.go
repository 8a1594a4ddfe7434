package cmd

import (
	"fmt"

	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/session"
)

type repairCmd struct {
	Session string `arg:"" name:"session" optional:"" complete:"session" help:"The session; default: the current one. SESSION+AGENT is a sub-agent's list."`
	Yes     bool   `short:"y" help:"Bring the newest good state back; without it, nothing is written."`
}

// Run says what is wrong with a session's files, its list's and its tool calls', and with --yes mends them.
func (c *repairCmd) Run(a *app) error {
	t, err := a.targetNamed(c.Session)
	if err != nil {
		return err
	}
	if doc, err := t.store.Load(t.name); c.Session != "" && doc == nil && err == nil {
		return fmt.Errorf("%w: %q", session.ErrNoSession, t.name)
	}
	var d session.Diagnosis
	if c.Yes {
		d, err = t.store.Repair(t.name, t.now)
		a.committed = d.Problem != nil && err == nil
	} else {
		d, err = t.store.Diagnose(t.name)
	}
	if err != nil {
		return err
	}
	calls := schedule.Store{Dir: t.store.Dir, LockTimeout: t.store.LockTimeout}
	var of schedule.Diagnosis
	if c.Yes {
		of, err = calls.Repair(t.name)
		a.committed = a.committed || of.Problem != nil && err == nil
	} else {
		of, err = calls.Diagnose(t.name)
	}
	if err != nil && a.committed {
		return fmt.Errorf("%w: the list is repaired, its tool calls are not: %w", session.ErrNotDurable, err)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		a.write(render.RepairJSON(t.name, d, of, c.Yes))
	} else {
		a.print(render.Repair(t.name, d, of, c.Yes, a.style(), t.now.Time()))
	}
	if (d.Problem != nil || of.Problem != nil) && !c.Yes {
		return answer(exitData)
	}
	return nil
}
