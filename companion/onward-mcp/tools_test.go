package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestWriteUpdateRead(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		b := open(t, setting{protocol: protocol})
		if text := b.does(readTool, nil); !strings.Contains(text, "no list") {
			t.Errorf("without a list: %q", text)
		}
		text := b.does(writeTool, map[string]any{"todos": []map[string]any{
			{"content": "fix the parser", "status": "in_progress"},
			{"content": "write the tests", "priority": "high", "subtasks": []map[string]any{{"content": "for empty input"}}},
		}})
		for _, want := range []string{"The list is saved.", "1      ⏳  fix the parser", "2      ⭕  write the tests", "2.1  ⭕  for empty input", "2 items: 2 open"} {
			if !strings.Contains(text, want) {
				t.Errorf("todo_write says nothing of %q:\n%s", want, text)
			}
		}
		b.does(updateTool, map[string]any{"position": "1", "status": "completed"})
		b.does(updateTool, map[string]any{"position": 2, "status": "in_progress", "content": "- test it all", "priority": "low"})
		id := regexp.MustCompile(`for empty input id:(\S+)`).FindStringSubmatch(b.does(readTool, nil))
		if id == nil {
			t.Fatal("todo_read shows no ids")
		}
		text = b.does(updateTool, map[string]any{"id": id[1], "status": "blocked", "reason": "no input"})
		for _, want := range []string{"1      ✅  fix the parser", "2      ⏳  - test it all", "2.1  ⛔  for empty input"} {
			if !strings.Contains(text, want) {
				t.Errorf("todo_update says nothing of %q:\n%s", want, text)
			}
		}
		if got := b.onward("todo", "show", "--json"); !strings.Contains(got, `"priority":"low"`) || strings.Contains(got, `"by":"user"`) {
			t.Errorf("onward keeps %s", got)
		}
		b.does(writeTool, todos())
		if text := b.does(readTool, nil); !strings.Contains(text, "no active list") {
			t.Errorf("an empty list is %q", text)
		}
	})
}

// Items that a tool writes belong to the agent, whether or not its program is recognised by the environment.
// Items that the user adds stay when the agent writes its whole list.
func TestUserItemsAreKept(t *testing.T) {
	b := open(t, setting{})
	b.does(writeTool, todos("one", "two"))
	b.onward("todo", "add", "what the user wants")
	text := b.does(writeTool, todos("one", "three"))
	if !strings.Contains(text, "what the user wants") || strings.Contains(text, "two") {
		t.Errorf("the list is now\n%s", text)
	}
}

