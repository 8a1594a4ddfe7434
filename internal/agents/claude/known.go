package claude

// What Claude Code and the agents that write its lines send and onward has no use for: what is here is left out on purpose,
// and all else is named as unread.

// ignored are subtypes of lines of the type system.
var ignored = []string{
	"background_tasks_changed", "commands_changed", "compact_boundary", "control_request_progress", "elicitation_complete",
	"files_persisted", "hook_progress", "hook_response", "hook_started", "informational", "local_command_output", "memory_recall",
	"mirror_error", "model_refusal_no_fallback", "notification", "permission_denied", "plugin_install",
	"session_writes_lost", "status", "task_notification", "task_progress", "thinking_tokens", "worker_shutting_down",

	// in transcripts
	"api_error", "agents_killed", "away_summary", "bridge_status", "informational", "local_command", "memory_saved", "microcompact_boundary", "scheduled_task_fire",
	"stop_hook_summary", "turn_duration",

	// of others that write this stream
	"attribution_snapshot", "chat_compression", "rewind", "retry", "slash_command", "ui_telemetry",
}

// blocks are types of what a message of the model holds.
var blocks = []string{
	"text", "tool_use", "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result", "web_fetch_tool_result",
	"code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result", "mcp_tool_use",
	"mcp_tool_result", "container_upload", "tool_search_tool_result", "tool_reference", "compaction", "fallback", "image", "document",
}
