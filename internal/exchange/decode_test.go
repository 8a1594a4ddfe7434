package exchange

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onward/internal/todo"
)

// marks are the characters with which show writes the statuses.
var marks = map[todo.Status]string{"": "o", todo.Pending: "·", todo.InProgress: ">", todo.Completed: "x", todo.Cancelled: "-", todo.Blocked: "?"}

// show returns a list as text with one item on a line. Subtasks are in brackets, and the other members follow the item.
func show(list List) string {
	var lines []string
	for _, it := range list.Items {
		s := marks[it.Status] + it.Content
		if it.ID != "" {
			s += " #" + it.ID
		}
		if it.Priority != "" {
			s += " !" + string(it.Priority)
		}
		if it.Reason != "" {
			s += " (" + it.Reason + ")"
		}
		if len(it.BlockedBy) > 0 {
			s += " after " + strings.Join(it.BlockedBy, ",")
		}
		for _, sub := range it.Subtasks {
			s += " [" + marks[sub.Status] + sub.Content + "]"
		}
		lines = append(lines, s)
	}
	return strings.Join(lines, "\n")
}

func imported(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "import", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDetectedFileFormats reads files of users and agents, and detects their formats.
func TestDetectedFileFormats(t *testing.T) {
	session := "5f0c7d1e-3b8a-4c92-9d64-0a1b2c3d4e5f"
	for _, c := range []struct {
		name   string
		format Format
		want   string
	}{
		{session + "-agent-" + session + ".json", Claude, "xRead the failing test\n>Fix the tokenizer for nested quotes\n·Run the whole suite"},
		{"claude-tasks/2.json", Claude, ">Design the counters #2"},
		{"gemini-tracker/9f01bc.json", Gemini, "xWrite the code #9f01bc"},
		{"todo-6b1f2a90.json", Llxprt, "xPersist the list #1 [ochoose the folder] [owrite the file]\n>Add the slash command #2 [oparse positions]"},
		{"todo-legacy.json", Llxprt, "·Persist the list #1 !high\n·Add the slash command #2 !low"},
		{"qwen-session.json", Qwen, "xCreate the preferences model #create-model\n>Add the endpoints #add-endpoints"},
		{"issue.md", Markdown, "xcompile on `linux/arm64`\nxcompile on Windows\n" +
			"?sign the binaries, which needs the key that Ada keeps (the key is with Ada) [xget a certificate] [·store it] [·in the vault]\n" +
			">write the notes\n\nThey go on the site as well.\n```sh\n- [ ] not an item\n```\n-port it to Plan 9"},
		{"shopping.md", Markdown, "·buy\tmilk\n·call the “plumber” about the sink [·the tap]"},
		{"plain.txt", Text, "·fix the parser\n·write the tests\nxread the docs"},
	} {
		data := imported(t, c.name)
		if got := known.detect(c.name, data); got != c.format {
			t.Errorf("%s: taken for %s, want %s", c.name, got, c.format)
		}
		for _, format := range []Format{Auto, c.format} {
			list, err := Decode(format, c.name, data)
			if got := show(list); err != nil || got != c.want {
				t.Errorf("%s as %s: %v\ngot:  %q\nwant: %q", c.name, format, err, got, c.want)
			}
		}
	}
}

// TestInternalTasksAreLeftOut checks that tasks that Claude Code itself does not show are not imported.
func TestInternalTasksAreLeftOut(t *testing.T) {
	list, err := known.DecodeFolder(Auto, []File{
		{"1.json", []byte(`{"id":"1","subject":"mate","status":"in_progress","metadata":{"by":["x"],"_internal":true}}`)},
		{"2.json", []byte(`{"id":"2","subject":"A","status":"pending","metadata":{"_internal":false},"blockedBy":["1"]}`)},
		{"3.json", []byte(`{"id":"3","subject":"B","status":"pending","metadata":null}`)},
	})
	if got := show(list); err != nil || got != "·A #2\n·B #3" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTaskFolders reads folders with a file for each task, in the agent's own order.
func TestTaskFolders(t *testing.T) {
	for _, c := range []struct {
		dir    string
		names  []string
		format Format
		want   string
	}{
		{"claude-tasks", []string{"1.json", "10.json", "2.json"}, Claude, "xResearch existing metrics #1\n>Design the counters #2 after 1\n·Ship it #10 after 2"},
		{
			"gemini-tracker",
			[]string{"0b77de.json", "43aa00.json", "9f01bc.json", "c0ffee.json"},
			Gemini,
			"·Ship the feature #43aa00 [>Fix the race in the cache] [xWrite the code]\n?Tell the users #c0ffee after 43aa00",
		},
	} {
		var files []File
		for _, n := range c.names {
			files = append(files, File{n, imported(t, c.dir+"/"+n)})
		}
		for _, format := range []Format{Auto, c.format} {
			list, err := known.DecodeFolder(format, files)
			if got := show(list); err != nil || got != c.want {
				t.Errorf("%s as %s: %v\ngot:  %q\nwant: %q", c.dir, format, err, got, c.want)
			}
		}
	}
}

func TestSubtasksByParentID(t *testing.T) {
	task := func(id, status, parent string) File {
		return File{id + ".json", []byte(`{"id":"` + id + `","title":"` + id + `","status":"` + status + `","parentId":"` + parent + `","dependencies":[]}`)}
	}
	for _, c := range []struct {
		name      string
		files     []File
		want      string
		flattened int
	}{
		{"two levels", []File{task("c", "open", "b"), task("b", "open", "a"), task("a", "open", "")}, "·a #a [·b] [·c]", 1},
		{"a circle", []File{task("a", "open", "b"), task("b", "open", "a")}, "·a #a\n·b #b", 0},
		{"a parent that is gone", []File{task("a", "open", "zz")}, "·a #a", 0},
		{"closed before its part", []File{task("a", "closed", ""), task("b", "blocked", "a")}, "·a #a [?b]", 0},
		{"the tracker's order", []File{task("a", "closed", ""), task("b", "blocked", ""), task("c", "open", ""), task("d", "in_progress", "")}, ">d #d\n·c #c\n?b #b\nxa #a", 0},
	} {
		list, err := known.DecodeFolder(Gemini, c.files)
		if got := show(list); err != nil || got != c.want || list.Flattened != c.flattened {
			t.Errorf("%s: %v, %d flattened\ngot:  %q\nwant: %q", c.name, err, list.Flattened, got, c.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"every bullet and number", "- [ ] a\n* [x] b\n+ [X] c\n1. [ ] d\n2) [ ] e", "·a\nxb\nxc\n·d\n·e"},
		{"an empty box without its space", "- [] a", "·a"},
		{"signs for the other statuses", "- [~] a\n- [/] b\n- [-] c\n- [!] d\n- [✓] e", ">a\n>b\n-c\n?d\nxe"},
		{"a link is not a check box", "- [ ] a\n- [x](http://b)\n- [1] c\n- [>](http://c)\n- [see] d", "·a"},
		{"words", "- [ ] a _(in progress)_\n- [x] b *(cancelled)*\n- [ ] c _(Low priority)_\n- [ ] d _(high priority, blocked: e, f)_", ">a\n-b\n·c !low\n?d !high (e, f)"},
		{"a box that was ticked since", "- [x] a _(in progress)_\n- [x] b _(high priority, blocked: c)_", "xa\nxb !high"},
		{"other words", "- [ ] a _(tomorrow)_\n- [ ] b (in progress)", "·a _(tomorrow)_\n·b (in progress)"},
		{"a subtask has no priority", "- [ ] a\n  - [ ] b _(high priority)_\n  - [ ] c _(in progress)_", "·a [·b _(high priority)_] [>c]"},
		{"tabs", "- [ ] a\n\t- [ ] b\n\t\t- [ ] c\n- [ ] d", "·a [·b] [·c]\n·d"},
		{"four spaces, and a part that has none", "- [ ] a\n    - [ ] b\n    - [x] c\n- [ ] d", "·a [·b] [xc]\n·d"},
		{"below prose in a list", "- Group\n  - [ ] a\n  - [ ] b\n", "·a\n·b"},
		{"wrapped", "- [ ] a\n      b\nc\n- [ ] d", "·a b c\n·d"},
		{"broken", "- [ ] a\\\n  b  \n  c\\", `·a` + "\n" + `b` + "\n" + `c\`},
		{"a heading ends it", "- [ ] a\n## b\nc", "·a"},
		{"prose after a blank line ends it", "- [ ] a\n\nb\n\n  c", "·a"},
		{"a second paragraph", "- [ ] a\n\n  b\n  c", "·a\n\nb c"},
		{"a paragraph behind the subtasks", "- [ ] a\n  - [ ] b\n\n  c", "·a\n\nc [·b]"},
		{"notes in bullets", "- [ ] a\n  - one\n  - two", "·a\n- one\n- two"},
		{"a fence ends with its item", "- [ ] a\n  ```\n  x\n- [ ] b", "·a\n```\nx\n·b"},
		{"references", "- [ ] a&#x41;&#66;&#0;&#xd800;&amp;", "·aAB&#0;&#xd800;&amp;"},
		{"no box at all", "intro\n\n- a\n  - b\n* * *\n1. c", "·a [·b]\n·c"},
		{"text in the next line", "- [ ]\n  a", "·a"},
	} {
		list, err := Decode(Markdown, "", []byte(c.input))
		if got := show(list); err != nil || got != c.want {
			t.Errorf("%s: %v\ngot:  %q\nwant: %q", c.name, err, got, c.want)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       Format
	}{
		{"", "", Text},
		{"", "- a", Markdown},
		{"", "a\n- b", Text},
		{"", "prose\n- [ ] b", Markdown},
		{"", "[ ] a\n[x] b", Text},
		{"", "[x] a", Text},
		{"", "[ ]", JSON},
		{"", "[{", JSON},
		{"", `{"schema":"onward/todos/v1","items":[],"todos":[]}`, JSON},
		{"", `{"todos":[]}`, JSON},
		{"todo-1.json", `{"todos":[]}`, Llxprt},
		{`C:\a\todo-1.json`, `[]`, Llxprt},
		{"", `{"todos":[],"paused":false}`, Llxprt},
		{"", `[{"subject":"a","description":"b"}]`, Claude},
		{"a-agent-a.json", `[]`, Claude},
		{"x.md", "a", Markdown},
		{"x.txt", "- a", Text},
		{"x.txt", "- [ ] a", Markdown},
		{"x.json", "- a", JSON},
		{"", "{not json", Text},
		{"", "{", JSON},
		{"", `["a"`, JSON},
	} {
		if got := known.detect(c.name, []byte(c.data)); got != c.want {
			t.Errorf("%q %q: %s, want %s", c.name, c.data, got, c.want)
		}
	}
}

// TestRefusals checks the kind, the place and the text of each error.
func TestRefusals(t *testing.T) {
	long := strings.Repeat("a", todo.MaxText+1)
	for _, c := range []struct {
		name   string
		format Format
		input  string
		kind   error
		want   string
	}{
		{"an empty box", Markdown, "# a\n\n- [ ] ", todo.ErrData, "line 3, column 7: bad list: the text is empty"},
		{"an empty box without its last space", Markdown, "- [ ]", todo.ErrData, "line 1, column 7: bad list: the text is empty"},
		{"an empty box in the middle", Markdown, "- [ ]\n- [ ] a", todo.ErrData, "line 1, column 7: bad list: the text is empty"},
		{"an empty subtask", Markdown, "- [ ] a\n  - [x] _(in progress)_", todo.ErrData, "line 2, column 9: bad list: the text is empty"},
		{"a text too long", Markdown, "- [ ] " + long, todo.ErrLimit, "line 1, column 7: over the limit: the text has 65537 bytes, at most 65536 are kept"},
		{"a text much too long", Markdown, "- [ ] a\n" + strings.Repeat("  "+long+"\n", 4), todo.ErrLimit, "line 1, column 7: over the limit: the text has more than 65536 bytes"},
		{"too many items", Markdown, strings.Repeat("- [ ] a\n", todo.MaxItems+1), todo.ErrLimit, "line 10001, column 7: over the limit: more than 10000 items"},
		{"too many subtasks", Markdown, "- [ ] a\n" + strings.Repeat("  - [ ] a\n", todo.MaxItems+1), todo.ErrLimit, "line 10002, column 9: over the limit: more than 10000 subtasks of item 1"},
		{"no item", Markdown, "# Plan\n", todo.ErrData, "bad list: it holds no items"},
		{"nothing", Auto, "\n", todo.ErrData, "bad list: it holds no items"},
		{"no UTF-8", Auto, "- [ ] é\n- [ ] é\xff", todo.ErrText, "line 2, column 9: bad text: not valid UTF-8"},
		{"NUL", Text, "ab\x00", todo.ErrText, "line 1, column 3: bad text: a NUL character"},
		{"UTF-16", Auto, "\xff\xfe-\x00", todo.ErrText, "line 1, column 1: bad text: it is UTF-16, not UTF-8"},
		{"a line too long", Text, "a\n  " + long, todo.ErrLimit, "line 2, column 3: over the limit"},
		{"too many lines", Text, strings.Repeat("a\n", todo.MaxItems+1), todo.ErrLimit, "line 10001, column 1: over the limit: more than 10000 items"},
		{"no JSON", JSON, "", todo.ErrData, "bad list: it is empty; an empty list is []"},
		{"half", JSON, "[\n  {\"content\": \"x\"\n", todo.ErrData, "line 3, column 1: bad list: unexpected EOF"},
		{"two lists", JSON, "[]\n[]", todo.ErrData, "line 2, column 1: bad list: there is a second value; the JSON lines of an agent are read by onward ingest"},
		{"rubbish behind", JSON, "[] x", todo.ErrData, "line 1, column 4: bad list: invalid character 'x'"},
		{"no list", JSON, "\n {\"tasks\":[]}", todo.ErrData, "line 2, column 2: bad list: the object has neither items nor todos"},
		{"both lists", JSON, `{"items":[],"todos":[]}`, todo.ErrData, "line 1, column 21: bad list: the object has two lists"},
		{"a number in place of a text", JSON, "[\n {\"content\": 7}]", todo.ErrData, "line 2, column 14: bad list: /0/content: a number where a string belongs"},
		{"a null", JSON, "[null]", todo.ErrData, "line 1, column 2: bad list: null where an object belongs"},
		{"a word", JSON, `["a"]`, todo.ErrData, "line 1, column 2: bad list: /0: a string where an object belongs"},
		{"no text", JSON, `[{"content":"a"}, {"id":"1"}]`, todo.ErrData, "line 1, column 19: bad list: no text (content, text, description, subject, title or step)"},
		{"an empty text", JSON, `[{"content":" "}]`, todo.ErrData, "line 1, column 13: bad list: the text is empty"},
		{"NUL in a string", JSON, `[{"content":"a\u0000"}]`, todo.ErrText, "line 1, column 13: bad text: the text holds a NUL character"},
		{"a status", JSON, `[{"content":"a","status":"someday"}]`, todo.ErrData, `line 1, column 26: bad list: status "someday" (one of ` + todo.StatusWords() + `)`},
		{"a status of the tracker", Gemini, `{"title":"a","status":"someday"}`, todo.ErrData, `column 23: bad list: status "someday" (one of open, in_progress, blocked, closed)`},
		{"a priority", JSON, `[{"content":"a","priority":"urgent"}]`, todo.ErrData, `column 28: bad list: priority "urgent" (one of high, medium, low)`},
		{"a time", JSON, `[{"content":"a","created_at":"yesterday"}]`, todo.ErrData, `column 30: bad list: /0/created_at: "yesterday" is not an RFC 3339 time`},
		{"one member twice", JSON, `[{"content":"a","content":"b"}]`, todo.ErrData, `column 27: bad list: "content" is duplicated in one object`},
		{"one id twice", JSON, `[{"content":"a","id":"1"},` + "\n" + `{"content":"b","id":1}]`, todo.ErrData, `line 2, column 1: bad list: the id "1" is duplicated`},
		{"a string too long", Qwen, `{"todos":[{"content":"` + long + `"}]}`, todo.ErrLimit, "column 22: over the limit"},
		{"too many objects", JSON, "[" + strings.Repeat(`{"text":"a"},`, todo.MaxItems) + `{}]`, todo.ErrLimit, "over the limit: more than 10000 items"},
		{"blocked by too many", JSON, `[{"content":"a","blocked_by":[` + strings.Repeat(`"1",`, todo.MaxItems) + `"2"]}]`, todo.ErrLimit, "over the limit: more than 10000 ids in blocked_by"},
		{"too deep", JSON, strings.Repeat(`[{"text":"a","subtasks":`, 40), todo.ErrData, "bad list: it nests deeper than 32"},
		{"half a pair", JSON, `[{"content":"\ud800"}]`, todo.ErrData, "line 1, column "},
	} {
		list, err := Decode(c.format, "", []byte(c.input))
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || list.Items != nil {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.kind, c.want)
		}
	}
}

func TestFolderRefusals(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []File
		want  string
	}{
		{"nothing", nil, "bad list: the folder contains no tasks (*.json)"},
		{"lists", []File{{"a-agent-a.json", []byte(`[]`)}}, "line 1, column 1: bad list: it is a list, not a task; to import it, name the file"},
		{"something else", []File{{"package.json", []byte(`{"name":"x"}`)}}, "bad list: it is not a task of Claude Code or Gemini CLI; to import a list, name its file"},
		{"one id twice", []File{{"1.json", []byte(`{"id":"1","subject":"a"}`)}, {"2.json", []byte(`{"id":"1","subject":"b"}`)}}, `the id "1" is duplicated`},
		{"half", []File{{"1.json", []byte("{\"subject\":\n")}}, "line 2, column 1: bad list: unexpected EOF"},
	} {
		_, err := known.DecodeFolder(Auto, c.files)
		var at *Error
		if !errors.Is(err, todo.ErrData) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if len(c.files) > 0 && (!errors.As(err, &at) || at.File != c.files[len(c.files)-1].Name) {
			t.Errorf("%s: %v does not name its file", c.name, err)
		}
	}
}
