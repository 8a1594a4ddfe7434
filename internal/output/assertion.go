package output

import (
	"fmt"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// Assertion is the result of `onward todo assert`.
type Assertion struct {
	Name  session.Name
	Items []todo.Item
	Open  []todo.Ref          // the items and subtasks that count as open
	Lost  *session.Dropped    // open items that the agent's list lost; nil if it lost none
	Gate  *session.GateResult // nil if the gate did not run

	LostGate string // that the last run began with and lost, so that no other one proves the list; empty if it lost none

	Differs string // from what the files differ that the gate passed on, where a commit is being made; empty if they do not

	RequireProof bool   // the files must be proven
	Lacks        string // the line that keeps them from it; empty if they are

	Broken  *session.GateResult // of a completed item that is open because its gate does not pass now; nil if there is none
	Missing bool                // a list is required, or was removed, and there is none
	Removed bool                // the list was removed, though not by onward
}

// Holds reports whether nothing is open, lost or missing, and all that must be proven is.
func (is *Assertion) Holds() bool {
	return !is.Missing && len(is.Open) == 0 && is.Lost == nil && is.LostGate == "" && (is.Gate == nil || is.Gate.Passed()) && is.Lacks == ""
}

// NoList reports whether there is nothing that the assertion can be about: no list, or an empty one that lost nothing, and no gate.
func (is *Assertion) NoList(doc *session.Document) bool {
	return is.Gate == nil && is.Lost == nil && continuation.CountList(doc).Total == 0
}

// status names the status of an item that counts as open.
func (is *Assertion) status(s todo.Status) string {
	if s == todo.Completed && is.Broken != nil {
		return "unproven"
	}
	return string(s)
}

// Text reports which items are open or lost, for the user, for GitHub's log, or as JUnit XML.
// The latter two contain the gate's result, too.
func (is *Assertion) Text(format string, style render.Style) string {
	switch format {
	case "github":
		return is.githubLog() + githubLost(is.Lost) + githubGate(is.Gate) + is.githubLostGate() + is.githubProof()
	case "junit":
		return is.junit()
	}
	lost := ""
	if is.Lost != nil {
		lost = render.Text(continuation.LostText(is.Lost)) + "\n"
	}
	if is.LostGate != "" {
		lost += render.Text(continuation.LostGateText(is.LostGate)) + "\n"
	}
	if len(is.Open) == 0 {
		nothing := "nothing is open"
		if may := todo.Count(is.Items).Words(true); len(may) > 0 {
			nothing += " except " + strings.Join(may, ", ")
		}
		switch {
		case lost != "":
			return lost
		case is.Gate == nil:
			return nothing + "\n"
		case is.Gate.Passed():
			return nothing + ", and the gate passes\n"
		}
		return nothing + ", but the gate does not pass\n"
	}
	var rows [][]string
	for _, t := range withoutSubtasks(is.Items, is.Open) {
		rows = append(rows, []string{"  " + t.Position, is.status(t.Status), render.Text(t.Content)})
	}
	return fmt.Sprintf("%d of %d open:\n", len(rows), len(is.Items)) + style.Table(rows, 2) + lost
}

// ProofText says whether the files are proven, or why not.
func (is *Assertion) ProofText() string {
	if is.Lacks != "" {
		return "not proven: " + is.Lacks + "\n"
	}
	return "proven: the gate failed before the work and passes now\n"
}

// githubProof writes a workflow command for files that must be proven and are not.
func (is *Assertion) githubProof() string {
	if is.Lacks == "" {
		return ""
	}
	return "::error title=the files are not proven::" + strings.ReplaceAll(render.MidLineText(is.Lacks), "%", "%25") + "\n"
}

func withoutSubtasks(items []todo.Item, open []todo.Ref) []todo.Touched {
	var out []todo.Touched
	for _, at := range open {
		if at.Sub < 0 {
			out = append(out, todo.TouchedAt(items, at))
		}
	}
	return out
}

// NoListText says that the session has no list.
func (is *Assertion) NoListText(format string) string {
	name := is.Name
	missing := "session " + name.String() + " has no list"
	if is.Removed {
		missing = "the list of session " + name.String() + " was removed"
	}
	switch format {
	case "github":
		return "::error title=no list::" + missing + "\n"
	case "junit":
		return junitSuite(name, 1, junitCase("there is a list", missing, ""))
	}
	return missing + "\n"
}

// RemovedHint is the next step after a list was removed; empty if it was not.
func (is *Assertion) RemovedHint() string {
	if !is.Removed {
		return ""
	}
	return continuation.ListRemovedHint
}

// githubLog writes workflow commands. Line breaks are already removed from texts, so that an item cannot forge a command.
// The percent sign is escaped as the format of these commands requires.
func (is *Assertion) githubLog() string {
	var b strings.Builder
	for _, at := range is.Open {
		t := todo.TouchedAt(is.Items, at)
		fmt.Fprintf(&b, "::error title=item %s is %s::%s\n", t.Position, strings.ReplaceAll(is.status(t.Status), "_", " "), strings.ReplaceAll(render.MidLineText(t.Content), "%", "%25"))
	}
	return b.String()
}

// githubLost writes a workflow command for the open items that a list lost.
func githubLost(lost *session.Dropped) string {
	if lost == nil {
		return ""
	}
	return "::error title=open items are lost::" + strings.ReplaceAll(render.MidLineText(continuation.LostText(lost)), "%", "%25") + "\n"
}

// githubLostGate writes a workflow command for a gate that the last run lost.
func (is *Assertion) githubLostGate() string {
	if is.LostGate == "" {
		return ""
	}
	return "::error title=the gate is gone::" + strings.ReplaceAll(render.MidLineText(continuation.LostGateText(is.LostGate)), "%", "%25") + "\n"
}

// githubGate writes a workflow command for a gate that does not pass, with its output, line by line.
func githubGate(gate *session.GateResult) string {
	if gate == nil || gate.Passed() {
		return ""
	}
	text := strings.ReplaceAll(strings.TrimSuffix(GateFailure(gate), "\n"), "%", "%25")
	return "::error title=the gate does not pass::" + strings.ReplaceAll(text, "\n", "%0A") + "\n"
}

// junit writes one test case for each item and subtask, one for what the list lost, and one for the gate; what is open or
// lost or does not pass is a failure.
func (is *Assertion) junit() string {
	var cases []string
	open := is.Open
	failures := len(open)
	for _, at := range todo.Places(is.Items) {
		t, failure := todo.TouchedAt(is.Items, at), ""
		if len(open) > 0 && open[0] == at {
			open, failure = open[1:], is.status(t.Status)
		}
		cases = append(cases, junitCase(t.Position+" "+t.Content, failure, ""))
	}
	if is.Lost != nil {
		failures++
		cases = append(cases, junitCase("no open item is lost", continuation.LostText(is.Lost), ""))
	}
	if is.Gate != nil {
		failure := ""
		if !is.Gate.Passed() {
			failures++
			failure = gateState(is.Gate)
		}
		cases = append(cases, junitCase("gate: "+is.Gate.Command, failure, GateFailure(is.Gate)))
	}
	if is.LostGate != "" {
		failures++
		cases = append(cases, junitCase("the gate is in force", continuation.LostGateText(is.LostGate), ""))
	}
	if is.RequireProof {
		if is.Lacks != "" {
			failures++
		}
		cases = append(cases, junitCase("the files are proven", is.Lacks, ""))
	}
	return junitSuite(is.Name, failures, cases...)
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

// JSON is onward/assertion/v1: whether something is open or lost, and what.
func (is *Assertion) JSON(doc *session.Document, ok bool) any {
	out := Document("onward/assertion/v1", is.Name, "ok", ok, "list", doc.IsActive(),
		"counts", todo.Count(is.Items), "open", object.ListOf(withoutSubtasks(is.Items, is.Open)))
	if is.Removed {
		out = append(out, "removed", true)
	}
	if is.Lost != nil {
		out = append(out, "lost", object.ListOf(is.Lost.Items))
	}
	if is.Gate != nil {
		out = append(out, "gate", GateJSON(is.Gate, 0))
	}
	out = out.AddIfSet("lost_gate", is.LostGate)
	if is.RequireProof {
		out = append(out, "proven", is.Lacks == "").AddIfSet("unproven", is.Lacks)
	}
	return out
}
