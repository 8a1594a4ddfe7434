package cmd

import (
	"fmt"
	"strings"
	"time"

	"onward/internal/calls/tool"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// untrusted returns an error if the user does not trust the gate here. In a store that others write to, anybody could
// have written the command.
func (g *gate) untrusted(set continuation.Settings) (string, error) {
	where, flag, scope := "the session document", " --session "+g.name.Session, "on this machine"
	switch set.GateFrom {
	case continuation.FromSession:
	case continuation.FromProject:
		where, flag = "the project's settings", ""
	case continuation.FromItem:
		where, scope = "the list", "in this repository"
	default:
		return "", nil
	}
	trusted, err := g.trustsGate(&set)
	if trusted || err != nil {
		return "", err
	}
	return "it is in " + where + ", and is not trusted " + scope + "; read it, then run `onward tools trust --gate" + flag + "`", nil
}

// trustsGate reports whether the user trusts a gate that is in a document.
func (t target) trustsGate(set *continuation.Settings) (trusted bool, err error) {
	if set.GateFrom == continuation.FromItem {
		document, err := t.itemGateDocument()
		if err != nil {
			return false, err
		}
		return gateTrust().TrustsItemGate(document, set.Gate)
	}
	trusted, _, err = gateTrust().TrustsGate(t.gateDocument(set), set.Gate)
	return trusted, err
}

// trustItemGates lets gates of items in the list's document run on this machine, in this repository.
func (t target) trustItemGates(commands ...string) error {
	document, err := t.itemGateDocument()
	if err != nil {
		return err
	}
	return gateTrust().TrustItemGates(ownFiles(t.files.local.Wait), document, commands, time.Now())
}

// allowGate returns an error if not a person sets the gate of an item. Setting one means trusting it here.
func (t target) allowGate(command string) error {
	if err := personOnly("set or remove a gate"); err != nil {
		return err
	}
	if command = strings.TrimSpace(command); command == "" || command == "none" {
		return nil
	}
	return t.trustItemGates(command)
}

// itemGateDocument names the document that the gates of items are trusted for, in one repository with its worktrees: the
// workers of a list may each have a checkout of their own. Any folder can say of which repository it is, so one that git does
// not know is trusted by itself.
func (t target) itemGateDocument() (string, error) {
	here, err := t.here()
	where := t.store.SettingsName(here)
	if here.Claimed || where == "" {
		where = here.Dir
	}
	return t.files.Path(session.Key(t.name)) + " in " + where, err
}

// gateDocument names the document that the gate is trusted for: a sub-agent's gate is its own.
func (t target) gateDocument(set *continuation.Settings) string {
	if set.GateFrom == continuation.FromProject {
		if project, err := t.here(); err == nil {
			settings := t.projectGate(project)
			if project.Claimed { // any folder can claim to be of a repository, so each one is trusted by itself
				settings += " in " + project.Dir
			}
			return settings
		}
	}
	return t.files.Path(session.Key(t.name))
}

// projectGate names the document of a project's gate.
func (t target) projectGate(p session.Project) string {
	return t.files.Path(session.SettingsKey(t.store.SettingsName(p)))
}

// gateTrust returns the files with the user's trust. No project is needed, because gates are not a project's tools.
func gateTrust() tool.Files { return tool.Files{Disk: durable.Disk{}, Config: configDir()} }

// trustGate lets the gate of a project's settings run on this machine, or if that is nil, the one of the list's document
// in this checkout.
func (t target) trustGate(of *session.Project, command string) error {
	if command = strings.TrimSpace(command); command == "" || command == "none" {
		return nil
	}
	set := continuation.Settings{GateFrom: continuation.FromProject}
	folder := ""
	if of != nil && of.Claimed { // trust also holds in the linked worktrees that the repository knows
		if err := gateTrust().TrustGate(ownFiles(t.files.local.Wait), t.projectGate(*of), command, "", time.Now()); err != nil {
			return err
		}
	}
	if of == nil {
		here, err := t.here()
		if err != nil {
			return err
		}
		set.GateFrom, folder = continuation.FromSession, here.Dir
	}
	return gateTrust().TrustGate(ownFiles(t.files.local.Wait), t.gateDocument(&set), command, folder, time.Now())
}

// trustSavedGate trusts the gates in the current list's document: its own, else that in the settings of the project, and
// those of its items.
func (a *app) trustSavedGate() error {
	t, doc, err := a.load()
	if err != nil {
		return err
	}
	command, where, whose, of := "", continuation.FromSession, "session "+t.name.String(), (*session.Project)(nil)
	if doc != nil {
		command = doc.Settings["gate"]
	}
	if command == "" && a.Session == nil {
		if of, err = a.settingsOf(t); err != nil {
			return err
		}
		if of != nil {
			saved, err := t.store.ProjectSettings(*of)
			if err != nil {
				return err
			}
			if saved != nil {
				command, where, whose = saved.Values["gate"], continuation.FromProject, "project "+saved.Project
			}
		}
	}
	ofItems := todo.Gates(doc.Current())
	set := command != "" && command != "none"
	if !set && len(ofItems) == 0 {
		return cli.Hinted(cli.Failf(cli.ExitNotFound, "neither session %q nor its project has a gate in its document", t.name), "`onward get gate` shows the gate that is in force")
	}
	var trusted []continuation.Effective
	text := ""
	if set {
		if err := t.trustGate(of, command); err != nil {
			return err
		}
		trusted = append(trusted, continuation.Effective{Key: "gate", Value: command, Where: where})
		text = fmt.Sprintf("trusted the gate of %s\n  %s\n", render.Text(whose), render.Text(command))
	}
	if len(ofItems) > 0 {
		if err := t.trustItemGates(ofItems...); err != nil {
			return err
		}
		text += "trusted the gates of items of session " + render.Text(t.name.String()) + "\n"
	}
	for _, command := range ofItems {
		trusted = append(trusted, continuation.Effective{Key: "gate", Value: command, Where: continuation.FromItem})
		text += "  " + render.Text(command) + "\n"
	}
	a.committed = true
	a.tell(settingsJSON(t.name, trusted, ""), text)
	return nil
}
