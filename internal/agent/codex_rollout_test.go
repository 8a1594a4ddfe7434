package agent

import "testing"

func TestCodexRolloutTraps(t *testing.T) {
	for _, c := range []trap{
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
		{"envelopes without events for turns; a message that is written twice begins one turn", `
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
		{"an event is a result; the call that it belongs to gives the list once, whatever comes first", `
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
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c3","output":"Plan updated"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"exec","input":"await tools.update_plan({plan:[]})","call_id":"c4"}}
{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[]}","call_id":"c5"}}
{"type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c5","output":"Plan updated"}}
`, `
2: turn-start openai-codex/a turn=1
11: turn-end openai-codex/a turn=1 aborted tools=1
warning codex a: update_plan c2 was rejected by the agent: "aborted by user after 1.0s"
warning codex a: update_plan c1 was rejected by the agent: "unsupported call: update_plan"
warning codex a: "c3" was accepted, but holds no plan
warning codex a: a plan was written from code; this file does not tell what it holds
warning codex a: update_plan c5 was called, and no result tells whether it was accepted: not applied
`},
		{"an error before the end is why the turn failed, unless the model went on", `
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
		{"a fork repeats its parent; a sub-agent has a list of its own; another thread is another session", `
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
		c.run(t)
	}
}
