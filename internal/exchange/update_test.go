package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/todo"
)

// printer writes one file, with the statuses that it is given: what is drawn for it else stays the same.
type printer func(statuses [][]todo.Status) string

// anyPlan draws a file of a format, and the statuses that it has: for each item its own and those of its subtasks.
func anyPlan(t *rapid.T, format Format) (printer, [][]todo.Status) {
	n := rapid.IntRange(1, 6).Draw(t, "items")
	statuses := make([][]todo.Status, n)
	for i := range statuses {
		statuses[i] = make([]todo.Status, 1+rapid.IntRange(0, 3).Draw(t, "subtasks"))
		if format == PRD {
			statuses[i] = statuses[i][:1]
		}
		for j := range statuses[i] {
			statuses[i][j] = told(format).Draw(t, "status")
		}
	}
	if format == Markdown {
		return anyMarkdown(t, statuses), statuses
	}
	return anyJSON(t, format, statuses), statuses
}

// told draws a status that a format can tell.
func told(format Format) *rapid.Generator[todo.Status] {
	if format == PRD {
		return rapid.SampledFrom([]todo.Status{todo.Pending, todo.Completed})
	}
	return anyStatus()
}

func anyJSON(t *rapid.T, format Format, statuses [][]todo.Status) printer {
	quote := func(s string) string {
		if rapid.Bool().Draw(t, "ASCII") {
			q, _ := json.Marshal(s)
			return strings.NewReplacer("é", `\u00e9`, "/", `\/`).Replace(string(q))
		}
		q, _ := json.Marshal(s)
		return string(q)
	}
	space := rapid.SampledFrom([]string{"", " ", "\n", "\r\n\t", "\n    "})
	word := func(s todo.Status) string {
		if s == todo.Completed {
			return "done"
		}
		return strings.ReplaceAll(string(s), "_", "-")
	}
	// Each piece is text of the file, or the place of a status.
	type piece struct {
		text string
		i, j int
	}
	var pieces []piece
	put := func(text string) { pieces = append(pieces, piece{text: text, i: -1}) }
	entry := func(id, i, j int, more func()) {
		members := []func(){
			func() { put(`"id"` + space.Draw(t, "space") + ":" + fmt.Sprint(id)) },
			func() { put(`"title": ` + quote(anyText().Draw(t, "title"))) },
			func() { put(`"unknown":` + space.Draw(t, "space") + `{"status":"x", "a":[1e5,true]}`) },
			func() { put(`"description" :` + quote(anyText().Draw(t, "description"))) },
			func() {
				put(map[bool]string{true: `"passes":`, false: `"status":`}[format == PRD] + space.Draw(t, "space"))
				pieces = append(pieces, piece{i: i, j: j})
			},
		}
		if more != nil {
			members = append(members, more)
		}
		put("{" + space.Draw(t, "space"))
		for k, at := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5}[:len(members)]).Draw(t, "order") {
			if k > 0 {
				put("," + space.Draw(t, "space"))
			}
			members[at]()
		}
		put(space.Draw(t, "space") + "}")
	}
	put(rapid.SampledFrom([]string{"", "\uFEFF", "\n"}).Draw(t, "start"))
	put(map[Format]string{PRD: `{"project":"x", "userStories":[`, TaskMaster: `{"empty":{"tasks":[]},"master":{"metadata":{}, "tasks":[`}[format])
	for i := range statuses {
		if i > 0 {
			put("," + space.Draw(t, "space"))
		}
		subtasks := func() {
			put(`"subtasks":[`)
			for j := range statuses[i][1:] {
				if j > 0 {
					put(",")
				}
				entry(j+1, i, j+1, nil)
			}
			put("]")
		}
		if format == PRD {
			subtasks = nil
		}
		entry(i+1, i, 0, subtasks)
	}
	put(map[Format]string{PRD: `]}`, TaskMaster: `]}}`}[format] + rapid.SampledFrom([]string{"", "\n", "\r\n\r\n"}).Draw(t, "end"))
	return func(statuses [][]todo.Status) string {
		var b strings.Builder
		for _, p := range pieces {
			switch {
			case p.i < 0:
				b.WriteString(p.text)
			case format == PRD:
				fmt.Fprint(&b, statuses[p.i][p.j] == todo.Completed)
			default:
				b.WriteString(`"` + word(statuses[p.i][p.j]) + `"`)
			}
		}
		return b.String()
	}
}

