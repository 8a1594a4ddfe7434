package install

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

func TestQuoteForTheShell(t *testing.T) {
	for _, c := range []struct {
		path    string
		windows bool
		want    string
	}{
		{"/usr/bin/onward", false, "/usr/bin/onward"},
		{"/my bin/onward", false, "'/my bin/onward'"},
		{"/it's/onward", false, `'/it'\''s/onward'`},
		{"/$HOME/onward", false, "'/$''HOME/onward'"},
		{`C:\bin\onward.exe`, true, "C:/bin/onward.exe"},
		{`C:\Program Files\onward.exe`, true, `"C:/Program Files/onward.exe"`},
	} {
		if got := quote(c.path, c.windows); got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
	}
}

// TestQuoteSurvivesAShell checks in a real shell that a quoted path is read as that path.
func TestQuoteSurvivesAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on this machine")
	}
	for _, path := range []string{"/a b/onward", `/a\b/onward`, "/é/onward", "/a\tb/onward", "/a'b\"c/onward", "/*/~/onward", "/a;b&c|d/$(x)`y`/onward", "-n/onward"} {
		out, err := exec.Command(sh, "-c", "printf %s "+quote(path, false)).Output()
		if err != nil || string(out) != path {
			t.Errorf("%q became %q: %v", path, out, err)
		}
	}
}

// TestFailureDoesNotBlock runs each agent's command line in a real shell with a program that fails. It must end with 0.
func TestFailureDoesNotBlock(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no sh on this machine")
	}
	for _, a := range everyRow() {
		if a.Name == "git" || a.Name == "opencode" {
			continue // these have no command line: they are a script and a plugin
		}
		for _, c := range []struct {
			name, text string
			mode       fs.FileMode
			want       int
		}{
			{"missing", "", 0, 0},
			{"not executable", "#!/bin/sh\n", 0o644, 0},
			{"no program", "\x7fELF", 0o755, 0},
			{"crashing", "#!/bin/sh\nexit 2\n", 0o755, 0},
			{"killed", "#!/bin/sh\nkill -9 $$\n", 0o755, 0},
			{"well", "#!/bin/sh\nexit 0\n", 0o755, 0},
			{"continuing", "#!/bin/sh\nexit 40\n", 0o755, map[string]int{"kimi": 2}[a.Name]},
		} {
			o := Options{Program: filepath.Join(t.TempDir(), "on ward")}
			if c.mode != 0 {
				write(t, o.Program, c.text, c.mode)
			}
			line, _ := o.command(a.Name, a.Hooks.Code, false, "600s")
			cmd := exec.Command(sh, "-c", line)
			_ = cmd.Run()
			if got := cmd.ProcessState.ExitCode(); got != c.want {
				t.Errorf("%s, %s: exit %d, not %d: %s", a.Name, c.name, got, c.want, line)
			}
		}
	}
}

func TestProgramOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := "/" + rapid.StringOf(rapid.RuneFrom([]rune("ab /'\"\\$`;&|é*"))).Draw(t, "path") + "/onward"
		if got, ok := programOf(quote(path, false)+" hook claude --context", "claude"); !ok || got != path {
			t.Fatalf("%q became %q, %v", path, got, ok)
		}
	})
	for _, line := range []string{
		"", "onward", "onward hook", "onward hook codex", "onward todo hook claude", "say onward hook claude",
		"onward hook claude; rm x", "onward hook claude || rm x", "onward hook claude > f", "'onward hook claude", "other hook claude",
	} {
		if program, ok := programOf(line, "claude"); ok {
			t.Errorf("%q passes for ours: %s", line, program)
		}
	}
	for _, line := range []string{"onward hook claude", "onward hook claude --context || :", `"C:/x y/onward.exe" hook claude`, "& 'C:\\x y\\onward.exe' hook claude"} {
		if _, ok := programOf(line, "claude"); !ok {
			t.Errorf("%q is not taken for ours", line)
		}
	}
}
