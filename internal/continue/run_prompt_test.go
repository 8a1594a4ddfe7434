package continuation

import (
	"strings"
	"testing"

	"onward/internal/session"
	"onward/internal/todo"
)

// TestPromptsOfARun checks that the prompts of a run contain what a new conversation needs, and that only the user's task counts as
// a prompt of the user.
func TestPromptsOfARun(t *testing.T) {
	set := defaults(t)
	doc := &session.Document{Session: "s", Agent: session.Primary, Todos: session.Todos{Active: true, Items: []todo.Item{
		{Content: "write it", Status: todo.Completed}, {Content: "test it\nwell", Status: todo.InProgress},
	}}}
	doc.Continuation.Gate = &session.GateResult{Command: "make test", Code: 2, Output: "red"}
	d := Decision{Outcome: Continue, Tier: TierNormal, Counts: todo.Count(doc.Todos.Items), Next: 1}
	none := &session.Document{Session: "s", Agent: session.Primary}
	gated := set
	gated.Gate, gated.CheckFiles = "make test", "*.csv"
	for name, c := range map[string]struct {
		text   string
		tagged bool
		has    []string
	}{
		"knows":    {TaskPrompt(none, "fix it\n", "", true, false, set), false, []string{"one item for each step\n- Mark", "onward pause --session s"}},
		"task":     {TaskPrompt(none, "fix it\n", "", false, false, set), false, []string{"fix it\n\nYou work", "`onward todo add --session s 'text'`", "onward pause --session s"}},
		"open":     {TaskPrompt(doc, "fix it", "", false, false, set), false, []string{"fix it\n\nThese items of the todo list are open from before, as data:\n2. [in_progress] \"test it well\"\n\nContinue those", "with the same text.\n\nIf your todo tool does not have an item", "\n- Then add an item for each step that the list lacks: with"}},
		"proves":   {TaskPrompt(none, "fix it", "", true, true, set), false, []string{"Leave all checks that are there as they are"}},
		"check":    {CheckPrompt(session.Name{Session: "s"}, "fix it\n", "soon\n", "the gate still passes", gated), false, []string{"fix it\n\nAlso, from the user: soon\n\nDo not work", "\n\n    make test\n\nIt is not right yet: the gate still passes.\n\n- Write", "names, and these: *.csv\n", "onward pause --session s"}},
		"of list":  {CheckPrompt(session.Name{Session: "s"}, "", "", "", gated), false, []string{"The task is what is open on the todo list: `onward todo show --session s`", "make test\n\n- Write"}},
		"anew":     {HandoverPrompt(doc, Handover{Task: "fix it", Check: CheckRequest(session.Name{Session: "s"}, "", gated)}, set), true, []string{"fix it\n\nDo not work on this task yet"}},
		"list":     {AskForListPrompt(&session.Document{Session: "s", Agent: session.Primary}), true, []string{"There is no todo list", "`onward todo add --session s 'text'`, and `onward todo start N` and `onward todo done N` with the same flag"}},
		"old list": {AskForListPrompt(doc), true, []string{"The todo list is from before the task"}},
		"handover": {HandoverPrompt(doc, Handover{Task: "fix it", Said: "I read \"it\"." + strings.Repeat(" And so on.", 40) + "\nNext: test."}, set), true, []string{`as data: "I read \"it\". And so on. `, `And so on. Next: test."`, "The user's task:\n\nfix it\n\n", `1. [completed] "write it"`, `2. [in_progress] "test it well"`, "| red", "exit code 2"}},
		"answer":   {HandoverPrompt(doc, Handover{Task: "fix it", Prompt: Prompt(doc, d, set)}, set), true, []string{"The user's task:\n\nfix it\n\n", "Incomplete tasks remain", "[Status: 1/2 completed, 1 remaining]", "`onward todo done N --session s` marks item N as complete"}},
		"item":     {TaskPrompt(none, ItemTask(&todo.Item{Content: "port it", Subtasks: []todo.Subtask{{Content: "read"}, {Content: "known", Status: todo.Completed}, {Content: "write"}}}), "", true, false, set), false, []string{"port it\n\nIts parts:\n\n- read\n- write\n\nYou work"}},
		"of item":  {WithItem(Prompt(doc, d, set), "port \"it\""), true, []string{"\n\nAll of this is about one item of a list that several agents share, as data: \"port \\\"it\\\"\".\n\n" + userFirst + "Incomplete tasks remain"}},
		"words":    {WithItem("mind the tests", "port it"), false, []string{"mind the tests"}},
		"message":  {HandoverPrompt(doc, Handover{Words: "stop that"}, set), true, []string{"The user's message since then:\n\nstop that\n\n", `2. [in_progress] "test it well"`, "| red", "onward todo done N --session s", "onward pause --session s"}},
		"read":     {HandoverPrompt(doc, Handover{Task: "fix it", Read: "use sqlite\n"}, set), true, []string{"fix it\n\nWhat the user said during the work, and the earlier conversation has read:\n\nuse sqlite\n\n"}},
		"queued":   {TaskPrompt(none, "fix it\n", "mind the tests\n", true, false, set), false, []string{"fix it\n\nAlso, from the user: mind the tests\n\nYou work"}},
		"reply":    {HandoverPrompt(doc, Handover{Task: "fix it", Asked: "which \"licence\"?", Words: "MIT.\n"}, set), true, []string{"The user's task:\n\nfix it\n\n", `needed, as data: "which \"licence\"?"` + "\n\nThe user's message since then:\n\nMIT.\n\nThe todo list"}},
		"no list":  {HandoverPrompt(&session.Document{Session: "s", Agent: "a"}, Handover{Task: "fix it"}, set), true, []string{"There is no todo list yet", "--session s --agent a"}},
	} {
		if hasTag(c.text) != c.tagged || strings.Count(c.text, tag) > 1 {
			t.Errorf("%s: %s", name, c.text)
		}
		for _, want := range c.has {
			if !strings.Contains(c.text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, c.text)
			}
		}
	}
}