func TestBadArguments(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		b := open(t, setting{protocol: protocol})
		b.does(writeTool, todos("one", "two"))
		before := b.onward("todo", "show", "--json")
		long := strings.Repeat("x", 65<<10)
		type args = map[string]any
		for _, c := range []struct {
			tool, want string
			args       any
		}{
			{writeTool, "todos is missing", nil},
			{writeTool, "todos is missing", args{}},
			{writeTool, "todos is missing", args{"todos": nil}},
			{writeTool, "todos is not an array", args{"todos": `[{"content":"one"}]`}},
			{writeTool, "todos is not an array", args{"todos": args{"content": "one"}}},
			{writeTool, `"items" is not an argument; it takes todos`, args{"items": []any{}}},
			{writeTool, "not a JSON object", []any{}},
			{writeTool, "not a JSON object", "todos"},
			{writeTool, "not a JSON object", 7},
			{writeTool, "item 1: bad list", args{"todos": []any{nil}}},
			{writeTool, "a string where an object belongs", args{"todos": []any{"one"}}},
			{writeTool, "an array where an object belongs", args{"todos": []any{[]any{}}}},
			{writeTool, "item 2: bad list: the text is empty", args{"todos": []args{{"content": "one"}, {"content": " "}}}},
			{writeTool, `status "doing"`, args{"todos": []args{{"content": "one", "status": "doing"}}}},
			{writeTool, "bad list", args{"todos": []args{{"content": 7}}}},
			{writeTool, "at most 65536", args{"todos": []args{{"content": long}}}},
			{updateTool, "name one item", nil},
			{updateTool, "name one item", args{"status": "completed"}},
			{updateTool, "name one item", args{"position": "1", "id": "x", "status": "completed"}},
			{updateTool, "nothing to change", args{"position": "1"}},
			{updateTool, "nothing to change", args{"position": "1", "status": nil}},
			{updateTool, `status "done" (one of pending,`, args{"position": "1", "status": "done", "content": "other"}},
			{updateTool, "status is not a text", args{"position": "1", "status": 1}},
			{updateTool, "position is not a text", args{"position": []any{1}, "status": "completed"}},
			{updateTool, "position 9 is out of range", args{"position": "9", "status": "completed"}},
			{updateTool, "position", args{"position": "--all", "status": "completed"}},
			{updateTool, "position", args{"position": "-1", "status": "completed"}},
			{updateTool, "position", args{"position": 1.5, "status": "completed"}},
			{updateTool, "position", args{"position": "", "status": "completed"}},
			{updateTool, `position "all" does not name one item`, args{"position": "all", "status": "completed"}},
			{updateTool, `position "1-2" does not name one item`, args{"position": "1-2", "status": "completed"}},
			{updateTool, `no such item: id "nope"`, args{"id": "nope", "status": "completed"}},
			{updateTool, "text is empty", args{"position": "1", "content": ""}},
			{updateTool, `priority "urgent"`, args{"position": "1", "priority": "urgent"}},
			{updateTool, "reason is for the status blocked", args{"position": "1", "status": "completed", "reason": "it is done"}},
			{updateTool, `"all" is not an argument`, args{"all": true}},
			{readTool, `"open" is not an argument`, args{"open": true}},
			{pauseTool, "reason is missing", nil},
			{pauseTool, "reason is not a text", args{"reason": 5}},
			{pauseTool, "a reason of 1 to 500 characters", args{"reason": ""}},
			{pauseTool, "at most 500 are allowed", args{"reason": long[:501]}},
		} {
			text, failed := b.call(c.tool, c.args)
			if !failed || !strings.Contains(text, c.want) {
				t.Errorf("%s %.80v: failed %v, and not by %q:\n%s", c.tool, c.args, failed, c.want, text)
			}
			if !strings.Contains(text, "\nhint: ") {
				t.Errorf("%s %.80v says not what to do:\n%s", c.tool, c.args, text)
			}
		}
		if after := b.onward("todo", "show", "--json"); after != before {
			t.Errorf("the list was\n%sand is\n%s", before, after)
		}
	})
}

// An update changes the text and the status of an item together, or neither of them.
func TestUpdateIsAtomic(t *testing.T) {
	b := open(t, setting{})
	b.does(writeTool, todos("one"))
	before := b.onward("todo", "show", "--json")
	for _, args := range []map[string]any{
		{"position": "1", "content": "other", "status": "nope"},
		{"position": "1", "content": "", "status": "completed"},
		{"position": "1", "content": "other", "priority": "nope", "status": "completed"},
		{"position": "1", "content": "other", "status": "completed", "reason": "x"},
	} {
		if text, failed := b.call(updateTool, args); !failed {
			t.Errorf("%v: %s", args, text)
		}
	}
	if after := b.onward("todo", "show", "--json"); after != before {
		t.Errorf("the list is %s", after)
	}
}

func TestOfferPauseWhilePossible(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		b := open(t, setting{protocol: protocol})
		const always, paused = "todo_next todo_read todo_update todo_write", "todo_next todo_pause todo_read todo_update todo_write"
		expect := func(when, want string) {
			t.Helper()
			if got := b.offered(); got != want {
				t.Errorf("%s: the tools are %s", when, got)
			}
		}
		expect("without a list", always)
		if text, failed := b.call(pauseTool, map[string]any{"reason": "the key is missing"}); !failed || !strings.Contains(text, "nothing is open") {
			t.Errorf("a pause of nothing: %s", text)
		}
		b.does(writeTool, todos("one"))
		soon(t, "change of the tools", b.tools)
		expect("with an open item", paused)
		b.onward("todo", "done", "1")
		soon(t, "change of the tools", b.tools)
		expect("with a finished list", always)
		b.onward("todo", "reopen", "1")
		soon(t, "change of the tools", b.tools)
		expect("with an open item again", paused)
		b.onward("set", "todo-continuation", "false")
		expect("with continuation off", always)
		b.onward("unset", "todo-continuation")
		b.onward("stop")
		expect("stopped by the user", always)
		b.onward("resume")
		expect("resumed by the user", paused)
		if text := b.does(pauseTool, map[string]any{"reason": "the key is missing"}); !strings.Contains(text, "Paused") {
			t.Errorf("todo_pause: %s", text)
		}
		if got := b.onward("session", "show"); !strings.Contains(got, "the key is missing") {
			t.Errorf("the session is\n%s", got)
		}
	})
}

