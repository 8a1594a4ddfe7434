package claude_test

import (
	"strings"
	"testing"

	"onward/test/streamtest"
)

func TestClaudeTraps(t *testing.T) {
	const todoA = `{"todos":[{"id":"7","content":"A","status":"pending","priority":"high"},{"id":"8","content":"","status":"pending"},{"content":"B","status":"doing"}]}`
	for _, c := range []streamtest.Trap{
		{"the first version of TodoWrite; a stream without a version; bad items", `
{"type":"system","subtype":"init","session_id":"s","tools":["TodoWrite"],"permissionMode":"default","model":"m"}
` + streamtest.Use("t1", "TodoWrite", todoA) + streamtest.Answer("t1", "Todos have been modified successfully", `{"oldTodos":[],"newTodos":[{"id":"7","content":"A","status":"pending","priority":"high"},{"id":"8","content":"","status":"pending"},{"content":"B","status":"doing"}]}`) + streamtest.Use("t2", "TodoRead", "{}") + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#7 pending "A" !high}
5: turn-end claude-code/s turn=1 done tools=0
warning claude s: item 2 of a list is left out: bad argument: the text is empty
warning claude s: item 3 of a list is left out: its status is "doing"
`},
		{"a list without a valid item does not count as an empty list", streamtest.ClaudeInit + streamtest.Use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + streamtest.Answer("t1", "ok", "null") +
			streamtest.Use("t2", "TodoWrite", `{"todos":[{"label":"A","state":"open"}]}`) + streamtest.Answer("t2", "ok", "null") +
			streamtest.Use("t3", "TodoWrite", `{"todos":[]}`) + streamtest.Answer("t3", "ok", "null") + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
7: todos claude-code/s turn=1 todo=t3 source=claude {}
8: turn-end claude-code/s turn=1 done tools=0
warning claude s: item 1 of a list is left out: bad argument: the text is empty
warning claude s: no item of a list can be read: the list stays as it was
`},
		{"several blocks in one message, results out of order, one rejected, one never answered", streamtest.ClaudeInit + `
{"type":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t1","name":"TodoWrite","input":{"todos":[{"content":"A","status":"pending"}]}},{"type":"tool_use","id":"t2","name":"Bash","input":{}},{"type":"tool_use","id":"t3","name":"TodoWrite","input":{"todos":[]}},{"type":"tool_use","id":"t4","name":"ToolSearch","input":{}},{"type":"tool_use","id":"t5","name":"TodoWrite","input":{"todos":[{"content":"C","status":"pending"}]}}]},"parent_tool_use_id":null,"session_id":"s"}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t5","content":"no","is_error":true},{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"ok"}]}]},"parent_tool_use_id":null,"session_id":"s","tool_use_result":{"newTodos":[{"content":"of which?","status":"pending"}]}}
`, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
0: turn-end claude-code/s turn=1 cut_off tools=1 class=cut_off
warning claude s: TodoWrite t5 was rejected by the agent: "no"
warning claude s: TodoWrite t3 was called, but the stream does not show its result: not applied
`},
		{"a sub-agent has its own list, calls and name", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"TodoWrite","input":{"todos":[{"content":"sub","status":"pending"}]}},{"type":"tool_use","id":"t3","name":"Bash","input":{}}]},"parent_tool_use_id":"call/1","session_id":"s"}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":"ok"}]},"parent_tool_use_id":"call/1","agent_id":"later","session_id":"s","tool_use_result":null}
` + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
4: todos claude-code/s+call-1-a542ecf9 parent=call/1 turn=1 todo=t2 source=claude {pending "sub"}
5: turn-end claude-code/s turn=1 done tools=0
`},
		{"tasks: ids come from results in any order; a gap in the ids is reported until TaskList was called", streamtest.ClaudeInit +
			streamtest.Use("t1", "TaskCreate", `{"subject":"A","activeForm":"doing A"}`) + streamtest.Use("t2", "TaskCreate", `{"subject":"B"}`) +
			streamtest.Answer("t2", "Task #2 created successfully: B", "null") + streamtest.Answer("t1", "Task #1 created successfully: A", `{"task":{"id":"1","subject":"A!"}}`) +
			streamtest.Use("t3", "TaskUpdate", `{"taskId":"1","addBlocks":["2"],"status":"in_progress"}`) + streamtest.Answer("t3", "Updated task #1 status, blocks", "null") +
			streamtest.Use("t4", "TaskUpdate", `{"taskId":"9","status":"completed"}`) + streamtest.Answer("t4", "Task not found", "null") +
			streamtest.Use("t5", "TaskUpdate", `{"taskId":"1","status":"deleted"}`) + streamtest.Answer("t5", "Updated task #1 deleted", `{"success":true,"taskId":"1","updatedFields":["deleted"],"statusChange":{"from":"in_progress","to":"deleted"}}`) +
			streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
4: todos claude-code/s turn=1 todo=t2 inferred=items source=claude {#2 pending "B"}
5: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A!" ("doing A"), #2 pending "B"}
7: todos claude-code/s turn=1 todo=t3 source=claude {#1 in_progress "A!" ("doing A"), #2 pending "B" after 1}
11: todos claude-code/s turn=1 todo=t5 source=claude {#2 pending "B"}
12: turn-end claude-code/s turn=1 done tools=0
warning claude s: TaskUpdate t4 was rejected by the agent: "Task not found"
`},
		{"tasks of a resumed session: unknown until TaskList, which is a snapshot", streamtest.ClaudeInit +
			streamtest.Use("t1", "TaskUpdate", `{"taskId":"3","status":"completed"}`) + streamtest.Answer("t1", "Updated task #3 status", `{"success":true,"taskId":"3","statusChange":{"from":"pending","to":"completed"}}`) +
			streamtest.Use("t2", "TaskList", `{}`) + streamtest.Answer("t2", "", `{"tasks":[{"id":"10","subject":"J","status":"pending","blockedBy":["3","2"]},{"id":"2","subject":"B","status":"in_progress","blockedBy":[]},{"id":"3","subject":"C","status":"completed","blockedBy":[]}]}`) +
			streamtest.Use("t3", "TaskList", `{}`) + streamtest.Answer("t3", `#2 [in_progress] B\n#3 [completed] C\n#10 [pending] J (me) [blocked by #2]`, "null") +
			streamtest.Use("t4", "TaskGet", `{"taskId":"10"}`) + streamtest.Answer("t4", "x", `{"task":{"id":"10","subject":"J","description":"d","status":"in_progress","blocks":[],"blockedBy":["2","3"]}}`) +
			streamtest.Use("t5", "TaskGet", `{"taskId":"11"}`) + streamtest.Answer("t5", "Task not found", `{"task":null}`) +
			streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 inferred=text,items source=claude {#3 completed "Task #3"}
5: todos claude-code/s turn=1 todo=t2 source=claude {#2 in_progress "B", #3 completed "C", #10 pending "J" after 3,2}
9: todos claude-code/s turn=1 todo=t4 source=claude {#2 in_progress "B", #3 completed "C", #10 in_progress "J" after 2,3}
12: turn-end claude-code/s turn=1 done tools=0
warning claude s: a task was changed that was made before this stream; its text is not known until the agent lists its tasks
`},
		{"a task from before this stream: there may be others", streamtest.ClaudeInit +
			streamtest.Use("t1", "TaskUpdate", `{"taskId":"1","subject":"A","status":"completed"}`) + streamtest.Answer("t1", "Updated task #1 subject, status", "null") +
			streamtest.Use("t2", "TaskCreate", `{"subject":"B"}`) + streamtest.Answer("t2", "Task #2 created successfully: B", "null") +
			streamtest.Use("t3", "TaskList", `{}`) + streamtest.Answer("t3", "#1 [completed] A\\n#2 [in_progress] B", "null") + streamtest.ClaudeDone + strings.ReplaceAll(streamtest.ClaudeInit+
			streamtest.Use("t4", "TaskGet", `{"taskId":"1"}`)+streamtest.Answer("t4", "x", `{"task":{"id":"1","subject":"A","status":"pending","blocks":[],"blockedBy":[]}}`)+streamtest.ClaudeDone, `"session_id":"s"`, `"session_id":"n"`), `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 inferred=items source=claude {#1 completed "A"}
5: todos claude-code/s turn=1 todo=t2 inferred=items source=claude {#1 completed "A", #2 pending "B"}
7: todos claude-code/s turn=1 todo=t3 source=claude {#1 completed "A", #2 in_progress "B"}
8: turn-end claude-code/s turn=1 done tools=0
9: turn-start claude-code/n turn=1
11: todos claude-code/n turn=1 todo=t4 inferred=items source=claude {#1 pending "A"}
12: turn-end claude-code/n turn=1 done tools=0
`},
		{"a conversation that is reset has no list", streamtest.ClaudeInit +
			streamtest.Use("t1", "TaskCreate", `{"subject":"A"}`) + streamtest.Answer("t1", "Task #1 created successfully: A", `{"task":{"id":"1","subject":"A"}}`) + `
{"type":"conversation_reset","session_id":"s"}
` + streamtest.Use("t2", "TaskCreate", `{"subject":"B"}`) + streamtest.Answer("t2", "Task #2 created successfully: B", `{"task":{"id":"2","subject":"B"}}`) + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
4: todos claude-code/s turn=1 source=claude {}
6: todos claude-code/s turn=1 todo=t2 source=claude {#2 pending "B"}
7: turn-end claude-code/s turn=1 done tools=0
`},
		{"a withdrawn message is undone, and its open call dropped", streamtest.ClaudeInit +
			streamtest.Use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + streamtest.Answer("t1", "ok", "null") +
			streamtest.Use("t2", "TodoWrite", `{"todos":[{"content":"B","status":"pending"}]}`) + streamtest.Answer("t2", "ok", "null") +
			streamtest.Use("t3", "TodoWrite", `{"todos":[]}`) + `
{"type":"assistant","message":{"content":[{"type":"text","text":"instead"}]},"parent_tool_use_id":null,"session_id":"s","supersedes":["u-t2","u-t3"]}
` + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
5: todos claude-code/s turn=1 todo=t2 source=claude {pending "B"}
7: todos claude-code/s turn=1 source=claude {pending "A"}
8: turn-end claude-code/s turn=1 done tools=0
`},
		{"a refusal withdraws tasks", streamtest.ClaudeInit +
			streamtest.Use("t1", "TaskCreate", `{"subject":"A"}`) + streamtest.Answer("t1", "Task #1 created successfully: A", "null") +
			streamtest.Use("t2", "TaskUpdate", `{"taskId":"1","status":"completed"}`) + streamtest.Answer("t2", "Updated task #1 status", "null") + `
{"type":"system","subtype":"model_refusal_fallback","session_id":"s","retracted_message_uuids":["u-t2"]}
` + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
5: todos claude-code/s turn=1 todo=t2 source=claude {#1 completed "A"}
6: todos claude-code/s turn=1 source=claude {#1 pending "A"}
7: turn-end claude-code/s turn=1 done tools=0
`},
		{"statuses that Claude Code sets itself, and a later withdrawal of the call", streamtest.ClaudeInit +
			streamtest.Use("t1", "TaskCreate", `{"subject":"A"}`) + streamtest.Answer("t1", "Task #1 created successfully: A", "null") + `
{"type":"system","subtype":"task_list_statuses","session_id":"s","statuses":[{"id":"1","status":"in_progress"},{"status":"completed"}]}
{"type":"system","subtype":"task_list_statuses","session_id":"s","statuses":[{"id":"1","status":"in_progress"}]}
` + streamtest.Use("t2", "TaskUpdate", `{"taskId":"1","status":"completed"}`) + streamtest.Answer("t2", "Updated task #1 status", "null") + `
{"type":"system","subtype":"model_refusal_fallback","session_id":"s","retracted_message_uuids":["u-t1","u-t2"]}
` + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
4: todos claude-code/s turn=1 source=claude {#1 in_progress "A"}
7: todos claude-code/s turn=1 todo=t2 source=claude {#1 completed "A"}
8: todos claude-code/s turn=1 source=claude {#1 in_progress "A"}
9: turn-end claude-code/s turn=1 done tools=0
`},
		{"aborted by the user: exit code 0 and error_during_execution", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools","session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]},"parent_tool_use_id":null,"session_id":"s"}
{"type":"result","subtype":"error_during_execution","is_error":false,"session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"user","message":{"role":"user","content":"\u005bRequest interrupted by user]"},"parent_tool_use_id":null,"session_id":"s"}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 aborted tools=0
4: turn-start claude-code/s turn=2
7: turn-end claude-code/s turn=2 aborted tools=0
8: turn-start claude-code/s turn=3
0: turn-end claude-code/s turn=3 aborted tools=0
`},
		{"a tool output that quotes an interrupt does not count as one", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t9","content":"[Request interrupted by user]"}]},"parent_tool_use_id":null,"session_id":"s"}
`, `
1: turn-start claude-code/s turn=1
0: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
`},
		{"a killed run, and one that resumes it", streamtest.ClaudeInit + streamtest.Use("t1", "TodoWrite", `{"todos":[]}`) + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
3: turn-start claude-code/s turn=2
5: turn-end claude-code/s turn=2 done tools=0
warning claude s: TodoWrite t1 was called, but the stream does not show its result: not applied
`},
		{"one init for several turns; the last message pauses", streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone + streamtest.ClaudeFirst + streamtest.Use("t1", "Bash", "{}") + `
{"type":"result","is_error":false,"subtype":"success","session_id":"s","result":"I must stop.\nONWARD-PAUSE: the tests need a database"}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 done tools=0
4: turn-start claude-code/s turn=2 inferred=turn
6: pause claude-code/s turn=2 "the tests need a database"
6: turn-end claude-code/s turn=2 done tools=1
`},
		{"partial messages, notices and background jobs change nothing", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"stream_event","event":{"type":"content_block_start","content_block":{"type":"tool_use","name":"TodoWrite"}},"session_id":"s"}
{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"1"}],"session_id":"s"}
{"type":"rate_limit_event","session_id":"s"}
` + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
6: turn-end claude-code/s turn=1 done tools=0
`},
		{"the turn limit is not an error; an end without a reason may be one", streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"error_max_turns","is_error":false,"session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"error_during_execution","session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"error_max_turns","is_error":true,"session_id":"s","errors":["Reached maximum number of turns (40)"]}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"error_max_budget_usd","is_error":false,"session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","is_error":false,"session_id":"s","subtype":null}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 done tools=0
4: turn-start claude-code/s turn=2
6: turn-end claude-code/s turn=2 failed tools=0 class=unknown
7: turn-start claude-code/s turn=3
9: turn-end claude-code/s turn=3 done tools=0
10: turn-start claude-code/s turn=4
12: turn-end claude-code/s turn=4 failed tools=0 class=billing
13: turn-start claude-code/s turn=5
15: turn-end claude-code/s turn=5 done tools=0
`},
		{"a failure without a turn after the end of one, and before any", streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone + `
{"type":"result","subtype":"error_during_execution","is_error":true,"duration_ms":0,"num_turns":0,"session_id":"s","errors":["only prompt commands are supported in streaming mode"]}
{"type":"result","subtype":"error_during_execution","is_error":true,"duration_ms":0,"num_turns":0,"session_id":"n","errors":["No conversation found with session ID: n"]}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 done tools=0
5: turn-start claude-code/n turn=1 inferred=turn
5: turn-end claude-code/n turn=1 failed tools=0 class=unknown
`},
		{"lines that come twice", strings.Repeat(streamtest.ClaudeInit, 2) + strings.Repeat(streamtest.Use("b", "Bash", "{}"), 2) + strings.Repeat(streamtest.Use("t", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`), 2) +
			strings.Repeat(streamtest.Answer("t", "ok", "null"), 2) + strings.Repeat(`{"type":"result","subtype":"success","is_error":false,"session_id":"s","uuid":"r","usage":{"input_tokens":7}}`+"\n", 2), `
1: turn-start claude-code/s turn=1
7: todos claude-code/s turn=1 todo=t source=claude {pending "A"}
9: turn-end claude-code/s turn=1 done tools=1
warning claude s: the end of a turn is duplicated
`},
		{"refusals that only the text or the value shows", streamtest.ClaudeInit +
			streamtest.Use("t1", "TodoWrite", `{"todos":[]}`) + streamtest.Answer("t1", "ok", `"InputValidationError: x"`) +
			streamtest.Use("t0", "TodoWrite", `{"todos":[]}`) + streamtest.Answer("t0", "<tool_use_error>too small</tool_use_error>", "null") +
			streamtest.Use("t2", "TodoWrite", `{"todos":[]}`) + streamtest.Answer("t2", "ok", `"Error: denied"`) +
			streamtest.Use("t3", "TodoWrite", `{"todos":[]}`) + streamtest.Answer("t3", "Error: denied", "null") +
			streamtest.Use("t4", "TaskCreate", `{"subject":"A"}`) + streamtest.Answer("t4", "InputValidationError: x", "null") +
			streamtest.Use("t5", "TodoWrite", `{"todos":[]}`) + streamtest.Answer("t5", "ok", `"modified"`) + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
13: todos claude-code/s turn=1 todo=t5 source=claude {}
14: turn-end claude-code/s turn=1 done tools=0
warning claude s: TodoWrite t1 was rejected by the agent: "InputValidationError: x"
warning claude s: TodoWrite t0 was rejected by the agent: "too small"
warning claude s: TodoWrite t2 was rejected by the agent: "Error: denied"
warning claude s: TodoWrite t3 was rejected by the agent: "Error: denied"
warning claude s: TaskCreate t4 was rejected by the agent: "InputValidationError: x"
`},
		{"a duplicated call has one result", streamtest.ClaudeInit +
			streamtest.Use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) +
			streamtest.Use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + streamtest.Answer("t1", "ok", "null") + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
4: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
5: turn-end claude-code/s turn=1 done tools=0
`},
		{"tasks in a text: the owner does not belong to the subject", streamtest.ClaudeInit +
			streamtest.Use("t1", "TaskCreate", `{"subject":"A"}`) + streamtest.Answer("t1", "Task #1 created successfully: A", "null") +
			streamtest.Use("t2", "TaskCreate", `{"subject":"B (b)"}`) + streamtest.Answer("t2", "Task #2 created successfully: B (b)", "null") +
			streamtest.Use("t3", "TaskList", `{}`) + streamtest.Answer("t3", `#1 [in_progress] A (me)\n#2 [pending] B (b) (ann) [blocked by #1]\n#3 [pending] C (me)`, "null") +
			streamtest.Use("t4", "TaskGet", `{"taskId":"3"}`) + streamtest.Answer("t4", `Task #3: C\nStatus: in_progress\nDescription: d\nStatus: completed\nBlocked by: #1, #2\nBlocks: #4`, "null") +
			streamtest.Use("t5", "TaskGet", `{"taskId":"2"}`) + streamtest.Answer("t5", `Task #2: B (b)\nStatus: pending\nDescription: Blocked by: #9`, "null") +
			streamtest.Use("t6", "TaskGet", `{"taskId":"8"}`) + streamtest.Answer("t6", "Task not found", "null") +
			streamtest.Use("t7", "TaskList", `{}`) + streamtest.Answer("t7", "No tasks found", "null") + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
5: todos claude-code/s turn=1 todo=t2 source=claude {#1 pending "A", #2 pending "B (b)"}
7: todos claude-code/s turn=1 todo=t3 source=claude {#1 in_progress "A", #2 pending "B (b)" after 1, #3 pending "C (me)"}
9: todos claude-code/s turn=1 todo=t4 source=claude {#1 in_progress "A", #2 pending "B (b)" after 1, #3 in_progress "C" after 1,2}
11: todos claude-code/s turn=1 todo=t5 source=claude {#1 in_progress "A", #2 pending "B (b)", #3 in_progress "C" after 1,2}
15: todos claude-code/s turn=1 todo=t7 source=claude {#1 cancelled "A", #2 cancelled "B (b)", #3 cancelled "C" after 1,2}
16: turn-end claude-code/s turn=1 done tools=0
warning claude s: the agent's list lost 3 open tasks
`},
		{"a call of a todo tool is enough to recognise the agent", `
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_01ABC","name":"TodoWrite","input":{"todos":[{"content":"A","status":"in_progress","activeForm":"doing A"}]}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_01ABC","content":"Todos have been modified successfully."}]}}
`, `
1: turn-start claude-code/ turn=1 inferred=turn
2: todos claude-code/ turn=1 todo=toolu_01ABC source=claude {in_progress "A" ("doing A")}
0: turn-end claude-code/ turn=1 cut_off tools=0 class=cut_off
`},
		{"a kill cuts the last line within a call", streamtest.ClaudeInit + streamtest.Use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + streamtest.Answer("t1", "ok", "null") +
			`{"type":"assistant","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use","id":"t2","name":"TodoWrite","input":{"todos":[{"content":"A","sta`, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
0: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
warning claude s: the last line is cut: what it said is lost
`},
		{"TaskList has all tasks: open ones that it lacks are missing", streamtest.ClaudeInit +
			streamtest.Use("t1", "TaskCreate", `{"subject":"A"}`) + streamtest.Answer("t1", "Task #1 created successfully: A", "null") +
			streamtest.Use("t2", "TaskList", `{}`) + streamtest.Answer("t2", "", `{"tasks":[]}`) +
			streamtest.Use("t3", "TaskList", `{}`) + streamtest.Answer("t3", "", `{"tasks":[{"id":"2","subject":"B","status":"pending","blockedBy":[]}]}`) + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: todos claude-code/s turn=1 todo=t1 source=claude {#1 pending "A"}
5: todos claude-code/s turn=1 todo=t2 source=claude {#1 cancelled "A"}
7: todos claude-code/s turn=1 todo=t3 source=claude {#1 cancelled "A", #2 pending "B"}
8: turn-end claude-code/s turn=1 done tools=0
warning claude s: the agent's list lost 1 open task
`},
		{"the result is also delayed by work that later moves to the background", streamtest.ClaudeInit + streamtest.Use("a1", "Agent", `{}`) + `
{"type":"system","subtype":"task_started","task_id":"x","is_backgrounded":false,"session_id":"s"}
{"type":"system","subtype":"task_updated","task_id":"x","patch":{"is_backgrounded":true},"session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
5: turn-start claude-code/s turn=2
7: turn-end claude-code/s turn=1 done tools=1
8: turn-end claude-code/s turn=2 done tools=0
`},
		{"concurrent sessions: a result counts after the start of another session", streamtest.ClaudeInit +
			streamtest.Use("t1", "TodoWrite", `{"todos":[{"content":"A","status":"pending"}]}`) + strings.ReplaceAll(streamtest.ClaudeInit+
			streamtest.Use("t2", "TodoWrite", `{"todos":[{"content":"B","status":"pending"}]}`), `"session_id":"s"`, `"session_id":"n"`) +
			streamtest.Answer("t1", "ok", "null") + strings.ReplaceAll(streamtest.Answer("t2", "ok", "null")+streamtest.ClaudeDone, `"session_id":"s"`, `"session_id":"n"`) + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: turn-start claude-code/n turn=1
5: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
6: todos claude-code/n turn=1 todo=t2 source=claude {pending "B"}
7: turn-end claude-code/n turn=1 done tools=0
8: turn-end claude-code/s turn=1 done tools=0
`},
		{"a session that has no line during the turn of another one was cut off", streamtest.ClaudeInit + streamtest.ClaudeFirst +
			strings.ReplaceAll(streamtest.ClaudeInit+streamtest.ClaudeFirst+streamtest.ClaudeDone, `"session_id":"s"`, `"session_id":"n"`) + streamtest.ClaudeInit + streamtest.ClaudeFirst, `
1: turn-start claude-code/s turn=1
3: turn-start claude-code/n turn=1
5: turn-end claude-code/s turn=1 cut_off tools=0 class=cut_off
5: turn-end claude-code/n turn=1 done tools=0
6: turn-start claude-code/s turn=2
0: turn-end claude-code/s turn=2 cut_off tools=0 class=cut_off
`},
		{"hooks that run before init", `
{"type":"system","subtype":"hook_started","hook_id":"h","hook_name":"SessionStart:startup","hook_event":"SessionStart","uuid":"u","session_id":"s"}
{"type":"system","subtype":"hook_response","hook_id":"h","hook_event":"SessionStart","output":"x","uuid":"v","session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone, `
3: turn-start claude-code/s turn=1
5: turn-end claude-code/s turn=1 done tools=0
`},
		{"classes of failures", streamtest.ClaudeInit + `
{"type":"assistant","message":{"content":[{"type":"text","text":"Credit balance is too low"}]},"error":"billing_error","parent_tool_use_id":null,"session_id":"s"}
{"type":"result","subtype":"success","is_error":true,"result":"Credit balance is too low","session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"Overloaded","session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":500,"terminal_reason":"api_error","result":"API Error: 500","session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":400,"api_error_type":"invalid_request_error","result":"Prompt is too long","session_id":"s"}
` + streamtest.ClaudeInit + streamtest.ClaudeFirst + `
{"type":"result","subtype":"success","is_error":true,"api_error_status":null,"result":"API Error: 404 no model","session_id":"s"}
` + streamtest.ClaudeInit + `
{"type":"assistant","message":{"content":[{"type":"text","text":"You've hit your limit"}]},"error":"rate_limit","parent_tool_use_id":null,"session_id":"s"}
` + streamtest.Use("t1", "Bash", "{}") + `
{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"s"}
`, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 failed tools=0 class=billing
4: turn-start claude-code/s turn=2
6: turn-end claude-code/s turn=2 failed tools=0 class=server
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
		c.Run(t)
	}
}
