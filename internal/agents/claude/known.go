package claude

// What Claude Code and the agents that write its lines send and onward has no use for: what is here is left out on purpose,
// and all else is named as unread.

// ignored are subtypes of lines of the type system.
var ignored = []string{
	"background_tasks_changed", "cloud_session_delta", "code_change_published", "commands_changed", "compact_boundary",
	"control_request_progress", "dev_intent", "elicitation_complete", "feedback_draft_queued", "file_attachments_missing",
	"files_persisted", "hook_progress", "hook_response", "hook_started", "informational", "inherited_asks_settled",
	"instruction_size_warning", "late_allow_not_run", "local_command_output", "memory_recall", "mirror_error",
	"model_refusal_no_fallback", "notification", "peer_message_hold", "per_turn_effort_changed", "permission_check_status",
	"permission_denied", "plugin_install", "post_turn_summary", "session_metadata", "session_title_changed",
	"session_writes_lost", "shell_cwd", "status", "task_notification", "task_progress", "task_summary", "thinking_tokens",
	"turn_handoff_available", "turn_preempted", "ui_focus", "ui_invalidate", "ui_log", "ui_notify", "ui_notify_cancel",
	"ui_panes", "ui_placed", "ui_scroll", "ui_status", "ui_toast", "vcs_state_changed", "worker_shutting_down",

	// in transcripts
	"api_error", "agents_killed", "away_summary", "bridge_status", "informational", "local_command", "memory_saved", "microcompact_boundary", "scheduled_task_fire",
	"stop_hook_summary", "turn_duration",

	// of others that write this stream
	"continue_turn_failed", "model_fallback", "retry", "session_end", "session_recording_degraded", "session_start",
	"vision_bridge", "vision_bridge_failed", "vision_routing", "worktree_restored", "worktree_started",
}

// blocks are types of what a message of the model holds.
var blocks = []string{
	"text", "tool_use", "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result", "web_fetch_tool_result",
	"code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result", "mcp_tool_use",
	"mcp_tool_result", "container_upload", "tool_search_tool_result", "tool_reference", "compaction", "fallback", "image", "document",
}
