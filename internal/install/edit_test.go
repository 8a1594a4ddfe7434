package install

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"onward/internal/agents/settings"
)

// small returns settings with hooks for two events only, which keeps the expected texts short.
func small(program string) *settingsFile {
	o := Options{Program: program}
	return &settingsFile{
		agent: "claude", o: o,
		Hooks: settings.Hooks{
			Reads: settings.JSONDialect{Comments: true, Commas: true, Mark: true}, Grouped: true, Events: []string{"Stop", "SessionEnd"},
			Form: usualForm(false), Limit: settings.HookTimeout{Usual: "10"},
		},
	}
}

const (
	stop = `{"hooks":[{"type":"command","command":"/bin/onward hook claude || :","timeout":10}]}`
	both = `"Stop":[` + stop + `],"SessionEnd":[` + stop + `]`
)

// TestPutPreservesFormatting adds two hooks to files with different layouts. A tilde stands for a line
// break of the file's own kind.
func TestPutPreservesFormatting(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"nothing", "", pretty("", "  ", `{"hooks":{`+both+`}}`) + "~"},
		{"empty object", "{}", pretty("", "  ", `{"hooks":{`+both+`}}`)},
		{"minified", `{"model":"x","env":{"A":"1"}}`, `{"model":"x","env":{"A":"1"},"hooks":{` + both + `}}`},
		{"one line with spaces", `{ "model": "x", "n": 1 }`, `{ "model": "x", "n": 1, "hooks": {` + both + `} }`},
		{"two spaces", "{~  \"model\": \"x\"~}~", "{~  \"model\": \"x\",~  \"hooks\": " + pretty("  ", "  ", `{`+both+`}`) + "~}~"},
		{"tabs", "{~\t\"model\": \"x\"~}", "{~\t\"model\": \"x\",~\t\"hooks\": " + pretty("\t", "\t", `{`+both+`}`) + "~}"},
		{"trailing comma", "{~  \"model\": \"x\",~}~", "{~  \"model\": \"x\",~  \"hooks\": " + pretty("  ", "  ", `{`+both+`}`) + ",~}~"},
		{"comments", "// mine~{~  /* a */ \"model\": \"x\" // b~  // c~}~", "// mine~{~  /* a */ \"model\": \"x\", // b~  // c~  \"hooks\": " + pretty("  ", "  ", `{`+both+`}`) + "~}~"},
		{
			"other hooks", "{~  \"hooks\": {~    \"Stop\": [~      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}~    ]~  },~  \"z\": 1~}~",
			"{~  \"hooks\": {~    \"Stop\": [~      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]},~      " + pretty("      ", "  ", stop) + "~    ],~    \"SessionEnd\": " + pretty("    ", "  ", `[`+stop+`]`) + "~  },~  \"z\": 1~}~",
		},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			for _, mark := range []string{"", bom} {
				if eol == "\r\n" && !strings.Contains(c.before, "~") {
					continue
				}
				before := mark + strings.ReplaceAll(c.before, "~", eol)
				want := mark + strings.ReplaceAll(c.after, "~", eol)
				f := small("/bin/onward")
				got, err := f.put([]byte(before), nil)
				if err != nil || string(got) != want {
					t.Errorf("%s: %v\n%q\nwant\n%q", c.name, err, got, want)
					continue
				}
				if again, err := f.put(got, nil); err != nil || string(again) != want {
					t.Errorf("%s: a second time: %v\n%s", c.name, err, again)
				}
				back, err := f.removeOwn(got, nil, nil)
				if err != nil || string(back) != before && len(strings.Trim(before, bom+"{}")) > 0 {
					t.Errorf("%s: cut: %v\n%q\nwant\n%q", c.name, err, back, before)
				}
			}
		}
	}
}

// pretty returns JSON with the layout that the editor uses.
func pretty(prefix, unit, value string) string {
	d := &jsonText{unit: unit, text: text{eol: "\n"}}
	return strings.ReplaceAll(d.lines(value, prefix), "\n", "~")
}

