package claude

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// TestTaskListIsWhole reads calls, the last of which is a TaskList, and compares the resulting list.
func TestTaskListIsWhole(t *testing.T) {
	const (
		createA = `TaskCreate|{"subject":"A"}|{"task":{"id":"1","subject":"A"}}`
		createB = `TaskCreate|{"subject":"B"}|{"task":{"id":"2","subject":"B"}}`
		doneA   = `TaskUpdate|{"taskId":"1","status":"completed"}|{"success":true,"taskId":"1"}`
		none    = `TaskList|{}|{"tasks":[]}`
	)
	for _, c := range []struct {
		name  string
		saved []todo.Item
		calls []string
		want  string
	}{
		{"missing tasks are closed, completed ones stay completed", nil, []string{createA, createB, doneA, none}, "1:A:completed 2:B:cancelled!"},
		{"as a text", nil, []string{createA, createB, `TaskList|{}|"No tasks found"`}, "1:A:cancelled! 2:B:cancelled!"},
		{"one of two", nil, []string{createA, createB, `TaskList|{}|{"tasks":[{"id":"2","subject":"B","status":"pending"}]}`}, "1:A:cancelled! 2:B:pending"},
		{"a task without an id may be any", nil, []string{createA, createB, `TaskList|{}|{"tasks":[{"taskId":"1","subject":"A","status":"pending"}]}`}, "1:A:pending 2:B:pending"},
		{"a task that is null may be any", nil, []string{createA, createB, `TaskList|{}|{"tasks":[null,{"id":"2","subject":"B","status":"completed"}]}`}, "1:A:pending 2:B:completed"},
		{"a cancelled task that is listed again is open", nil, []string{createA, none, `TaskList|{}|{"tasks":[{"id":"1","subject":"A","status":"in_progress"}]}`}, "1:A:in_progress"},
		{"a cancelled task that is changed is open", nil, []string{createA, none, `TaskUpdate|{"taskId":"1","subject":"A!"}|{"success":true,"taskId":"1"}`}, "1:A!:pending"},
		{
			"calls that are read a second time",
			[]todo.Item{{ID: "1", Content: "A", Status: todo.Completed}, {ID: "2", Content: "B", Status: todo.Pending}},
			[]string{createA, `TaskList|{}|{"tasks":[{"id":"1","subject":"A","status":"pending"}]}`, createB, doneA},
			"1:A:completed 2:B:pending",
		},
		{
			"a task with the id and the text of one that an earlier conversation completed is open",
			[]todo.Item{{ID: "1", Content: "A", Status: todo.Completed, CreatedAt: 99}},
			[]string{createA, createB},
			"old-1:A:completed 1:A:pending 2:B:pending",
		},
		{
			"a new task with the text of an open item of an earlier conversation takes that over",
			[]todo.Item{
				{ID: "1", Content: "read", Status: todo.Completed, CreatedAt: 98},
				{ID: "2", Content: "A", Status: todo.Pending, CreatedAt: 99},
				{ID: "3", Content: "B", Status: todo.Pending, CreatedAt: 99, BlockedBy: []string{"2"}},
			},
			[]string{createA, createB, doneA},
			"old-1:read:completed 1:A:completed 2:B:pending",
		},
		{
			"such a task that is changed is one with it",
			[]todo.Item{{ID: "1", Content: "A", Status: todo.InProgress, CreatedAt: 99}},
			[]string{createA, createB, doneA},
			"1:A:completed 2:B:pending",
		},
		{"a task that the agent itself cancelled has no reason", []todo.Item{{ID: "1", Content: "A", Status: todo.Cancelled}}, []string{none}, "-"},
		{"items of the user, of earlier conversations and of other tools stay", []todo.Item{
			{ID: "1", Content: "mine", Status: todo.Pending, By: todo.ByUser},
			{ID: "2", Content: "earlier", Status: todo.Pending, CreatedAt: 99},
			{ID: "t5xyz", Content: "added", Status: todo.Pending, CreatedAt: 200},
			{ID: "3", Content: "own", Status: todo.Pending, CreatedAt: 100},
		}, []string{none}, "1:mine:pending 2:earlier:pending t5xyz:added:pending 3:own:cancelled!"},
		{"texts are compared in their stored form", nil, []string{
			`TaskCreate|{"subject":"\u00a0 A\n\t"}|{"task":{"id":"1","subject":"\u00a0 A\n\t"}}`,
			`TaskList|{}|{"tasks":[{"id":"1","subject":"\u00a0 A\n\t","status":"pending"}]}`,
			`TaskList|{}|"#1 [in_progress] \u00a0 A\n\t"`,
		}, "1:A:in_progress"},
		{"a known id with another text is the same task", nil, []string{createA, `TaskList|{}|{"tasks":[{"id":"1","subject":"A, renamed","status":"pending"}]}`}, "1:A, renamed:pending"},
		{"a subject of several lines, as a text", nil, []string{
			`TaskCreate|{"subject":"A\n\nmore"}|"Task #1 created successfully: A"`,
			createB,
			`TaskList|{}|"#1 [completed] A\n\nmore (me) [blocked by #2]\n#2 [in_progress] B"`,
			`TaskGet|{}|"Task #1: A\n\nmore\nStatus: in_progress\nDescription: d"`,
		}, "1:A\n\nmore:in_progress 2:B:in_progress"},
		{"a change that is newer than the answer counts", nil, []string{
			createA, createB, `TaskCreate|{"subject":"C"}|{"task":{"id":"3","subject":"C"}}`,
			`TaskUpdate|{"taskId":"1","subject":"A!","status":"completed"}|{"success":true,"taskId":"1"}`,
			`TaskUpdate|{"taskId":"2","status":"deleted"}|{"success":true,"taskId":"2"}`,
			`TaskList@2|{}|{"tasks":[{"id":"1","subject":"A","status":"pending"},{"id":"2","subject":"B","status":"pending"}]}`,
			`TaskGet@3|{}|{"task":{"id":"1","subject":"A","status":"pending"}}`,
		}, "1:A!:completed 3:C:pending"},
	} {
		var tasks *taskList
		last := noChange
		for i, line := range c.calls {
			name, rest, _ := strings.Cut(line, "|")
			input, result, _ := strings.Cut(rest, "|")
			name, after, past := strings.Cut(name, "@")
			if tasks == nil {
				tasks = tasksFrom(native.SavedList{Items: c.saved, Since: 100})
			}
			call := native.Call{Input: object.Value(input), Result: object.Value(result), Said: object.Value(result).Text(), After: tasks.ChangeCount()}
			if past {
				call.After, _ = strconv.Atoi(after)
			}
			if last = tasks.apply(tools.Find(name), call); last == callRefused || last == taskUnknown {
				t.Fatalf("%s: call %d: %v", c.name, i, last)
			}
		}
		got := listOf(tasks.Items)
		if last == noChange && c.want == "-" {
			got = "-"
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func listOf(items []todo.Item) string {
	var got []string
	for _, it := range items {
		why := ""
		if it.Reason == todo.LostReason {
			why = "!"
		}
		got = append(got, it.ID+":"+it.Content+":"+string(it.Status)+why)
	}
	return strings.Join(got, " ")
}

// TestTasksOfAnotherSessionStay reads a TaskList in a session that continues the list of another session. The tasks of that session must stay.
func TestTasksOfAnotherSessionStay(t *testing.T) {
	tasks := new(taskList)
	apply := func(name, input, result string) {
		call := native.Call{Input: object.Value(input), Result: object.Value(result), After: tasks.ChangeCount()}
		tasks.apply(tools.Find(name), call)
	}
	apply("TaskCreate", `{"subject":"A"}`, `{"task":{"id":"1","subject":"A"}}`)
	apply("TaskCreate", `{"subject":"B"}`, `{"task":{"id":"2","subject":"B"}}`)
	tasks = tasks.ForNextSession()
	apply("TaskUpdate", `{"taskId":"2","status":"in_progress"}`, `{"success":true,"taskId":"2"}`)
	apply("TaskList", `{}`, `{"tasks":[]}`)
	if got, want := listOf(tasks.Items), "1:A:pending 2:B:cancelled!"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHookOfTaskListMayBeLate reads a TaskList whose hook ran after that of a later change. If the host reports the duration of
// the call, a task that changed after the call must not be reset.
func TestHookOfTaskListMayBeLate(t *testing.T) {
	items := []todo.Item{{ID: "1", Content: "A!", Status: todo.Completed, UpdatedAt: 10_000}, {ID: "2", Content: "B", Status: todo.Pending, UpdatedAt: 1_000}}
	for took, want := range map[int]string{0: "1:A:pending 2:B:cancelled!", 7: "1:A!:completed 2:B:cancelled!"} {
		call := native.Call{Result: object.Value(`{"tasks":[{"id":"1","subject":"A","status":"pending"}]}`), Took: took}
		got, _ := tools.Find("TaskList").Apply(native.SavedList{Items: items, Now: 10_020}, call)
		if listOf(got) != want {
			t.Errorf("took %d: got %q, want %q", took, listOf(got), want)
		}
	}
}

// TestTaskToolsInHooks reads single calls and applies them to a saved list.
func TestTaskToolsInHooks(t *testing.T) {
	saved := []todo.Item{{ID: "1", Content: "one", Status: todo.InProgress}, {ID: "2", Content: "two", Status: todo.Pending}}
	for _, c := range []struct{ name, tool, input, result, want string }{
		{"a task", "TaskCreate", `{"subject":"three"}`, `{"task":{"id":"3","subject":"three"}}`, "one:in_progress two:pending three:pending"},
		{"an existing task", "TaskCreate", `{"subject":"two"}`, `{"task":{"id":"2","subject":"two"}}`, "one:in_progress two:pending"},
		{"a task of a new conversation, which counts from 1 again", "TaskCreate", `{"subject":"zwei"}`, `{"task":{"id":"2","subject":"zwei"}}`, "one:in_progress two:pending zwei:pending"},
		{"a task without an id", "TaskCreate", `{"subject":"three"}`, `"fine"`, "-"},
		{"a changed task", "TaskUpdate", `{"taskId":"1","status":"completed","subject":"uno"}`, `{"success":true,"statusChange":{"from":"in_progress","to":"completed"}}`, "uno:completed two:pending"},
		{"an unknown task", "TaskUpdate", `{"taskId":"7","status":"in_progress"}`, `"Updated task #7 status"`, "one:in_progress two:pending Task #7:in_progress"},
		{"a removed task", "TaskUpdate", `{"taskId":"1","status":"deleted"}`, `{"success":true}`, "two:pending"},
		{"a missing task", "TaskUpdate", `{"taskId":"7","status":"completed"}`, `"Task not found"`, "-"},
		{"all tasks", "TaskList", `{}`, `{"tasks":[{"id":"2","subject":"two","status":"completed"}]}`, "one:cancelled two:completed"},
		{"all tasks, an empty list", "TaskList", `{}`, `{"tasks":[]}`, "one:cancelled two:cancelled"},
		{"all tasks, as text", "TaskList", `{}`, `"#2 [completed] two"`, "one:cancelled two:completed"},
		{"one task", "TaskGet", `{"taskId":"1"}`, `{"task":{"id":"1"}}`, "-"},
	} {
		call := native.Call{Input: object.Value(c.input), Result: object.Value(c.result), Said: object.Value(c.result).Text()}
		items, changed := tools.Find(c.tool).Apply(native.SavedList{Items: saved}, call)
		var got []string
		for _, it := range items {
			got = append(got, it.Content+":"+string(it.Status))
		}
		if list := strings.Join(got, " "); changed && list != c.want || !changed && c.want != "-" {
			t.Errorf("%s: got %t %q, want %q", c.name, changed, list, c.want)
		}
		if saved[0].Content != "one" || saved[0].Status != todo.InProgress || len(saved) != 2 {
			t.Fatalf("%s: the saved list was changed: %+v", c.name, saved)
		}
	}
}

func TestTasksWaitForEachOther(t *testing.T) {
	call := native.Call{Input: object.Value(`{"taskId":"2","addBlockedBy":["1","1"],"addBlocks":["3"]}`), Result: object.Value(`{"success":true}`)}
	items, _ := tools.Find("TaskUpdate").Apply(native.SavedList{Items: []todo.Item{{ID: "1"}, {ID: "2"}, {ID: "3", BlockedBy: []string{"1"}}}}, call)
	if !slices.Equal(items[1].BlockedBy, []string{"1"}) || !slices.Equal(items[2].BlockedBy, []string{"1", "2"}) {
		t.Errorf("got %+v", items)
	}
}
