package find

import (
	"strings"
	"time"

	"onward/internal/calls/tool"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/session"
	"onward/internal/todo"
)

// SavedGates are the gates in the documents of a list, which run only if the user trusts them.
type SavedGates struct {
	Command string // the list's own, else the one in the settings of its project; empty if neither has one
	Where   string // continuation.FromSession or FromProject
	Project string // whose settings have it; empty for the list's own
	Items   []string

	of *session.Project
}

// SavedGates reads the gates in the documents of a list. If the session was named by its flag, the project's is not among them.
func (f *Finder) SavedGates(t List, doc *session.Document) (SavedGates, error) {
	gates := savedGates(doc, nil)
	if f.Session != nil || doc != nil && doc.Settings["gate"] != "" {
		return gates, nil
	}
	of, err := f.SettingsProject(t)
	if err != nil || of == nil {
		return gates, err
	}
	saved, err := t.Store.ProjectSettings(*of)
	gates = savedGates(doc, saved)
	gates.of = of
	return gates, err
}

func savedGates(doc *session.Document, project *session.ProjectSettings) SavedGates {
	gates := SavedGates{Where: continuation.FromSession, Items: todo.GateCommands(doc.Current())}
	if doc != nil {
		gates.Command = doc.Settings["gate"]
	}
	if gates.Command == "" && project != nil {
		gates.Command, gates.Where, gates.Project = project.Values["gate"], continuation.FromProject, project.Project
	}
	if typedGate(gates.Command) == "" {
		gates.Command = ""
	}
	return gates
}

// TrustSavedGates lets the gates in the documents of a list run on this machine.
func (t List) TrustSavedGates(g SavedGates) error {
	if err := t.TrustGate(g.of, g.Command); err != nil || len(g.Items) == 0 {
		return err
	}
	return t.TrustItemGates(g.Items...)
}

// TrustsGate reports whether the user trusts a gate that is in a document.
func (t List) TrustsGate(set *continuation.Settings) (trusted bool, err error) {
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

// TrustOtherUsers lets what other users write to the store, which must be a folder, act as this one.
func (s Storage) TrustOtherUsers() error {
	if s.Shared() {
		return cli.Usagef("tools trust --store: %s is no folder; its own roles say who may write to it", s.Address.Text)
	}
	return gateTrust().TrustStore(ConfigStore(s.Local.Wait), s.Address.Text, time.Now())
}

// TrustItemGates lets gates of items in the list's document run on this machine, in this repository.
func (t List) TrustItemGates(commands ...string) error {
	document, err := t.itemGateDocument()
	if err != nil {
		return err
	}
	return gateTrust().TrustItemGates(ConfigStore(t.Storage.Local.Wait), document, commands, time.Now())
}

// TrustTypedItemGate lets what a person typed as the gate of an item run.
func (t List) TrustTypedItemGate(text string) error {
	if command := typedGate(text); command != "" {
		return t.TrustItemGates(command)
	}
	return nil
}

// typedGate returns the command of a gate that a person typed; empty if that was no gate.
func typedGate(text string) string {
	if text = strings.TrimSpace(text); text == "none" {
		return ""
	}
	return text
}

// CopyGateTrust lets the gates of the items of a list run in this one too, if they are trusted in the one that it is loaded from.
func (t List) CopyGateTrust(from session.Name, doc *session.Document) error {
	there := t
	there.Name = from
	var commands []string
	for _, command := range todo.GateCommands(doc.Todos.Items) {
		trusted, err := there.TrustsGate(&continuation.Settings{GateFrom: continuation.FromItem, Gate: command})
		if err != nil {
			return err
		}
		if trusted {
			commands = append(commands, command)
		}
	}
	return t.TrustItemGates(commands...)
}

// itemGateDocument names the document that the gates of items are trusted for, in one repository with its worktrees: the
// workers of a list may each have a checkout of their own. Any folder can claim to be of a repository, so one that git does
// not know is trusted separately.
func (t List) itemGateDocument() (string, error) {
	here, err := t.CurrentProject()
	where := t.Store.SettingsName(here)
	if here.Claimed || where == "" {
		where = here.Dir
	}
	return t.Storage.Path(session.Key(t.Name)) + " in " + where, err
}

// gateDocument names the document that the gate is trusted for: a sub-agent's gate is its own.
func (t List) gateDocument(set *continuation.Settings) string {
	if set.GateFrom == continuation.FromProject {
		if project, err := t.CurrentProject(); err == nil {
			settings := t.projectGate(project)
			if project.Claimed { // any folder can claim to be of a repository, so each one is trusted separately
				settings += " in " + project.Dir
			}
			return settings
		}
	}
	return t.Storage.Path(session.Key(t.Name))
}

// projectGate names the document of a project's gate.
func (t List) projectGate(p session.Project) string {
	return t.Storage.Path(session.SettingsKey(t.Store.SettingsName(p)))
}

// gateTrust returns the files with the user's trust. No project is needed, because gates are not a project's tools.
func gateTrust() tool.Files {
	return tool.Files{Disk: durable.ForeignFiles{}, Config: ConfigDir(), May: RequirePersonToTrust}
}

// RequirePersonToTrust returns an error if an agent trusts what runs.
func RequirePersonToTrust() error {
	return RequirePerson("trust what runs", "`onward tools check` shows what is declared")
}

// TrustGate lets the gate of a project's settings run on this machine, or if that is nil, the one of the list's document
// in this checkout.
func (t List) TrustGate(of *session.Project, command string) error {
	if command = typedGate(command); command == "" {
		return nil
	}
	set := continuation.Settings{GateFrom: continuation.FromProject}
	folder := ""
	if of != nil && of.Claimed { // trust also holds in the linked worktrees that the repository knows
		if err := gateTrust().TrustGate(ConfigStore(t.Storage.Local.Wait), t.projectGate(*of), command, "", time.Now()); err != nil {
			return err
		}
	}
	if of == nil {
		here, err := t.CurrentProject()
		if err != nil {
			return err
		}
		set.GateFrom, folder = continuation.FromSession, here.Dir
	}
	return gateTrust().TrustGate(ConfigStore(t.Storage.Local.Wait), t.gateDocument(&set), command, folder, time.Now())
}

// SetGateFolder decides where the gate runs. One that was set for a session runs in the checkout where it was set, any other
// in the checkout of this command, if that is one of the list's project. A gate from a flag runs where the caller is.
func (t List) SetGateFolder(set *continuation.Settings, docs ...*session.Document) error {
	here, err := t.CurrentProject()
	if err != nil {
		return err
	}
	set.GateDir = here.Dir
	switch set.GateFrom {
	case "flag":
		return nil
	case continuation.FromSession:
		_, folder, err := gateTrust().TrustsGate(t.gateDocument(set), set.Gate)
		if folder != here.Dir {
			set.GateElsewhere = folder
		}
		if folder != "" || err != nil {
			return err
		}
	}
	of, err := t.ProjectOf(docs...)
	if name := t.Store.SettingsName(of); err == nil && of.Label() != here.Label() && (name == "" || name != t.Store.SettingsName(here)) {
		set.GateElsewhere = of.Label()
	}
	return err
}
