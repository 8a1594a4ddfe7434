package install

import (
	"strings"
	"testing"

	"onward/internal/agents/settings"
)

// TestLimitOfTheStopHook checks that an install sets the stop hook's time limit for the gate, and keeps a limit that the user has changed.
func TestLimitOfTheStopHook(t *testing.T) {
	const file = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"COMMAND","timeout":LIMIT}]}],` +
		`"SessionEnd":[{"hooks":[{"type":"command","command":"/bin/onward hook claude || :","timeout":10}]}]}}`
	fill := func(command, limit string) string {
		return strings.NewReplacer("COMMAND", command, "LIMIT", limit).Replace(file)
	}
	s := small("/bin/onward")
	s.Stop, s.Limit = "Stop", settings.HookTimeout{Usual: "10", Stop: "600", Unit: "s"}
	for _, c := range []struct{ name, command, limit, then, thenLimit string }{
		{"an old install", "/bin/onward hook claude || :", "10", "/bin/onward hook claude --limit 600s || :", "600"},
		{"this version's", "/bin/onward hook claude --limit 600s || :", "600", "/bin/onward hook claude --limit 600s || :", "600"},
		{"a limit of the owner's", "/bin/onward hook claude --limit 600s || :", "1800", "/bin/onward hook claude --limit 1800s || :", "1800"},
		{"a short one", "/bin/onward hook claude || :", "30", "/bin/onward hook claude --limit 30s || :", "30"},
	} {
		old, want := fill(c.command, c.limit), fill(c.then, c.thenLimit)
		if got, err := s.put([]byte(old), nil); err != nil || string(got) != want {
			t.Errorf("%s: got\n%s, %v\nwant\n%s", c.name, got, err, want)
		}
		if p, err := s.inspect([]byte(want)); err != nil || p.partly {
			t.Errorf("%s: it counts as out of date: %+v, %v", c.name, p, err)
		}
		if p, err := s.inspect([]byte(old)); err != nil || p.partly != (old != want) {
			t.Errorf("%s: before, it counts as %+v, %v", c.name, p, err)
		}
		if got, err := s.removeOwn([]byte(want), nil, nil); err != nil || got != nil {
			t.Errorf("%s: uninstall leaves %s, %v", c.name, got, err)
		}
	}
}

// TestEveryAgentsStopHookHasTimeForTheGate fails if the settings of an agent do not set the time limit of its stop hook.
func TestEveryAgentsStopHookHasTimeForTheGate(t *testing.T) {
	for _, a := range everyRow() {
		if a.Name == "git" {
			continue
		}
		o := Options{Agent: a.Name, Program: "/bin/onward", Machine: machine("/home", "/home/.config"), Project: "/project", Store: "/store"}
		p, err := a.planFor(o)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range p.files {
			put, err := f.put(nil, nil)
			if err != nil {
				t.Fatalf("%s: %v", a.Name, err)
			}
			text += string(put)
		}
		switch {
		case a.Name == "cursor", a.Name == "llxprt": // the stop hooks of these agents run no gate
			if strings.Contains(text, "--limit") {
				t.Errorf("%s: a limit that its host does not keep:\n%s", a.Name, text)
			}
		case !strings.Contains(text, "--limit") || !strings.Contains(text, "600"):
			t.Errorf("%s: no time for the gate:\n%s", a.Name, text)
		}
	}
}
