//go:build unix

package realagents

import (
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var record = flag.Bool("record", false, "keep what each agent's program prints and what its hooks send, as testdata/streams and testdata/hooks")

// TestRecordAVersion keeps what one version of each agent sends while its model does a list of three items, for the ordinary tests:
// a change of a format then shows as a difference, and not as silence. `-update` of those tests writes what is expected of
// it, to be read.
func TestRecordAVersion(t *testing.T) {
	if !*record {
		t.Skip("-record keeps what the agents' programs send")
	}
	each(t, func(t *testing.T, a agent) {
		m := diligent(t, a)
		p := ready(t, a, m)
		out := p.work(a, m, task)
		p.keep("hooks", a, "loop", p.taken())
		if a.serve != nil { // its server prints nothing
			events, err := os.ReadFile(p.events())
			if err != nil {
				t.Fatal(err)
			}
			p.keep("streams", a, "events", strings.ReplaceAll(jsonLines(string(events)), m.base, "http://127.0.0.1:1"))
			a.serve = nil
			m = diligent(t, a)
			p = newPlace(t)
			a.prepare(t, m, p.home, p.dir)
			out = p.work(a, m, task)
		}
		switch a.name {
		case "kimi", "pi", "copilot":
			return // a stream without a name, and two long ones, of which there are others
		}
		p.keep("streams", a, "loop", strings.ReplaceAll(jsonLines(out), m.base, "http://127.0.0.1:1"))
	})
}

// jsonLines returns the lines that are objects; the rest is what the program told its user.
func jsonLines(out string) string {
	return strings.Join(slices.Collect(func(yield func(string) bool) {
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "{") && json.Valid([]byte(line)) && !yield(line) {
				return
			}
		}
	}), "")
}

// taken returns the calls of the hook, a line each.
func (p place) taken() string {
	var b strings.Builder
	for _, c := range p.taps() {
		b.WriteString(asJSON(struct {
			Args   []string        `json:"args"`
			Stdin  json.RawMessage `json:"stdin"`
			Stdout string          `json:"stdout"`
			Code   int             `json:"code"`
		}{c.Args, json.RawMessage(c.Stdin), c.Stdout, c.Code}) + "\n")
	}
	return b.String()
}

// keep writes a recording of a version, in which the test's folder has a name that says nothing.
func (p place) keep(kind string, a agent, what, text string) {
	p.t.Helper()
	const home = "/home/dev"
	for _, spelt := range []func(string) string{
		func(s string) string { return s },
		func(s string) string { return strings.ReplaceAll(s, "/", "-") },
		url.PathEscape,
	} {
		text = strings.ReplaceAll(text, spelt(p.home), spelt(home))
	}
	installed, err := filepath.EvalSymlinks(programs)
	if err != nil {
		p.t.Fatal(err)
	}
	text = strings.NewReplacer(programs, "/opt/agents", installed, "/opt/agents").Replace(text)
	name := filepath.Join("..", "..", "testdata", kind, a.name, what+"-"+versionOf(a.npm)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	write(p.t, name, text)
}
