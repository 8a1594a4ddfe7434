package codex_test

import (
	"testing"

	"onward/test/streamtest"
)

func TestCodexRolloutTraps(t *testing.T) {
	for _, c := range []streamtest.Trap{
		{"the oldest layout: a header without a type, items without an envelope", `
{"id":"a","timestamp":"2025-08-18T01:16:13.522Z","instructions":null,"git":{}}
{"record_type":"state"}
{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"<environment_context>\n</environment_context>"}]}
{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"do it"}]}
{"record_type":"state"}
{"type":"reasoning","id":"r","summary":[]}
{"type":"function_call","id":null,"name":"update_plan","arguments":"{\"explanation\":\"x\",\"plan\":[{\"status\":\"in_progress\",\"step\":\"A\"},{\"step\":\"B\",\"status\":\"pending\"}]}","call_id":"c1"}
{"type":"function_call_output","call_id":"c1","output":"Plan updated"}
{"type":"function_call","name":"shell","arguments":"{}","call_id":"c2"}
{"type":"function_call_output","call_id":"c2","output":"{\"output\":\"Plan updated\",\"metadata\":{}}"}
{"type":"local_shell_call","call_id":"c3","status":"completed"}
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}
{"record_type":"state"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"more"}]}
{"type":"function_call","name":"shell","arguments":"{}","call_id":"c4"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"<turn_aborted>\n</turn_aborted>"}]}
{"type":"message","role":"user","content":[{"type":"input_text","text":"again"}]}
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I stop.\nONWARD-PAUSE: why"}]}
`, `
4: turn-start openai-codex/a turn=1
8: todos openai-codex/a turn=1 todo=c1 source=codex {in_progress "A", pending "B"}
14: turn-end openai-codex/a turn=1 done tools=2
14: turn-start openai-codex/a turn=2
16: turn-end openai-codex/a turn=2 aborted tools=1
17: turn-start openai-codex/a turn=3
0: pause openai-codex/a turn=3 "why"
0: turn-end openai-codex/a turn=3 done tools=0
`},
		{"envelopes without events of turns; a message that is written twice starts one turn", `
{"timestamp":"","type":"session_meta","payload":{"id":"a","timestamp":"","cwd":"/x","cli_version":"0.40.0","instructions":null}}
{"timestamp":"","type":"turn_context","payload":{"cwd":"/x"}}
{"timestamp":"","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"do it"}]}}
{"timestamp":"","type":"event_msg","payload":{"type":"user_message","message":"do it","kind":"plain"}}
{"timestamp":"","type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":{"plan":[{"step":"A","status":"pending"},{"step":" ","status":"pending"},{"step":"C","status":"odd"}]},"call_id":"c1"}}
{"timestamp":"","type":"turn_context","payload":{"cwd":"/x"}}
{"timestamp":"","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":{"content":"Plan updated","success":true}}}
{"timestamp":"","type":"event_msg","payload":{"type":"agent_message","message":"ok"}}
{"timestamp":"","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}}
{"timestamp":"","type":"event_msg","payload":{"type":"token_count","info":null}}
{"timestamp":"","type":"event_msg","payload":{"type":"user_message","message":"go on"}}
{"timestamp":"","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c2"}}
{"timestamp":"","type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}
{"timestamp":"","type":"event_msg","payload":{"type":"user_message","message":"go on"}}
{"timestamp":"","type":"response_item","payload":{"type":"web_search_call","action":{}}}
`, `
3: turn-start openai-codex/a turn=1
7: todos openai-codex/a turn=1 todo=c1 source=codex {pending "A"}
11: turn-end openai-codex/a turn=1 done tools=0
11: turn-start openai-codex/a turn=2
13: turn-end openai-codex/a turn=2 aborted tools=1
14: turn-start openai-codex/a turn=3
0: turn-end openai-codex/a turn=3 cut_off tools=1 class=cut_off
warning codex a: item 2 of a list is left out: bad argument: the text is empty
warning codex a: item 3 of a list is left out: its status is "odd"
`},
		{"an output with a flag for success; a message that starts with a picture", `
{"type":"session_meta","payload":{"id":"a"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:"},{"type":"input_text","text":"do it"}]}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":{"plan":[{"step":"A","status":"pending"}]},"call_id":"c1"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":{"plan":[{"step":"B","status":"pending"}]},"call_id":"c2"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":{"plan":[{"step":"C","status":"pending"}]},"call_id":"c3"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":{"plan":[{"step":"D","status":"pending"}]},"call_id":"c4"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":{"content":"updated","success":true}}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"{\"output\":\"Plan updated\",\"success\":false}"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c3","output":"{\"output\":\"Plan updated\",\"metadata\":{\"exit_code\":0}}"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c4","output":["Plan updated"]}}
`, `
2: turn-start openai-codex/a turn=1
7: todos openai-codex/a turn=1 todo=c1 source=codex {pending "A"}
9: todos openai-codex/a turn=1 todo=c3 source=codex {pending "C"}
0: turn-end openai-codex/a turn=1 cut_off tools=0 class=cut_off
warning codex a: update_plan c2 was rejected by the agent: "Plan updated"
warning codex a: update_plan c4 was rejected by the agent
`},
		{"a file without its beginning, which names its thread later", `
{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}}
{"type":"event_msg","payload":{"type":"item_completed","thread_id":"a","item":{}}}
{"type":"token_usage_record","payload":{"thread_id":"b"}}
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_complete"}}
{"type":"session_meta","payload":{"id":null}}
{"type":"session_meta","payload":{"id":"c"}}
{"type":"event_msg","payload":{"type":"task_started"}}
`, `
1: turn-start openai-codex/ turn=1 inferred=turn
5: turn-end openai-codex/a turn=1 done tools=1
8: turn-start openai-codex/c turn=1
0: turn-end openai-codex/c turn=1 cut_off tools=0 class=cut_off
`},
		{"an abort and an end are each reported twice", `
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"user_message","message":"do it"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<turn_aborted>\n</turn_aborted>"}]}}
{"type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"task_complete"}}
{"type":"event_msg","payload":{"type":"task_complete"}}
`, `
2: turn-start openai-codex/a turn=1
3: turn-end openai-codex/a turn=1 aborted tools=0
5: turn-start openai-codex/a turn=2
6: turn-end openai-codex/a turn=2 done tools=0
`},
		{"an event is a result; its call yields the list once, whichever comes first", `
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started","turn_id":"t"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"A\",\"status\":\"pending\"}]}","call_id":"c1"}}
{"type":"event_msg","payload":{"type":"plan_update","plan":[{"step":"A","status":"pending"}]}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Plan updated"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"update_plan","input":"{\"plan\":[{\"step\":\"A\",\"status\":\"completed\"}]}","call_id":"c2"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"Plan updated"}]}}
{"type":"event_msg","payload":{"type":"plan_update","plan":[{"step":"A","status":"completed"}]}}
{"type":"event_msg","payload":{"type":"turn_complete","last_agent_message":"x"}}
`, `
2: turn-start openai-codex/a turn=1
4: todos openai-codex/a turn=1 todo=c1 source=codex {pending "A"}
7: todos openai-codex/a turn=1 todo=c2 source=codex {completed "A"}
9: turn-end openai-codex/a turn=1 done tools=0
`},
		{"rejected, unknown, interrupted, without a plan, never answered, from code", `
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started","turn_id":"t"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"A\",\"status\":\"pending\"}]}","call_id":"c1"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"A\",\"status\":\"pending\"}]}","call_id":"c2"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"aborted by user after 1.0s"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"unsupported call: update_plan"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"not JSON","call_id":"c3"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"not JSON","call_id":"c3"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c3","output":"Plan updated"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"exec","input":"await tools.update_plan({plan:[]})","call_id":"c4"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[]}","call_id":"c5"}}
{"type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c5","output":"Plan updated"}}
`, `
2: turn-start openai-codex/a turn=1
12: turn-end openai-codex/a turn=1 aborted tools=0
warning codex a: update_plan c2 was rejected by the agent: "aborted by user after 1.0s"
warning codex a: update_plan c1 was rejected by the agent: "unsupported call: update_plan"
warning codex a: "c3" was accepted, but holds no plan
warning codex a: update_plan c4 was called, but the stream does not show its result: not applied
warning codex a: update_plan c5 was called, but the stream does not show its result: not applied
`},
		{"an error before the end is the reason of the failure, unless the model continued", `
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"stream_error","message":"Reconnecting 1/5"}}
{"type":"event_msg","payload":{"type":"error","message":"unexpected status 503"}}
{"type":"event_msg","payload":{"type":"task_complete","last_agent_message":null}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"error","message":"x"}}
{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}}
{"type":"event_msg","payload":{"type":"task_complete","last_agent_message":null}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"half"}]}}
`, `
2: turn-start openai-codex/a turn=1
5: turn-end openai-codex/a turn=1 failed tools=0 class=server
6: turn-start openai-codex/a turn=2
9: turn-end openai-codex/a turn=2 done tools=1
10: turn-start openai-codex/a turn=3
0: turn-end openai-codex/a turn=3 cut_off tools=0 class=cut_off
`},
		{"a fork repeats its parent; a sub-agent has its own list; another thread is another session", `
{"type":"session_meta","payload":{"id":"b","forked_from_id":"a"}}
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"A\",\"status\":\"pending\"}]}","call_id":"c1"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Plan updated"}}
{"type":"event_msg","payload":{"type":"task_complete"}}
{"type":"session_meta","payload":{"id":"s","source":{"subagent":{"thread_spawn":{"parent_thread_id":"b","depth":1}}}}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"S\",\"status\":\"pending\"}]}","call_id":"c1"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Plan updated"}}
{"type":"event_msg","payload":{"type":"task_complete"}}
{"type":"session_meta","payload":{"id":"d","source":"cli"}}
{"type":"event_msg","payload":{"type":"task_started"}}
`, `
3: turn-start openai-codex/b turn=1
5: todos openai-codex/b turn=1 todo=c1 source=codex {pending "A"}
6: turn-end openai-codex/b turn=1 done tools=0
8: turn-start openai-codex/b+s turn=1
10: todos openai-codex/b+s turn=1 todo=c1 source=codex {pending "S"}
11: turn-end openai-codex/b+s turn=1 done tools=0
13: turn-start openai-codex/d turn=1
0: turn-end openai-codex/d turn=1 cut_off tools=0 class=cut_off
`},
		{"a fork of a fork has the headers of both; a fork of an older version has none", `
{"timestamp":"2026-11-01T10:00:00.000Z","type":"session_meta","payload":{"id":"c","forked_from_id":"b","timestamp":"2026-11-01T10:00:00.000Z"}}
{"timestamp":"2026-11-01T10:00:00.000Z","type":"session_meta","payload":{"id":"b","forked_from_id":"a","timestamp":"2026-10-30T10:00:00.000Z"}}
{"timestamp":"2026-11-01T10:00:00.000Z","type":"session_meta","payload":{"id":"a","timestamp":"2026-10-29T10:00:00.000Z"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_started"}}
{"timestamp":"2026-11-01T10:00:00.000Z","type":"session_meta","payload":{"id":"b"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_complete"}}
{"timestamp":"2026-11-02T10:00:00.000Z","type":"session_meta","payload":{"id":"e","timestamp":"2026-11-02T10:00:00.000Z"}}
{"timestamp":"2026-11-02T10:00:00.001Z","type":"session_meta","payload":{"id":"d","timestamp":"2026-10-29T10:00:00.000Z"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_started"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_complete"}}
{"timestamp":"2026-11-02T11:00:00.000Z","type":"session_meta","payload":{"id":"f","timestamp":"2026-11-01T10:00:00.000Z"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_started"}}
`, `
4: turn-start openai-codex/c turn=1
6: turn-end openai-codex/c turn=1 done tools=0
9: turn-start openai-codex/e turn=1
10: turn-end openai-codex/e turn=1 done tools=0
12: turn-start openai-codex/f turn=1
0: turn-end openai-codex/f turn=1 cut_off tools=0 class=cut_off
`},
		{"a sub-agent's file before that of its thread; other marks of sub-agents", `
{"timestamp":"2026-11-01T10:00:05.000Z","type":"session_meta","payload":{"id":"s","timestamp":"2026-11-01T10:00:05.000Z","source":{"subagent":{"thread_spawn":{"parent_thread_id":"m","depth":1}}}}}
{"timestamp":"2026-11-01T10:00:05.000Z","type":"session_meta","payload":{"id":"m","timestamp":"2026-11-01T10:00:00.000Z"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_started"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_complete"}}
{"timestamp":"2026-11-01T10:00:00.000Z","type":"session_meta","payload":{"id":"m","timestamp":"2026-11-01T10:00:00.000Z"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_started"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_complete"}}
{"timestamp":"","type":"session_meta","payload":{"id":"t","thread_source":"subagent","session_id":"m","parent_thread_id":"m"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_started"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_complete"}}
{"timestamp":"","type":"session_meta","payload":{"id":"u","source":{"subagent":"review"},"forked_from_id":"m"}}
{"timestamp":"","type":"event_msg","payload":{"type":"task_started"}}
`, `
3: turn-start openai-codex/m+s turn=1
4: turn-end openai-codex/m+s turn=1 done tools=0
6: turn-start openai-codex/m turn=1
7: turn-end openai-codex/m turn=1 done tools=0
9: turn-start openai-codex/m+t turn=1
10: turn-end openai-codex/m+t turn=1 done tools=0
12: turn-start openai-codex/m+u turn=1
0: turn-end openai-codex/m+u turn=1 cut_off tools=0 class=cut_off
`},
		{"turns that the user takes back, with their plans", `
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"plan_update","plan":[{"step":"A","status":"pending"}]}}
{"type":"event_msg","payload":{"type":"task_complete"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"plan_update","plan":[{"step":"B","status":"pending"}]}}
{"type":"event_msg","payload":{"type":"plan_update","plan":[{"step":"B","status":"completed"}]}}
{"type":"event_msg","payload":{"type":"task_complete"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"task_complete"}}
{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"plan_update","plan":[{"step":"C","status":"pending"}]}}
{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":2}}
{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":0}}
{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":9}}
`, `
2: turn-start openai-codex/a turn=1
3: todos openai-codex/a turn=1 source=codex {pending "A"}
4: turn-end openai-codex/a turn=1 done tools=0
5: turn-start openai-codex/a turn=2
6: todos openai-codex/a turn=2 source=codex {pending "B"}
7: todos openai-codex/a turn=2 source=codex {completed "B"}
8: turn-end openai-codex/a turn=2 done tools=0
9: turn-start openai-codex/a turn=3
10: turn-end openai-codex/a turn=3 done tools=0
12: turn-start openai-codex/a turn=4
13: todos openai-codex/a turn=4 source=codex {pending "C"}
14: turn-end openai-codex/a turn=4 cut_off tools=0 class=cut_off
14: todos openai-codex/a turn=4 source=codex {pending "A"}
16: todos openai-codex/a turn=4 source=codex {}
`},
		{"an end that reports a failure; another text that refuses a call of a disabled tool", `
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"update_plan","input":"{\"plan\":[]}","call_id":"c1"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c1","output":"unsupported custom tool call: update_plan"}}
{"type":"event_msg","payload":{"type":"task_complete","last_agent_message":"half","error":{"message":"unexpected status 401 Unauthorized"}}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"task_complete","last_agent_message":"ok","error":null}}
`, `
2: turn-start openai-codex/a turn=1
5: turn-end openai-codex/a turn=1 failed tools=0 class=auth
6: turn-start openai-codex/a turn=2
7: turn-end openai-codex/a turn=2 done tools=0
warning codex a: update_plan c1 was rejected by the agent: "unsupported custom tool call: update_plan"
`},
		{"an interrupted turn without an end is resumed", `
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"user_message","message":"steers"}}
{"type":"session_meta","payload":{"id":"a"}}
{"type":"event_msg","payload":{"type":"task_started"}}
{"type":"event_msg","payload":{"type":"task_complete"}}
`, `
2: turn-start openai-codex/a turn=1
5: turn-end openai-codex/a turn=1 cut_off tools=0 class=cut_off
5: turn-start openai-codex/a turn=2
6: turn-end openai-codex/a turn=2 done tools=0
`},
	} {
		c.Run(t)
	}
}
