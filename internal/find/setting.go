package find

import (
	"strings"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/session"
)

// CheckSettingName returns an error for an unknown setting, with similar ones.
func CheckSettingName(key string) error {
	if _, err := continuation.FindSetting(key); err != nil {
		return cli.SuggestNames(err, key, settingKeys(), "`onward get` lists the settings")
	}
	return nil
}

// CheckSavedSetting checks a setting that a project or a session is to have, and returns its value as it is saved.
func CheckSavedSetting(key, value string) (string, error) {
	if err := CheckSettingName(key); err != nil {
		return "", err
	}
	if s, _ := continuation.FindSetting(key); s.OfStore() {
		return "", cli.Usagef("%s is about the store that sessions are in, so no session or project can have it; set %s, or %[1]s in %[3]s", key, SettingVariable(key), ConfigPath())
	}
	value, err := continuation.CheckSetting(key, value)
	if err != nil || key != "prompt-template" || value == "none" {
		return value, err
	}
	value = Absolute(value) // the session may be that of another folder
	if _, err := readTemplate(value); err != nil {
		return "", cli.WithHint(err, "`onward set prompt-template none` keeps the built-in text")
	}
	return value, nil
}

// SettingChange returns the change to a session when one of its settings is set or unset: none if the value stayed the same, and an error if
// an agent made it.
func SettingChange(key, what string, changed bool) (session.Change, error) {
	if !changed {
		return session.Change{}, nil
	}
	return session.Change{What: what, By: "cli"}, maySet(key, !strings.HasPrefix(what, "unset "))
}

// maySet returns an error if an agent changes a setting.
func maySet(key string, set bool) error {
	what := "change a setting"
	switch {
	case key == "gate" && set:
		what = "set a gate"
	case key == "gate":
		what = "remove a gate"
	}
	return RequirePerson(what, "`onward get "+key+"` shows it")
}

// TrustTypedSetting trusts the gate that a person sets for a project, or if that is nil, for a session: setting one means trusting it on
// this machine. Elsewhere, the document alone does not make it trusted.
func (t List) TrustTypedSetting(of *session.Project, key, value string) error {
	if key != "gate" || AnyAgentVariable() != "" {
		return nil
	}
	return t.TrustGate(of, value)
}
