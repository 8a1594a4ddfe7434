//go:build unix

package realagents

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var certify = flag.Bool("certify", false, "write the results of this run into docs/compatibility.md")

// behaviours are the rows of docs/compatibility.md, each with the tests that prove it. All of these that ran for an agent must have passed.
var behaviours = []struct {
	name  string
	tests []string
}{
	{"the list is read from its stream", []string{"TestLoopResumes"}},
	{"its hooks keep it going until the list is done", []string{"TestContinuesUntilTheListIsDone", "TestKimiIsContinuedOnce"}},
	{"it stops at the limit", []string{"TestStopsAtTheLimit"}},
	{"a usage limit is waited out", []string{"TestRunWaitsForALimit"}},
	{"an interrupt is respected", []string{"TestInterruptPersists"}},
	{"a failing gate sends it back", []string{"TestGateMakesAgentFixTests"}},
	{"the gate holds in a linked worktree", []string{"TestWorktreeHasTheGate"}},
	{"two conversations at once are gated", []string{"TestTwoConversationsAreGated"}},
	{"an interrupt ends the gate", []string{"TestInterruptEndsTheGate"}},
	{"sub-agents are not sent back", []string{"TestSubAgentsAreNotContinued"}},
	{"a member of a team is sent back", []string{"TestTeamMemberIsSentBack"}},
	{"a member of a team in another pane is sent back", []string{"TestTeamMemberInAPane"}},
	{"nothing is blocked if onward is missing, broken or slow", []string{"TestBrokenProgramNeverBlocks"}},
	{"uninstalling restores every byte", []string{"TestUninstallRestoresSettings"}},
	{"`onward run` starts and resumes it", []string{"TestRunUntilDone"}},
}

// cell is the known result for one behaviour of one version of an agent.
type cell struct {
	Agent     string `json:"agent"`
	Version   string `json:"version"`
	Behaviour string `json:"behaviour"`
	Passed    string `json:"passed,omitempty"` // the day on which it last passed with this version
	Failed    string `json:"failed,omitempty"` // the first day on which it failed, if it has not passed since
	Reason    string `json:"reason,omitempty"` // the reason why it cannot be tried
}

// result is the result of one test for one agent.
type result struct {
	agent, version, test string
	failed               bool
	reason               string // the reason of a skipped test
}

var notes struct {
	sync.Mutex
	results []result
	reasons map[string]string // reasons of skipped tests, by the name of the test
}

// skip skips a test, and records the reason for the certificate.
func skip(t *testing.T, reason string) {
	t.Helper()
	notes.Lock()
	if notes.reasons == nil {
		notes.reasons = map[string]string{}
	}
	notes.reasons[t.Name()] = reason
	notes.Unlock()
	t.Skip(reason)
}

// note records the result of a test for an agent when the test ends.
func note(t *testing.T, a agent) {
	notes.Lock()
	defer notes.Unlock()
	test, _, _ := strings.Cut(t.Name(), "/")
	r := result{agent: a.name, version: versionOf(a.npm), test: test, failed: t.Failed()}
	if t.Skipped() {
		r.reason = cmp.Or(notes.reasons[t.Name()], "it cannot be tried on this machine")
	}
	notes.results = append(notes.results, r)
}

// certificate is the file in which the cells are kept between runs.
const certificate = "certificate.json"

// merge updates the cells with the results of a run. A behaviour has passed if at least one of its tests passed
// and none failed in this run. If none of them was run, the behaviour keeps its cell.
func merge(cells []cell, results []result, day string) []cell {
	failed := map[int]bool{} // behaviours that failed in this run, by the index of their cells
	for _, b := range behaviours {
		for _, r := range results {
			if !slices.Contains(b.tests, r.test) {
				continue
			}
			i := slices.IndexFunc(cells, func(c cell) bool {
				return c.Agent == r.agent && c.Version == r.version && c.Behaviour == b.name
			})
			if i < 0 {
				i = len(cells)
				cells = append(cells, cell{Agent: r.agent, Version: r.version, Behaviour: b.name})
			}
			c := &cells[i]
			switch {
			case r.failed:
				failed[i], c.Failed = true, cmp.Or(c.Failed, day)
			case r.reason == "":
				if !failed[i] {
					c.Passed, c.Failed = day, ""
				}
				c.Reason = ""
			case c.Passed == "" && c.Failed == "":
				c.Reason = r.reason
			}
		}
	}
	return cells
}

// knownCells reads the cells of earlier runs.
func knownCells() (cells []cell, err error) {
	text, err := os.ReadFile(certificate)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &cells)
	}
	return cells, err
}