// todo_pause is offered from the start, because some clients read the tools only once. Without an open item,
// its answer explains why it has no effect.
func TestPauseToolIsAlwaysListed(t *testing.T) {
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
	for _, name := range []string{"codex-mcp-client", "qwen-cli-mcp-client-onward", "claude-code"} {
		eachProtocol(t, func(t *testing.T, protocol string) {
			b := open(t, setting{protocol: protocol, name: name})
			if got := b.offered(); !strings.Contains(got, pauseTool) {
				t.Errorf("the tools of %s are %s", name, got)
			}
			if text, failed := b.call(pauseTool, map[string]any{"reason": "the key is missing"}); !failed || !strings.Contains(text, "nothing is open") {
				t.Errorf("a pause of nothing: %s", text)
			}
			b.does(writeTool, todos("one"))
			b.does(pauseTool, map[string]any{"reason": "the key is missing"})
			if got := b.offered(); !strings.Contains(got, pauseTool) {
				t.Errorf("the tools of %s are %s", name, got)
			}
		})
	}
}

// Clients and models depend on the schemas: no list in them may be null, and every argument must have a description.
func TestSchemas(t *testing.T) {
	b := open(t, setting{})
	b.does(writeTool, todos("one"))
	r, err := b.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range r.Tools {
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(schema), "null") || !strings.Contains(string(schema), `"additionalProperties":false`) {
			t.Errorf("%s: %s", tool.Name, schema)
		}
		if tool.Description == "" || tool.Title == "" || tool.Annotations == nil {
			t.Errorf("%s is not described", tool.Name)
		}
	}
	if len(r.Tools) != 5 {
		t.Errorf("there are %d tools", len(r.Tools))
	}
}

// Two servers with different worker names claim items of one list.
func TestNextItem(t *testing.T) {
	b := open(t, setting{session: "queue"})
	if text, failed := b.call(nextTool, nil); !failed || !strings.Contains(text, `session "queue" has no list`) && !strings.Contains(text, "ONWARD_WORKER") {
		t.Errorf("without a list: %s", text)
	}
	b.does(writeTool, map[string]any{"todos": []map[string]any{{"content": "one"}, {"content": "two", "priority": "high"}}})
	if text, failed := b.call(nextTool, nil); !failed || !strings.Contains(text, "hint: tell the user to set ONWARD_WORKER for this server") {
		t.Errorf("without a name: %s", text)
	}
	if text := b.does(nextTool, map[string]any{"claim": false}); !strings.Contains(text, "2  two  id:") || !strings.Contains(text, "It is ready.") {
		t.Errorf("only a look: %s", text)
	}
	t.Setenv("ONWARD_WORKER", "w1")
	if text := b.does(nextTool, nil); !strings.Contains(text, "2  two  id:") || !strings.Contains(text, "You hold it.") {
		t.Errorf("the first claim: %s", text)
	}
	t.Setenv("ONWARD_WORKER", "w2")
	if text := b.does(nextTool, nil); !strings.Contains(text, "1  one  id:") {
		t.Errorf("the second worker's claim: %s", text)
	}
	if text, failed := b.call(updateTool, map[string]any{"position": "2", "status": "completed"}); !failed || !strings.Contains(text, "item 2 is claimed by w1") {
		t.Errorf("completing what the first one holds: %s", text)
	}
	b.does(updateTool, map[string]any{"position": "1", "status": "completed"})
	if text := b.does(nextTool, nil); !strings.Contains(text, "Nothing is ready now: others are at work") {
		t.Errorf("the rest is held: %s", text)
	}
	t.Setenv("ONWARD_WORKER", "w1")
	b.does(updateTool, map[string]any{"position": "2", "status": "completed"})
	if text := b.does(nextTool, nil); text != "Nothing is open." {
		t.Errorf("at the end: %s", text)
	}
	if text, failed := b.call(nextTool, map[string]any{"claim": "yes"}); !failed || !strings.Contains(text, "claim is true or false") {
		t.Errorf("a claim that is a text: %s", text)
	}
}