func TestPutRefusesUnreadableSettings(t *testing.T) {
	for _, before := range []string{
		`{`, `[]`, `"hooks"`, `{"hooks":[]}`, `{"hooks":{"Stop":{}}}`, `{"a":1} {"b":2}`, "{\"a\":\"\xff\"}",
		`{"hooks":{},"hooks":{}}`, `{"hooks":{"Stop":[],"Stop":[]}}`, strings.Repeat("[", 1<<20),
		`{"a":"` + strings.Repeat("x", maxSettings) + `"}`,
	} {
		if got, err := small("/bin/onward").put([]byte(before), nil); err == nil {
			t.Errorf("%.40q became %.80q", before, got)
		}
	}
}

// TestPutRefusesSettingsTheAgentIgnores checks that no hooks are installed into a file that the agent cannot read. Existing
// hooks in such a file are still found and can be uninstalled.
func TestPutRefusesSettingsTheAgentIgnores(t *testing.T) {
	all := settings.JSONDialect{Comments: true, Commas: true, Mark: true}
	for _, c := range []struct {
		name, before, want string
		without            func(*settings.JSONDialect)
	}{
		{"line comment", "{\n  // a,}\n}\n", "line 2 has a comment", func(d *settings.JSONDialect) { d.Comments = false }},
		{"comment behind the end", "{\"a\": \"// b\"}\n/* c */", "line 2 has a comment", func(d *settings.JSONDialect) { d.Comments = false }},
		{"trailing comma", "// ,\n{\"a\": [1, /* ,\n */ 2 , ]}", "line 3 has a comma after the last member", func(d *settings.JSONDialect) { d.Commas = false }},
		{"byte order mark", bom + "{}", "byte order mark", func(d *settings.JSONDialect) { d.Mark = false }},
	} {
		f := small("/bin/onward")
		put, err := f.put([]byte(c.before), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		f.Reads = all
		c.without(&f.Reads)
		if _, err := f.put([]byte(c.before), nil); !errors.Is(err, ErrParse) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if found, err := f.inspect(put); err != nil || !found.some || len(found.off) != 1 || !strings.Contains(found.off[0], "not read") {
			t.Errorf("%s: %+v %v", c.name, found, err)
		}
		if back, err := f.removeOwn(put, nil, nil); err != nil || strings.Contains(string(back), "onward") {
			t.Errorf("%s: %v %s", c.name, err, back)
		}
	}
}

// TestPutCorrectsCommand checks that an install updates the command of an existing hook, and keeps the user's other changes of it.
func TestPutCorrectsCommand(t *testing.T) {
	before := `{"hooks":{"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"'/old place/onward' hook claude","timeout":99}]}],` +
		`"SessionEnd":[` + stop + `,` + stop + `],"Gone":[` + stop + `]}}`
	want := `{"hooks":{"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"/bin/onward hook claude || :","timeout":99}]}],"SessionEnd":[` + stop + `]}}`
	got, err := small("/bin/onward").put([]byte(before), nil)
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

func TestCutLeavesTheRest(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{`{"hooks":{"Stop":[` + stop + `]}}`, ""},
		{`{"a":1,"hooks":{"Stop":[` + stop + `]}}`, `{"a":1}`},
		{`{"hooks":{"Stop":[` + stop + `]},"a":1}`, `{"a":1}`},
		{`{"hooks":{"Stop":[{"hooks":[{"command":"x"},{"command":"/bin/onward hook claude"}]}]}}`, `{"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}`},
		{`{"hooks":{"Stop":[{"hooks":[{"command":"/bin/onward hook codex"}]}]}}`, `{"hooks":{"Stop":[{"hooks":[{"command":"/bin/onward hook codex"}]}]}}`},
		{`{"hooks":{"Stop":[{"hooks":[{"command":"/bin/onward hook claude | tee log"}]}]}}`, `{"hooks":{"Stop":[{"hooks":[{"command":"/bin/onward hook claude | tee log"}]}]}}`},
		{`{"hooks":{"Stop":[/* mine */` + stop + `]}}`, `{"hooks":{"Stop":[/* mine */]}}`},
		{`{"hooks":{}}`, `{"hooks":{}}`},
		{`{"hooks":7}`, `{"hooks":7}`},
		{`{}`, `{}`},
	} {
		got, err := small("/bin/onward").removeOwn([]byte(c.before), nil, nil)
		if err != nil || string(got) != c.after {
			t.Errorf("%s\n%v %s\nwant\n%s", c.before, err, got, c.after)
		}
	}
}

// TestUninstallUndoesInstall draws a settings file. Uninstalling must remove exactly what was installed,
// and a second install must change nothing.
func TestUninstallUndoesInstall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawn(t)
		f := small("/bin/onward")
		put, err := f.put([]byte(before), nil)
		if err != nil {
			t.Fatalf("put: %v\n%q", err, before)
		}
		if found, err := f.inspect(put); err != nil || len(found.programs) != 2 || !found.some || found.partly {
			t.Fatalf("found %+v: %v\n%s", found, err, put)
		}
		if again, err := f.put(put, nil); err != nil || string(again) != string(put) {
			t.Fatalf("a second time: %v\n%q\n%q", err, put, again)
		}
		moved, err := small("/other/onward").put(put, nil)
		if err != nil || string(moved) != strings.ReplaceAll(string(put), "/bin/onward", "/other/onward") {
			t.Fatalf("moved: %v\n%q\n%q", err, put, moved)
		}
		cut, err := f.removeOwn(put, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if same(t, before) != same(t, string(cut)) {
			t.Fatalf("before\n%q\nput\n%q\ncut\n%q", before, put, cut)
		}
	})
}

