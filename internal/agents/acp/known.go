package acp

// ignored are the updates of the protocol, versions 1 and 2, that say nothing of a list, a turn or what it costs. What is
// not here and not read is named as unread.
var ignored = []string{
	"agent_thought", "agent_thought_chunk", "available_commands_update", "compaction_summary_chunk", "compaction_update",
	"config_option_update", "current_mode_update", "notice", "session_info_update", "session_message", "session_message_chunk",
	"subagent_update", "terminal_output_chunk", "terminal_update", "tool_call_content_chunk", "user_message",
	"user_message_chunk",
}
