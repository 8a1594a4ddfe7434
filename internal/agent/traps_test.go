package agent

import (
	"strings"
	"testing"
)

// trap is a short stream and what must come out: updates and warnings, without the report.
type trap struct {
	name  string
	input string
	want  string
}

func (c trap) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		input := strings.TrimLeft(c.input, "\n")
		var got strings.Builder
		for line := range strings.Lines(play(t, input)) {
			if !strings.HasPrefix(line, "report ") {
				got.WriteString(line)
			}
		}
		if want := strings.TrimLeft(c.want, "\n"); got.String() != want {
			t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
		}
		agree(t, []byte(input))
	})
}

func TestCodexTraps(t *testing.T) {
	for _, c := range []trap{
		{"ids collide between turns and runs, and the last list of each is repeated only if it differs", `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":false}]}}
{"type":"item.completed","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":true}]}}
{"type":"turn.completed"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":true}]}}
{"type":"turn.completed"}
{"type":"thread.started","thread_id":"b"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"B","completed":false}]}}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"B","completed":false}]}}
{"type":"item.completed","item":{"id":"item_0","type":"todo_list","items":[{"text":"B","completed":false}]}}
{"type":"turn.completed"}
`, `
2: turn-start openai-codex/a turn=1
3: todos openai-codex/a turn=1 todo=item_0 inferred=status source=codex {pending "A"}
4: todos openai-codex/a turn=1 todo=item_0 source=codex {completed "A"}
5: turn-end openai-codex/a turn=1 done tools=0
6: turn-start openai-codex/a turn=2
7: todos openai-codex/a turn=2 todo=item_0 source=codex {completed "A"}
8: turn-end openai-codex/a turn=2 done tools=0
10: turn-start openai-codex/b turn=1
11: todos openai-codex/b turn=1 todo=item_0 inferred=status source=codex {pending "B"}
12: todos openai-codex/b turn=1 todo=item_0 inferred=status source=codex {pending "B"}
14: turn-end openai-codex/b turn=1 done tools=0
`},
		{"an interrupt prints item.completed and no end of the turn; the thread is resumed", `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":false}]}}
{"type":"item.completed","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":false}]}}
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"turn.started"}
`, `
2: turn-start openai-codex/a turn=1
3: todos openai-codex/a turn=1 todo=item_0 inferred=status source=codex {pending "A"}
5: turn-end openai-codex/a turn=1 cut_off tools=0 class=cut_off
6: turn-start openai-codex/a turn=2
7: turn-end openai-codex/a turn=2 cut_off tools=0 class=cut_off
7: turn-start openai-codex/a turn=3
0: turn-end openai-codex/a turn=3 cut_off tools=0 class=cut_off
`},
		{"a call is counted once, whatever lines it has; lists, texts and warnings are none", `
{"type":"thread.started","thread_id":"a"}
{"type":"item.completed","item":{"id":"item_0","type":"error","message":"deprecated"}}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"ls"}}
{"type":"item.updated","item":{"id":"item_1","type":"command_execution","command":"ls"}}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"ls","status":"declined"}}
{"type":"item.completed","item":{"id":"item_2","type":"web_search","query":"q"}}
{"type":"item.completed","item":{"id":"item_3","type":"file_change","changes":[]}}
{"type":"item.started","item":{"id":"item_4","type":"mcp_tool_call","error":null}}
{"type":"item.started","item":{"id":"item_5","type":"collab_tool_call"}}
{"type":"item.started","item":{"id":null,"type":"mcp_tool_call"}}
{"type":"item.completed","item":{"id":null,"type":"mcp_tool_call"}}
{"type":"item.completed","item":{"type":"web_search"}}
{"type":"item.started","item":{"id":"item_6","type":"todo_list","items":[]}}
{"type":"item.completed","item":{"id":"item_7","type":"reasoning","text":"hm"}}
{"type":"error","message":"Reconnecting... 1/5"}
{"type":"turn.completed","usage":{}}
`, `
3: turn-start openai-codex/a turn=1
14: todos openai-codex/a turn=1 todo=item_6 source=codex {}
17: turn-end openai-codex/a turn=1 done tools=7
`},
		{"blank and odd entries are left out, the rest is kept", `
{"type":"thread.started","thread_id":"a"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"  "},{"text":" A ","completed":null},7,{"text":"B\u0000"},{"completed":true},{"text":5,"completed":true}]}}
`, `
2: turn-start openai-codex/a turn=1 inferred=turn
2: todos openai-codex/a turn=1 todo=item_0 inferred=status source=codex {pending "A"}
0: turn-end openai-codex/a turn=1 cut_off tools=0 class=cut_off
warning codex a: item 1 of a list is left out: bad argument: the text is empty
warning codex a: item 3 of a list is left out: bad argument: the text is empty
warning codex a: item 4 of a list is left out: bad text: the text holds a NUL character
warning codex a: item 5 of a list is left out: bad argument: the text is empty
warning codex a: item 6 of a list is left out: bad argument: the text is empty
`},
		{"the last message pauses; one that is followed by another does not", `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"ONWARD-PAUSE: no"}}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"I go on."}}
{"type":"turn.completed"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"I go on."}}
{"type":"item.completed","item":{"text":"I need a key.\n\n  \u004fNWARD-PAUSE:  which key?  \n\n","type":"agent_message","id":"item_3"}}
{"type":"item.completed","item":{"id":"item_4","type":"command_execution"}}
{"type":"turn.completed"}
`, `
2: turn-start openai-codex/a turn=1
5: turn-end openai-codex/a turn=1 done tools=0
6: turn-start openai-codex/a turn=2
10: pause openai-codex/a turn=2 "which key?"
10: turn-end openai-codex/a turn=2 done tools=1
`},
		{"keys in any order, escaped, with space", `
{"thread_id":"a","type" : "thread.started"}
{"\u0074ype":"turn.started"}
{ "item" : { "items" : [ { "completed" : true, "text" : "A \"q\" \\" } ], "\u0074ype" : "todo\u005flist", "id":"item_0" } , "type" : "item.updated" }
{"usage":{"a":[{"type":"turn.failed"}]},"type":"turn.completed"}
`, `
2: turn-start openai-codex/a turn=1
3: todos openai-codex/a turn=1 todo=item_0 source=codex {completed "A \"q\" \\"}
4: turn-end openai-codex/a turn=1 done tools=0
`},
		{"words of another place change nothing", `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"cat log"}}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","aggregated_output":"{\"type\":\"turn.completed\"}\n{\"type\":\"item.updated\",\"item\":{\"type\":\"todo_list\"}}"}}
{"type":"turn.completed"}
`, `
2: turn-start openai-codex/a turn=1
5: turn-end openai-codex/a turn=1 done tools=1
`},
		{"a list item without a list clears nothing", `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":false}]}}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":null}}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list"}}
{"type":"item.completed","item":{"id":"item_0","type":"todo_list","items":"- [ ] A"}}
{"type":"turn.completed"}
`, `
2: turn-start openai-codex/a turn=1
3: todos openai-codex/a turn=1 todo=item_0 inferred=status source=codex {pending "A"}
7: turn-end openai-codex/a turn=1 done tools=0
warning codex a: item "item_0" is a todo list, but holds no list
warning codex a: item "item_0" is a todo list, but holds no list
warning codex a: item "item_0" is a todo list, but holds no list
`},
		{"the stream of an agent that this one called stands inside; its own lines are told from it", `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":false},{"text":"B","completed":false}]}}
{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"codex exec"}}
{"type":"thread.started","thread_id":"in"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","type":"todo_list","items":[{"text":"N","completed":true}]}}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"ONWARD-PAUSE: inner"}}
{"type":"turn.completed"}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"codex exec"}}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":true},{"text":"B","completed":false}]}}
{"type":"item.completed","item":{"id":"item_0","type":"todo_list","items":[{"text":"A","completed":true},{"text":"B","completed":false}]}}
{"type":"turn.completed"}
{"type":"thread.started","thread_id":"b"}
{"type":"turn.started"}
{"type":"thread.started","thread_id":"in"}
{"type":"turn.started"}
{"type":"turn.completed"}
{"type":"turn.completed"}
`, `
2: turn-start openai-codex/a turn=1
3: todos openai-codex/a turn=1 todo=item_0 inferred=status source=codex {pending "A", pending "B"}
5: turn-end openai-codex/a turn=1 cut_off tools=1 class=cut_off
6: turn-start openai-codex/in turn=1
7: todos openai-codex/in turn=1 todo=item_0 source=codex {completed "N"}
9: pause openai-codex/in turn=1 "inner"
9: turn-end openai-codex/in turn=1 done tools=0
10: turn-start openai-codex/a turn=2 inferred=turn
11: todos openai-codex/a turn=2 todo=item_0 inferred=status source=codex {completed "A", pending "B"}
13: turn-end openai-codex/a turn=2 done tools=1
15: turn-start openai-codex/b turn=1
16: turn-end openai-codex/b turn=1 cut_off tools=0 class=cut_off
17: turn-start openai-codex/in turn=2
18: turn-end openai-codex/in turn=2 done tools=0
19: turn-start openai-codex/b turn=2 inferred=turn
19: turn-end openai-codex/b turn=2 done tools=0
warning codex a: the stream continues after that of "in", which is nested in it
warning codex b: the stream continues after that of "in", which is nested in it
`},
		{"a run of 2025, whose items name their type otherwise", `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"item_0","item_type":"todo_list","items":[{"text":"A","completed":false}]}}
{"type":"item.completed","item":{"id":"item_1","item_type":"command_execution","command":"ls"}}
{"type":"item.completed","item":{"id":"item_2","item_type":"assistant_message","text":"ONWARD-PAUSE: why"}}
{"type":"turn.completed"}
`, `
2: turn-start openai-codex/a turn=1
3: todos openai-codex/a turn=1 todo=item_0 inferred=status source=codex {pending "A"}
6: pause openai-codex/a turn=1 "why"
6: turn-end openai-codex/a turn=1 done tools=1
`},
		{"failures are sorted", `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.failed","error":{"message":"unexpected status 503 Service Unavailable: x"}}
{"type":"turn.started"}
{"type":"turn.failed","error":{"message":"You've hit your usage limit. Try again at 5 PM."}}
{"type":"turn.started"}
{"type":"turn.failed","error":"Codex ran out of room in the model's context window."}
{"type":"turn.started"}
{"type":"turn.failed"}
{"type":"turn.failed"}
`, `
2: turn-start openai-codex/a turn=1 inferred=turn
2: turn-end openai-codex/a turn=1 failed tools=0 class=server
3: turn-start openai-codex/a turn=2
4: turn-end openai-codex/a turn=2 failed tools=0 class=rate_limit retry=2026-10-09T17:00:00.000Z
5: turn-start openai-codex/a turn=3
6: turn-end openai-codex/a turn=3 failed tools=0 class=context
7: turn-start openai-codex/a turn=4
8: turn-end openai-codex/a turn=4 failed tools=0 class=unknown
warning codex a: the end of a turn is duplicated
`},
	} {
		c.run(t)
	}
}

