package settings

import (
	"cmp"
	"path/filepath"
)

// Machine is what the places of a user's settings depend on.
type Machine struct {
	Home     string // the user's folder
	Config   string // the folder of the user's settings, XDG_CONFIG_HOME
	Env      func(string) string
	System   string // as in runtime.GOOS
	IsFolder func(path string) bool
}

// Windows reports whether the machine runs Windows.
func (m Machine) Windows() bool { return m.System == "windows" }

// Roaming is where programs keep the user's settings on Windows.
func (m Machine) Roaming() string {
	return cmp.Or(m.Env("APPDATA"), filepath.Join(m.Home, "AppData", "Roaming"))
}

// UserFolder is the folder of the user's settings.
type UserFolder struct {
	Name     string               // in the user's folder
	Variable string               // names another one; empty for none
	Find     func(Machine) string // finds it, where a name and a variable are not enough
	Shown    string               // with Find: where the manual says that it is
}

// Path returns the folder on a machine.
func (f UserFolder) Path(m Machine) string {
	if f.Find != nil {
		return f.Find(m)
	}
	own := ""
	if f.Variable != "" {
		own = m.Env(f.Variable)
	}
	return cmp.Or(own, filepath.Join(m.Home, f.Name))
}