// same returns the decoded content of a settings file without empty containers.
func same(t *rapid.T, text string) string {
	standard, err := hujson.Standardize([]byte(strings.TrimPrefix(text, bom)))
	if text == "" {
		return "null"
	}
	if err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	var v any
	if err := json.Unmarshal(standard, &v); err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	out, err := json.Marshal(prune(v), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if v[k] = prune(inner); v[k] == nil {
				delete(v, k)
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
		if len(v) == 0 {
			return nil
		}
	}
	return v
}

// drawn draws a settings file with a random layout, with other hooks, comments and trailing commas.
func drawn(t *rapid.T) string {
	space := rapid.SampledFrom([]string{"", " ", "\n", "\r\n  ", "\n\t", " /* c */ ", "\n  // d\n  "})
	comma := rapid.Bool()
	var value func(depth int) string
	object := func(names []string, depth int, of func(name string) string) string {
		var b strings.Builder
		b.WriteString("{")
		for i, n := range names {
			b.WriteString(space.Draw(t, "before") + `"` + n + `"` + space.Draw(t, "colon") + ":" + space.Draw(t, "value") + of(n) + space.Draw(t, "after"))
			if i < len(names)-1 || comma.Draw(t, "comma") {
				b.WriteString(",")
			}
		}
		return b.String() + space.Draw(t, "end") + "}"
	}
	array := func(n, depth int, of func() string) string {
		var b strings.Builder
		b.WriteString("[")
		for i := range n {
			b.WriteString(space.Draw(t, "before") + of() + space.Draw(t, "after"))
			if i < n-1 || comma.Draw(t, "comma") {
				b.WriteString(",")
			}
		}
		return b.String() + space.Draw(t, "end") + "]"
	}
	value = func(depth int) string {
		if depth > 2 {
			return rapid.SampledFrom([]string{`1`, `"x"`, `true`, `null`, `"é\u00e9 // no"`}).Draw(t, "leaf")
		}
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			return object(rapid.SampledFrom([][]string{{}, {"a"}, {"a", "b"}}).Draw(t, "names"), depth, func(string) string { return value(depth + 1) })
		case 1:
			return array(rapid.IntRange(0, 2).Draw(t, "n"), depth, func() string { return value(depth + 1) })
		}
		return value(3)
	}
	group := func() string {
		return object([]string{"hooks"}, 3, func(string) string {
			return array(1, 3, func() string { return object([]string{"command"}, 3, func(string) string { return `"say it"` }) })
		})
	}
	names := rapid.SampledFrom([][]string{{}, {"a"}, {"hooks"}, {"a", "hooks"}, {"hooks", "b"}, {"a", "hooks", "b"}}).Draw(t, "top")
	return rapid.SampledFrom([]string{"", bom}).Draw(t, "bom") + space.Draw(t, "start") + object(names, 0, func(name string) string {
		if name != "hooks" {
			return value(1)
		}
		events := rapid.SampledFrom([][]string{{}, {"Stop"}, {"Other"}, {"Stop", "SessionEnd"}, {"SessionEnd", "Other"}}).Draw(t, "events")
		return object(events, 2, func(string) string { return array(rapid.IntRange(0, 2).Draw(t, "groups"), 2, group) })
	}) + space.Draw(t, "finish")
}
