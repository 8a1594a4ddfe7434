package kimi

// ignored are the records of a wire, as Kimi Code 2.1 writes them, that say nothing of a list or of a turn's beginning or end.
// A record that is not here and not read is named as unread.
var ignored = []string{
	"agent.attached", "agent.created", "agent.disposed", "agent.forked", "agent.message.appended", "agent.status.updated",
	"agent.switched", "agent.turn.ended", "agent.turn.started", "config.update", "context.append_message",
	"context.apply_compaction", "context.clear", "context.reset", "context.spliced", "context.undo", "context.undone",
	"context.update_token_count", "cron.add", "cron.cursor", "cron.delete", "cron.fired", "file_history.checkpoint",
	"file_history.tracked", "forked", "full_compaction.begin", "full_compaction.cancel", "full_compaction.complete",
	"goal.account_usage", "goal.clear", "goal.commit", "goal.continuation", "goal.create", "goal.deadline.clear",
	"goal.deadline.refresh", "goal.summary", "goal.update", "goal.updated", "hook.result", "interaction.evict",
	"interaction.purge", "interaction.request", "interaction.requested", "interaction.resolve", "interaction.resolved",
	"interaction.upsert", "interruptionReminder.recorded", "llm.request", "llm.request.retrying", "llm.retrying",
	"llm.tools_snapshot", "mcp.tools_discovered", "metadata", "micro_compaction.apply", "permission.approval.requested",
	"permission.approval.resolved", "permission.record_approval_result", "permission.rules.add", "permission.set_mode",
	"plan.revision", "plan_mode.cancel", "plan_mode.enter", "plan_mode.exit", "plugin.session_start", "profile.bind",
	"prompt.aborted", "prompt.accepted", "prompt.blocked", "prompt.completed", "prompt.queued", "prompt.started",
	"prompt.steered", "prompt.submitted", "prompt.upsert", "runtime.binding", "runtime.restore", "runtime.set_binding",
	"session.meta.updated", "skill.activated", "staleGuard.cleared", "staleGuard.recorded", "subagent.cancelled",
	"subagent.completed", "subagent.failed", "subagent.spawned", "subagent.started", "subagent.suspended", "swarm.enter",
	"swarm.exit", "swarm_mode.enter", "swarm_mode.exit", "task.notified", "task.started", "task.terminated", "task.upsert",
	"task.waitDelivered", "token_counting.measured", "token_counting.rebased", "token_counting.truncated",
	"token_counting.turn_recorded", "tools.register_user_tool", "tools.reset_active_tools", "tools.set_active_tools",
	"tools.unregister_user_tool", "tower_mode.enter", "tower_mode.exit", "turn.abort", "turn.cancel", "turn.continue",
	"turn.notify", "turn.reminders_consumed", "turn.started", "turn.steer", "turn.step.completed", "turn.step.interrupted",
	"turn.step.retrying", "turn.step.started", "turn.upsert", "usage.record",
}

// ignoredEvents are the events of a model's turn, which are records of their own kind, that change nothing here.
var ignoredEvents = []string{"step.end"}

// ignoredMessages are those of the older program, by its types in 1.49 and before, that change nothing here.
var ignoredMessages = []string{
	"ApprovalRequest", "ApprovalRequestResolved", "ApprovalResponse", "BtwBegin", "BtwEnd", "CompactionBegin", "CompactionEnd", "ContentPart",
	"HookRequest", "HookResolved", "HookTriggered", "MCPLoadingBegin", "MCPLoadingEnd", "Notification", "PlanDisplay", "QuestionRequest",
	"StatusUpdate", "SteerInput", "StepRetry", "ToolCallPart", "ToolCallRequest",
}
