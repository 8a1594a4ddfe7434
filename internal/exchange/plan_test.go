package exchange

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"onward/internal/todo"
)

// shape describes the items of a list in short: the status, the text, what they wait for, and their subtasks.
func shape(items []todo.Item) string {
	var b strings.Builder
	for _, it := range items {
		fmt.Fprintf(&b, "%s %s %s", it.Status, it.ID, it.Content)
		if it.Priority != "" {
			fmt.Fprintf(&b, " (%s)", it.Priority)
		}
		if len(it.BlockedBy) > 0 {
			fmt.Fprintf(&b, " after %s", strings.Join(it.BlockedBy, ","))
		}
		if it.Reason != "" {
			fmt.Fprintf(&b, ": %s", it.Reason)
		}
		b.WriteString("\n")
		for _, sub := range it.Subtasks {
			fmt.Fprintf(&b, "  %s %s\n", sub.StatusOrPending(), sub.Content)
		}
	}
	return b.String()
}

// TestPlans reads plans in the shapes in which their programs, and those after them, write them.
func TestPlans(t *testing.T) {
	for _, c := range []struct {
		name, file string
		source     Source
		format     Format
		want       string
		absent     int
	}{
		{
			name: "task-master with tags", source: Source{Name: ".taskmaster/tasks/tasks.json"}, format: TaskMaster, absent: 1,
			file: `{"master":{"tasks":[
{"id":1,"title":"Lay the keel","description":"d","details":"x","testStrategy":"look","priority":"high","dependencies":[],"status":"done",
 "subtasks":[{"id":1,"title":"Cut it","description":"","dependencies":[],"status":"done"},{"id":2,"title":"Bolt it","dependencies":["1.1"],"status":"pending"}]},
{"id":2,"title":"Plank the hull","priority":"critical","dependencies":[1,"1.2","2.1",7],"status":"in-progress","subtasks":[]},
{"id":3,"title":"Paint","priority":"low","dependencies":[2],"status":"deferred"},
{"id":4,"title":"Launch","priority":"medium","dependencies":[3],"status":"review","subtasks":null}
],"metadata":{"created":"2026-01-01"}},"refit":{"tasks":[]}}`,
			want: "completed 1 Lay the keel (high)\n  completed Cut it\n  pending Bolt it\nin_progress 2 Plank the hull (high) after 1\n" +
				"blocked 3 Paint (low) after 2: deferred\nblocked 4 Launch (medium) after 3: review\n",
		},
		{
			name: "task-master before it had tags", source: Source{Name: "tasks/tasks.json"}, format: TaskMaster,
			file: `{"meta":{"version":"1"},"tasks":[{"id":"1","title":"A","status":"completed","dependencies":null},
{"id":"2","title":"B","status":"todo","dependencies":["1"],"subtasks":[{"id":"2.1","title":"b","status":"completed"}]}]}`,
			want: "completed 1 A\npending 2 B after 1\n  completed b\n",
		},
		{
			name: "a chosen tag", source: Source{Tag: "api"}, format: TaskMaster,
			file: `{"master":{"tasks":[{"id":1,"title":"A","status":"done"}]},"api":{"tasks":[{"id":1,"title":"B","status":"cancelled"}]}}`,
			want: "cancelled 1 B\n",
		},
		{
			name: "a chosen member", source: Source{Tag: "stories"}, format: PRD,
			file: `{"userStories":[{"title":"A","passes":true}],"stories":[{"title":"B","passes":true}]}`,
			want: "completed  B\n",
		},
		{
			name: "no tasks yet", format: TaskMaster, file: `{"master":{"tasks":[]},"b":{"tasks":[]}}`,
		},
		{
			name: "the bare array of task-master", format: TaskMaster,
			file: `[{"id":1,"title":"A","dependencies":[],"testStrategy":"","status":"pending"},{"id":2,"title":"B","dependencies":[1],"status":"blocked"}]`,
			want: "pending 1 A\nblocked 2 B after 1\n",
		},
		{
			name: "ralph", source: Source{Name: "prd.json"}, format: PRD,
			file: `{"project":"P","branchName":"ralph/x","userStories":[
{"id":"US-002","title":"Show it","description":"As a user …","acceptanceCriteria":["it shows"],"priority":2,"passes":false,"notes":""},
{"id":"US-001","title":"Store it","acceptanceCriteria":[],"priority":1,"passes":true,"dependsOn":[]},
{"id":"US-003","title":"Ship it","priority":3,"passes":false,"dependsOn":["US-001","US-002"]}]}`,
			want: "completed US-001 Store it\npending US-002 Show it\npending US-003 Ship it after US-001,US-002\n",
		},
		{
			name: "stories", format: PRD,
			file: `{"projectName":"P","techStack":{"frontend":"x"},"stories":[{"id":"C-1","title":"A","passes":true},{"id":"C-2","title":"B"}],"extra":[1,[2]]}`,
			want: "completed C-1 A\npending C-2 B\n",
		},
		{
			name: "a bare array that passes", format: PRD,
			file: `[{"category":"ui","description":"The button is red","steps":["look"],"passes":false}, {"category":"ui","description":"It is round","passes":true}]`,
			want: "pending  The button is red\ncompleted  It is round\n",
		},
		{
			name: "prd.json with words", source: Source{Name: "prd.json"}, format: PRD,
			file: `{"tasks":[{"id":"001","title":"A","status":"completed","priority":"high"},{"id":"002","step":2,"title":"B","status":"open"}]}`,
			want: "completed 001 A (high)\npending 002 B\n",
		},
		{
			name: "prd.json with tasks that pass", source: Source{Name: "prd.json"}, format: PRD,
			file: `{"iteration":"1","scope":{"files":["a"]},"tasks":[{"id":"a","title":"Split","kind":"code","dependencies":[],"passes":true,"attempts":1},
{"id":"b","title":"Review","dependencies":["a"],"passes":false,"blockerReason":null}]}`,
			want: "completed a Split\npending b Review after a\n",
		},
		{
			name: "prd.json that says complete", source: Source{Name: "plans/PRD.json"}, format: PRD,
			file: `[{"category":"prd","description":"A","steps":[],"started":false,"complete":true}]`,
			want: "completed  A\n",
		},
		{
			name: "beads", source: Source{Name: ".beads/issues.jsonl"}, format: Beads, absent: 1,
			file: `{"id":"x-1","title":"Epic","status":"open","priority":1,"issue_type":"epic","created_at":"2026-01-21T11:28:03-05:00"}
{"id":"x-1.1","title":"Part","status":"closed","priority":0,"issue_type":"task","closed_at":"2026-01-22T11:28:03-05:00","close_reason":"Closed","dependencies":[{"issue_id":"x-1.1","depends_on_id":"x-1","type":"parent-child","created_at":"2026-01-21"}]}
{"id":"x-1.2","title":"Other part","status":"in_progress","priority":2,"issue_type":"bug","labels":["done"],"dependencies":[{"issue_id":"x-1.2","depends_on_id":"x-1","type":"parent-child"},{"issue_id":"x-1.2","depends_on_id":"x-1.1","type":"blocks"},{"issue_id":"x-1.2","depends_on_id":"y-9","type":"blocks"},{"issue_id":"x-1.2","depends_on_id":"x-4","type":"related"}],"comments":[{"id":1,"text":"done"}]}
{"id":"x-4","title":"Later","status":"deferred","priority":4,"issue_type":"task"}
`,
			want: "pending x-1 Epic (high) after x-1.1,x-1.2\ncompleted x-1.1 Part (high)\nin_progress x-1.2 Other part (medium) after x-1.1\nblocked x-4 Later (low): deferred\n",
		},
		{
			name: "beads with what is no issue", format: Beads,
			file: `{"_type":"issue","id":"a-1","title":"A","status":"hooked","issue_type":"task"}
{"_type":"memory","key":"k","value":"v"}
{"_type":"issue","id":"a-2","title":"(deleted)","status":"tombstone","issue_type":"task"}
{"_type":"issue","id":"a-3","title":"B","status":"open","issue_type":"task","dependencies":[{"issue_id":"a-3","depends_on_id":"a-1","type":"blocks"},{"issue_id":"a-1","depends_on_id":"a-3","type":"parent-child"}]}`,
			want: "in_progress a-1 A\npending a-3 B after a-1\n",
		},
		{
			name: "what bd prints", format: Beads,
			file: `[{"id":"a-1","title":"A","status":"blocked","priority":2,"issue_type":"task","dependency_count":0},{"id":"a-2","title":"B","status":"pinned","issue_type":"task"}]`,
			want: "blocked a-1 A (medium)\nblocked a-2 B: pinned\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := known.Decode(c.source, []byte("\uFEFF"+c.file))
			if err != nil {
				t.Fatal(err)
			}
			if got := shape(list.Items); got != c.want || list.format != c.format || list.Absent != c.absent {
				t.Errorf("read as %s, %d absent:\n%swant:\n%s", list.format, list.Absent, got, c.want)
			}
		})
	}
}

