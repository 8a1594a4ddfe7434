package cmd

import (
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/repair"
	"onward/internal/store"
)

type repairCmd struct {
	Session string `arg:"" name:"session" optional:"" complete:"session" help:"The session; default: the current one. SESSION+AGENT is a sub-agent's list."`
	Yes     bool   `short:"y" help:"Restore the newest good state; without it, nothing is written."`
	Accept  bool   `help:"Accept a file that was edited by hand, if it is valid."`
}

// Run reports what is wrong with a session's files, of its list and its tool calls, and with --yes repairs them,
// or with --accept accepts them as they are.
func (c *repairCmd) Run(a *app) error {
	if c.Yes && c.Accept {
		return cli.Usagef("--yes and --accept cannot be used together: restore the newest good state, or accept the file as it is")
	}
	t, err := a.targetNamed(c.Session)
	if err != nil {
		return err
	}
	remedy := store.Examine
	switch {
	case c.Yes:
		remedy = store.Restore
	case c.Accept:
		remedy = store.Accept
	}
	doc, _ := t.Store.Load(t.Name) // what is wrong with it is found below
	stores := repair.Stores{Lists: t.Store.WithKnownSettings(doc), Calls: t.Calls(), Rules: find.RuleStore(t.Storage.Local)}
	if c.Session == "" {
		project, err := t.CurrentProject()
		if err != nil {
			return err
		}
		stores.Project = &project
	}
	found, err := stores.Session(t.Name, store.Examine, t.Now)
	switch {
	case err != nil:
	case !found.Intact():
		if remedy != store.Examine {
			if err := find.RequirePerson(found.Act(remedy), "`onward repair` shows what is wrong"); err != nil {
				return err
			}
			found, err = stores.Session(t.Name, remedy, t.Now)
		}
	case c.Session != "":
		err = t.CheckSaved() // its name may be misspelt
	}
	if err != nil {
		return err
	}
	a.committed = found.Changed()
	a.show(output.RepairJSON(&found), output.RepairText(&found, a.style(), t.Now.Time()))
	if found.Remains() {
		return cli.ExitCode(cli.ExitData)
	}
	return nil
}
