package cmd

import (
	"fmt"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/output"
	"onward/internal/render"
)

// trustSavedGate trusts the gates in the current list's document: its own, else that in the settings of the project, and
// those of its items.
func (a *app) trustSavedGate() error {
	t, doc, err := a.load()
	if err != nil {
		return err
	}
	gates, err := a.SavedGates(t, doc)
	if err != nil {
		return err
	}
	if gates.Command == "" && len(gates.Items) == 0 {
		return cli.WithHint(cli.Failf(cli.ExitNotFound, "neither session %q nor its project has a gate in its document", t.Name), "`onward get gate` shows the gate that is in force")
	}
	if err := t.TrustSavedGates(gates); err != nil {
		return err
	}
	var trusted []continuation.Effective
	text := ""
	if gates.Command != "" {
		whose := "session " + t.Name.String()
		if gates.Where == continuation.FromProject {
			whose = "project " + gates.Project
		}
		trusted = append(trusted, continuation.Effective{Key: "gate", Value: gates.Command, Where: gates.Where})
		text = fmt.Sprintf("trusted the gate of %s\n  %s\n", render.Text(whose), render.Text(gates.Command))
	}
	if len(gates.Items) > 0 {
		text += "trusted the gates of items of session " + render.Text(t.Name.String()) + "\n"
	}
	for _, command := range gates.Items {
		trusted = append(trusted, continuation.Effective{Key: "gate", Value: command, Where: continuation.FromItem})
		text += "  " + render.Text(command) + "\n"
	}
	a.committed = true
	a.tell(output.SettingsJSON(t.Name, trusted, ""), text)
	return nil
}
