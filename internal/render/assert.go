package render

import (
	"fmt"
	"strconv"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// Assertion says which items are open, for a person, for GitHub's log, or as JUnit XML.
func Assertion(name session.Name, items []todo.Item, open []int, format string, style Style) string {
	switch format {
	case "github":
		return github(items, open)
	case "junit":
		return junit(name, items, open)
	}
	if len(open) == 0 {
		return "nothing is open\n"
	}
	rows := make([][]string, len(open))
	for i, at := range open {
		rows[i] = []string{fmt.Sprintf("  %d", at+1), string(items[at].Status), Text(items[at].Content)}
	}
	return fmt.Sprintf("%d of %d open:\n", len(open), len(items)) + style.table(rows, 2)
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
func github(items []todo.Item, open []int) string {
	var b strings.Builder
	for _, i := range open {
		fmt.Fprintf(&b, "::error title=todo %d is %s::%s\n", i+1, items[i].Status, strings.ReplaceAll(Text(items[i].Content), "%", "%25"))
	}
	return b.String()
}

// junit writes one test case an item; an open one is a failure.
func junit(name session.Name, items []todo.Item, open []int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">\n", xml(name.String()), len(items), len(open))
	for i := range items {
		fmt.Fprintf(&b, "  <testcase name=\"%d %s\"", i+1, xml(items[i].Content))
		if len(open) > 0 && open[0] == i {
			open = open[1:]
			fmt.Fprintf(&b, "><failure message=\"%s\"/></testcase>\n", items[i].Status)
			continue
		}
		b.WriteString("/>\n")
	}
	b.WriteString("</testsuite>\n")
	return b.String()
}

// xml makes a text safe inside an attribute.
func xml(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace(Text(s))
}

// AssertionJSON is onward/assertion/v1: whether something is open, and what.
func AssertionJSON(name session.Name, doc *session.Document, open []int, ok bool) []byte {
	var items []todo.Item
	if doc != nil {
		items = doc.Todos.Current()
	}
	w := start("onward/assertion/v1", name, 512)
	w.Bool("ok", ok)
	w.Bool("list", doc != nil && doc.Todos.Active)
	w.Name("counts")
	todo.WriteCounts(w, todo.Count(items))
	touched := make([]todo.Touched, len(open))
	for i, at := range open {
		touched[i] = todo.Touched{Position: strconv.Itoa(at + 1), ID: items[at].ID, Content: items[at].Content, Status: items[at].Status}
	}
	w.Name("open")
	todo.WriteTouched(w, touched)
	w.Close('}')
	return finish(w)
}