func TestWithoutOnward(t *testing.T) {
	b := open(t, setting{})
	t.Setenv("PATH", t.TempDir())
	for tool, args := range map[string]any{writeTool: todos("one"), readTool: nil} {
		text, failed := b.call(tool, args)
		if !failed || !strings.Contains(text, "onward is neither next to onward-mcp nor on PATH") {
			t.Errorf("%s: %s", tool, text)
		}
	}
}

// If the list cannot be read, the error does not blame the arguments, and contains onward's hint of the next step.
func TestDamagedList(t *testing.T) {
	b := open(t, setting{session: "main"})
	b.does(writeTool, todos("one"))
	path := strings.TrimSpace(b.onward("session", "path", "main"))
	if err := os.WriteFile(path, []byte(`{"schema":`), 0o600); err != nil {
		t.Fatal(err)
	}
	for tool, args := range map[string]any{writeTool: todos("two"), readTool: nil, updateTool: map[string]any{"position": "1", "status": "completed"}} {
		text, failed := b.call(tool, args)
		if !failed || !strings.Contains(text, "corrupt") || !strings.Contains(text, "hint: the file was left as it is; `onward repair main`") {
			t.Errorf("%s: %s", tool, text)
		}
	}
}

// An item with a gate is completed only if the gate passes; otherwise the answer tells the model why it is not.
func TestGateOfAnItem(t *testing.T) {
	b := open(t, setting{session: "queue"})
	t.Setenv("ONWARD_WORKER", "w1")
	b.onward("-s", "queue", "todo", "add", "port it", "--gate", "echo red; exit 3")
	if text := b.does(nextTool, nil); !strings.Contains(text, "Its gate runs then, and must pass: echo red; exit 3") {
		t.Errorf("the claim: %s", text)
	}
	complete := map[string]any{"position": "1", "status": "completed"}
	if text, failed := b.call(updateTool, complete); !failed || !strings.Contains(text, "the item is not completed: its gate fails with exit code 3: echo red; exit 3\nred") {
		t.Errorf("while the gate fails: %s", text)
	}
	b.onward("-s", "queue", "todo", "edit", "1", "--gate", "no-such-program")
	if text, failed := b.call(updateTool, complete); !failed || !strings.Contains(text, "its gate has no result: it could not be started") {
		t.Errorf("with a broken gate: %s", text)
	}
	b.onward("-s", "queue", "todo", "edit", "1", "--gate", "true")
	if text := b.does(updateTool, complete); !strings.Contains(text, "The item is updated.") {
		t.Errorf("once it passes: %s", text)
	}
}

// A model that is refused reads what it may do instead with the tools that it has, which need not include a shell.
func TestRefusalsNameTools(t *testing.T) {
	b := open(t, setting{session: "main"})
	b.onward("todo", "add", "of the user", "-s", "main")
	b.onward("todo", "add", "gated", "--gate", "false", "-s", "main")
	for _, r := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"position": "1", "content": "x"}, "item 1 is the user's: an agent may not edit it\nhint: todo_write adds a subtask; the user can type /todo edit 1 'the text'"},
		{map[string]any{"position": "2", "status": "cancelled"}, "item 2 has a gate: an agent may not cancel it\nhint: todo_update with the status blocked and a reason says why it cannot be done; the user can type /todo cancel 2"},
		{map[string]any{"position": "9", "status": "completed"}, "hint: todo_read shows the list with its positions and ids"},
	} {
		if text, failed := b.call(updateTool, r.args); !failed || !strings.HasSuffix(text, r.want) {
			t.Errorf("%v: %s", r.args, text)
		}
	}
}
