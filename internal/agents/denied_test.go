package agents_test

import (
	"slices"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// TestDeniedCalls reads turns as the agents' own programs printed them, with calls that the user does not allow.
func TestDeniedCalls(t *testing.T) {
	const (
		codex = `{"type":"thread.started","thread_id":"01a21f3f-6eb6-7ce1-bcc9-e83d477ed986"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_10","type":"command_execution","command":"/bin/bash -lc ls","aggregated_output":"","exit_code":0,"status":"completed"}}
{"type":"turn.completed","usage":{}}
`
		gemini = `{"type":"init","timestamp":"2026-11-27T23:03:03.891Z","session_id":"68eef027-f710-4b02-b9b6-b0cde42048da","model":"gemini-2.5-pro"}
{"type":"tool_use","timestamp":"2026-11-27T23:03:04.119Z","tool_name":"TOOL","tool_id":"TOOL__TOOL_1795820584069_0","parameters":{"command":"make"}}
{"type":"tool_result","timestamp":"2026-11-27T23:03:04.125Z","tool_id":"TOOL__TOOL_1795820584069_0","status":"error","output":"no","error":ERROR}
{"type":"result","timestamp":"2026-11-27T23:03:04.281Z","status":"success","stats":{}}
`
		opencode = `{"type":"step_start","timestamp":1,"sessionID":"o","part":{"type":"step-start"}}
{"type":"tool_use","timestamp":2,"sessionID":"o","part":{"type":"tool","tool":"TOOL","callID":"c","state":STATE}}
{"type":"step_finish","timestamp":3,"sessionID":"o","part":{"type":"step-finish","reason":"stop"}}
`
		absent = `{"status":"completed","input":{"tool":"NAME","error":"Model tried to call unavailable tool 'NAME'. Available tools: edit, glob."},"output":"The arguments provided to the tool are invalid"}`
	)
	shell := func(why string) string {
		return strings.NewReplacer("TOOL", "run_shell_command", "ERROR", why).Replace(gemini)
	}
	called := func(tool, state string) string {
		return strings.NewReplacer("TOOL", tool, "STATE", state).Replace(opencode)
	}
	for _, c := range []struct {
		name, input, errors string
		calls               int
		denied              []string // the names of their tools
	}{
		{"Codex, nothing", codex, "ERROR codex_core::session: error=stream disconnected\n", 1, nil},
		{
			"Codex, which leaves them out of its stream", codex, `2026-11-27T23:03:00.903252Z ERROR codex_core::tools::router: error=approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never
2026-11-27T23:03:01.408577Z ERROR codex_core::tools::router: error=approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never
2026-11-27T23:03:01.484720Z ERROR codex_core::tools::router: error=patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings
`, 4, []string{"command_execution", "command_execution", "file_change"},
		},
		{
			"Codex, by a rule, and without a user to approve", codex, "ERROR codex_core::tools::router: error=exec_command failed for `/bin/bash -lc 'touch x'`: CreateProcess { message: \"Rejected(\\\"`/bin/bash -lc touch` rejected: blocked by policy\\\")\" }\n" +
				"ERROR codex_core::tools::router: error=approval required by policy, but AskForApproval is set to Never\n", 3, []string{"command_execution", "command_execution"},
		},
		{"Gemini CLI, a tool that is not there without a user", shell(`{"type":"tool_not_registered","message":"Tool \"run_shell_command\" not found. Did you mean one of: \"replace\"?"}`), "", 1, []string{"run_shell_command"}},
		{"Gemini CLI, a policy", shell(`{"type":"policy_violation","message":"Tool execution denied by policy."}`), "", 1, []string{"run_shell_command"}},
		{"Gemini CLI, an id without the tool's name", strings.ReplaceAll(shell(`{"type":"policy_violation","message":"Tool execution denied by policy."}`), "run_shell_command__run_shell_command_1795820584069_0", "call_7"), "", 1, []string{"run_shell_command"}},
		{"Gemini CLI, an invented tool", shell(`{"type":"tool_not_registered","message":"Tool \"make\" not found."}`), "", 1, nil},
		{"opencode, asks nobody", called("bash", `{"status":"error","input":{"command":"make"},"error":"The user rejected permission to use this specific tool call."}`), "", 1, []string{"bash"}},
		{"opencode, a rule", called("bash", `{"status":"error","input":{"command":"make"},"error":"The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []"}`), "", 1, []string{"bash"}},
		{"opencode, a tool that is forbidden altogether", called("invalid", strings.ReplaceAll(absent, "NAME", "bash")), "", 1, []string{"bash"}},
		{"opencode, an invented tool", called("invalid", strings.ReplaceAll(absent, "NAME", "make")), "", 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := agents.NewReader(strings.NewReader(c.input), stream.Options{Problems: func() string { return c.errors }})
			var end continuation.Event
			for {
				updates, err := r.Next()
				if err != nil {
					break
				}
				for _, u := range updates {
					if u.Event.Type == continuation.TurnEnd {
						end = u.Event
					}
				}
			}
			if end.ToolCalls != c.calls || end.DeniedToolCalls != len(c.denied) || !slices.Equal(end.DeniedTools, slices.Compact(c.denied)) {
				t.Errorf("%d of %d calls were denied: %q", end.DeniedToolCalls, end.ToolCalls, end.DeniedTools)
			}
		})
	}
}