// writeCertificate adds the results of this run to the certificate, and writes docs/compatibility.md.
func writeCertificate() error {
	cells, err := knownCells()
	if err != nil {
		return err
	}
	cells = merge(cells, notes.results, time.Now().UTC().Format(time.DateOnly))
	slices.SortStableFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), -compareVersions(a.Version, b.Version), cmp.Compare(rank(a.Behaviour), rank(b.Behaviour)))
	})
	text, err := json.MarshalIndent(cells, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(certificate, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(compatibility, []byte(page(cells)), 0o644)
}

// certified adds the results to the certificate if -certify is set, and returns the exit code of the tests.
func certified(code int) int {
	if !*certify {
		return code
	}
	if err := writeCertificate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// rank returns the row of a behaviour.
func rank(behaviour string) int {
	for i, b := range behaviours {
		if b.name == behaviour {
			return i
		}
	}
	return len(behaviours)
}

// compareVersions compares two versions number by number. It returns a value below, equal to or above 0.
func compareVersions(a, b string) int {
	return slices.Compare(numbers(a), numbers(b))
}

func numbers(version string) []int {
	var out []int
	for part := range strings.SplitSeq(version, ".") {
		n := 0
		fmt.Sscanf(part, "%d", &n)
		out = append(out, n)
	}
	return out
}

const compatibility = "../../docs/compatibility.md"

// page returns the text of docs/compatibility.md.
func page(cells []cell) string {
	var b strings.Builder
	b.WriteString(`<!-- Generated by the tests with the agents' own programs: ONWARD_REAL_AGENTS=1 go test ./test/realagents -certify, and once more with -older. -->

# Compatibility

The tables show which behaviour works with which version of which agent. A date is the day on which the behaviour last passed with that version of the agent's own program, against a scripted model.
A letter marks what cannot be tried; the reason is below the table.
`)
	var reasons []string // a letter means the same in both tables
	for _, group := range []struct {
		title string
		of    func(agent string, versions []string) []string
	}{
		{"The newest versions", func(_ string, versions []string) []string { return versions[:1] }},
		{"Older versions", func(_ string, versions []string) []string { return versions[1:] }},
	} {
		var columns [][2]string
		for _, a := range agents() {
			var versions []string
			for _, c := range cells {
				if c.Agent == a.name && !slices.Contains(versions, c.Version) {
					versions = append(versions, c.Version)
				}
			}
			if len(versions) == 0 {
				continue
			}
			slices.SortFunc(versions, func(a, b string) int { return compareVersions(b, a) })
			for _, v := range group.of(a.name, versions) {
				columns = append(columns, [2]string{a.name, v})
			}
		}
		if len(columns) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n", group.title)
			table(&b, cells, columns, &reasons)
		}
	}
	return b.String()
}

// table writes a table with a row for each behaviour, a column for each version of an agent, and its reasons below it.
func table(b *strings.Builder, cells []cell, columns [][2]string, reasons *[]string) {
	shown := map[string]bool{}
	b.WriteString("| |")
	for _, c := range columns {
		fmt.Fprintf(b, " %s %s |", c[0], c[1])
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, row := range behaviours {
		fmt.Fprintf(b, "| %s |", row.name)
		for _, column := range columns {
			i := slices.IndexFunc(cells, func(c cell) bool {
				return c.Agent == column[0] && c.Version == column[1] && c.Behaviour == row.name
			})
			text := "not tried"
			if i >= 0 {
				text = cells[i].text(reasons)
			}
			shown[text] = true
			fmt.Fprintf(b, " %s |", text)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for i, reason := range *reasons {
		if letter := string(rune('a' + i)); shown[letter] {
			fmt.Fprintf(b, "- %s: %s\n", letter, reason)
		}
	}
}

// text returns the text of a cell in the table. Its reason, if it has one, is added to reasons, which are printed below the table.
func (c cell) text(reasons *[]string) string {
	switch {
	case c.Failed != "":
		return "fails since " + c.Failed
	case c.Passed != "":
		return c.Passed
	}
	i := slices.Index(*reasons, c.Reason)
	if i < 0 {
		i = len(*reasons)
		*reasons = append(*reasons, c.Reason)
	}
	return string(rune('a' + i))
}

// TestCompatibilityIsCurrent fails if docs/compatibility.md differs from the page that the results yield.
func TestCompatibilityIsCurrent(t *testing.T) {
	cells, err := knownCells()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(compatibility)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != page(cells) {
		t.Errorf("%s differs from %s: run the tests with -certify", compatibility, certificate)
	}
}

// TestCertificateKeepsWhatFailed merges the results of several days: a failure is shown until a later pass.
func TestCertificateKeepsWhatFailed(t *testing.T) {
	run := func(failed bool, reason string) []result {
		return []result{{agent: "claude", version: "2.1.330", test: "TestLoopResumes", failed: failed, reason: reason}}
	}
	var cells []cell
	for _, day := range []struct {
		date    string
		results []result
		want    string
	}{
		{"2026-01-01", run(false, "no node"), "a"},
		{"2026-01-02", run(false, ""), "2026-01-02"},
		{"2026-01-03", run(false, "no node"), "2026-01-02"},
		{"2026-01-04", run(true, ""), "fails since 2026-01-04"},
		{"2026-01-05", nil, "fails since 2026-01-04"},
		{"2026-01-06", append(run(true, ""), run(false, "")...), "fails since 2026-01-04"},
		{"2026-01-06", run(false, ""), "2026-01-06"},
		{"2026-01-06", append(run(false, ""), run(true, "")...), "fails since 2026-01-06"},
		{"2026-01-07", run(false, ""), "2026-01-07"},
	} {
		cells = merge(cells, day.results, day.date)
		var reasons []string
		if got := cells[0].text(&reasons); len(cells) != 1 || got != day.want {
			t.Errorf("%s: %q in %d cells, want %q", day.date, got, len(cells), day.want)
		}
	}
}
