package cmd

import (
	"fmt"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/object"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// assertion is what an assertion has found.
type assertion struct {
	name  session.Name
	items []todo.Item
	open  []todo.Ref          // the items and subtasks that count as open
	lost  *session.Dropped    // open items that the agent's list lost; nil if it lost none
	gate  *session.GateResult // nil if the gate did not run

	proven bool   // the files must be proven
	lacks  string // the line that keeps them from it; empty if they are

	unproven bool // a completed item is open because its gate does not pass now
}

// status names the status of an item that counts as open.
func (is *assertion) status(s todo.Status) string {
	if s == todo.Completed && is.unproven {
		return "unproven"
	}
	return string(s)
}

// text reports which items are open or lost, for the user, for GitHub's log, or as JUnit XML.
// The latter two contain the gate's result, too.
func (is *assertion) text(format string, style render.Style) string {
	switch format {
	case "github":
		return is.githubLog() + githubLost(is.lost) + githubGate(is.gate) + is.githubProof()
	case "junit":
		return is.junit()
	}
	lost := ""
	if is.lost != nil {
		lost = render.Text(continuation.LostText(is.lost)) + "\n"
	}
	if len(is.open) == 0 {
		switch {
		case is.lost != nil:
			return lost
		case is.gate == nil:
			return "nothing is open\n"
		case is.gate.Passed():
			return "nothing is open, and the gate passes\n"
		}
		return "nothing is open, but the gate does not pass\n"
	}
	var rows [][]string
	for _, t := range withoutSubtasks(is.items, is.open) {
		rows = append(rows, []string{"  " + t.Position, is.status(t.Status), render.Text(t.Content)})
	}
	return fmt.Sprintf("%d of %d open:\n", len(rows), len(is.items)) + style.Table(rows, 2) + lost
}

// proofText says whether the files are proven, or why not.
func (is *assertion) proofText() string {
	if is.lacks != "" {
		return "not proven: " + is.lacks + "\n"
	}
	return "proven: the gate failed before the work and passes now\n"
}

// githubProof writes a workflow command for files that must be proven and are not.
func (is *assertion) githubProof() string {
	if is.lacks == "" {
		return ""
	}
	return "::error title=the files are not proven::" + strings.ReplaceAll(render.Shown(is.lacks), "%", "%25") + "\n"
}

func withoutSubtasks(items []todo.Item, open []todo.Ref) []todo.Touched {
	var out []todo.Touched
	for _, at := range open {
		if at.Sub < 0 {
			out = append(out, todo.At(items, at))
		}
	}
	return out
}

// noListText reports that a required list is missing.
func noListText(name session.Name, format string) string {
	missing := "session " + name.String() + " has no list"
	switch format {
	case "github":
		return "::error title=no list::" + missing + "\n"
	case "junit":
		return junitSuite(name, 1, junitCase("there is a list", missing, ""))
	}
	return missing + "\n"
}

// githubLog writes workflow commands. Line breaks are already removed from texts, so that an item cannot forge a command.
// The percent sign is escaped as the format of these commands requires.
func (is *assertion) githubLog() string {
	var b strings.Builder
	for _, at := range is.open {
		t := todo.At(is.items, at)
		fmt.Fprintf(&b, "::error title=item %s is %s::%s\n", t.Position, strings.ReplaceAll(is.status(t.Status), "_", " "), strings.ReplaceAll(render.Shown(t.Content), "%", "%25"))
	}
	return b.String()
}

// githubLost writes a workflow command for the open items that a list lost.
func githubLost(lost *session.Dropped) string {
	if lost == nil {
		return ""
	}
	return "::error title=open items are lost::" + strings.ReplaceAll(render.Shown(continuation.LostText(lost)), "%", "%25") + "\n"
}

// githubGate writes a workflow command for a gate that does not pass, with its output, line by line.
func githubGate(gate *session.GateResult) string {
	if gate == nil || gate.Passed() {
		return ""
	}
	text := strings.ReplaceAll(strings.TrimSuffix(gateFailure(gate), "\n"), "%", "%25")
	return "::error title=the gate does not pass::" + strings.ReplaceAll(text, "\n", "%0A") + "\n"
}

// junit writes one test case for each item and subtask, one for what the list lost, and one for the gate; what is open or
// lost or does not pass is a failure.
func (is *assertion) junit() string {
	var cases []string
	open := is.open
	failures := len(open)
	for _, at := range todo.Places(is.items) {
		t, failure := todo.At(is.items, at), ""
		if len(open) > 0 && open[0] == at {
			open, failure = open[1:], is.status(t.Status)
		}
		cases = append(cases, junitCase(t.Position+" "+t.Content, failure, ""))
	}
	if is.lost != nil {
		failures++
		cases = append(cases, junitCase("no open item is lost", continuation.LostText(is.lost), ""))
	}
	if is.gate != nil {
		failure := ""
		if !is.gate.Passed() {
			failures++
			failure = gateState(is.gate)
		}
		cases = append(cases, junitCase("gate: "+is.gate.Command, failure, gateFailure(is.gate)))
	}
	if is.proven {
		if is.lacks != "" {
			failures++
		}
		cases = append(cases, junitCase("the files are proven", is.lacks, ""))
	}
	return junitSuite(is.name, failures, cases...)
}

func junitSuite(name session.Name, failures int, cases ...string) string {
	return fmt.Sprintf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">\n", render.Markup(name.String()), len(cases), failures) +
		strings.Join(cases, "") + "</testsuite>\n"
}

// junitCase writes a test case that passes, or its failure with what was printed.
func junitCase(name, failure, output string) string {
	name, failure = render.Markup(name), render.Markup(failure)
	switch {
	case failure == "":
		return fmt.Sprintf("  <testcase name=\"%s\"/>\n", name)
	case output == "":
		return fmt.Sprintf("  <testcase name=\"%s\"><failure message=\"%s\"/></testcase>\n", name, failure)
	}
	return fmt.Sprintf("  <testcase name=\"%s\"><failure message=\"%s\">%s</failure></testcase>\n", name, failure, render.MarkupLines(output))
}

// json is onward/assertion/v1: whether something is open or lost, and what.
func (is *assertion) json(doc *session.Document, ok bool) any {
	out := output.Document("onward/assertion/v1", is.name, "ok", ok, "list", doc != nil && doc.Todos.Active,
		"counts", todo.Count(is.items), "open", object.ListOf(withoutSubtasks(is.items, is.open)))
	if is.lost != nil {
		out = append(out, "lost", object.ListOf(is.lost.Items))
	}
	if is.gate != nil {
		out = append(out, "gate", gateJSON(is.gate, 0))
	}
	if is.proven {
		out = append(out, "proven", is.lacks == "").Some("unproven", is.lacks)
	}
	return out
}
