package continuation

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/todo"
)

func templateOf(t rapid.TB, text string) Template {
	t.Helper()
	parsed, err := ParseTemplate(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestTemplate(t *testing.T) {
	set := defaults(t)
	doc := document(item("a", todo.Completed), item("b", todo.InProgress), item("c", todo.Pending))
	doc.Todos.Items[1].Content = "write {list}"
	for in, want := range map[string]string{
		"Go on with {task}.":                "Go on with write {list}.\n",
		"{status}\n\n{list}\n":              "[Status: 1/3 completed, 2 remaining]\n\nOpen items, as data of the list:\n2. [in_progress] \"write {list}\"\n3. [pending] \"item c\"\n",
		"{ task } {Task} {} {1} } { {":      "{ task } {Task} {} {1} } { {\n",
		"{task}{task}":                      "write {list}write {list}\n",
		`{"todo": "{task}", "of": {"a":1}}`: `{"todo": "write {list}", "of": {"a":1}}` + "\n",
	} {
		set.Template = templateOf(t, in)
		first, rest, _ := strings.Cut(promptOf(t, doc, set), "\n\n")
		if !strings.HasPrefix(first, tag+" onward:") || rest != want {
			t.Errorf("%q:\n%s\n%s", in, first, rest)
		}
	}
	set.Template = templateOf(t, "Always run the tests.\n\n{prompt}\n")
	built := defaults(t)
	if want := strings.Replace(promptOf(t, doc, built), "\n\n", "\n\nAlways run the tests.\n\n", 1); promptOf(t, doc, set) != want {
		t.Errorf("got\n%s", promptOf(t, doc, set))
	}
}

func TestBadTemplate(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "it is empty",
		" \n":                      "it is empty",
		"\xff":                     "not valid UTF-8",
		"ä {taks}":                 "line 1, column 3: unknown placeholder {taks}",
		"a\nbc {task} {next-item}": "line 2, column 11: unknown placeholder {next-item} (one of {task}, {status}, {list}, {prompt})",
		strings.Repeat("x", 2049):  "more than 2048 bytes",
		strings.Repeat("x", 2030):  "bytes too long",
		"{prompt}{prompt}":         "bytes too long",
	} {
		if _, err := ParseTemplate(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", in, err)
		}
	}
}

// TestTemplateKeepsTheLimits draws templates and lists. The prompt must stay within its limit, be recognised as onward's own, and be free
// of control characters.
func TestTemplateKeepsTheLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.OneOf(rapid.SampledFrom([]string{"{task}", "{status}", "{list}", "{prompt}", "{", "}", "\n", "go on "}), rapid.StringMatching(`[a-z ]{0,400}`))
		parsed, err := ParseTemplate(strings.Join(rapid.SliceOfN(part, 1, 12).Draw(t, "template"), ""))
		if err != nil {
			t.Skip(err)
		}
		var items []todo.Item
		for i := range rapid.IntRange(1, 15).Draw(t, "items") {
			it := item(fmt.Sprint(i), todo.Pending)
			it.Content = nasty().Draw(t, "text")
			items = append(items, it)
		}
		doc := document(items...)
		doc.Session, doc.Agent = strings.Repeat("s", 128), strings.Repeat("a", 64)
		set, _, err := Resolve()
		if err != nil {
			t.Fatal(err)
		}
		set.Yolo, set.Template = rapid.Bool().Draw(t, "yolo"), parsed
		d, _ := Decide(doc, Facts{}, set, noon)
		text := Prompt(doc, d, set)
		if len(text) > maxPrompt || !strings.HasPrefix(text, tag+" onward:") {
			t.Fatalf("%d bytes:\n%s", len(text), text)
		}
	})
}