func anyMarkdown(t *rapid.T, statuses [][]todo.Status) printer {
	line := rapid.SampledFrom([]string{"fix the parser", "1. Audit", "`a` _b_ (c)", "write [x] into it", "ship _(high priority)_", "é界", "T001 [P] go on"})
	after := rapid.SampledFrom([]string{"", "\n", "\n  more of it\n", "  - a point\n  - _Requirements: 1_\n", "\n## Then\n\n", "```\n- [ ] code\n```\n", "<!-- [ ] -->\n"})
	bullet := rapid.SampledFrom([]string{"-", "*", "+", "1.", "2)"})
	ending := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
	var texts [][]string
	for i := range statuses {
		var of []string
		for range statuses[i] {
			// The texts differ, since nothing but their order tells equal ones apart.
			of = append(of, fmt.Sprintf(" %d.%d ", i, len(of))+line.Draw(t, "text")+"\n"+after.Draw(t, "after"))
		}
		texts = append(texts, of)
	}
	bullets := make([]string, len(statuses))
	for i := range bullets {
		bullets[i] = bullet.Draw(t, "bullet")
	}
	return func(statuses [][]todo.Status) string {
		var b strings.Builder
		b.WriteString("# Plan\n\n")
		for i := range statuses {
			for j, s := range statuses[i] {
				b.WriteString(strings.Repeat(" ", 4*min(j, 1)) + bullets[i] + " [" + s.Meaning().Boxes[:1] + "]" + texts[i][j])
			}
		}
		return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", ending)
	}
}

// TestUpdateChangesStatusesOnly imports plans, sets statuses, and writes them back. The file must be the one that its program would
// write with these statuses, byte for byte; it must be read as the same list; and to write it again must change nothing.
func TestUpdateChangesStatusesOnly(t *testing.T) {
	for _, format := range []Format{TaskMaster, PRD, Markdown} {
		t.Run(string(format), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				print, before := anyPlan(t, format)
				source := Source{Format: format}
				file := print(before)
				list, err := known.Decode(source, []byte(file))
				if err != nil {
					t.Fatalf("%q: %v", file, err)
				}
				imported, err := todo.Append([]todo.Item{{ID: "1", Content: "mine", Status: todo.Cancelled}}, list.Items, 1000)
				if err != nil {
					t.Fatal(err)
				}
				items := imported.Items
				after := make([][]todo.Status, len(before))
				for i := range after {
					after[i] = slices.Clone(before[i])
				}
				for i := range before {
					it := &items[i+1]
					if len(it.Subtasks) != len(before[i])-1 {
						t.Skip("a subtask was read as text of its item")
					}
					for j := range before[i] {
						if rapid.Bool().Draw(t, "stays") {
							continue
						}
						after[i][j] = told(format).Draw(t, "new status")
						if j == 0 {
							it.Status = after[i][0]
						} else {
							it.Subtasks[j-1].Status = after[i][j]
						}
					}
					for j := range it.Subtasks { // closing an item closes its subtasks, which an import does, too
						after[i][j+1] = it.Subtasks[j].StatusOrPending()
					}
					if after[i][0] = it.Status; !before[i][0].Open() && !it.Status.Open() {
						copy(after[i][1:], before[i][1:])
					}
				}
				did, err := known.Update(source, []byte(file), items, true)
				if err != nil {
					t.Fatalf("%q: %v", file, err)
				}
				if want := print(after); string(did.Data) != want {
					t.Fatalf("%q\nbecame %q\nwant   %q", file, did.Data, want)
				}
				again, err := known.Decode(source, did.Data)
				if err != nil {
					t.Fatalf("%q: %v", did.Data, err)
				}
				second, err := known.Update(source, did.Data, items, false)
				if err != nil || second.Changed > 0 || string(second.Data) != string(did.Data) {
					t.Fatalf("written again: %v, %d changed", err, second.Changed)
				}
				replaced, err := todo.Replace(items[1:], again.Items, 2000)
				if err != nil {
					t.Fatal(err)
				}
				for i, it := range replaced.Items {
					if it.Status != items[i+1].Status || it.Content != items[i+1].Content {
						t.Fatalf("imported again: %+v, it was %+v", it, items[i+1])
					}
				}
			})
		})
	}
}

