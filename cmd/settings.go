package cmd

import (
	"slices"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/session"
)

type setCmd struct {
	Key   string `arg:"" complete:"setting" help:"One of the settings that onward get lists."`
	Value string `arg:"" empty:"" complete:"value" help:"Its value for this session."`
}

// Run sets a setting for this session only.
func (c *setCmd) Run(a *app, t target) error {
	if err := findSetting(c.Key); err != nil {
		return err
	}
	if err := continuation.CheckSetting(c.Key, c.Value); err != nil {
		return err
	}
	if c.Key == "hook-timeout" {
		return cli.Usagef("hook-timeout is about the store that sessions are in, so no session can have it; set %s, or hook-timeout in %s", variable(c.Key), configPath())
	}
	if c.Key == "prompt-template" && c.Value != "none" {
		// The session may be asked about from another folder.
		c.Value = absolute(c.Value)
		if _, err := readTemplate(c.Value); err != nil {
			return err
		}
	}
	if c.Key == "gate" {
		// Who sets a gate here trusts it here; elsewhere the document's word is not enough.
		if err := t.trustGate(c.Value); err != nil {
			return err
		}
	}
	return a.changeSetting(t, func(doc *session.Document) bool { return doc.Set(c.Key, c.Value) }, "set "+c.Key)
}

type unsetCmd struct {
	Key string `arg:"" complete:"setting" help:"The setting to reset."`
}

// Run resets a setting to its default.
func (c *unsetCmd) Run(a *app, t target) error {
	if err := findSetting(c.Key); err != nil {
		return err
	}
	return a.changeSetting(t, func(doc *session.Document) bool { return doc.Unset(c.Key) }, "unset "+c.Key)
}

func (a *app) changeSetting(t target, change func(*session.Document) bool, what string) error {
	return a.change(t, func(doc *session.Document) (session.Change, error) {
		if !change(doc) {
			return session.Change{}, nil
		}
		return session.Change{What: what, By: "cli"}, nil
	})
}

// findSetting refuses a key that is no setting, with the one that may have been meant.
func findSetting(key string) error {
	if _, err := continuation.Find(key); err != nil {
		return suggest(err, key, settingKeys(), "`onward get` lists the settings")
	}
	return nil
}

func settingKeys() []string {
	return render.Each(continuation.Table(), func(_ int, s *continuation.Setting) string { return s.Key })
}

type getCmd struct {
	Key string `arg:"" optional:"" complete:"setting or native-session" help:"A setting, or native-session: the id with which the agent's own resume works."`
}

// Run prints one value alone, or every setting with its value.
func (c *getCmd) Run(a *app, t target, doc *session.Document) error {
	if c.Key == "native-session" {
		if doc == nil || doc.Owner == nil {
			return cli.Hinted(cli.Failf(exitNotFound, "no agent has been seen in session %q", t.name), "`onward ingest --save` and the hooks record its id")
		}
		native := continuation.Effective{Key: c.Key, Value: doc.Owner.Session, Where: doc.Owner.Agent}
		a.show(settingsJSON(t.name, []continuation.Effective{native}, c.Key), render.Text(native.Value)+"\n")
		return nil
	}
	if c.Key != "" {
		if err := findSetting(c.Key); err != nil {
			return err
		}
	}
	parent, err := t.parent()
	if err != nil {
		return err
	}
	_, values, err := readConfigFile().resolve(nil, doc, parent)
	if err != nil {
		return err
	}
	a.show(settingsJSON(t.name, values, c.Key), settingsText(values, c.Key, a.style()))
	return nil
}

// settingsText shows every setting with its value and where it comes from, or the value of a key.
func settingsText(values []continuation.Effective, key string, style render.Style) string {
	if i := slices.IndexFunc(values, func(v continuation.Effective) bool { return v.Key == key }); i >= 0 {
		return render.Text(values[i].Value) + "\n"
	}
	return style.Table(render.Each(values, func(_ int, v *continuation.Effective) []string {
		return []string{v.Key, render.Text(v.Value), v.Where}
	}), 1)
}

// settingsJSON is onward/settings/v1: the settings in force, or the one of a key.
func settingsJSON(name session.Name, values []continuation.Effective, key string) any {
	if key != "" {
		values = slices.DeleteFunc(slices.Clone(values), func(v continuation.Effective) bool { return v.Key != key })
	}
	return document("onward/settings/v1", name, "settings", values)
}
