package streamtest

const CodexRun = `{"type":"thread.started","thread_id":"a"}
{"type":"turn.started"}
{"type":"item.updated","item":{"id":"item_0","type":"todo_list","items":[{"text":"ü ✅","completed":false}]}}
{"type":"turn.completed"}`

const (
	ClaudeInit  = `{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1","tools":["Bash","TodoWrite","TaskCreate"]}` + "\n"
	ClaudeFirst = `{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]},"parent_tool_use_id":null,"session_id":"s"}` + "\n"
	ClaudeDone  = `{"subtype":"success","is_error":false,"session_id":"s","result":"bye","type":"result"}` + "\n"
)

func Use(id, name, input string) string {
	return `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input + `}]},"parent_tool_use_id":null,"session_id":"s","uuid":"u-` + id + `"}` + "\n"
}

func Answer(id, text, value string) string {
	return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` + text + `"}]},"parent_tool_use_id":null,"session_id":"s","tool_use_result":` + value + `}` + "\n"
}

const QwenInit = `{"type":"system","subtype":"init","session_id":"q","qwen_code_version":"0.15","tools":["agent","todo_write"]}` + "\n"

const ChatHead = `{"sessionId":"g","projectHash":"h","startTime":"","lastUpdated":"","kind":"main"}` + "\n"

// said returns a transcript's line; members are put before those that all lines have.
func Said(typ, uuid, parent, members string) string {
	if parent != "null" {
		parent = `"` + parent + `"`
	}
	return `{"parentUuid":` + parent + `,"isSidechain":false,` + members + `,"type":"` + typ + `","uuid":"` + uuid + `","sessionId":"s","version":"2.1.300"}` + "\n"
}

func Prompted(uuid, parent, text string) string {
	return Said("user", uuid, parent, `"message":{"role":"user","content":"`+text+`"}`)
}

func Calls(uuid, id, name, input string) string {
	return Said("assistant", uuid, "p", `"message":{"id":"m`+uuid+`","content":[{"type":"tool_use","id":"`+id+`","name":"`+name+`","input":`+input+`}],"stop_reason":"tool_use"}`)
}

func Results(uuid, id, text, value string) string {
	return Said("user", uuid, "p", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","content":"`+text+`"}]},"toolUseResult":`+value)
}

func Answered(uuid, text, stop string) string {
	if stop != "null" {
		stop = `"` + stop + `"`
	}
	return Said("assistant", uuid, "p", `"message":{"id":"m`+uuid+`","content":[{"type":"text","text":"`+text+`"}],"stop_reason":`+stop+`}`)
}
