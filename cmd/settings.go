package cmd

import (
	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/session"
)

type setCmd struct {
	Key   string `arg:"" complete:"setting" help:"One of the settings that get lists."`
	Value string `arg:"" complete:"value" help:"Its value for this session."`
}

// Run sets a setting for this session only.
func (c *setCmd) Run(a *app) error {
	if err := findSetting(c.Key); err != nil {
		return err
	}
	if err := continuation.CheckSetting(c.Key, c.Value); err != nil {
		return err
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
		if err := a.trustGate(c.Value); err != nil {
			return err
		}
	}
	return a.changeSetting(func(doc *session.Document) bool { return doc.Set(c.Key, c.Value) }, "set "+c.Key)
}

type unsetCmd struct {
	Key string `arg:"" complete:"setting" help:"The setting that is to have its default again."`
}

// Run takes back what set did.
func (c *unsetCmd) Run(a *app) error {
	if err := findSetting(c.Key); err != nil {
		return err
	}
	return a.changeSetting(func(doc *session.Document) bool { return doc.Unset(c.Key) }, "unset "+c.Key)
}

func (a *app) changeSetting(change func(*session.Document) bool, what string) error {
	t, err := a.target()
	if err != nil {
		return err
	}
	commit, err := a.update(t, func(doc *session.Document) (session.Change, error) {
		if !change(doc) {
			return session.Change{}, nil
		}
		return session.Change{What: what, By: "cli"}, nil
	})
	if err != nil {
		return err
	}
	return a.changed(t, commit)
}

// findSetting refuses a key that is no setting, with the one that may have been meant.
func findSetting(key string) error {
	if _, err := continuation.Find(key); err != nil {
		return meant(err, key, settingKeys(), "`onward get` lists the settings")
	}
	return nil
}

func settingKeys() []string {
	var keys []string
	for _, s := range continuation.Table() {
		keys = append(keys, s.Key)
	}
	return keys
}

type getCmd struct {
	Key string `arg:"" optional:"" complete:"setting or native-session" help:"A setting, or native-session: the id with which the agent's own resume works."`
}

// Run prints one value alone, or every setting with its value.
func (c *getCmd) Run(a *app) error {
	t, doc, err := a.load()
	if err != nil {
		return err
	}
	if c.Key == "native-session" {
		if doc == nil || doc.Owner == nil {
			return &hinted{failf(exitNotFound, "no agent has been seen in session %q", t.name), "`onward ingest --save` and the hooks record its id"}
		}
		if a.JSON {
			native := continuation.Effective{Key: c.Key, Value: doc.Owner.Session, Where: doc.Owner.Agent}
			a.write(render.SettingsJSON(t.name, []continuation.Effective{native}, ""))
			return nil
		}
		a.print(render.Text(doc.Owner.Session) + "\n")
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
	values, err := effective(doc, parent)
	if err != nil {
		return err
	}
	switch {
	case a.JSON:
		a.write(render.SettingsJSON(t.name, values, c.Key))
	case c.Key != "":
		a.print(render.Setting(values, c.Key) + "\n")
	default:
		a.print(render.Settings(values, a.style()))
	}
	return nil
}
