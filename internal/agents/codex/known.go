package codex

// What Codex writes and onward has no use for: what is here is left out on purpose, and all else is named as unread.

// ignoredEvents are types of events in a rollout, as Codex 0.169 has them and those of older versions.
var ignoredEvents = []string{
	"agent_message", "agent_message_content_delta", "agent_message_delta", "agent_reasoning", "agent_reasoning_delta",
	"agent_reasoning_raw_content", "agent_reasoning_raw_content_delta", "agent_reasoning_section_break",
	"apply_patch_approval_request", "auth_recovery_completed", "auth_recovery_started", "background_event",
	"collab_agent_interaction_begin", "collab_agent_interaction_end", "collab_agent_spawn_begin", "collab_agent_spawn_end",
	"collab_close_begin", "collab_close_end", "collab_resume_begin", "collab_resume_end", "collab_waiting_begin",
	"collab_waiting_end", "context_compacted", "conversation_path", "deprecation_notice", "dynamic_tool_call_request",
	"dynamic_tool_call_response", "elicitation_abandoned", "elicitation_request", "entered_review_mode",
	"environment_connected", "environment_disconnected", "exec_approval_request", "exec_command_begin", "exec_command_end",
	"exec_command_output_delta", "exited_review_mode", "guardian_assessment", "guardian_warning", "hook_completed",
	"hook_started", "image_generation_begin", "image_generation_end", "item_completed", "item_started",
	"mcp_startup_complete", "mcp_startup_update", "mcp_tool_call_begin", "mcp_tool_call_end", "model_reroute",
	"model_verification", "patch_apply_begin", "patch_apply_end", "patch_apply_updated", "plan_delta", "raw_response_completed",
	"raw_response_item", "realtime_conversation_closed", "realtime_conversation_list_voices_response",
	"realtime_conversation_realtime", "realtime_conversation_sdp", "realtime_conversation_started", "reasoning_content_delta",
	"reasoning_raw_content_delta", "request_permissions", "request_user_input", "safety_buffering", "session_configured",
	"shutdown_complete", "stream_error", "sub_agent_activity", "terminal_interaction", "thread_name_updated",
	"thread_queue_changed", "thread_settings_applied", "turn_diff", "turn_moderation_metadata", "undo_completed", "undo_started",
	"user_message", "view_image_tool_call", "warning", "web_search_begin", "web_search_end",
}

// ignoredItems are types of items of a conversation.
var ignoredItems = []string{
	"additional_tools", "agent_message", "compaction", "compaction_summary", "compaction_trigger", "configuration_update",
	"context_compaction", "ghost_snapshot", "message", "other", "tool_search_output",
}

// ignoredNotices are methods of the app server, and of its client, in Codex 0.169.
var ignoredNotices = []string{
	"account/chatgptAuthTokens/refresh", "account/gatewayOAuth/changed", "account/login/completed", "account/rateLimits/updated",
	"account/updated", "app/list/updated", "autoApprovalReview/strictReviewRequired", "command/exec/outputDelta", "configWarning",
	"deprecationNotice", "externalAgentConfig/import/completed", "externalAgentConfig/import/progress", "fs/changed",
	"fuzzyFileSearch/sessionCompleted", "fuzzyFileSearch/sessionUpdated", "guardianWarning", "hook/completed", "hook/started",
	"initialize", "initialized", "item/agentMessage/delta", "item/autoApprovalReview/completed",
	"item/autoApprovalReview/started", "item/commandExecution/outputDelta", "item/commandExecution/requestApproval",
	"item/commandExecution/terminalInteraction", "item/fileChange/outputDelta", "item/fileChange/patchUpdated",
	"item/fileChange/requestApproval", "item/mcpToolCall/progress", "item/permissions/requestApproval", "item/plan/delta",
	"item/reasoning/summaryPartAdded", "item/reasoning/summaryTextDelta", "item/reasoning/textDelta", "item/tool/call",
	"item/tool/requestUserInput", "mcpServer/elicitation/request", "mcpServer/event/stream/notification",
	"mcpServer/oauthLogin/completed", "mcpServer/startupStatus/updated", "model/list", "model/rerouted",
	"model/safetyBuffering/updated", "model/verification", "modelProvider/authRecoveryCompleted",
	"modelProvider/authRecoveryStarted", "process/exited", "process/outputDelta", "project/changed", "rawResponse/completed",
	"rawResponseItem/completed", "remoteControl/status/changed", "serverRequest/resolved", "skills/changed", "thread/archived",
	"thread/attachment/updated", "thread/compacted", "thread/deleted", "thread/environment/connected",
	"thread/environment/disconnected", "thread/list", "thread/name/updated", "thread/prediction/updated",
	"thread/project/updated", "thread/queue/changed", "thread/read", "thread/readState/changed", "thread/realtime/closed",
	"thread/realtime/error", "thread/realtime/item/completed", "thread/realtime/item/started",
	"thread/realtime/item/transcript/delta", "thread/realtime/itemAdded", "thread/realtime/outputAudio/delta",
	"thread/realtime/sdp", "thread/realtime/started", "thread/realtime/transcript/delta", "thread/realtime/transcript/done",
	"thread/resume", "thread/reverted", "thread/section/changed", "thread/settings/updated", "thread/start", "thread/unarchived",
	"turn/diff/updated", "turn/interrupt", "turn/moderationMetadata", "turn/start", "turn/steer", "warning",
	"windows/worldWritableWarning", "windowsSandbox/setupCompleted",
}
