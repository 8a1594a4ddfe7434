package install

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestHooksMoveBetweenScopes moves the hooks of a project from the settings of all who work on it to its user's, and back. What their
// owner set about them moves as well, the other settings stay byte for byte, and what names no path of a machine is the team's.
func TestHooksMoveBetweenScopes(t *testing.T) {
	o := place(t, "claude")
	t.Setenv("PATH", filepath.Dir(o.Program))
	shared, personal := filepath.Join(o.Project, ".claude", "settings.json"), filepath.Join(o.Project, ".claude", "settings.local.json")
	const team, own = "{\n  \"model\": \"opus\"\n}\n", "{ \"x\": 1 }"
	write(t, shared, team, 0o644)
	write(t, personal, own, 0o644)
	do := func(what func(Options) (Report, error), scope Scope) Report {
		t.Helper()
		o.Scope = scope
		r, err := what(o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	o.Allow = true
	do(Install, Shared)
	o.Allow = false
	here := strings.NewReplacer("onward hook", o.Program+" hook", `600`, `900`) // as earlier versions wrote it, with a limit of its owner's
	write(t, shared, here.Replace(read(t, shared)), 0o644)
	do(Install, Project)
	if read(t, shared) != team {
		t.Errorf("the team's settings after the move:\n%s", read(t, shared))
	}
	for _, want := range []string{o.Program + " hook claude --limit 900s", "Bash(onward todo add:*)", `"x": 1`} {
		if !strings.Contains(read(t, personal), want) {
			t.Errorf("%q did not move:\n%s", want, read(t, personal))
		}
	}
	if r := do(Status, Project); !r.Installed || r.Partly || r.Stale {
		t.Errorf("after the move: %+v", r)
	}
	do(Install, Shared)
	if got := read(t, shared); read(t, personal) != own || !strings.Contains(got, "onward hook claude --limit 900s") || strings.Contains(got, o.Program) {
		t.Errorf("after the move back:\n%s\n%s", read(t, personal), got)
	}
	if r := do(Status, Shared); !r.Installed || r.Partly || r.Stale {
		t.Errorf("after the move back: %+v", r)
	}
	if r := do(Install, Project); r.Changed || read(t, personal) != own || !strings.Contains(strings.Join(r.Notes, "\n"), "`onward hooks uninstall claude --scope shared`, then") || !strings.Contains(read(t, shared), "onward hook") {
		t.Errorf("a user of a project whose team has the hooks: %+v\n%s", r, read(t, shared))
	}
	everybody := read(t, shared)
	o.Allow = true
	do(Install, Project)
	o.Allow = false
	if got := read(t, personal); !strings.Contains(got, "Bash(onward todo add:*)") || strings.Contains(got, "onward hook") || read(t, shared) != everybody {
		t.Errorf("permissions for a user of the team's hooks:\n%s", got)
	}
	if r := do(Install, Project); r.Changed || strings.Contains(strings.Join(do(Status, Shared).Needs, "\n"), "without asking") {
		t.Errorf("the same again: %+v", r)
	}
	t.Setenv("PATH", "")
	if r := do(Install, Project); !strings.Contains(strings.Join(r.Notes, "\n"), "onward is not on PATH") || !strings.Contains(read(t, personal), o.Program+" hook") || read(t, shared) != everybody {
		t.Errorf("where the team's hooks do not run: %+v", r)
	}
	t.Setenv("PATH", filepath.Dir(o.Program))
	if r := do(Status, Shared); !strings.Contains(strings.Join(r.Notes, "\n"), "each event runs two: `onward hooks install claude` leaves one") {
		t.Errorf("where both would run: %+v", r)
	}
	if r := do(Install, Project); !r.Changed || strings.Contains(read(t, personal), "onward hook") {
		t.Errorf("both in one: %+v\n%s", r, read(t, personal))
	}
	do(Uninstall, Project)
	if !strings.Contains(read(t, shared), "onward hook") || read(t, personal) != own {
		t.Errorf("after the uninstall of the user's:\n%s\n%s", read(t, personal), read(t, shared))
	}
	do(Uninstall, Shared)
	if read(t, shared) != team {
		t.Errorf("after the uninstall:\n%s", read(t, shared))
	}
}
