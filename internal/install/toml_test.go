package install

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/agents/settings"
)

func TestWritableRoots(t *testing.T) {
	w := &settingsFile{Hooks: settings.Hooks{TOML: true, Grants: []settings.Grant{{Path: []string{"sandbox_workspace_write", "writable_roots"}, Element: "/s", Always: true}}}}
	for _, c := range []struct{ name, before, after string }{
		{"nothing", "", "[sandbox_workspace_write]~writable_roots = [\"/s\"]~"},
		{"no table", "model = \"x\"~", "model = \"x\"~~[sandbox_workspace_write]~writable_roots = [\"/s\"]~"},
		{"no end of line", "model = \"x\"", "model = \"x\"~~[sandbox_workspace_write]~writable_roots = [\"/s\"]~"},
		{"no list", "[sandbox_workspace_write] # a~network_access = true~[other]~", "[sandbox_workspace_write] # a~writable_roots = [\"/s\"]~network_access = true~[other]~"},
		{"empty list", "[sandbox_workspace_write]~writable_roots = [ ] # b~", "[sandbox_workspace_write]~writable_roots = [\"/s\" ] # b~"},
		{"list", "[sandbox_workspace_write]~writable_roots = [ '/a' ]~", "[sandbox_workspace_write]~writable_roots = [ '/a', \"/s\" ]~"},
		{"lines", "[sandbox_workspace_write]~writable_roots = [~  '/a', # one~  \"/b\", # two~]~", "[sandbox_workspace_write]~writable_roots = [~  '/a', # one~  \"/b\",~  \"/s\", # two~]~"},
		{"dotted", "sandbox_workspace_write.writable_roots = ['/a']~", "sandbox_workspace_write.writable_roots = ['/a', \"/s\"]~"},
		{"inline table", "sandbox_workspace_write = { writable_roots = [] }~", "sandbox_workspace_write = { writable_roots = [] }~"},
		{"there already", "[sandbox_workspace_write]~writable_roots = ['/s', '/a']~", "[sandbox_workspace_write]~writable_roots = ['/s', '/a']~"},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			if eol == "\r\n" && !strings.HasSuffix(c.before, "~") {
				continue
			}
			before, want := strings.ReplaceAll(c.before, "~", eol), strings.ReplaceAll(c.after, "~", eol)
			got, err := w.put([]byte(before), nil)
			if err != nil || string(got) != want {
				t.Errorf("%s: %v\n%q\nwant\n%q", c.name, err, got, want)
				continue
			}
			if again, err := w.put(got, nil); err != nil || string(again) != want {
				t.Errorf("%s: a second time: %v %q", c.name, err, again)
			}
			back, err := w.removeOwn(got, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if c.name != "there already" && c.name != "empty list" && c.name != "no end of line" && string(back) != before {
				t.Errorf("%s: cut: %q\nwant\n%q", c.name, back, before)
			}
		}
	}
	if _, err := w.put([]byte("[x\n"), nil); err == nil {
		t.Error("a broken file passed")
	}
}

func TestTOMLHooks(t *testing.T) {
	o := Options{Program: "/my bin/onward"}
	kimi, err := Options{Agent: "kimi", Agents: known()}.find()
	if err != nil {
		t.Fatal(err)
	}
	k := kimi.file(o)
	k.Events = []string{"Stop", "SessionEnd"}
	ours := "[[hooks]]\nevent = \"Stop\"\ncommand = \"'/my bin/onward' hook kimi --limit 600s --own-code; [ $? -ne 40 ] || exit 2\"\ntimeout = 600\n\n[[hooks]]\nevent = \"SessionEnd\"\ncommand = \"'/my bin/onward' hook kimi --own-code; [ $? -ne 40 ] || exit 2\"\ntimeout = 10\n"
	for _, c := range []struct{ name, before, after, back string }{
		{"nothing", "", ours, ""},
		{"keys", "model = \"x\" # c\n", "model = \"x\" # c\n\n" + ours, "model = \"x\" # c\n"},
		{"empty array", "hooks = []\nmodel = 1\n", "model = 1\n\n" + ours, "model = 1\n"},
		{
			"other hooks", "[[hooks]]\nevent = \"Stop\"\ncommand = \"say\"\n# end\n[a]\nb = 1\n",
			"[[hooks]]\nevent = \"Stop\"\ncommand = \"say\"\n# end\n[a]\nb = 1\n\n" + ours,
			"[[hooks]]\nevent = \"Stop\"\ncommand = \"say\"\n# end\n[a]\nb = 1\n",
		},
		{
			"moved", "[[hooks]]\nevent = 'Stop' # mine\ncommand = '/old/onward hook kimi' # why\ntimeout = 99\n\n# next\n[a]\nb = 1\n",
			"[[hooks]]\nevent = 'Stop' # mine\ncommand = \"'/my bin/onward' hook kimi --limit 99s --own-code; [ $? -ne 40 ] || exit 2\" # why\ntimeout = 99\n\n# next\n[a]\nb = 1\n\n" + strings.SplitN(ours, "\n\n", 2)[1],
			"\n# next\n[a]\nb = 1\n",
		},
	} {
		got, err := k.put([]byte(c.before), nil)
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.after)
			continue
		}
		if again, err := k.put(got, nil); err != nil || string(again) != c.after {
			t.Errorf("%s: a second time: %v\n%s", c.name, err, again)
		}
		if found, err := k.inspect(got); err != nil || found.partly || len(found.programs) != 2 || found.programs[0] != "/my bin/onward" {
			t.Errorf("%s: %+v, %v", c.name, found, err)
		}
		if back, err := k.removeOwn(got, nil, nil); err != nil || string(back) != c.back {
			t.Errorf("%s: cut: %v\n%q\nwant\n%q", c.name, err, back, c.back)
		}
	}
	for _, before := range []string{"hooks = [{event='Stop',command='x'}]\n", "a = \n", "hooks = 1\n"} {
		if got, err := k.put([]byte(before), nil); err == nil {
			t.Errorf("%q became %q", before, got)
		}
	}
}

func TestTOMLStringIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		d, err := parseTOML([]byte("a = " + tomlString(s) + "\n"))
		if err != nil || len(d.all) != 1 || d.all[0].text != s {
			t.Fatalf("%q became %s: %v", s, tomlString(s), err)
		}
	})
}
