package streamtest

// CodexRun is a whole run of Codex, with one list.
const CodexRun = `{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"ü ✅","completed":false}]}}
{"type":"turn.completed"}`

// The first lines and the last one of a run of Claude Code.
const (
	ClaudeInit  = `{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1","tools":["Bash","TodoWrite","TaskCreate"]}` + "\n"
	ClaudeFirst = `{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]},"parent_tool_use_id":null,"session_id":"s"}` + "\n"
	ClaudeDone  = `{"subtype":"success","is_error":false,"session_id":"s","result":"bye","type":"result"}` + "\n"
)

// Use returns a line of Claude Code's stream with a tool call.
func Use(id, name, input string) string {
	return `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input + `}]},"parent_tool_use_id":null,"session_id":"s","uuid":"u-` + id + `"}` + "\n"
}

// Answer returns a line of Claude Code's stream with the result of a tool call.
func Answer(id, text, value string) string {
	return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` + text + `"}]},"parent_tool_use_id":null,"session_id":"s","tool_use_result":` + value + `}` + "\n"
}

// QwenInit is the first line of a run of Qwen Code.
const QwenInit = `{"type":"system","subtype":"init","session_id":"q","qwen_code_version":"0.15","tools":["agent","todo_write"]}` + "\n"

// ChatHead is the first line of a chat of Gemini CLI.
const ChatHead = `{"sessionId":"g","projectHash":"h","startTime":"","lastUpdated":"","kind":"main"}` + "\n"

// Said returns a line of a transcript of Claude Code; members is put before the members that all lines have.
func Said(typ, uuid, parent, members string) string {
	if parent != "null" {
		parent = `"` + parent + `"`
	}
	return `{"parentUuid":` + parent + `,"isSidechain":false,` + members + `,"type":"` + typ + `","uuid":"` + uuid + `","sessionId":"s","version":"2.1.300"}` + "\n"
}

// Prompted returns a line of a transcript with a message of the user.
func Prompted(uuid, parent, text string) string {
	return Said("user", uuid, parent, `"message":{"role":"user","content":"`+text+`"}`)
}

// Calls returns a line of a transcript with a tool call.
func Calls(uuid, id, name, input string) string {
	return Said("assistant", uuid, "p", `"message":{"id":"m`+uuid+`","content":[{"type":"tool_use","id":"`+id+`","name":"`+name+`","input":`+input+`}],"stop_reason":"tool_use"}`)
}

// Results returns a line of a transcript with the result of a tool call.
func Results(uuid, id, text, value string) string {
	return Said("user", uuid, "p", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","content":"`+text+`"}]},"toolUseResult":`+value)
}

// Answered returns a line of a transcript with a message of the model.
func Answered(uuid, text, stop string) string {
	if stop != "null" {
		stop = `"` + stop + `"`
	}
	return Said("assistant", uuid, "p", `"message":{"id":"m`+uuid+`","content":[{"type":"text","text":"`+text+`"}],"stop_reason":`+stop+`}`)
}