// TestPlansRefused reads plans that say nothing which could be kept, or two things.
func TestPlansRefused(t *testing.T) {
	task := func(id, rest string) string { return `{"id":` + id + `,"title":"T","status":"pending"` + rest + `}` }
	for _, c := range []struct {
		name, file string
		source     Source
		want       string
	}{
		{"two tags", `{"master":{"tasks":[` + task("1", "") + `]},"b":{"tasks":[` + task("1", "") + `]}}`, Source{}, "bad list: it has 2 lists (master, b)"},
		{"no such tag", `{"master":{"tasks":[]}}`, Source{Tag: "b"}, `bad list: it has no list "b" (one of master)`},
		{"a tag twice", `{"master":{"tasks":[]},"master":{"tasks":[]}}`, Source{}, `"master" is duplicated in one object`},
		{"tasks twice", `{"tasks":[],"tasks":[]}`, Source{}, `"tasks" is duplicated in one object`},
		{"two lists", `{"userStories":[{"title":"a","passes":true}],"stories":[{"title":"b","passes":true}]}`, Source{}, "bad list: it has 2 lists (userStories, stories)"},
		{"no list", `{"project":"P"}`, Source{Name: "prd.json"}, `the object has no list "userStories"`},
		{"an id twice", `{"tasks":[` + task("1", "") + ",\n" + task(`"1"`, "") + `]}`, Source{}, `line 2, column 1: bad list: the id "1" is duplicated`},
		{"a member twice", `{"tasks":[` + task("1", `,"status":"done"`) + `]}`, Source{}, `line 1, column 59: bad list: "status" is duplicated`},
		{"an unknown status", `{"tasks":[` + task("1", "") + ",\n" + `{"title":"x","status":"someday"}]}`, Source{}, `line 2, column 23: bad list: status "someday" (one of pending, `},
		{"no status, but a word", `{"userStories":[{"title":"x","phase":"done"}]}`, Source{}, `it has no status, and its phase is "done"`},
		{"no status, but a time", `{"userStories":[{"title":"x","closedAt":"2026-01-01"}]}`, Source{}, `it has no status, and it has a closedAt`},
		{"passes is a number", `{"userStories":[{"title":"x","passes":1}]}`, Source{}, `its passes is neither true nor false`},
		{
			"a circle", `{"tasks":[` + task("1", `,"dependencies":[3]`) + "," + task("2", `,"dependencies":[1]`) + ",\n" + task("3", `,"dependencies":[2]`) + `]}`,
			Source{},
			`line 1, column 11: bad list: "1" would wait for itself (1 → 3 → 2 → 1)`,
		},
		{"itself", `{"tasks":[` + task("1", `,"dependencies":[1]`) + `]}`, Source{}, `(1 → 1)`},
		{"half a file", `{"tasks":[` + task("1", "") + ",\n", Source{}, "line 2, column 1: bad list: unexpected EOF"},
		{"half a line", `{"id":"a","title":"A","status":"open","issue_type":"task"}` + "\n{\"id\":", Source{}, "line 2, column 7: bad list: unexpected EOF"},
		{"a line that is no issue", `{"id":"a","title":"A","status":"open","issue_type":"task"}` + "\n7\n", Source{}, "there is a second value"},
		{"a second value", `{"tasks":[` + task("1", "") + "]}\n{}", Source{}, "there is a second value"},
		{"empty", "", Source{Name: "tasks.json"}, "bad list"},
		{"a string", `"x"`, Source{Format: PRD}, "it is neither an object nor an array"},
		{"tasks as an object", `{"tasks":{"1":{}}}`, Source{}, "bad list"},
		{"a task as a string", `{"tasks":["Do it"]}`, Source{}, "a string where an object belongs"},
		{"bad UTF-8", "{\"tasks\":[{\"title\":\"\xff\"}]}", Source{}, "line 1, column 21: not UTF-8"},
	} {
		list, err := known.Decode(c.source, []byte(c.file))
		if err == nil || len(list.Items) > 0 {
			t.Errorf("%s: accepted %v", c.name, list.Items)
		} else if !strings.Contains(strings.ReplaceAll(err.Error(), "bad text: not valid UTF-8", "not UTF-8"), c.want) || !errors.Is(err, todo.ErrData) && !errors.Is(err, todo.ErrText) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

// TestSpecifications reads the tasks of programs that write a specification first, completes all of them, and writes that back: only
// the signs in the boxes change. The samples are short ones in the shapes of public files.
func TestSpecifications(t *testing.T) {
	for name, want := range map[string]string{
		"spec-kit-tasks.md": "xT001 Create the yard in `src/yard.ts`\n·T002 [P] Add `tsconfig.json` (strict mode)\n" +
			"·T003 [P] [US1] Test the order in `test/order.test.ts`\n·T004 [US1] Take the order in `src/order.ts`",
		"openspec-tasks.md": "x1.1 Cover the order, and the empty one\n·1.2 Assert that a name is required by the yard as well\n·2.1 Describe `order`",
		"kiro-tasks.md": "x1. Set up the yard\n- Create `src/yard.ts`\n- _Requirements: 1.1, 1.2_\n" +
			"·2. Take orders [x2.1 Validate the name\n- Refuse an empty one\n- _Requirements: 2.1_] [·2.2 Write a property test\n- **Property 1: every order has a name**]\n" +
			">3. Checkpoint\n- Ask the user if questions arise.",
	} {
		t.Run(name, func(t *testing.T) {
			data, source := imported(t, name), Source{Name: ".kiro/specs/boat/" + name}
			list, err := known.Decode(source, data)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(list); got != want {
				t.Errorf("read as\n%s\nwant:\n%s", got, want)
			}
			for i := range list.Items {
				list.Items[i].Status = todo.Completed
				for j := range list.Items[i].Subtasks {
					list.Items[i].Subtasks[j].Status = todo.Completed
				}
			}
			updated, err := known.Update(source, data, list.Items, false)
			if err != nil {
				t.Fatal(err)
			}
			boxes := strings.NewReplacer("- [ ]", "- [x]", "- [-]", "- [x]", "- [X]", "- [x]", "`- [ ]", "`- [ ]")
			if got, want := boxes.Replace(string(updated.Data)), boxes.Replace(string(data)); got != want {
				t.Errorf("more than the boxes changed:\n%s", updated.Data)
			}
			again, err := known.Decode(source, updated.Data)
			if err != nil || strings.ContainsAny(show(again), "·>") {
				t.Errorf("an item is open after all were completed (%v):\n%s", err, updated.Data)
			}
		})
	}
}
