package cmd

import (
	"fmt"
	"strings"

	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// assertionText reports which items are open, for the user, for GitHub's log, or as JUnit XML.
// The latter two contain the gate's result, too; nil if it did not run.
func assertionText(name session.Name, items []todo.Item, open []todo.Ref, gate *session.GateResult, format string, style render.Style) string {
	switch format {
	case "github":
		return githubLog(items, open) + githubGate(gate)
	case "junit":
		return junitXML(name, items, open, gate)
	}
	if len(open) == 0 {
		switch {
		case gate == nil:
			return "nothing is open\n"
		case gate.Passed():
			return "nothing is open, and the gate passes\n"
		}
		return "nothing is open, but the gate does not pass\n"
	}
	var rows [][]string
	for _, t := range withoutSubtasks(items, open) {
		rows = append(rows, []string{"  " + t.Position, string(t.Status), render.Text(t.Content)})
	}
	return fmt.Sprintf("%d of %d open:\n", len(rows), len(items)) + style.Table(rows, 2)
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
func githubLog(items []todo.Item, open []todo.Ref) string {
	var b strings.Builder
	for _, at := range open {
		t := todo.At(items, at)
		fmt.Fprintf(&b, "::error title=item %s is %s::%s\n", t.Position, t.Status.Words(), strings.ReplaceAll(render.Shown(t.Content), "%", "%25"))
	}
	return b.String()
}

// githubGate writes a workflow command for a gate that does not pass, with its output, line by line.
func githubGate(gate *session.GateResult) string {
	if gate == nil || gate.Passed() {
		return ""
	}
	text := strings.ReplaceAll(strings.TrimSuffix(gateFailure(gate), "\n"), "%", "%25")
	return "::error title=the gate does not pass::" + strings.ReplaceAll(text, "\n", "%0A") + "\n"
}

// junitXML writes one test case for each item and subtask, and one for the gate; what is open or
// does not pass is a failure.
func junitXML(name session.Name, items []todo.Item, open []todo.Ref, gate *session.GateResult) string {
	var cases []string
	failures := len(open)
	for _, at := range todo.Places(items) {
		t, failure := todo.At(items, at), ""
		if len(open) > 0 && open[0] == at {
			open, failure = open[1:], string(t.Status)
		}
		cases = append(cases, junitCase(t.Position+" "+t.Content, failure, ""))
	}
	if gate != nil {
		failure := ""
		if !gate.Passed() {
			failures++
			failure = gateState(gate)
		}
		cases = append(cases, junitCase("gate: "+gate.Command, failure, gateFailure(gate)))
	}
	return junitSuite(name, failures, cases...)
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

// assertionJSON is onward/assertion/v1: whether something is open, and what.
func assertionJSON(name session.Name, doc *session.Document, open []todo.Ref, gate *session.GateResult, ok bool) any {
	items := doc.Current()
	out := document("onward/assertion/v1", name, "ok", ok, "list", doc != nil && doc.Todos.Active,
		"counts", todo.Count(items), "open", object.ListOf(withoutSubtasks(items, open)))
	if gate != nil {
		out = append(out, "gate", gateJSON(gate, 0))
	}
	return out
}