const (
	claudeInit  = `{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1","tools":["Bash","TodoWrite","TaskCreate"]}` + "\n"
	claudeFirst = `{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]},"parent_tool_use_id":null,"session_id":"s"}` + "\n"
	claudeDone  = `{"subtype":"success","is_error":false,"session_id":"s","result":"bye","type":"result"}` + "\n"
)

func use(id, name, input string) string {
	return `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input + `}]},"parent_tool_use_id":null,"session_id":"s","uuid":"u-` + id + `"}` + "\n"
}

func answer(id, text, value string) string {
	return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` + text + `"}]},"parent_tool_use_id":null,"session_id":"s","tool_use_result":` + value + `}` + "\n"
}

func TestClaudeTraps(t *testing.T) {
	const todoA = `{"todos":[{"id":"7","content":"A","status":"pending","priority":"high"},{"id":"8","content":"","status":"pending"},{"content":"B","status":"doing"}]}`
	for _, c := range []trap{
		{"the first version of TodoWrite; a stream without a version; bad items", `
{"type":"system","subtype":"init","session_id":"s","tools":["TodoWrite"],"permissionMode":"default","model":"m"}
` + use("t1", "TodoWrite", todoA) + answer("t1", "Todos have been modified successfully", `{"oldTodos":[],"newTodos":[{"id":"7","content":"A","status":"pending","priority":"high"},{"id":"8","content":"","status":"pending"},{"content":"B","status":"doing"}]}`) + use("t2", "TodoRead", "{}") + claudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#7 pending "A" !high}
5: turn-end claude-code/s turn=1 done tools=0
warning claude s: item 2 of a list is left out: bad argument: the text is empty
warning claude s: item 3 of a list is left out: its status is "doing"
`},
		{"a list of which no item can be read is not an empty one", claudeInit + use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + answer("t1", "ok", "null") +
			use("t2", "TodoWrite", `{"todos":[{"label":"A","state":"open"}]}`) + answer("t2", "ok", "null") +
			use("t3", "TodoWrite", `{"todos":[]}`) + answer("t3", "ok", "null") + claudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
7: todos claude-code/s turn=1 todo=t3 source=claude {}
8: turn-end claude-code/s turn=1 done tools=0
warning claude s: item 1 of a list is left out: bad argument: the text is empty
warning claude s: no item of a list can be read: the list stays as it was
`},
		{"several blocks in one message, results out of order, one rejected, one never answered", claudeInit + `
{"type":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t1","name":"TodoWrite","input":{"todos":[{"content":"A","status":"pending"}]}},{"type":"tool_use","id":"t2","name":"Bash","input":{}},{"type":"tool_use","id":"t3","name":"TodoWrite","input":{"todos":[]}},{"type":"tool_use","id":"t4","name":"ToolSearch","input":{}},{"type":"tool_use","id":"t5","name":"TodoWrite","input":{"todos":[{"content":"C","status":"pending"}]}}]},"parent_tool_use_id":null,"session_id":"s"}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t5","content":"no","is_error":true},{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"ok"}]}]},"parent_tool_use_id":null,"session_id":"s","tool_use_result":{"newTodos":[{"content":"of which?","status":"pending"}]}}
`, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
0: turn-end claude-code/s turn=1 cut_off tools=1 class=cut_off
warning claude s: TodoWrite t5 was rejected by the agent: "no"
warning claude s: TodoWrite t3 was called, and no result tells whether it was accepted: not applied
`},
		{"a sub-agent has its own list, calls and name", claudeInit + claudeFirst + `
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"TodoWrite","input":{"todos":[{"content":"sub","status":"pending"}]}},{"type":"tool_use","id":"t3","name":"Bash","input":{}}]},"parent_tool_use_id":"call/1","session_id":"s"}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":"ok"}]},"parent_tool_use_id":"call/1","agent_id":"later","session_id":"s","tool_use_result":null}
` + claudeDone, `
1: turn-start claude-code/s turn=1
4: todos claude-code/s+call-1-a542ecf9 parent=call/1 turn=1 todo=t2 source=claude {pending "sub"}
5: turn-end claude-code/s turn=1 done tools=0
`},
		{"tasks: ids from results, out of order; a gap is told until the list was looked at", claudeInit +
			use("t1", "TaskCreate", `{"subject":"A","activeForm":"doing A"}`) + use("t2", "TaskCreate", `{"subject":"B"}`) +
			answer("t2", "Task #2 created successfully: B", "null") + answer("t1", "Task #1 created successfully: A", `{"task":{"id":"1","subject":"A!"}}`) +
			use("t3", "TaskUpdate", `{"taskId":"1","addBlocks":["2"],"status":"in_progress"}`) + answer("t3", "Updated task #1 status, blocks", "null") +
			use("t4", "TaskUpdate", `{"taskId":"9","status":"completed"}`) + answer("t4", "Task not found", "null") +
			use("t5", "TaskUpdate", `{"taskId":"1","status":"deleted"}`) + answer("t5", "Updated task #1 deleted", `{"success":true,"taskId":"1","updatedFields":["deleted"],"statusChange":{"from":"in_progress","to":"deleted"}}`) +
			claudeDone, `
