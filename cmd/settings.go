package cmd

import (
	"fmt"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/doctor"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
)

type setCmd struct {
	Key   string `arg:"" complete:"setting" ask:"which setting?" example:"max-attempts 5" help:"One of the settings that onward get lists."`
	Value string `arg:"" empty:"" quote:"" complete:"value" ask:"which value?" help:"Its value for this project, or with --session for that session."`
}

// Example returns a value for the setting that the arguments name.
func (c *setCmd) Example(args []string) string {
	if len(args) > 0 {
		if s, err := continuation.FindSetting(args[0]); err == nil {
			return shellquote.Join(s.Example())
		}
	}
	return "VALUE" // there is no such setting
}

// Run sets a setting for the project, or for the session that --session names.
func (c *setCmd) Run(a *app, t find.List) error {
	var err error
	if c.Value, err = find.CheckSavedSetting(c.Key, c.Value); err != nil {
		return err
	}
	of, err := a.SettingsProject(t)
	if err != nil {
		return err
	}
	if err := t.TrustTypedSetting(of, c.Key, c.Value); err != nil {
		return err
	}
	if err := a.changeSetting(t, of, c.Key, "set "+c.Key, func(s session.Settable) bool { return session.SetByPerson(s, c.Key, c.Value, t.Now) }); err != nil {
		return err
	}
	if c.Key == "max-usd" && c.Value != "0" {
		a.noteCost(t)
	}
	return nil
}

// noteCost tells the user that the agent of a list does not report its cost, so that a budget in money does not work by
// itself.
func (a *app) noteCost(t find.List) {
	if doc, err := t.Store.Load(t.Name); err == nil {
		if note, hint := doctor.NoCost(doc, agents.ReportsCost); note != "" {
			a.printNote(note)
			a.hint(hint)
		}
	}
}

type unsetCmd struct {
	Key string `arg:"" complete:"setting" ask:"which setting?" example:"max-attempts" help:"The setting to reset."`
}

// Run resets a setting of the project, or of the session that --session names, to its default.
func (c *unsetCmd) Run(a *app, t find.List) error {
	if err := find.CheckSettingName(c.Key); err != nil {
		return err
	}
	of, err := a.SettingsProject(t)
	if err != nil {
		return err
	}
	return a.changeSetting(t, of, c.Key, "unset "+c.Key, func(s session.Settable) bool { return session.UnsetByPerson(s, c.Key, t.Now) })
}

// changeSetting changes a setting of a project, or if that is nil, of a session.
func (a *app) changeSetting(t find.List, of *session.Project, key, what string, change func(session.Settable) bool) error {
	if of == nil {
		return a.change(t, func(doc *session.Document) (session.Change, error) { return find.SettingChange(key, what, change(doc)) })
	}
	doc, _ := t.Store.Load(t.Name) // a setting can change even if the list cannot be read
	commit, err := t.Store.WithKnownSettings(doc).UpdateSettings(*of, a.op(), t.Now, func(p *session.ProjectSettings) (did session.Change, err error) {
		if change(p) {
			did = session.Change{What: what, By: "cli"}
		}
		return did, nil
	})
	a.committed = a.committed || commit.Changed
	if err != nil {
		return err
	}
	a.noteLeftBehind(t.ProjectsLeftByFirstSetting(commit))
	if a.JSON {
		a.writeJSON(append(output.ChangeMembers(t.Name, commit.Doc.Rev, commit.Changed, commit.Change), "project", commit.Doc.Project))
		return nil
	}
	a.printChange(commit.Changed, commit.Change)
	a.noteOwnSetting(t, key)
	return nil
}

// noteOwnSetting tells the user that the session has the setting itself, which takes precedence over the project's.
func (a *app) noteOwnSetting(t find.List, key string) {
	doc, err := t.Store.Load(t.Name)
	if err != nil || doc == nil {
		return
	}
	if value, own := doc.Settings[key]; own {
		a.printNote(fmt.Sprintf("session %s has a %s of its own, %s, which goes before the project's", t.Name, key, value))
		a.hint(fmt.Sprintf("`onward unset %s --session %s` removes it", key, t.Name))
	}
}

type getCmd struct {
	Key string `arg:"" optional:"" complete:"setting or native-session" help:"A setting, or native-session: the id with which the agent's own resume works."`
}

// Run prints one value alone, or every setting with its value.
func (c *getCmd) Run(a *app, t find.List, doc *session.Document) error {
	if c.Key == "native-session" {
		if doc == nil || doc.Owner == nil {
			return cli.WithHint(cli.Failf(cli.ExitNotFound, "no agent has been seen in session %q", t.Name), "`onward ingest --save` and the hooks record its id")
		}
		native := continuation.Effective{Key: c.Key, Value: doc.Owner.Session, Where: doc.Owner.Agent}
		a.show(output.SettingsJSON(t.Name, []continuation.Effective{native}, c.Key), render.Text(native.Value)+"\n")
		return nil
	}
	if c.Key != "" {
		if err := find.CheckSettingName(c.Key); err != nil {
			return err
		}
	}
	parent, err := t.MainDocument()
	if err != nil {
		return err
	}
	config := find.ReadConfig()
	project, err := t.ProjectSettings(config, doc, parent)
	if err != nil {
		return err
	}
	_, values, err := config.Resolve(nil, project, doc, parent)
	if err != nil {
		return err
	}
	a.show(output.SettingsJSON(t.Name, values, c.Key), output.SettingsText(values, c.Key, a.style()))
	return nil
}
