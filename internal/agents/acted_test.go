package agents_test

import (
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/test/streamtest"
)

// TestFailedCallIsNoWork reads a turn with one call, which ended well or with an error: only the former may have changed something.
func TestFailedCallIsNoWork(t *testing.T) {
	for _, c := range []struct{ name, input, well, failed string }{
		{
			"Claude Code", streamtest.ClaudeInit + `{"type":"assistant","session_id":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}]}}
{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x","is_error":RESULT}]}}
{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"so"}`,
			"false", "true",
		},
		{
			"Codex", `{"type":"thread.started","thread_id":"01a21a14-352e-7ac2-930b-21b17a863139"}
{"type":"turn.started"}
{"type":"item.started","item":{"id":"i","type":"command_execution","command":"make","status":"in_progress"}}
{"type":"item.completed","item":{"id":"i","type":"command_execution","command":"make","status":"RESULT","exit_code":1}}
{"type":"turn.completed","usage":{}}`,
			"completed", "failed",
		},
		{
			"goose", `{"type":"message","message":{"id":"a","role":"assistant","created":1,"content":[{"type":"toolRequest","id":"t","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"path":"a"}}}}],"metadata":{"agentVisible":true}}}
{"type":"message","message":{"id":"b","role":"user","created":2,"content":[{"type":"toolResponse","id":"t","toolResult":RESULT}],"metadata":{"agentVisible":true}}}
{"type":"complete","total_tokens":1}`,
			`{"status":"success","value":{"content":[],"isError":false}}`, `{"status":"success","value":{"content":[],"isError":true}}`,
		},
		{
			"goose, refused", `{"type":"message","message":{"id":"a","role":"assistant","created":1,"content":[{"type":"toolRequest","id":"t","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"make"}}}}],"metadata":{"agentVisible":true}}}
{"type":"message","message":{"id":"b","role":"user","created":2,"content":[{"type":"toolResponse","id":"t","toolResult":RESULT}],"metadata":{"agentVisible":true}}}
{"type":"complete","total_tokens":1}`,
			`{"status":"success","value":{"content":[]}}`, `{"status":"error","error":"declined"}`,
		},
		{
			"Kimi", kimiRun + `{"role":"assistant","content":"","tool_calls":[{"type":"function","id":"t","function":{"name":"StrReplaceFile","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"t","content":"RESULT"}
{"role":"assistant","content":"so"}`,
			"File edited.", "<system>ERROR: No replacements were made.</system>",
		},
		{
			"the older Kimi's file", `{"type":"metadata","protocol_version":"1"}
{"timestamp":1,"message":{"type":"TurnBegin","payload":{"user_input":"x"}}}
{"timestamp":2,"message":{"type":"ToolCall","payload":{"type":"function","id":"t","function":{"name":"StrReplaceFile","arguments":"{}"}}}}
{"timestamp":3,"message":{"type":"ToolResult","payload":{"tool_call_id":"t","return_value":{"is_error":RESULT,"output":"","message":""}}}}
{"timestamp":4,"message":{"type":"TurnEnd","payload":{}}}`,
			"false", "true",
		},
		{
			"Copilot CLI", `{"type":"session.start","data":{"sessionId":"c","copilotVersion":"1"},"id":"1","timestamp":"2026-11-22T02:05:26.003Z","parentId":null}
{"type":"user.message","data":{"content":"x"},"id":"2","timestamp":"2026-11-22T02:05:26.003Z","parentId":"1"}
{"type":"tool.execution_start","data":{"toolCallId":"t","toolName":"bash","arguments":{"command":"make"}},"id":"3","timestamp":"2026-11-22T02:05:26.003Z","parentId":"2"}
{"type":"tool.execution_complete","data":{"toolCallId":"t","success":RESULT},"id":"4","timestamp":"2026-11-22T02:05:26.003Z","parentId":"3"}
{"type":"result","sessionId":"c","exitCode":0}`,
			"true", "false",
		},
		{
			"Cursor", `{"type":"system","subtype":"init","session_id":"c-1","apiKeySource":"login","cwd":"/","model":"m","permissionMode":"default"}
{"type":"tool_call","subtype":"started","call_id":"t","tool_call":{"shellToolCall":{"args":{"command":"make"}}},"session_id":"c-1"}
{"type":"tool_call","subtype":"completed","call_id":"t","tool_call":{"shellToolCall":{"args":{"command":"make"},"result":{"RESULT":{}}}},"session_id":"c-1"}
{"type":"result","subtype":"success","is_error":false,"result":"so","session_id":"c-1"}`,
			"success", "failure",
		},
		{
			"Cline", `{"type":"hook_event","ts":"2026-11-25T19:28:28.129Z","hookEventName":"agent_start","agentId":"a","taskId":"c","parentAgentId":null}
{"type":"hook_event","ts":"2026-11-25T19:28:28.130Z","hookEventName":"tool_call","agentId":"a","taskId":"c","parentAgentId":null}
{"type":"agent_event","ts":"2026-11-25T19:28:28.131Z","event":{"type":"content_start","contentType":"tool","toolName":"run_commands","toolCallId":"t","input":{"commands":["make"]}}}
{"type":"agent_event","ts":"2026-11-25T19:28:28.132Z","event":{"type":"content_end","contentType":"tool","toolName":"run_commands","toolCallId":"t","output":[{"query":"make","result":"x","success":RESULT}]}}
{"type":"run_result","ts":"2026-11-25T19:28:28.133Z","finishReason":"completed","iterations":1,"text":"so"}`,
			"true", "false",
		},
		{
			"Cline, a command that only reads", `{"type":"hook_event","ts":"2026-11-25T19:28:28.129Z","hookEventName":"agent_start","agentId":"a","taskId":"c","parentAgentId":null}
{"type":"hook_event","ts":"2026-11-25T19:28:28.130Z","hookEventName":"tool_call","agentId":"a","taskId":"c","parentAgentId":null}
{"type":"agent_event","ts":"2026-11-25T19:28:28.131Z","event":{"type":"content_start","contentType":"tool","toolName":"run_commands","toolCallId":"t","input":{"commands":["ls","RESULT"]}}}
{"type":"agent_event","ts":"2026-11-25T19:28:28.132Z","event":{"type":"content_end","contentType":"tool","toolName":"run_commands","toolCallId":"t","output":[{"query":"ls","result":"x","success":true}]}}
{"type":"run_result","ts":"2026-11-25T19:28:28.133Z","finishReason":"completed","iterations":1,"text":"so"}`,
			"make", "pwd",
		},
		{
			"a sub-agent of Claude Code", streamtest.ClaudeInit + `{"type":"assistant","session_id":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Task","input":{"prompt":"look"}}]}}
{"type":"assistant","session_id":"s","parent_tool_use_id":"t","message":{"id":"n","content":[{"type":"tool_use","id":"u","name":"Bash","input":{"command":"ls"}}]}}
{"type":"user","session_id":"s","parent_tool_use_id":"t","message":{"content":[{"type":"tool_result","tool_use_id":"u","content":"x"}]}}
{"type":"assistant","session_id":"s","parent_tool_use_id":"t","message":{"id":"o","content":[{"type":"tool_use","id":"v","name":"Bash","input":{"command":"RESULT"}}]}}
{"type":"user","session_id":"s","parent_tool_use_id":"t","message":{"content":[{"type":"tool_result","tool_use_id":"v","content":"x"}]}}
{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}}
{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"so"}`,
			"make", "cat a",
		},
		{
			"a sub-agent in the background", streamtest.ClaudeInit + `{"type":"assistant","session_id":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Agent","input":{"prompt":"look"}}]}}
{"type":"system","subtype":"task_started","session_id":"s","task_id":"a","tool_use_id":"t","subagent_type":"general-purpose","is_backgrounded":true,"task_type":"local_agent"}
{"type":"assistant","session_id":"s","parent_tool_use_id":"t","message":{"id":"n","content":[{"type":"tool_use","id":"u","name":"Bash","input":{"command":"ls"}}]}}
{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"launched"}]},"tool_use_result":{"isAsync":true,"status":"async_launched","agentId":"a"}}
{"type":"assistant","session_id":"s","parent_tool_use_id":"t","message":{"id":"o","content":[{"type":"tool_use","id":"v","name":"Bash","input":{"command":"RESULT"}}]}}
{"type":"user","session_id":"s","parent_tool_use_id":"t","message":{"content":[{"type":"tool_result","tool_use_id":"v","content":"x"}]}}
{"type":"system","subtype":"task_notification","session_id":"s","task_id":"a","tool_use_id":"t","status":"completed","usage":{"total_tokens":9,"tool_uses":2}}
{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"so"}`,
			"make", "cat a",
		},
		{
			"a sub-agent whose calls are only counted", streamtest.ClaudeInit + `{"type":"assistant","session_id":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Task","input":{"prompt":"look"}}]}}
{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"tool_use_result":{"status":"completed","agentId":"a","totalTokens":9,"totalToolUseCount":RESULT}}
{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"so"}`,
			"1", "0",
		},
		{
			"a sub-agent in the background whose calls are only counted", streamtest.ClaudeInit + `{"type":"assistant","session_id":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Agent","input":{"prompt":"look"}}]}}
{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"launched"}]},"tool_use_result":{"isAsync":true,"status":"async_launched","agentId":"a"}}
{"type":"system","subtype":"task_notification","session_id":"s","task_id":"a","tool_use_id":"t","status":"completed","usage":{"total_tokens":9,"tool_uses":RESULT}}
{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"so"}`,
			"1", "0",
		},
		{
			"a command in the background", streamtest.ClaudeInit + `{"type":"assistant","session_id":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"RESULT"}}]}}
{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"launched"}]}}
{"type":"system","subtype":"task_notification","session_id":"s","task_id":"a","tool_use_id":"t","status":"completed"}
{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"so"}`,
			"make", "ls",
		},
	} {
		for result, want := range map[string]bool{c.well: true, c.failed: false} {
			reader := agents.NewReader(strings.NewReader(strings.ReplaceAll(c.input, "RESULT", result)+"\n"), stream.Options{})
			ends := 0
			for _, u := range streamtest.Drain(t, reader) {
				if u.Event.Type != continuation.TurnEnd {
					continue
				}
				if ends++; u.Event.Acted != want || u.Event.ToolCalls != 1 {
					t.Errorf("%s, %s: acted is %v with %d calls", c.name, result, u.Event.Acted, u.Event.ToolCalls)
				}
			}
			if ends != 1 {
				t.Errorf("%s, %s: %d turns", c.name, result, ends)
			}
		}
	}
}
