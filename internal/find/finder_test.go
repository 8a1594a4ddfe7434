package find

import (
	"path/filepath"
	"strings"
	"testing"

	"onward/internal/session"
)

// TestListForHook: ONWARD_SESSION of an agent's server counts only for the project in which the server was started.
func TestListForHook(t *testing.T) {
	t.Setenv("ONWARD_STORE", t.TempDir())
	t.Setenv("ONWARD_AGENT", "")
	top := t.TempDir()
	here, there := folderOf(t, top, "here"), folderOf(t, top, "there")
	folderOf(t, here, ".git")
	folderOf(t, there, ".git")
	below := folderOf(t, here, "below")
	named, typed := "named", "typed"
	own := func(dir string) string { return findIn(t, dir).Session }
	for _, c := range []struct {
		name, variable string
		flag           *string
		dir            string
		server         func() string
		want           string
		ignored        bool
	}{
		{"the agent has no server", named, nil, here, nil, named, false},
		{"no server runs the hook", named, nil, here, func() string { return "" }, named, false},
		{"its server was started in the project", named, nil, here, func() string { return below }, named, false},
		{"its server was started in another project", named, nil, here, func() string { return there }, own(here), true},
		{"the folder of the event is not known", named, nil, "", func() string { return there }, named, false},
		{"the flag names the session", named, &typed, here, func() string { return there }, typed, false},
		{"nothing names the session", "", nil, here, func() string { return there }, own(here), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("ONWARD_SESSION", c.variable)
			f := Finder{Flags: Flags{Session: c.flag}}
			got, ignored, err := f.ListForHook(c.dir, c.server)
			if err != nil || got.Name != (session.Name{Session: c.want}) || (ignored != nil) != c.ignored {
				t.Errorf("got %v, ignored %v, %v", got.Name, ignored, err)
			}
			if ignored != nil && !strings.Contains(ignored.Error(), filepath.Base(there)) {
				t.Errorf("it says %q", ignored)
			}
		})
	}
}
