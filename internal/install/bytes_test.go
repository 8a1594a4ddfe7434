package install

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hollow matches brackets that contain only white space and comments.
var hollow = regexp.MustCompile(`[\[{](\s|/\*.*?\*/|//.*\n)*[\]}]`)

// TestCutUndoesPut checks that cut removes what put has added, and leaves every other byte as it was. Only brackets
// without content, or with nothing but comments, may get another layout.
func TestCutUndoesPut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawn(t)
		f := small("/bin/onward")
		put, err := f.put([]byte(before), nil)
		if err != nil {
			t.Fatalf("put: %v\n%q", err, before)
		}
		cut, err := f.removeOwn(put, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !hollow.MatchString(before) && string(cut) != before {
			t.Fatalf("before\n%q\nput\n%q\ncut\n%q", before, put, cut)
		}
	})
}

// TestUninstallRestoresEveryFile draws an agent and its settings file. Uninstalling must restore the file byte by byte.
// If the file was extended in the meantime, the addition must stay.
func TestUninstallRestoresEveryFile(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		agent := rapid.SampledFrom(known()).Draw(t, "agent")
		name := agent.Name
		o := place(outer, name)
		o.Allow, o.MCP = rapid.Bool().Draw(t, "allow"), agent.Servers.List != "" && rapid.Bool().Draw(t, "mcp")
		p, _, err := prepare(&o)
		if err != nil {
			t.Fatal(err)
		}
		f := p.files[rapid.IntRange(0, len(p.files)-1).Draw(t, "file")]
		s, ok := f.content.(*settingsFile)
		if !ok || f.other {
			return // the command file is only onward's, and the other scope's file stays as it is
		}
		before, more := "", " \n"
		if s.TOML {
			before, more = drawnTOML(t), "# more\n"
		} else {
			before = drawn(t)
		}
		write(outer, f.path, before, 0o644)
		_, err = Install(o)
		if !s.TOML && checkDialect(s.Reads, []byte(before)) != nil {
			if !errors.Is(err, ErrParse) || read(outer, f.path) != before {
				t.Fatalf("what %s does not read: %v\n%q", name, err, before)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v\n%q", err, before)
		}
		installed := read(outer, f.path)
		if !rapid.Bool().Draw(t, "changed") {
			more = ""
		}
		write(outer, f.path, installed+more, 0o644)
		if _, err := Uninstall(o); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(f.path)
		if (more == "" || !hollow.MatchString(before)) && (err != nil || string(after) != before+more) {
			t.Fatalf("%s: before\n%q\ninstalled\n%q\nafter\n%q %v", filepath.Base(f.path), before, installed, after, err)
		}
	})
}

// drawnTOML draws a settings file of Codex or Kimi CLI.
func drawnTOML(t *rapid.T) string {
	top := rapid.SliceOfN(rapid.SampledFrom([]string{"# a [comment]", "", "  ", "model = \"x\" # c", "n = [ 1, 2,\n  3 ]"}), 0, 4).Draw(t, "top")
	tables := rapid.SliceOfN(rapid.SampledFrom([]string{
		"[sandbox_workspace_write] # c\nnetwork_access = true", "[sandbox_workspace_write]\nwritable_roots = [\n  '/srv', # one\n]",
		"[tools]\nweb_search = true\n", "[[hooks]]\nevent = 'Stop'\ncommand = \"say it\" # mine\n", "[tools.update_plan]\n# off\nenabled = false",
		"[a.b]", "\n# d\n[x]\ny = { z = '''q''' }",
	}), 0, 4).Draw(t, "tables")
	var text strings.Builder
	seen := map[string]bool{}
	for _, lines := range append(top, tables...) {
		name := lines[:min(5, len(lines))] // the name of a table or a key, which must be unique
		if !seen[name] || strings.HasPrefix(lines, "[[") {
			text.WriteString(lines + "\n")
		}
		seen[name] = true
	}
	return strings.ReplaceAll(text.String(), "\n", rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end"))
}
