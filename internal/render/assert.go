package render

import (
	"fmt"
	"strings"

	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// Assertion says which items are open, for a person, for GitHub's log, or as JUnit XML.
// In the latter two is also what the gate came to; nil where it did not run.
func Assertion(name session.Name, items []todo.Item, open []todo.Ref, gate *session.Proof, format string, style Style) string {
	switch format {
	case "github":
		return github(items, open) + githubGate(gate)
	case "junit":
		return junit(name, items, open, gate)
	}
	if len(open) == 0 {
		if gate != nil && gate.Passed() {
			return "nothing is open, and the gate passes\n"
		}
		return "nothing is open\n"
	}
	var rows [][]string
	for _, t := range withoutSubtasks(items, open) {
		rows = append(rows, []string{"  " + t.Position, string(t.Status), Text(t.Content)})
	}
	return fmt.Sprintf("%d of %d open:\n", len(rows), len(items)) + style.table(rows, 2)
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

// NoListAssertion says that a list is missing that has to be there.
func NoListAssertion(name session.Name, format string) string {
	missing := "session " + name.String() + " has no list"
	switch format {
	case "github":
		return "::error title=no todo list::" + missing + "\n"
	case "junit":
		return fmt.Sprintf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"%s\" tests=\"1\" failures=\"1\">\n"+
			"  <testcase name=\"there is a list\"><failure message=\"%s\"/></testcase>\n</testsuite>\n", xml(name.String()), missing)
	}
	return missing + "\n"
}

// github writes workflow commands. Text has no line breaks any more, so an item cannot forge a command;
// the percent sign is escaped as their format asks.
func github(items []todo.Item, open []todo.Ref) string {
	var b strings.Builder
	for _, at := range open {
		t := todo.At(items, at)
		fmt.Fprintf(&b, "::error title=todo %s is %s::%s\n", t.Position, t.Status, strings.ReplaceAll(Text(t.Content), "%", "%25"))
	}
	return b.String()
}

// githubGate writes a workflow command for a gate that does not pass, with its output, line by line.
func githubGate(gate *session.Proof) string {
	if gate == nil || gate.Passed() {
		return ""
	}
	text := strings.ReplaceAll(strings.TrimSuffix(GateFailure(gate), "\n"), "%", "%25")
	return "::error title=the gate does not pass::" + strings.ReplaceAll(text, "\n", "%0A") + "\n"
}

// junit writes one test case for each item and subtask, and one for the gate; what is open or does not pass is a failure.
func junit(name session.Name, items []todo.Item, open []todo.Ref, gate *session.Proof) string {
	var b strings.Builder
	all := todo.Places(items)
	tests, failures := len(all), len(open)
	if gate != nil {
		if tests++; !gate.Passed() {
			failures++
		}
	}
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">\n", xml(name.String()), tests, failures)
	for _, at := range all {
		t := todo.At(items, at)
		fmt.Fprintf(&b, "  <testcase name=\"%s %s\"", t.Position, xml(t.Content))
		if len(open) > 0 && open[0] == at {
			open = open[1:]
			fmt.Fprintf(&b, "><failure message=\"%s\"/></testcase>\n", t.Status)
			continue
		}
		b.WriteString("/>\n")
	}
	if gate != nil {
		fmt.Fprintf(&b, "  <testcase name=\"gate: %s\"", xml(gate.Command))
		if gate.Passed() {
			b.WriteString("/>\n")
		} else {
			fmt.Fprintf(&b, "><failure message=\"%s\">%s</failure></testcase>\n", xml(gateState(gate)), xmlLines(GateFailure(gate)))
		}
	}
	b.WriteString("</testsuite>\n")
	return b.String()
}

// xml makes a text safe inside an attribute.
func xml(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace(Text(s))
}

// xmlLines makes lines of text safe inside an element.
func xmlLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = xml(lines[i])
	}
	return strings.Join(lines, "\n")
}

// AssertionJSON is onward/assertion/v1: whether something is open, and what.
func AssertionJSON(name session.Name, doc *session.Document, open []todo.Ref, gate *session.Proof, ok bool) []byte {
	var items []todo.Item
	if doc != nil {
		items = doc.Todos.Current()
	}
	w := start("onward/assertion/v1", name, 512)
	w.Bool("ok", ok)
	w.Bool("list", doc != nil && doc.Todos.Active)
	w.Name("counts")
	todo.WriteCounts(w, todo.Count(items))
	w.Name("open")
	object.WriteList(w, withoutSubtasks(items, open))
	if gate != nil {
		writeGate(w, gate, 0)
	}
	w.Close('}')
	return finish(w)
}
