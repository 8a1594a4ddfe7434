package cmd

import (
	"fmt"

	"onward/internal/render"
	"onward/internal/session"
)

type repairCmd struct {
	Session string `arg:"" name:"session" optional:"" complete:"session" help:"The session; default: the current one. SESSION+AGENT is a sub-agent's list."`
	Yes     bool   `short:"y" help:"Bring the newest good state back; without it, nothing is written."`
}

// Run says what is wrong with a session's file, and with --yes mends it.
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
	if a.JSON {
		a.write(render.RepairJSON(t.name, d, c.Yes))
	} else {
		a.print(render.Repair(t.name, d, c.Yes, t.now.Time()))
	}
	if d.Problem != nil && !c.Yes {
		return answer(exitData)
	}
	return nil
}
