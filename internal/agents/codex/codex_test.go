package codex_test

import (
	"encoding/json"
	"testing"

	"onward/test/streamtest"
)

func TestCodexTraps(t *testing.T) {
	for _, c := range []streamtest.Trap{
		{"equal ids in different turns and runs; the last list of each is reported again only if it differs", `
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
		{"an interrupt prints item.completed but no end of the turn; the thread is resumed", `
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
		{"each call counts once; lists, texts and warnings are not calls", `
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
		{"blank and invalid entries are ignored, the others are kept", `
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
		{"only the last message of a turn can pause", `
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
		{"members in any order, with escape sequences and spaces", `
{"thread_id":"a","type" : "thread.started"}
{"\u0074ype":"turn.started"}
{ "item" : { "items" : [ { "completed" : true, "text" : "A \"q\" \\" } ], "\u0074ype" : "todo\u005flist", "id":"item_0" } , "type" : "item.updated" }
{"usage":{"a":[{"type":"turn.failed"}]},"type":"turn.completed"}
`, `
2: turn-start openai-codex/a turn=1
3: todos openai-codex/a turn=1 todo=item_0 source=codex {completed "A \"q\" \\"}
4: turn-end openai-codex/a turn=1 done tools=0
`},
		{"names at other places have no effect", `
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
		{"the stream of an agent that this one started, within its own lines", `
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
		{"a run of 2025, whose items have another member for the type", `
{"type":"session.created","session_id":"a"}
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
		{"classes of failures", `
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
		c.Run(t)
	}
}

func TestCodexCodeMode(t *testing.T) {
	const meta = `{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
`
	code := func(id, code string) string {
		quoted, _ := json.Marshal(code)
		return `{"type":"response_item","payload":{"type":"custom_tool_call","name":"exec","call_id":"` + id + `","input":` + string(quoted) + "}}\n"
	}
	output := func(id, text string) string {
		return `{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"` + id + `","output":[{"type":"input_text","text":"` + text + `\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"{}"}]}}` + "\n"
	}
	const plan = `await tools.update_plan({plan:[{step:"A",status:"in_progress"},{step:'B',status:'pending'}]})`
	for _, c := range []streamtest.Trap{
		{"a plan in code counts when its script has completed; a script that does more is work", meta +
			code("c1", plan) + output("c1", "Script completed") +
			code("c2", "await tools.exec_command({cmd:'ls'}); "+plan) + output("c2", "Script failed") +
			code("c3", plan) + output("c3", "Script running with cell ID 4") +
			code("c4", "await tools.update_plan({plan: steps})") + output("c4", "Script completed"), `
2: turn-start openai-codex/a turn=1
4: todos openai-codex/a turn=1 todo=c1 source=codex {in_progress "A", pending "B"}
0: turn-end openai-codex/a turn=1 cut_off tools=1 class=cut_off
warning codex a: update_plan c2 was rejected by the agent: "Script failed Wall time 0.1 seconds Output: {}"
warning codex a: a plan is put together by code, so its items are not known
warning codex a: update_plan c3 was called, but the stream does not show its result: not applied
`},
		{"the events that older versions printed, after their settings and the prompt", `
{"model":"gpt-5","sandbox":"read-only"}
{"prompt":"go"}
{"id":"0","msg":{"type":"session_configured","session_id":"old","model":"gpt-5"}}
{"id":"0","msg":{"type":"task_started","model_context_window":272000}}
{"id":"0","msg":{"type":"plan_update","explanation":"e","plan":[{"step":"A","status":"completed"},{"step":"B","status":"pending"}]}}
{"id":"0","msg":{"type":"exec_command_begin","call_id":"c1","command":["ls"]}}
{"id":"0","msg":{"type":"exec_command_end","call_id":"c1","exit_code":0}}
{"id":"0","msg":{"type":"agent_message","message":"Done."}}
{"id":"0","msg":{"type":"task_complete","last_agent_message":"Done.\nONWARD-PAUSE: x"}}
{"id":"1","msg":{"type":"task_started"}}
{"id":"1","msg":{"type":"error","message":"unexpected status 401 Unauthorized"}}
{"id":"1","msg":{"type":"task_complete","last_agent_message":null}}
`, `
4: turn-start openai-codex/old turn=1
5: todos openai-codex/old turn=1 source=codex {completed "A", pending "B"}
9: pause openai-codex/old turn=1 "x"
9: turn-end openai-codex/old turn=1 done tools=1
10: turn-start openai-codex/old turn=2
12: turn-end openai-codex/old turn=2 failed tools=0 class=auth
`},
		{"events of other programs are not Codex's", `
{"id":"0","msg":{"type":"started"}}
{"id":"0","msg":"task_started"}
{"msg":{"type":"task_started"}}
`, ""},
	} {
		c.Run(t)
	}
}
