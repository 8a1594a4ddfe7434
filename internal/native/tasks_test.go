package native

import (
	"strconv"
	"strings"
	"testing"

	"onward/internal/object"
	"onward/internal/todo"
)

// TestTaskListIsWhole follows calls, of which the last is a TaskList, and compares the list that they end with.
// taskTools are the tools that build a list by single calls.
var taskTools = Tools{Todo: []Tool{
	{Name: "TaskCreate", Does: Creates}, {Name: "TaskUpdate", Does: Updates}, {Name: "TaskGet", Does: ShowsOne}, {Name: "TaskList", Does: ShowsAll},
}}

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
		{"what it lacks is cancelled, and what was completed stays so", nil, []string{createA, createB, doneA, none}, "1:A:completed 2:B:cancelled!"},
		{"as a text", nil, []string{createA, createB, `TaskList|{}|"No tasks found"`}, "1:A:cancelled! 2:B:cancelled!"},
		{"one of two", nil, []string{createA, createB, `TaskList|{}|{"tasks":[{"id":"2","subject":"B","status":"pending"}]}`}, "1:A:cancelled! 2:B:pending"},
		{"a task that is shown again is open again", nil, []string{createA, none, `TaskList|{}|{"tasks":[{"id":"1","subject":"A","status":"in_progress"}]}`}, "1:A:in_progress"},
		{"a task that is changed again exists", nil, []string{createA, none, `TaskUpdate|{"taskId":"1","subject":"A!"}|{"success":true,"taskId":"1"}`}, "1:A!:pending"},
		{
			"calls that are read a second time",
			[]todo.Item{{ID: "1", Content: "A", Status: todo.Completed}, {ID: "2", Content: "B", Status: todo.Pending}},
			[]string{createA, `TaskList|{}|{"tasks":[{"id":"1","subject":"A","status":"pending"}]}`, createB, doneA},
			"1:A:completed 2:B:pending",
		},
		{"a task that the agent cancelled by itself has no reason", []todo.Item{{ID: "1", Content: "A", Status: todo.Cancelled}}, []string{none}, "-"},
		{"items of the user, of an earlier conversation, and of no Task tool stay", []todo.Item{
			{ID: "1", Content: "mine", Status: todo.Pending, By: todo.ByUser},
			{ID: "2", Content: "earlier", Status: todo.Pending, CreatedAt: 99},
			{ID: "t5xyz", Content: "added", Status: todo.Pending, CreatedAt: 200},
			{ID: "3", Content: "own", Status: todo.Pending, CreatedAt: 100},
		}, []string{none}, "1:mine:pending 2:earlier:pending t5xyz:added:pending 3:own:cancelled!"},
		{"a text is compared as it is kept", nil, []string{
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
		{"a change that overtook the answer counts", nil, []string{
			createA, createB, `TaskCreate|{"subject":"C"}|{"task":{"id":"3","subject":"C"}}`,
			`TaskUpdate|{"taskId":"1","subject":"A!","status":"completed"}|{"success":true,"taskId":"1"}`,
			`TaskUpdate|{"taskId":"2","status":"deleted"}|{"success":true,"taskId":"2"}`,
			`TaskList@2|{}|{"tasks":[{"id":"1","subject":"A","status":"pending"},{"id":"2","subject":"B","status":"pending"}]}`,
			`TaskGet@3|{}|{"task":{"id":"1","subject":"A","status":"pending"}}`,
		}, "1:A!:completed 3:C:pending"},
	} {
		var tasks *Tasks
		last := Nothing
		for i, line := range c.calls {
			name, rest, _ := strings.Cut(line, "|")
			input, result, _ := strings.Cut(rest, "|")
			name, after, past := strings.Cut(name, "@")
			if tasks == nil {
				tasks = TasksFrom(Saved{Items: c.saved, Since: 100})
			}
			call := Call{Input: object.Value(input), Result: object.Value(result), Said: object.Value(result).Text(), After: tasks.Calls()}
			if past {
				call.After, _ = strconv.Atoi(after)
			}
			if last = tasks.Apply(taskTools.Find(name), call); last == Refused || last == Untold {
				t.Fatalf("%s: call %d: %v", c.name, i, last)
			}
		}
		got := listOf(tasks.Items)
		if last == Nothing && c.want == "-" {
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
		if it.Reason == Missing {
			why = "!"
		}
		got = append(got, it.ID+":"+it.Content+":"+string(it.Status)+why)
	}
	return strings.Join(got, " ")
}

// TestTasksOfAnotherSessionStay lists the tasks of a session that continues with those of another one.
func TestTasksOfAnotherSessionStay(t *testing.T) {
	tasks := new(Tasks)
	apply := func(name, input, result string) {
		call := Call{Input: object.Value(input), Result: object.Value(result), After: tasks.Calls()}
		tasks.Apply(taskTools.Find(name), call)
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

// TestHookOfTaskListMayBeLate follows a TaskList whose hook ran after that of a change. Where the host reports how long
// the call took, a task that changed since is left alone.
func TestHookOfTaskListMayBeLate(t *testing.T) {
	items := []todo.Item{{ID: "1", Content: "A!", Status: todo.Completed, UpdatedAt: 10_000}, {ID: "2", Content: "B", Status: todo.Pending, UpdatedAt: 1_000}}
	for took, want := range map[int]string{0: "1:A:pending 2:B:cancelled!", 7: "1:A!:completed 2:B:cancelled!"} {
		call := Call{Result: object.Value(`{"tasks":[{"id":"1","subject":"A","status":"pending"}]}`), Took: took}
		got, _ := taskTools.Find("TaskList").Apply(Saved{Items: items, Now: 10_020}, call)
		if listOf(got) != want {
			t.Errorf("took %d: got %q, want %q", took, listOf(got), want)
		}
	}
}
