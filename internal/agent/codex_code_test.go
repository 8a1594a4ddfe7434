package agent

import (
	"encoding/json"
	"testing"
)

func TestPlanInCode(t *testing.T) {
	for code, want := range map[string]string{
		`const r = await tools.update_plan({"explanation":"e","plan":[{"step":"A","status":"completed"}]}); text(r)`: `{"explanation":"e","plan":[{"step":"A","status":"completed"}]}`,
		"await tools.update_plan({\n  plan: [\n    { step: 'it\\'s \"B\"', status: `pending` },\n  ],\n});":          `{"plan":[{"step":"it's \"B\"","status":"pending"}]}`,
		`tools.update_plan({plan:[]}); tools.update_plan({plan:[{step:"二\n","status":"in_progress"}]})`:              `{"plan":[{"step":"二\n","status":"in_progress"}]}`,
		`tools.update_plan({plan, explanation: "x"})`:                                                                ``,
		`tools.update_plan({plan: steps.map(s => ({step: s}))})`:                                                     ``,
		"tools.update_plan({plan:[{step:`do ${n}`,status:\"pending\"}]})":                                            ``,
		`tools.update_plan({plan:[{step:"a" + b,status:"pending"}]})`:                                                ``,
		`tools.update_plan(JSON.parse(x))`:                                                                           ``,
		`tools.update_plan({plan:[{step:"A"`:                                                                         ``,
		`tools.update_plan(`:                                                                                         ``,
		`tools.exec_command({cmd:"ls"})`:                                                                             ``,
	} {
		got, alone := planIn([]byte(code))
		if string(got) != want || alone != (code[:5] != "tools" || code[6] == 'u') {
			t.Errorf("%s: %s, alone %v", code, got, alone)
		}
	}
}

// FuzzLiteral reads any code: the result is JSON.
func FuzzLiteral(f *testing.F) {
	f.Add([]byte(`{plan:[{step:'a\'b',status:"x",},]}`))
	f.Fuzz(func(t *testing.T, code []byte) {
		if got := literal(code); got != nil && !json.Valid(got) {
			t.Errorf("%q: %q", code, got)
		}
	})
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
	for _, c := range []trap{
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
warning codex a: update_plan c3 was called, and no result tells whether it was accepted: not applied
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
		c.run(t)
	}
}
