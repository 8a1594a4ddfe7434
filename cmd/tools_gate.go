package cmd

import (
	"fmt"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// trustSavedGate trusts the gates in the current list's document: its own, else that in the settings of the project, and
// those of its items.
func (a *app) trustSavedGate() error {
	t, doc, err := a.load()
	if err != nil {
		return err
	}
	command, where, whose, of := "", continuation.FromSession, "session "+t.Name.String(), (*session.Project)(nil)
	if doc != nil {
		command = doc.Settings["gate"]
	}
	if command == "" && a.Session == nil {
		if of, err = a.settingsOf(t); err != nil {
			return err
		}
		if of != nil {
			saved, err := t.Store.ProjectSettings(*of)
			if err != nil {
				return err
			}
			if saved != nil {
				command, where, whose = saved.Values["gate"], continuation.FromProject, "project "+saved.Project
			}
		}
	}
	ofItems := todo.GateCommands(doc.Current())
	set := command != "" && command != "none"
	if !set && len(ofItems) == 0 {
		return cli.WithHint(cli.Failf(cli.ExitNotFound, "neither session %q nor its project has a gate in its document", t.Name), "`onward get gate` shows the gate that is in force")
	}
	var trusted []continuation.Effective
	text := ""
	if set {
		if err := t.TrustGate(of, command); err != nil {
			return err
		}
		trusted = append(trusted, continuation.Effective{Key: "gate", Value: command, Where: where})
		text = fmt.Sprintf("trusted the gate of %s\n  %s\n", render.Text(whose), render.Text(command))
	}
	if len(ofItems) > 0 {
		if err := t.TrustItemGates(ofItems...); err != nil {
			return err
		}
		text += "trusted the gates of items of session " + render.Text(t.Name.String()) + "\n"
	}
	for _, command := range ofItems {
		trusted = append(trusted, continuation.Effective{Key: "gate", Value: command, Where: continuation.FromItem})
		text += "  " + render.Text(command) + "\n"
	}
	a.committed = true
	a.tell(output.SettingsJSON(t.Name, trusted, ""), text)
	return nil
}
