package agents_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/agent"
	"onward/internal/agents/settings"
	"onward/internal/agents/stream"
	"onward/test/golden"
	"onward/test/streamtest"
)

// TestNoFormatIsHalfThere fails if no recording proves that a format is read, or no test that a program is started.
func TestNoFormatIsHalfThere(t *testing.T) {
	recorded := recordedFormats(t)
	tried, err := os.ReadFile(filepath.Join("..", "..", "test", "realagents", "agents_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	kinds, formats := map[stream.Kind]bool{}, map[stream.Format]bool{}
	for _, a := range agents.All() {
		if len(a.Formats) > 0 && (a.Kind == "" || kinds[a.Kind]) {
			t.Errorf("%s: its kind %q is missing, or another agent's", a.Name, a.Kind)
		}
		kinds[a.Kind] = true
		for i := range a.Formats {
			f := &a.Formats[i]
			if f.New == nil || f.From == "" || f.List == "" || formats[f.Format] {
				t.Errorf("%s: format %q has no parser, no words for the manual, or another one's name", a.Name, f.Format)
			}
			if len(f.Lines) == 0 && f.Detect == nil {
				t.Errorf("%s: no line is recognised as of the format %q", a.Name, f.Format)
			}
			if !f.Untried && f.Unrecorded == "" && !recorded[f.Format] {
				t.Errorf("%s: testdata/streams has no recording of the format %q, and no reason is given", a.Name, f.Format)
			}
			formats[f.Format] = true
		}
		if p := a.Program; p != nil {
			if len(p.Command) == 0 || p.Install == "" || len(a.Formats) == 0 {
				t.Errorf("%s: its program has no command, no way to install it, or no format of its output", a.Name)
			}
			if !strings.Contains(string(tried), fmt.Sprintf("\t\tname: %q,", a.Name)) {
				t.Errorf("%s: test/realagents does not run its program", a.Name)
			}
		}
		if a.Hook == nil && a.Settings == nil && len(a.Formats) == 0 {
			t.Errorf("%s: onward does nothing with it", a.Name)
		}
	}
}

// TestTriedVersions checks that the versions in the agents' rooms are those in the certificate of test/realagents,
// or those of recordings if those tests do not start the agent or version.
func TestTriedVersions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "test", "realagents", "certificate.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cells []struct{ Agent, Version, Passed string }
	if err := json.Unmarshal(text, &cells); err != nil {
		t.Fatal(err)
	}
	passed := map[string]bool{} // keys are "AGENT VERSION"
	for _, c := range cells {
		if c.Passed == "" {
			continue
		}
		passed[c.Agent+" "+c.Version] = true
		if a := agents.Find(c.Agent); a == nil || !slices.Contains(a.Versions, c.Version) {
			t.Errorf("the certificate has %s %s, which internal/agents/%s does not name as tried", c.Agent, c.Version, c.Agent)
		}
	}
	for _, a := range agents.All() {
		n := len(a.Versions)
		if a.Program != nil && (n == 0 || !passed[a.Name+" "+a.Versions[n-1]]) {
			t.Errorf("%s: its newest version in %v is not in the certificate: run test/realagents with -certify", a.Name, a.Versions)
		}
		if n == 0 && a.Settings != nil && !a.Settings.Untried {
			t.Errorf("%s: no version of it was tried, so its hooks are experimental", a.Name)
		}
		if !slices.IsSortedFunc(a.Versions, compareVersions) {
			t.Errorf("%s: its versions are not in order: %v", a.Name, a.Versions)
		}
	}
}

// compareVersions compares two versions number by number. It returns a value below, equal to or above 0.
func compareVersions(a, b string) int {
	numbers := func(version string) (out []int) {
		for part := range strings.SplitSeq(version, ".") {
			n, _ := strconv.Atoi(part)
			out = append(out, n)
		}
		return out
	}
	return slices.Compare(numbers(a), numbers(b))
}

// recordedFormats returns the formats of the recordings.
func recordedFormats(t *testing.T) map[stream.Format]bool {
	t.Helper()
	found := map[stream.Format]bool{}
	for _, name := range streamtest.Recordings {
		r := agents.NewReader(strings.NewReader(streamtest.Recording(t, name)), stream.Options{})
		for {
			if _, err := r.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range r.Summary().Streams {
			found[s.Format] = true
		}
	}
	return found
}

// TestTables checks that the tables of the manual agree with the registry; -update writes them.
func TestTables(t *testing.T) {
	var formats, support, places [][]string
	var tested []string
	for _, a := range agents.All() {
		untried := len(a.Formats) > 0
		for _, f := range a.Formats {
			untried = untried && f.Untried
			formats = append(formats, []string{"`" + string(f.Format) + "`" + map[bool]string{true: ", experimental"}[f.Untried], f.From, f.List})
		}
		if s := a.Settings; s != nil {
			name := "`" + a.Name + "`"
			if s.Untried {
				name += ", experimental"
			} else if a.Program != nil {
				tested = append(tested, a.Title)
			}
			places = append(places, []string{name, inProject(s), inHome(s)})
		}
		support = append(support, []string{a.Title, reads(a, untried), hooks(a), yes(a.Program != nil), cmp.Or(strings.Join(a.Versions, ", "), "none")})
	}
	support = append(support, []string{"any other", "no: report events with `onward event -`", "[`onward hook generic`](hooks.md#any-other-agent)", "`onward run generic`", ""})
	places = append(places, []string{"`git`", "the hooks folder of the repository, wherever its configuration says", "none"})
	last := len(tested) - 1
	replace(t, filepath.Join("..", "..", "README.md"), regexp.MustCompile(`(?m)^.* are tested with the real programs:`),
		strings.Join(tested[:last], ", ")+" and "+tested[last]+" are tested with the real programs:")
	table(t, "agents.md", []string{"agent", "files in the project", "files for all projects, `--scope user`"}, places)
	table(t, "agent-streams.md", []string{"name", "written by", "its list"}, formats)
	table(t, "agents.md", []string{"agent", "reads its output (`ingest`)", "works in its hooks (`hooks install`)", "started by `run`", "versions tried"}, support)
}

// TestClients checks that the MCP server's file of clients agrees with the registry; -update writes it.
func TestClients(t *testing.T) {
	var clients []agent.Client
	for _, a := range agents.All() {
		if a.Client != nil {
			c := *a.Client
			c.Agent = a.Name
			clients = append(clients, c)
		}
	}
	text, err := json.MarshalIndent(clients, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join("..", "..", "companion", "onward-mcp", "clients.json"), string(text)+"\n")
}

func reads(a *agent.Agent, untried bool) string {
	switch {
	case untried:
		return "experimental"
	case len(a.Formats) > 1:
		return "yes, and its files"
	}
	return yes(len(a.Formats) > 0)
}

func hooks(a *agent.Agent) string {
	if a.Settings != nil && a.Settings.Untried {
		return "experimental"
	}
	return yes(a.Settings != nil)
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// table compares the table of a manual page that has these columns with rows.
func table(t *testing.T, page string, columns []string, rows [][]string) {
	t.Helper()
	row := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	head := row(columns) + "|" + strings.Repeat("---|", len(columns)) + "\n"
	want := head
	for _, cells := range rows {
		want += row(cells)
	}
	replace(t, filepath.Join("..", "..", "docs", page), regexp.MustCompile(regexp.QuoteMeta(head)+`(\|.*\n)*`), want)
}

// replace compares the only match of a pattern in a page with want; with -update, it replaces it.
func replace(t *testing.T, page string, place *regexp.Regexp, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	at := place.FindIndex(text)
	if at == nil {
		t.Fatalf("%s has nothing that begins like %q", page, place)
	}
	golden.Compare(t, page, string(text[:at[0]])+want+string(text[at[1]:]))
}

// inProject lists the files that an install without further flags writes into a project.
func inProject(s *settings.Layout) string {
	if s.UserOnly {
		return "none"
	}
	names := []string{s.Plugin.File, cmp.Or(s.Personal, s.File)}
	for _, m := range s.More {
		names = append(names, m.File)
	}
	var files []string
	for _, name := range append(names, s.Command.File) {
		if name != "" {
			files = append(files, "`"+path.Join(s.Project, name)+"`")
		}
	}
	return strings.Join(files, ", ")
}

// inHome returns the path of the user's hooks.
func inHome(s *settings.Layout) string {
	if s.User.Find != nil {
		return s.User.Shown
	}
	shown := "`" + path.Join("~", s.User.Name, path.Dir(s.File)) + "/…`"
	if s.User.Variable != "" {
		shown += ", or `$" + s.User.Variable + "`"
	}
	return shown
}