// TestUpdate writes statuses into files in the ways that a property test does not draw.
func TestUpdate(t *testing.T) {
	done := func(texts ...string) (items []todo.Item) {
		for _, text := range texts {
			items = append(items, todo.Item{Content: text, Status: todo.Completed})
		}
		return items
	}
	for _, c := range []struct {
		name, file, want string
		source           Source
		items            []todo.Item
		force            bool
		did              UpdateResult
	}{
		{
			name: "a member that is not there", did: UpdateResult{Changed: 2}, items: done("a", "b"),
			file: "{\"userStories\": [\n  {\n    \"title\": \"a\"\n  },\n  {\"title\":\"b\", \"id\":1}\n]}",
			want: "{\"userStories\": [\n  {\n    \"title\": \"a\",\n    \"passes\": true\n  },\n  {\"title\":\"b\", \"id\":1, \"passes\":true}\n]}",
		},
		{
			name: "null", did: UpdateResult{Changed: 2}, items: done("a", "b"),
			file: `{"tasks":[{"title":"a","status":null},{"title":"b","passes":null}]}`,
			want: `{"tasks":[{"title":"a","status":"done"},{"title":"b","passes":true}]}`,
		},
		{
			name: "two members that say it", did: UpdateResult{Changed: 1}, items: done("a"),
			file: `{"tasks":[{"status":"todo","title":"a","done":false}]}`, want: `{"tasks":[{"status":"done","title":"a","done":true}]}`,
		},
		{
			name: "the words of the file", did: UpdateResult{Changed: 2}, items: append(done("b"), todo.Item{Content: "c", Status: todo.InProgress}),
			file: `{"tasks":[{"title":"b","status":"open"},{"title":"c","status":"review"},{"title":"x","status":"Completed"},{"title":"y","status":"in_progress"}]}`,
			want: `{"tasks":[{"title":"b","status":"Completed"},{"title":"c","status":"in_progress"},{"title":"x","status":"Completed"},{"title":"y","status":"in_progress"}]}`,
		},
		{
			name: "the words of the file stay where they say the same", items: []todo.Item{{Content: "a", Status: todo.Blocked}},
			file: `{"tasks":[{"title":"a","status":"deferred"}]}`, want: `{"tasks":[{"title":"a","status":"deferred"}]}`,
		},
		{
			name: "cancelled has no word", did: UpdateResult{Untold: 1}, items: []todo.Item{{Content: "a", Status: todo.Cancelled}, {Content: "b", Status: todo.InProgress}},
			file: `[{"title":"a","passes":false},{"title":"b","passes":false}]`, want: `[{"title":"a","passes":false},{"title":"b","passes":false}]`,
		},
		{
			name: "reopened", force: true, did: UpdateResult{Changed: 1}, items: []todo.Item{{Content: "a", Status: todo.InProgress}},
			file: `[{"title":"a","passes":true}]`, want: `[{"title":"a","passes":false}]`,
		},
		{
			name: "open below a closed item", items: []todo.Item{{Content: "a", Status: todo.Completed, Subtasks: []todo.Subtask{{Content: "b", Status: todo.Completed}}}},
			file: "- [x] a\n  - [ ]* b\n", want: "- [x] a\n  - [ ]* b\n",
		},
		{
			name: "the other tag stays", source: Source{Tag: "b"}, did: UpdateResult{Changed: 1}, items: done("a"),
			file: `{"master":{"tasks":[{"title":"a","status":"pending"}]},"b":{"tasks":[{"title":"a","status":"pending"}]}}`,
			want: `{"master":{"tasks":[{"title":"a","status":"pending"}]},"b":{"tasks":[{"title":"a","status":"done"}]}}`,
		},
		{
			name: "one text twice, known by the id", did: UpdateResult{Changed: 1, Extra: 1},
			items: []todo.Item{{ID: "t1", Content: "a", Status: todo.Pending}, {ID: "2", Content: "a", Status: todo.Completed}, {ID: "1", Content: "a", Status: todo.Pending}},
			file:  `{"tasks":[{"id":1,"title":"a","status":"pending"},{"id":2,"title":"a","status":"pending"}]}`,
			want:  `{"tasks":[{"id":1,"title":"a","status":"pending"},{"id":2,"title":"a","status":"done"}]}`,
		},
		{
			name: "apart", did: UpdateResult{Changed: 1, Apart: 1, Extra: 1}, items: done("a", "new"),
			file: `{"tasks":[{"title":"a","status":"pending"},{"title":"renamed","status":"pending"}]}`,
			want: `{"tasks":[{"title":"a","status":"done"},{"title":"renamed","status":"pending"}]}`,
		},
		{
			name: "a note says another status", did: UpdateResult{Changed: 3},
			items: append(done("a", "b"), todo.Item{Content: "c", Status: todo.Pending}),
			file:  "- [ ] a _(in progress)_\n- [ ] b\n  _(high priority, blocked: why)_  \n- [ ] c *(in progress)*\n",
			want:  "- [x] a\n- [x] b\n  _(high priority)_  \n- [ ] c\n",
		},
		{
			name: "specifications", source: Source{Name: ".kiro/specs/x/tasks.md"}, did: UpdateResult{Changed: 2, Untold: 1},
			items: append(done("1. a"), todo.Item{Content: "2. b", Status: todo.InProgress}, todo.Item{Content: "3. c", Status: todo.Cancelled}),
			file:  "- [-] 1. a\n- [ ]* 2. b\n- [ ] 3. c\n", want: "- [x] 1. a\n- [-]* 2. b\n- [ ] 3. c\n",
		},
		{
			name: "a legend", did: UpdateResult{Changed: 1}, items: []todo.Item{{Content: "a", Status: todo.InProgress}},
			file: "Legend: `[-]` in progress\n\n- [X] Completed\n- [ ] Not started\n- [-] In progress\n\n# Tasks\n- [ ] a\n",
			want: "Legend: `[-]` in progress\n\n- [X] Completed\n- [ ] Not started\n- [-] In progress\n\n# Tasks\n- [-] a\n",
		},
		{
			name: "the sign of the file", did: UpdateResult{Changed: 2}, items: append(done("a"), todo.Item{Content: "b", Status: todo.InProgress}),
			file: "- [] a\n- [] b\n- [X] c\n- [/] d", want: "- [X] a\n- [/] b\n- [X] c\n- [/] d",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.did.Extra == 0 && c.did.Apart == 0 { // what the test does not name is in the list as the file has it
				list, err := known.Decode(c.source, []byte(c.file))
				if err != nil {
					t.Fatal(err)
				}
				for _, it := range list.Items {
					if !slices.ContainsFunc(c.items, func(other todo.Item) bool { return other.Content == it.Content }) {
						c.items = append(c.items, it)
					}
				}
			}
			did, err := known.Update(c.source, []byte(c.file), c.items, c.force)
			if err != nil {
				t.Fatal(err)
			}
			if string(did.Data) != c.want {
				t.Errorf("became\n%s\nwant\n%s", did.Data, c.want)
			}
			if did.Data = nil; !reflect.DeepEqual(did, c.did) {
				t.Errorf("did %+v, want %+v", did, c.did)
			}
		})
	}
}

