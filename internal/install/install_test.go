package install

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"onward/internal/store"
)

// place returns the options for an empty home with a project and the program onward.
func place(t *testing.T, agent string) Options {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Agent: agent, Program: filepath.Join(dir, "onward"), Agents: known(), Project: filepath.Join(dir, "project"),
		Machine: machine(filepath.Join(dir, "home"), filepath.Join(dir, "home", ".config")), Store: filepath.Join(dir, "store"),
	}
	for _, d := range []string{o.Project, o.Home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, o.Program, "#!/bin/sh\n", 0o755)
	o.Server = filepath.Join(dir, "onward-mcp")
	write(t, o.Server, "#!/bin/sh\n", 0o755)
	if agent == "git" {
		if _, err := exec.LookPath("git"); err != nil {
			t.Skip("no git on this machine")
		}
		if out, err := exec.Command("git", "init", "-q", o.Project).CombinedOutput(); err != nil {
			t.Fatalf("git init: %v: %s", err, out)
		}
	}
	return o
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// snapshot returns as text all files and folders below a folder, with their modes and contents.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.Mode().String())
		if info.Mode().IsRegular() {
			b.WriteString("\n" + read(t, path))
		}
		b.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestNoLeftovers installs twice and uninstalls, for every agent and scope, with existing files and without.
func TestNoLeftovers(t *testing.T) {
	for _, a := range everyRow() {
		for _, scope := range a.scopes {
			for _, there := range []string{"", "{ }\n", "\n", "{\"hooks\": {}}", "{\"permissions\": {\"allow\": [\"Bash(ls)\"]}, \"tools\": {}}\n"} {
				o := place(t, a.Name)
				if scope == Shared {
					t.Setenv("PATH", filepath.Dir(o.Program))
					o.Server = filepath.Join(filepath.Dir(o.Program), serverProgram)
				}
				o.Scope, o.Context, o.Allow, o.MCP = scope, true, there != "", len(there) != 1 && a.Servers.List != ""
				p, _, err := prepare(&o)
				if err != nil {
					t.Fatal(err)
				}
				if first := p.files[0].path; there != "" && strings.HasSuffix(first, ".json") {
					write(t, first, there, 0o600)
				}
				before := snapshot(t, filepath.Dir(o.Project))
				for i := range 2 {
					r, err := Install(o)
					if err != nil || !r.Installed || r.Partly || r.Stale || r.Changed != (i == 0) || (filepath.Base(r.Server) == filepath.Base(o.Server)) != o.MCP {
						t.Fatalf("%s, %s, %q: install %d: %v %+v", a.Name, scope, there, i, err, r)
					}
				}
				r, err := Uninstall(o)
				if err != nil || r.Installed || !r.Changed || r.Server != "" {
					t.Fatalf("%s, %s, %q: uninstall: %v %+v", a.Name, scope, there, err, r)
				}
				os.Remove(o.Store) // the empty store is the only thing that stays
				if after := snapshot(t, filepath.Dir(o.Project)); after != before {
					t.Errorf("%s, %s, %q: before\n%s\nafter\n%s", a.Name, scope, there, before, after)
				}
			}
		}
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	for _, a := range everyRow() {
		o := place(t, a.Name)
		o.DryRun, o.MCP = true, a.Servers.List != ""
		before := snapshot(t, filepath.Dir(o.Project))
		r, err := Install(o)
		if err != nil || !r.Changed || len(r.Files) == 0 || len(r.Files[0].Diff) == 0 {
			t.Errorf("%s: %v %+v", a.Name, err, r)
		}
		if after := snapshot(t, filepath.Dir(o.Project)); after != before {
			t.Errorf("%s: before\n%s\nafter\n%s", a.Name, before, after)
		}
	}
}

// TestInvalidSecondFileChangesNothing installs into Codex's two files, the second of which is invalid. The first must not change.
func TestInvalidSecondFileChangesNothing(t *testing.T) {
	o := place(t, "codex")
	write(t, filepath.Join(o.Project, ".codex", "config.toml"), "model = \n", 0o644)
	before := snapshot(t, o.Project)
	if _, err := Install(o); !errors.Is(err, ErrParse) || !strings.Contains(err.Error(), "config.toml") {
		t.Errorf("install: %v", err)
	}
	if after := snapshot(t, o.Project); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

func TestModeAndLinkAreKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes are not for everybody there")
	}
	o := place(t, "claude")
	o.Scope = User
	kept := filepath.Join(o.Home, "dotfiles", "claude.json")
	write(t, kept, "{}\n", 0o640)
	link := filepath.Join(o.Home, ".claude", "settings.json")
	write(t, filepath.Join(o.Home, ".claude", "keep"), "", 0o644)
	if err := os.Symlink("../dotfiles/claude.json", link); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, o.Home)
	if _, err := Install(o); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o640 || !strings.Contains(read(t, kept), "hook claude") {
		t.Errorf("%v %v\n%s", info.Mode(), err, read(t, kept))
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is none any more: %v %v", info.Mode(), err)
	}
	if _, err := Uninstall(o); err != nil {
		t.Fatal(err)
	}
	if after := snapshot(t, o.Home); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// TestProjectLinksStayInside checks that links in a cloned project cannot make an install write to a file outside of it.
func TestProjectLinksStayInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links are not for everybody there")
	}
	for _, c := range []struct{ link, to string }{
		{".claude/settings.local.json", "../../home/victim.json"},
		{".claude", "../home"},
		{".claude/settings.local.json", "../../home/nowhere.json"},
	} {
		o := place(t, "claude")
		victim := filepath.Join(o.Home, "victim.json")
		write(t, victim, "{}\n", 0o644)
		link := filepath.Join(o.Project, c.link)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(c.to, link); err != nil {
			t.Fatal(err)
		}
		if _, err := Install(o); !errors.Is(err, store.ErrPermission) {
			t.Errorf("%s to %s: %v", c.link, c.to, err)
		}
		if read(t, victim) != "{}\n" {
			t.Errorf("%s to %s: the file outside was written", c.link, c.to)
		}
	}
}

// TestConcurrentChangeIsKept lets another program write the file between the read and the rename. Its change must not be lost.
func TestConcurrentChangeIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "theirs", 0o644)
	if err := replace(path, []byte("ours"), []byte("{}"), 0o644); !errors.Is(err, ErrMoved) {
		t.Errorf("replace: %v", err)
	}
	if err := replace(path, []byte("ours"), nil, 0o644); !errors.Is(err, ErrMoved) {
		t.Errorf("replace of nothing: %v", err)
	}
	if err := remove(path, []byte("{}")); !errors.Is(err, ErrMoved) {
		t.Errorf("remove: %v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 || read(t, path) != "theirs" {
		t.Errorf("%v %v", entries, err)
	}
}

func TestProgramMustRun(t *testing.T) {
	o := place(t, "claude")
	own := o.Program
	write(t, filepath.Join(filepath.Dir(own), "other"), "", 0o755)
	for _, program := range []string{"onward", own + "-gone", filepath.Dir(own), filepath.Join(filepath.Dir(own), "other")} {
		o.Program = program
		if _, err := Install(o); !errors.Is(err, ErrProgram) {
			t.Errorf("%s: %v", program, err)
		}
	}
}

// TestUninstallThroughLink uninstalls a file of onward's own that is a link. The target must be removed, and it must not be
// an error if it is already missing.
func TestUninstallThroughLink(t *testing.T) {
	o := place(t, "claude")
	real := filepath.Join(o.Project, "todo.md")
	link := filepath.Join(o.Project, ".claude", "commands", "todo.md")
	write(t, link, "", 0o644)
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	write(t, real, "<!-- "+commandMark+": /old/onward hooks install -->\n", 0o644)
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	if r, err := Uninstall(o); err != nil || !r.Changed {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Lstat(real); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
}