1: turn-start claude-code/s turn=1
4: todos claude-code/s turn=1 todo=t2 inferred=items source=claude {#2 pending "B"}
5: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A!" ("doing A"), #2 pending "B"}
7: todos claude-code/s turn=1 todo=t3 source=claude {#1 in_progress "A!" ("doing A"), #2 pending "B" after 1}
11: todos claude-code/s turn=1 todo=t5 source=claude {#2 pending "B"}
12: turn-end claude-code/s turn=1 done tools=0
warning claude s: TaskUpdate t4 was rejected by the agent: "Task not found"
`},
		{"tasks of a resumed session: unknown until TaskList, which is a snapshot", claudeInit +
			use("t1", "TaskUpdate", `{"taskId":"3","status":"completed"}`) + answer("t1", "Updated task #3 status", `{"success":true,"taskId":"3","statusChange":{"from":"pending","to":"completed"}}`) +
			use("t2", "TaskList", `{}`) + answer("t2", "", `{"tasks":[{"id":"10","subject":"J","status":"pending","blockedBy":["3","2"]},{"id":"2","subject":"B","status":"in_progress","blockedBy":[]},{"id":"3","subject":"C","status":"completed","blockedBy":[]}]}`) +
			use("t3", "TaskList", `{}`) + answer("t3", `#2 [in_progress] B\n#3 [completed] C\n#10 [pending] J (me) [blocked by #2]`, "null") +
			use("t4", "TaskGet", `{"taskId":"10"}`) + answer("t4", "x", `{"task":{"id":"10","subject":"J","description":"d","status":"in_progress","blocks":[],"blockedBy":["2","3"]}}`) +
			use("t5", "TaskGet", `{"taskId":"11"}`) + answer("t5", "Task not found", `{"task":null}`) +
			claudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 inferred=text,items source=claude {#3 completed "Task #3"}
5: todos claude-code/s turn=1 todo=t2 source=claude {#2 in_progress "B", #3 completed "C", #10 pending "J" after 3,2}
9: todos claude-code/s turn=1 todo=t4 source=claude {#2 in_progress "B", #3 completed "C", #10 in_progress "J" after 2,3}
12: turn-end claude-code/s turn=1 done tools=0
warning claude s: a task was changed that was made before this stream; its text is not known until the agent lists its tasks
`},
		{"a first task that this stream did not make: others may stand beside it", claudeInit +
			use("t1", "TaskUpdate", `{"taskId":"1","subject":"A","status":"completed"}`) + answer("t1", "Updated task #1 subject, status", "null") +
			use("t2", "TaskCreate", `{"subject":"B"}`) + answer("t2", "Task #2 created successfully: B", "null") +
			use("t3", "TaskList", `{}`) + answer("t3", "#1 [completed] A\\n#2 [in_progress] B", "null") + claudeDone + strings.ReplaceAll(claudeInit+
			use("t4", "TaskGet", `{"taskId":"1"}`)+answer("t4", "x", `{"task":{"id":"1","subject":"A","status":"pending","blocks":[],"blockedBy":[]}}`)+claudeDone, `"session_id":"s"`, `"session_id":"n"`), `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 inferred=items source=claude {#1 completed "A"}
5: todos claude-code/s turn=1 todo=t2 inferred=items source=claude {#1 completed "A", #2 pending "B"}
7: todos claude-code/s turn=1 todo=t3 source=claude {#1 completed "A", #2 in_progress "B"}
8: turn-end claude-code/s turn=1 done tools=0
9: turn-start claude-code/n turn=1
11: todos claude-code/n turn=1 todo=t4 inferred=items source=claude {#1 pending "A"}
12: turn-end claude-code/n turn=1 done tools=0
`},
		{"a conversation that is reset has no list", claudeInit +
			use("t1", "TaskCreate", `{"subject":"A"}`) + answer("t1", "Task #1 created successfully: A", `{"task":{"id":"1","subject":"A"}}`) + `
{"type":"conversation_reset","session_id":"s"}
` + use("t2", "TaskCreate", `{"subject":"B"}`) + answer("t2", "Task #2 created successfully: B", `{"task":{"id":"2","subject":"B"}}`) + claudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
4: todos claude-code/s turn=1 source=claude {}
6: todos claude-code/s turn=1 todo=t2 source=claude {#2 pending "B"}
7: turn-end claude-code/s turn=1 done tools=0
`},
		{"a message that is withdrawn is undone, and its open call forgotten", claudeInit +
			use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + answer("t1", "ok", "null") +
			use("t2", "TodoWrite", `{"todos":[{"content":"B","status":"pending"}]}`) + answer("t2", "ok", "null") +
			use("t3", "TodoWrite", `{"todos":[]}`) + `
{"type":"assistant","message":{"content":[{"type":"text","text":"instead"}]},"parent_tool_use_id":null,"session_id":"s","supersedes":["u-t2","u-t3"]}
` + claudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
5: todos claude-code/s turn=1 todo=t2 source=claude {pending "B"}
7: todos claude-code/s turn=1 source=claude {pending "A"}
8: turn-end claude-code/s turn=1 done tools=0
`},
		{"a refusal withdraws tasks", claudeInit +
			use("t1", "TaskCreate", `{"subject":"A"}`) + answer("t1", "Task #1 created successfully: A", "null") +
			use("t2", "TaskUpdate", `{"taskId":"1","status":"completed"}`) + answer("t2", "Updated task #1 status", "null") + `
{"type":"system","subtype":"model_refusal_fallback","session_id":"s","retracted_message_uuids":["u-t2"]}
` + claudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
5: todos claude-code/s turn=1 todo=t2 source=claude {#1 completed "A"}
6: todos claude-code/s turn=1 source=claude {#1 pending "A"}
7: turn-end claude-code/s turn=1 done tools=0
`},
		{"aborted by the user: exit code 0 and error_during_execution", claudeInit + claudeFirst + `
{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools","session_id":"s"}
` + claudeInit + claudeFirst + `
{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]},"parent_tool_use_id":null,"session_id":"s"}
{"type":"result","subtype":"error_during_execution","is_error":false,"session_id":"s"}
` + claudeInit + claudeFirst + `
{"type":"user","message":{"role":"user","content":"\u005bRequest interrupted by user]"},"parent_tool_use_id":null,"session_id":"s"}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 aborted tools=0
4: turn-start claude-code/s turn=2
7: turn-end claude-code/s turn=2 aborted tools=0
8: turn-start claude-code/s turn=3
0: turn-end claude-code/s turn=3 aborted tools=0
`},
		{"a tool output that quotes an interrupt is none", claudeInit + claudeFirst + `
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t9","content":"[Request interrupted by user]"}]},"parent_tool_use_id":null,"session_id":"s"}
`, `
1: turn-start claude-code/s turn=1
0: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
`},
		{"a run that was killed and one that resumed it", claudeInit + use("t1", "TodoWrite", `{"todos":[]}`) + claudeInit + claudeFirst + claudeDone, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
3: turn-start claude-code/s turn=2
5: turn-end claude-code/s turn=2 done tools=0
warning claude s: TodoWrite t1 was called, and no result tells whether it was accepted: not applied
`},
		{"one init for several turns; the last message pauses", claudeInit + claudeFirst + claudeDone + claudeFirst + use("t1", "Bash", "{}") + `
{"type":"result","is_error":false,"subtype":"success","session_id":"s","result":"I must stop.\nONWARD-PAUSE: the tests need a database"}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 done tools=0
4: turn-start claude-code/s turn=2 inferred=turn
6: pause claude-code/s turn=2 "the tests need a database"
6: turn-end claude-code/s turn=2 done tools=1
`},
		{"partial messages, notices and background jobs say nothing", claudeInit + claudeFirst + `
{"type":"stream_event","event":{"type":"content_block_start","content_block":{"type":"tool_use","name":"TodoWrite"}},"session_id":"s"}
{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"1"}],"session_id":"s"}
{"type":"rate_limit_event","session_id":"s"}
` + claudeDone, `
1: turn-start claude-code/s turn=1
6: turn-end claude-code/s turn=1 done tools=0
`},
		{"a turn that reached its limit is no error, and one that does not say may be one", claudeInit + claudeFirst + `
{"type":"result","subtype":"error_max_turns","is_error":false,"session_id":"s"}
` + claudeInit + claudeFirst + `
{"type":"result","subtype":"error_during_execution","session_id":"s"}
` + claudeInit + claudeFirst + `
{"type":"result","is_error":false,"session_id":"s","subtype":null}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 done tools=0
4: turn-start claude-code/s turn=2
6: turn-end claude-code/s turn=2 failed tools=0 class=unknown
7: turn-start claude-code/s turn=3
9: turn-end claude-code/s turn=3 done tools=0
`},
		{"a refusal that only the text or the value tells", claudeInit +
			use("t1", "TodoWrite", `{"todos":[]}`) + answer("t1", "ok", `"InputValidationError: x"`) +
			use("t0", "TodoWrite", `{"todos":[]}`) + answer("t0", "<tool_use_error>too small</tool_use_error>", "null") +
			use("t2", "TodoWrite", `{"todos":[]}`) + answer("t2", "ok", `"Error: denied"`) +
			use("t3", "TodoWrite", `{"todos":[]}`) + answer("t3", "Error: denied", "null") +
			use("t4", "TaskCreate", `{"subject":"A"}`) + answer("t4", "InputValidationError: x", "null") +
			use("t5", "TodoWrite", `{"todos":[]}`) + answer("t5", "ok", `"modified"`) + claudeDone, `
1: turn-start claude-code/s turn=1
13: todos claude-code/s turn=1 todo=t5 source=claude {}
14: turn-end claude-code/s turn=1 done tools=0
warning claude s: TodoWrite t1 was rejected by the agent: "InputValidationError: x"
warning claude s: TodoWrite t0 was rejected by the agent: "too small"
warning claude s: TodoWrite t2 was rejected by the agent: "Error: denied"
warning claude s: TodoWrite t3 was rejected by the agent: "Error: denied"
warning claude s: TaskCreate t4 was rejected by the agent: "InputValidationError: x"
`},
		{"a call that is duplicated waits for one result", claudeInit +
			use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) +
			use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + answer("t1", "ok", "null") + claudeDone, `
1: turn-start claude-code/s turn=1
4: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
5: turn-end claude-code/s turn=1 done tools=0
`},
		{"tasks that only a text shows: an owner is no part of the subject", claudeInit +
			use("t1", "TaskCreate", `{"subject":"A"}`) + answer("t1", "Task #1 created successfully: A", "null") +
			use("t2", "TaskCreate", `{"subject":"B (b)"}`) + answer("t2", "Task #2 created successfully: B (b)", "null") +
			use("t3", "TaskList", `{}`) + answer("t3", `#1 [in_progress] A (me)\n#2 [pending] B (b) (ann) [blocked by #1]\n#3 [pending] C (me)`, "null") +
			use("t4", "TaskGet", `{"taskId":"3"}`) + answer("t4", `Task #3: C\nStatus: in_progress\nDescription: d\nStatus: completed\nBlocked by: #1, #2\nBlocks: #4`, "null") +
			use("t5", "TaskGet", `{"taskId":"2"}`) + answer("t5", `Task #2: B (b)\nStatus: pending\nDescription: Blocked by: #9`, "null") +
			use("t6", "TaskGet", `{"taskId":"8"}`) + answer("t6", "Task not found", "null") +
			use("t7", "TaskList", `{}`) + answer("t7", "No tasks found", "null") + claudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
5: todos claude-code/s turn=1 todo=t2 source=claude {#1 pending "A", #2 pending "B (b)"}
7: todos claude-code/s turn=1 todo=t3 source=claude {#1 in_progress "A", #2 pending "B (b)" after 1, #3 pending "C (me)"}
9: todos claude-code/s turn=1 todo=t4 source=claude {#1 in_progress "A", #2 pending "B (b)" after 1, #3 in_progress "C" after 1,2}
11: todos claude-code/s turn=1 todo=t5 source=claude {#1 in_progress "A", #2 pending "B (b)", #3 in_progress "C" after 1,2}
15: todos claude-code/s turn=1 todo=t7 source=claude {#1 cancelled "A", #2 cancelled "B (b)", #3 cancelled "C" after 1,2}
16: turn-end claude-code/s turn=1 done tools=0
warning claude s: 3 tasks cancelled: no longer in the agent's list
`},
		{"a call of a todo tool is enough to recognise the agent", `
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_01ABC","name":"TodoWrite","input":{"todos":[{"content":"A","status":"in_progress","activeForm":"doing A"}]}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_01ABC","content":"Todos have been modified successfully."}]}}
`, `
1: turn-start claude-code/ turn=1 inferred=turn
2: todos claude-code/ turn=1 todo=toolu_01ABC source=claude {in_progress "A" ("doing A")}
0: turn-end claude-code/ turn=1 cut_off tools=0 class=cut_off
`},
		{"the last line is cut inside a call, as by a kill", claudeInit + use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + answer("t1", "ok", "null") +
			`{"type":"assistant","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use","id":"t2","name":"TodoWrite","input":{"todos":[{"content":"A","sta`, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
0: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
warning claude s: the last line is cut: what it said is lost
`},
		{"TaskList shows all tasks: those that it lacks are cancelled", claudeInit +
			use("t1", "TaskCreate", `{"subject":"A"}`) + answer("t1", "Task #1 created successfully: A", "null") +
			use("t2", "TaskList", `{}`) + answer("t2", "", `{"tasks":[]}`) +
			use("t3", "TaskList", `{}`) + answer("t3", "", `{"tasks":[{"id":"2","subject":"B","status":"pending","blockedBy":[]}]}`) + claudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
5: todos claude-code/s turn=1 todo=t2 source=claude {#1 cancelled "A"}
7: todos claude-code/s turn=1 todo=t3 source=claude {#1 cancelled "A", #2 pending "B"}
8: turn-end claude-code/s turn=1 done tools=0
warning claude s: 1 task cancelled: no longer in the agent's list
`},
		{"work that moves to the background later keeps the result back as well", claudeInit + use("a1", "Agent", `{}`) + `
{"type":"system","subtype":"task_started","task_id":"x","is_backgrounded":false,"session_id":"s"}
{"type":"system","subtype":"task_updated","task_id":"x","patch":{"is_backgrounded":true},"session_id":"s"}
` + claudeInit + claudeFirst + claudeDone + claudeDone, `
1: turn-start claude-code/s turn=1
5: turn-start claude-code/s turn=2
7: turn-end claude-code/s turn=1 done tools=1
8: turn-end claude-code/s turn=2 done tools=0
`},
		{"sessions side by side: a result counts, though another session began", claudeInit +
			use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + strings.ReplaceAll(claudeInit+
			use("t2", "TodoWrite", `{"todos":[{"content":"B","status":"pending"}]}`), `"session_id":"s"`, `"session_id":"n"`) +
			answer("t1", "ok", "null") + strings.ReplaceAll(answer("t2", "ok", "null")+claudeDone, `"session_id":"s"`, `"session_id":"n"`), `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
3: turn-start claude-code/n turn=1
5: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
6: todos claude-code/n turn=1 todo=t2 source=claude {pending "B"}
7: turn-end claude-code/n turn=1 done tools=0
`},
		{"hooks that run before init", `
{"type":"system","subtype":"hook_started","hook_id":"h","hook_name":"SessionStart:startup","hook_event":"SessionStart","uuid":"u","session_id":"s"}
{"type":"system","subtype":"hook_response","hook_id":"h","hook_event":"SessionStart","output":"x","uuid":"v","session_id":"s"}
` + claudeInit + claudeFirst + claudeDone, `
3: turn-start claude-code/s turn=1
5: turn-end claude-code/s turn=1 done tools=0
`},
		{"failures are sorted", claudeInit + `
{"type":"assistant","message":{"content":[{"type":"text","text":"Credit balance is too low"}]},"error":"billing_error","parent_tool_use_id":null,"session_id":"s"}
{"type":"result","subtype":"success","is_error":true,"result":"Credit balance is too low","session_id":"s"}
` + claudeInit + claudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"Overloaded","session_id":"s"}
` + claudeInit + claudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":500,"terminal_reason":"api_error","result":"API Error: 500","session_id":"s"}
` + claudeInit + claudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":400,"api_error_type":"invalid_request_error","result":"Prompt is too long","session_id":"s"}
` + claudeInit + claudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":null,"result":"API Error: 404 no model","session_id":"s"}
` + claudeInit + `
{"type":"assistant","message":{"content":[{"type":"text","text":"You've hit your limit"}]},"error":"rate_limit","parent_tool_use_id":null,"session_id":"s"}
` + use("t1", "Bash", "{}") + `
{"type":"result","subtype":"error_max_turns","is_error":true,"session_id":"s"}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 failed tools=0 class=billing
4: turn-start claude-code/s turn=2
6: turn-end claude-code/s turn=2 failed tools=0 class=rate_limit
7: turn-start claude-code/s turn=3
9: turn-end claude-code/s turn=3 failed tools=0 class=server
10: turn-start claude-code/s turn=4
12: turn-end claude-code/s turn=4 failed tools=0 class=context
13: turn-start claude-code/s turn=5
15: turn-end claude-code/s turn=5 failed tools=0 class=invalid_request
16: turn-start claude-code/s turn=6
19: turn-end claude-code/s turn=6 failed tools=1 class=unknown
`},
	} {
		c.run(t)
	}
}

func TestGeminiTraps(t *testing.T) {
	const (
		init = `{"type":"init","timestamp":"","session_id":"g","model":"m"}` + "\n"
		list = `{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w1","parameters":{"todos":[{"description":"A","status":"blocked"},{"description":"B","status":"later"}]}}` + "\n"
	)
	for _, c := range []trap{
		{"results are joined by id; an output has no list", init + list + `
{"type":"tool_result","timestamp":"","tool_id":"other","status":"success","output":"x"}
{"type":"tool_result","status":"success","output":"Successfully updated","tool_id":"w1","timestamp":""}
{"type":"error","timestamp":"","severity":"error","message":"a warning"}
{"type":"result","timestamp":"","status":"success"}
`, `
1: turn-start google-gemini/g turn=1
4: todos google-gemini/g turn=1 todo=w1 source=gemini {blocked "A"}
6: turn-end google-gemini/g turn=1 done tools=0
warning gemini g: item 2 of a list is left out: its status is "later"
`},
		{"a call without a result, and no end", init + list, `
1: turn-start google-gemini/g turn=1
0: turn-end google-gemini/g turn=1 cut_off tools=0 class=cut_off
warning gemini g: write_todos w1 was called, and no result tells whether it was accepted: not applied
`},
		{"a call that is duplicated is one", init + list + list + `
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success"}
{"type":"result","timestamp":"","status":"success"}
`, `
1: turn-start google-gemini/g turn=1
4: todos google-gemini/g turn=1 todo=w1 source=gemini {blocked "A"}
5: turn-end google-gemini/g turn=1 done tools=0
warning gemini g: item 2 of a list is left out: its status is "later"
`},
		{"parameters that are no list are rejected or told", init + `
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w1","parameters":"none"}
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success"}
{"type":"result","timestamp":"","status":"error","error":{"type":"FatalCancellationError","message":"Operation cancelled."}}
` + init + `{"type":"result","timestamp":"","status":"error","error":{"type":"FatalAuthenticationError","message":"status: 401"}}
`, `
1: turn-start google-gemini/g turn=1
4: turn-end google-gemini/g turn=1 aborted tools=0
5: turn-start google-gemini/g turn=2
6: turn-end google-gemini/g turn=2 failed tools=0 class=auth
warning gemini g: "w1" was accepted, but holds no list
`},
		{"calls that the stream leaves out stand in its totals", init + `
{"type":"result","timestamp":"","status":"success","stats":{"models":{"m":{"tool_calls":9}},"tool_calls":3}}
` + init + `
{"type":"tool_use","timestamp":"","tool_name":"ls","tool_id":"l1","parameters":{}}
{"type":"result","timestamp":"","status":"success","stats":{"tool_calls":3}}
` + init + list + `
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"error"}
{"type":"result","timestamp":"","status":"success","stats":{"tool_calls":1}}
` + init + `
{"type":"result","timestamp":"","status":"success","stats":{"tool_calls":"many"}}
{"type":"result","timestamp":"","status":"success","stats":{"tool_calls":-1}}
`, `
1: turn-start google-gemini/g turn=1
2: turn-end google-gemini/g turn=1 done tools=3
3: turn-start google-gemini/g turn=2
5: turn-end google-gemini/g turn=2 done tools=1
6: turn-start google-gemini/g turn=3
9: turn-end google-gemini/g turn=3 done tools=0
10: turn-start google-gemini/g turn=4
11: turn-end google-gemini/g turn=4 done tools=0
warning gemini g: write_todos w1 was rejected by the agent
warning gemini g: the end of a turn is duplicated
`},
		{"invalid lists, sent as a text or refused in an unknown word, and a result that is duplicated", `
{"type":"tool_result","timestamp":"","tool_id":"w0","status":"success"}
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w1","parameters":{"todos":[{"description":"A","status":"cancelled"},{"description":"B","status":null},["x"],"y"]}}
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w2","parameters":{"todos":null}}
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w3","parameters":{"todos":"[{\"description\":\"Z\",\"status\":\"pending\"}]"}}
{"type":"tool_use","timestamp":"","tool_name":"write_todos","tool_id":"w4","parameters":{"todos":[]}}
{"type":"tool_result","timestamp":"","tool_id":"w2","status":"success"}
{"type":"tool_result","timestamp":"","tool_id":"w3","status":"success"}
{"type":"tool_result","timestamp":"","tool_id":"w4","status":"cancelled"}
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success"}
{"type":"tool_result","timestamp":"","tool_id":"w1","status":"success"}
`, `
2: turn-start google-gemini/ turn=1 inferred=turn
9: todos google-gemini/ turn=1 todo=w1 source=gemini {cancelled "A", pending "B"}
0: turn-end google-gemini/ turn=1 cut_off tools=0 class=cut_off
warning gemini "w2" was accepted, but holds no list
warning gemini "w3" was accepted, but holds no list
warning gemini write_todos w4 was rejected by the agent
warning gemini item 3 of a list is left out: bad argument: the text is empty
warning gemini item 4 of a list is left out: bad argument: the text is empty
`},
		{"the last message comes in pieces", init + `
{"type":"message","timestamp":"","role":"user","content":"ONWARD-PAUSE: not me"}
{"type":"message","timestamp":"","role":"assistant","content":"ONWARD-PAUSE: not the last","delta":true}
{"type":"tool_use","timestamp":"","tool_name":"ls","tool_id":"l1","parameters":{}}
{"type":"tool_result","timestamp":"","tool_id":"l1","status":"success"}
{"type":"message","timestamp":"","role":"assistant","content":"Stuck.\nONWARD-","delta":true}
{"type":"message","timestamp":"","role":"assistant","content":"PAUSE: no net","delta":true}
{"type":"message","timestamp":"","role":"assistant","content":"work\n","delta":true}
{"type":"result","timestamp":"","status":"success"}
`, `
1: turn-start google-gemini/g turn=1
9: pause google-gemini/g turn=1 "no network"
9: turn-end google-gemini/g turn=1 done tools=1
`},
	} {
		c.run(t)
	}
}

// TestConcatenatedRunsOfAgents reads runs of different agents as one input: the end of one that was killed comes
// when another begins, and a line that both could write belongs to the present one.
func TestConcatenatedRunsOfAgents(t *testing.T) {
	trap{"together", claudeInit + claudeFirst + `
{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"error","message":"x"}
{"type":"init","timestamp":"","session_id":"g","model":"m"}
{"type":"error","timestamp":"","severity":"warning","message":"x"}
{"type":"result","timestamp":"","status":"success"}
` + claudeInit + claudeFirst + claudeDone, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
4: turn-start openai-codex/a turn=1
6: turn-end openai-codex/a turn=1 cut_off tools=0 class=cut_off
6: turn-start google-gemini/g turn=1
8: turn-end google-gemini/g turn=1 done tools=0
9: turn-start claude-code/s turn=2
11: turn-end claude-code/s turn=2 done tools=0
`}.run(t)
	trap{"a notice of a transcript within another agent's turn", qwenInit + `
{"type":"system","subtype":"turn_duration","uuid":"u","sessionId":"t","version":"2.1"}
`, `
1: turn-start qwen-code/q turn=1
2: turn-end qwen-code/q turn=1 cut_off tools=0 class=cut_off
`}.run(t)
}