// TestUpdateRefused writes statuses into files where one of the two would be wrong.
func TestUpdateRefused(t *testing.T) {
	open := []todo.Item{{Content: "a", Status: todo.Pending}}
	var conflict *ConflictError
	if _, err := known.Update(Source{}, []byte("- [ ] b\n- [x] a\n"), open, false); !errors.As(err, &conflict) || !strings.Contains(err.Error(), `line 2: "a" is completed there, and pending in the list`) {
		t.Errorf("an item that the file has closed: %v", err)
	}
	if _, err := known.Update(Source{}, []byte("- [-] a\n"), []todo.Item{{Content: "a", Status: todo.Completed}}, false); !errors.As(err, &conflict) {
		t.Errorf("an item that the file has closed otherwise: %v", err)
	}
	for _, c := range []struct {
		name, file string
		items      []todo.Item
		want       error
		says       string
	}{
		{"another list", "- [ ] b\n", open, ErrNoCommonItem, "none of its items"},
		{"no items", `{"userStories":[]}`, open, ErrNoCommonItem, ""},
		{"beads", `{"id":"1","title":"a","status":"open","issue_type":"task"}`, open, ErrNotWritten, "the format is beads"},
		{"the list of an agent", `[{"content":"a","status":"pending","activeForm":"b"}]`, open, ErrNotWritten, "the format is claude"},
		{"no boxes", "- a\n- b\n", []todo.Item{{Content: "a", Status: todo.Completed}}, todo.ErrData, `line 1, column 3: bad list: no box before "a"`},
		{"one text twice", "- [ ] a\n- [ ] a\n", []todo.Item{{Content: "a", Status: todo.Completed}}, todo.ErrData, `"a" is there 2 times, and 1 time in the list`},
		{"damage", `{"tasks":[{"title":"a"`, open, todo.ErrData, "unexpected EOF"},
	} {
		if did, err := known.Update(Source{}, []byte(c.file), c.items, true); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || did.Data != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}
