package continuation

import (
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// rowCase is a scene in which one row of the decision table decides, and no other row forbids or delays a continuation.
type rowCase struct {
	row     string // the name of the row's check
	name    string
	outcome Outcome
	reason  string
	retry   time.Duration
	arrange func(*scene)
}

var rowCases = []rowCase{
	{"disabled", "the setting is off", NotApplicable, "disabled", 0, func(s *scene) { s.set.Enabled = false }},
	{"not_owner", "another conversation owns the list", NotApplicable, "not_owner", 0, func(s *scene) {
		s.doc.Owner = &session.Owner{Agent: "codex", Session: "theirs", SeenAt: noon}
		s.facts.Owner, s.facts.Named = new("mine"), true
	}},
	{"not_owner", "the caller's id is empty", NotApplicable, "not_owner", 0, func(s *scene) { s.facts.Owner = new("") }},
	{"subagent", "sub-agents are left alone", NotApplicable, "subagent", 0, func(s *scene) { s.doc.Agent, s.set.Subagents = "helper", false }},
	{"no_list", "no items", NotApplicable, "no_list", 0, func(s *scene) { s.doc.Todos.Items = nil }},
	{"no_list", "all items are missing from the agent's own list", NotApplicable, "no_list", 0, func(s *scene) {
		for i := range s.doc.Todos.Items {
			s.doc.Todos.Items[i].Status, s.doc.Todos.Items[i].Reason = todo.Cancelled, todo.LostReason
		}
	}},
	{"no_list", "the agent deleted all items", NotApplicable, "no_list", 0, func(s *scene) {
		s.doc.Todos.Items = nil
		s.deleted()
	}},
	{"no_list", "the list was archived", NotApplicable, "no_list", 0, func(s *scene) { s.doc.Todos.Active = false }},
	{"done", "everything is closed", Finished, "done", 0, func(s *scene) {
		s.finished()
		s.set.Gate, s.facts.Gate = "", nil
	}},
	{"done", "the gate passes", Finished, "done", 0, func(s *scene) { s.proved(0) }},
	{"done", "the caller proves it without a gate of ours", Finished, "done", 0, func(s *scene) {
		s.proved(0)
		s.set.Gate = ""
	}},
	{"stopped", "the user's stop", NotApplicable, "stopped", 0, func(s *scene) { s.led().StoppedAt = ago(time.Hour) }},
	{"aborted", "the user's abort", NotApplicable, "aborted", 0, func(s *scene) { s.led().AbortedAt = ago(time.Hour) }},
	{"paused", "the model's pause", NeedsHuman, "paused", 0, func(s *scene) { s.led().Paused = &session.Paused{Reason: "which key?", At: ago(time.Hour)} }},
	{"approval", "a tool call awaits approval", NeedsHuman, "approval", 0, func(s *scene) { s.facts.Awaiting = []string{"a"} }},
	{"permissions", "two turns in which most calls were denied", NeedsHuman, ReasonPermissions, 0, func(s *scene) { s.denied(2, 3) }},
	{"permissions", "the gate fails, and the agent may do nothing about it", NeedsHuman, ReasonPermissions, 0, func(s *scene) {
		s.proved(1)
		s.denied(2, 3)
	}},
	{"permissions", "without a list", NeedsHuman, ReasonPermissions, 0, func(s *scene) {
		s.doc.Todos = session.Todos{}
		s.denied(2, 3)
	}},
	{"continue", "one turn in which calls were denied", Continue, "continue", 0, func(s *scene) { s.denied(1, 9) }},
	{"continue", "two turns with a denied call each", Continue, "continue", 0, func(s *scene) { s.denied(2, 2) }},
	{"done", "everything is closed, whatever was denied", Finished, "done", 0, func(s *scene) {
		s.proved(0)
		s.denied(2, 3)
	}},
	{"message", "a message where calls were denied", Continue, ReasonMessageSent, 0, func(s *scene) {
		s.queued("")
		s.denied(2, 3)
	}},
	{"message", "a message is in the caller's queue", NeedsHuman, "user_active", 0, func(s *scene) { s.facts.QueuedMessages = ptr(1) }},
	{"message", "a message is queued", Continue, ReasonMessageSent, 0, func(s *scene) { s.queued("") }},
	{"message", "a message ends a pause, an interrupt and a question", Continue, ReasonMessageSent, 0, func(s *scene) {
		s.led().Paused, s.led().AbortedAt, s.led().QuestionAt = &session.Paused{Reason: "why", At: noon}, noon, noon
		s.queued("")
	}},
	{"message", "a message where there is no list", Continue, ReasonMessageSent, 0, func(s *scene) {
		s.doc.Todos = session.Todos{}
		s.queued("")
	}},
	{"message", "a message and no budget", Limit, "budget", 0, func(s *scene) {
		s.queued("")
		s.set.MaxTokens, s.facts.SpendTokens = 5, ptr(int64(5))
	}},
	{"message", "a message that the host would ignore", Limit, "host_cap", 0, func(s *scene) {
		s.queued("")
		s.hooked(Hook{Cap: 2})
		s.blocks(time.Hour)
	}},
	{"message", "a message that was sent without a sign of life since", Continue, ReasonMessageSent, 0, func(s *scene) { s.sent(false) }},
	{"paused", "an agent's message is no reason to continue", NeedsHuman, "paused", 0, func(s *scene) {
		s.led().Paused = &session.Paused{Reason: "why", At: noon}
		s.queued("codex")
	}},
	{"host_error", "authentication", HostError, "host_error", 0, func(s *scene) { s.failed(ErrorAuth, 1, time.Hour) }},
	{"host_error", "billing", HostError, "host_error", 0, func(s *scene) { s.failed(ErrorBilling, 1, time.Hour) }},
	{"host_error", "an invalid request", HostError, "host_error", 0, func(s *scene) { s.failed(ErrorInvalidRequest, 1, time.Hour) }},
	{"context_full", "the context overflowed", HostError, "context_full", 0, func(s *scene) { s.failed(ErrorContext, 1, time.Hour) }},
	{"context_full", "the context is nearly full", HostError, "context_full", 0, func(s *scene) { s.facts.ContextRatio = ptr(0.95) }},
	{"rate_limited", "a rate limit with a time", Wait, "rate_limited", 150 * time.Second, func(s *scene) {
		s.failed(ErrorRateLimit, 1, time.Hour)
		s.led().Error.RetryAt = in(90 * time.Second)
	}},
	{"rate_limited", "a rate limit that is over just now", Wait, "rate_limited", time.Second, func(s *scene) {
		s.failed(ErrorRateLimit, 1, 5*time.Second)
		s.led().Error.RetryAt = noon
	}},
	{"rate_limited", "the third rate limit without a time", Wait, "rate_limited", 2 * time.Minute, func(s *scene) { s.failed(ErrorRateLimit, 3, 2*time.Minute) }},
	{"rate_limited", "the hundredth rate limit without a time", Wait, "rate_limited", 29 * time.Minute, func(s *scene) {
		s.failed(ErrorRateLimit, 100, time.Minute)
		s.led().Error.Since = ago(24 * time.Hour)
	}},
	{"rate_limited", "a day of rate limits without a time", Limit, "limit_wait", 0, func(s *scene) {
		s.failed(ErrorRateLimit, 52, time.Hour)
		s.led().Error.Since = ago(25 * time.Hour)
	}},
	{"rate_limited", "a rate limit without one", Wait, "rate_limited", 50 * time.Second, func(s *scene) { s.failed(ErrorRateLimit, 1, 10*time.Second) }},
	{"backoff", "the first failure", Wait, "backoff", 2 * time.Second, func(s *scene) { s.failed(ErrorServer, 1, 3*time.Second) }},
	{"backoff", "the second failure", Wait, "backoff", 7 * time.Second, func(s *scene) { s.failed(ErrorUnknown, 2, 3*time.Second) }},
	{"backoff", "the fourth failure", Wait, "backoff", time.Millisecond, func(s *scene) { s.failed(ErrorTurnCutOff, 4, 39_999*time.Millisecond) }},
	{"backoff", "the fifth failure", HostError, "failures", 0, func(s *scene) { s.failed(ErrorTurnCutOff, 5, 299*time.Second) }},
	{"backoff", "the hundredth failure", HostError, "failures", 0, func(s *scene) { s.failed(ErrorUnknown, 100, 0) }},
	{"backoff", "the fifth failure of a server", Wait, "backoff", 79 * time.Second, func(s *scene) { s.failed(ErrorServer, 5, time.Second) }},
	{"backoff", "an outage of six hours, almost", Wait, "backoff", 10 * time.Minute, func(s *scene) {
		s.failed(ErrorServer, 100, 0)
		s.led().Error.Since = ago(6*time.Hour - time.Millisecond)
	}},
	{"backoff", "an outage of six hours", HostError, "failures", 0, func(s *scene) {
		s.failed(ErrorServer, 42, 299*time.Second)
		s.led().Error.Since = ago(6*time.Hour + 299*time.Second)
	}},
	{"backoff", "a server that names a time", Wait, "backoff", 22 * time.Second, func(s *scene) {
		s.failed(ErrorServer, 1, 10*time.Second)
		s.led().Error.RetryAt = in(20 * time.Second)
		s.led().Error.At = noon
	}},
	{"recovering", "a recovery", Wait, "recovering", pollTools, func(s *scene) { s.led().RecoveringAt = ago(599 * time.Second) }},
	{"compaction", "a compaction", Wait, "compaction", pollTools, func(s *scene) { s.led().CompactingAt = ago(599 * time.Second) }},
	{"compaction", "a compaction just over", Wait, "compaction", time.Second, func(s *scene) { s.led().CompactedAt = ago(59 * time.Second) }},
	{"tools_pending", "our own tool calls run", Wait, "tools_pending", pollTools, func(s *scene) { s.facts.Running = 1 }},
	{"tools_pending", "the caller has tool calls", Wait, "tools_pending", pollTools, func(s *scene) { s.facts.PendingToolCalls = ptr(2) }},
	{"tools_pending", "an event reported tool calls", Wait, "tools_pending", pollTools, func(s *scene) { s.led().PendingCalls = 1 }},
	{"working", "a turn began", Wait, "working", pollTurn, func(s *scene) { s.works(9 * time.Minute) }},
	{"working", "it is almost silent for too long", Wait, "working", time.Second, func(s *scene) { s.works(10*time.Minute - time.Second) }},
	{"working", "its last sign of life is new", Wait, "working", pollTurn, func(s *scene) {
		s.works(3 * time.Hour)
		s.facts.ActiveAt = ago(9 * time.Minute)
	}},
	{"working", "a tool call takes long", Wait, "working", pollTurn, func(s *scene) {
		s.works(3 * time.Hour)
		s.facts.ActiveAt, s.facts.CallOpen = ago(59*time.Minute), true
	}},
	{"working", "an agent that a run has started is at work", Wait, "working", pollTurn, func(s *scene) { s.facts.AtWork = true }},
	{"working", "its run was killed", Wait, "working", pollTurn, func(s *scene) {
		s.works(time.Second)
		s.facts.AtWork, s.facts.TurnGone = true, true
	}},
	{"working", "it is silent for hours", Wait, "working", pollTurn, func(s *scene) {
		s.works(3 * time.Hour)
		s.facts.AtWork = true
	}},
	{"continue", "a turn without a sign of life", Continue, "continue", 0, func(s *scene) { s.works(10 * time.Minute) }},
	{"continue", "a tool call that never ends", Continue, "continue", 0, func(s *scene) {
		s.works(3 * time.Hour)
		s.facts.ActiveAt, s.facts.CallOpen = ago(time.Hour), true
	}},
	{"continue", "a tool call of the turn before", Continue, "continue", 0, func(s *scene) {
		s.works(11 * time.Minute)
		s.facts.ActiveAt, s.facts.CallOpen = ago(12*time.Minute), true
	}},
	{"continue", "the process of the turn has ended", Continue, "continue", 0, func(s *scene) {
		s.works(time.Second)
		s.facts.TurnGone = true
	}},
	{"continue", "the caller says that its turn is over", Continue, "continue", 0, func(s *scene) {
		s.works(time.Second)
		s.facts.ToolCalls = ptr(0)
	}},
	{"continue", "a stop hook asks at the end of the turn", Continue, "continue", 0, func(s *scene) {
		s.works(time.Second)
		s.hooked(Hook{})
	}},
	{"question", "a question is open", NeedsHuman, "question", 0, func(s *scene) { s.led().QuestionAt = ago(24 * time.Hour) }},
	{"agent_mode", "a planning agent", NotApplicable, "agent_mode", 0, func(s *scene) { s.facts.AgentMode = " Plan " }},
	{"agent_mode", "a mode of one's own", NotApplicable, "agent_mode", 0, func(s *scene) { s.set.PlanAgents, s.facts.AgentMode = []string{"review"}, "review" }},
	{"agent_mode", "writing is forbidden", NotApplicable, "agent_mode", 0, func(s *scene) { s.facts.CanWrite = ptr(false) }},
	{"background", "background work", Wait, "background", pollBackground, func(s *scene) { s.background("shell", 23*time.Hour) }},
	{"background", "a sub-agent", Wait, "background", pollBackground, func(s *scene) { s.background("subagent", 29*time.Minute) }},
	{"background", "the caller tells of some", Wait, "background", pollBackground, func(s *scene) { s.facts.Background = ptr(1) }},
	{"background", "just before the check-in", Wait, "background", 10 * time.Second, func(s *scene) {
		s.background("shell", time.Hour)
		s.led().WaitingSince = ago(30*time.Minute - 10*time.Second)
	}},
	{"background", "after the first check-in", Wait, "background", pollBackground, func(s *scene) {
		s.background("shell", 2*time.Hour)
		s.led().WaitingSince, s.led().CheckIns = ago(89*time.Minute), 1
	}},
	{"background", "after the second check-in", Wait, "background", pollBackground, func(s *scene) {
		s.background("shell", 4*time.Hour)
		s.led().WaitingSince, s.led().CheckIns = ago(209*time.Minute), 2
	}},
	{"stale", "yesterday's list", NotApplicable, "stale", 0, func(s *scene) {
		s.hooked(Hook{Began: ago(time.Minute)})
		s.led().PromptKey, s.led().PromptAt = "k", ago(4*time.Hour)
		s.doc.Todos.UpdatedAt = ago(3 * time.Hour)
	}},
	{"item_gate", "the gate of an item is to be run", NeedsHuman, ReasonUnproven, 0, func(s *scene) {
		s.claimed("")
		s.facts.ItemGates = true
	}},
	{"item_gate", "it is to be run before the others are worked on", NeedsHuman, ReasonUnproven, 0, func(s *scene) {
		s.claimed("")
		s.doc.Todos.Items = append(s.doc.Todos.Items, item("b", todo.Pending))
		s.facts.ItemGates = true
	}},
	{"item_gate", "it cannot be run", NeedsHuman, ReasonUnproven, 0, func(s *scene) { s.claimed("") }},
	{"item_gate", "it has no result", NeedsHuman, "gate_broken", 0, func(s *scene) {
		s.claimed("it ran longer than 1s")
		s.facts.ItemGates, s.facts.Ran = true, []string{"a"}
	}},
	{"item_gate", "it has no result, and the rest is blocked", NeedsHuman, "gate_broken", 0, func(s *scene) {
		s.claimed("it ran longer than 1s")
		s.doc.Todos.Items = append(s.doc.Todos.Items, item("b", todo.Blocked))
	}},
	{"continue", "it has no result, and another item is open", Continue, "continue", 0, func(s *scene) {
		s.claimed("it ran longer than 1s")
		s.doc.Todos.Items = append(s.doc.Todos.Items, item("b", todo.Pending))
	}},
	{"gate", "the gate has not run", NeedsHuman, ReasonUnproven, 0, func(s *scene) {
		s.finished()
		s.facts.Gate = nil
	}},
	{"gate", "the gate ran too long", NeedsHuman, "gate_broken", 0, func(s *scene) {
		s.proved(0)
		s.facts.Gate.Code, s.facts.Gate.Problem = 0, "it ran longer than 1s"
	}},
	{"blocked", "everything is blocked", NeedsHuman, "blocked", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Completed), item("b", todo.Blocked)}
		s.doc.Todos.Items[1].Reason = "no key"
	}},
	{"blocked", "the rest waits for what is blocked", NeedsHuman, "blocked", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Pending), item("b", todo.Blocked)}
		s.doc.Todos.Items[0].BlockedBy = []string{"b"}
	}},
	{"blocked", "each waits for the other", NeedsHuman, "blocked", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Pending), item("b", todo.Pending)}
		s.doc.Todos.Items[0].BlockedBy, s.doc.Todos.Items[1].BlockedBy = []string{"b"}, []string{"a"}
	}},
	{"budget", "the time since the prompt", Limit, "budget", 0, func(s *scene) {
		s.set.MaxDuration, s.led().PromptAt = time.Minute, ago(time.Minute)
	}},
	{"budget", "the time since the list began", Limit, "budget", 0, func(s *scene) { s.set.MaxDuration = time.Hour }},
	{"budget", "the time that the caller tells", Limit, "budget", 0, func(s *scene) { s.set.MaxDuration, s.facts.ElapsedMS = 2*time.Hour, ptr(int64(7_200_000)) }},
	{"budget", "money that the agent reported", Limit, "budget", 0, func(s *scene) {
		s.set.MaxUSD, s.facts.SpendUSD, s.led().SpentMicros = 2.5, ptr(0.5), 2_500_000
	}},
	{"budget", "tokens that the agent reported", Limit, "budget", 0, func(s *scene) {
		s.set.MaxTokens, s.facts.SpendTokens, s.led().SpentTokens = 1000, ptr(int64(1)), 1000
	}},
	{"continue", "tokens of a cache, which are left out", Continue, "continue", 0, func(s *scene) {
		s.set.MaxTokens, s.led().SpentTokens, s.led().SpentCached = 1000, 999, 1_000_000
	}},
	{"budget", "money", Limit, "budget", 0, func(s *scene) { s.set.MaxUSD, s.facts.SpendUSD = 2.5, ptr(2.5) }},
	{"budget", "tokens", Limit, "budget", 0, func(s *scene) { s.set.MaxTokens, s.facts.SpendTokens = 1000, ptr(int64(1000)) }},
	{"total", "one prompt's total", Limit, "total", 0, func(s *scene) { s.led().TotalPrompt = 20 }},
	{"total", "a run's own total", Limit, "total", 0, func(s *scene) { s.facts.Prompts = 100 }},
	{"total", "one list's total", Limit, "total", 0, func(s *scene) { s.led().TotalSession = 100 }},
	{"attempts", "the attempts", Limit, "attempts", 0, func(s *scene) { s.led().Attempts = 3 }},
	{"max_gate", "the gate fails for the third time without work", Limit, "gate", 0, func(s *scene) {
		s.proved(1)
		s.failedBefore(2)
	}},
	{"max_gate", "the only failure that is allowed", Limit, "gate", 0, func(s *scene) {
		s.proved(1)
		s.set.MaxGate = 1
	}},
	{"max_gate", "the gate failed for the third time, and is asked for again", Limit, "gate", 0, func(s *scene) {
		s.proved(1)
		s.failedBefore(3)
		s.led().Gate.Told = false
	}},
	{"stalled", "no progress", Limit, "stalled", 0, func(s *scene) { s.led().Stagnation = 3 }},
	{"stalled", "no progress although tools ran", Limit, "stalled", 0, func(s *scene) { s.led().Stagnation, s.led().ToolCalls = 8, 1 }},
	{"stalled", "no progress although tools ran just now", Limit, "stalled", 0, func(s *scene) { s.led().Stagnation, s.facts.ToolCalls = 8, ptr(1) }},
	{"host_cap", "one before the host's cap", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{Cap: 8})
		s.blocks(7*time.Hour, 6*time.Hour, 5*time.Hour, 4*time.Hour, 3*time.Hour, 2*time.Hour, time.Hour)
	}},
	{"host_cap", "a turn that neither ran a tool nor moved the list", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{Cap: 2, WorkFrees: true})
		s.blocks(time.Hour)
		s.led().Attempts = 1
	}},
	{"host_cap", "a cap of one leaves one block", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{Cap: 1})
		s.blocks(time.Hour)
	}},
	{"host_cap", "a turn that ran tools frees nothing where the host does not say so", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{Cap: 2})
		s.blocks(time.Hour)
		s.led().ToolCalls = 1
	}},
	{"host_cap", "three blocks within a minute", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{})
		s.blocks(59*time.Second, 30*time.Second, time.Second)
		s.led().Stagnation, s.set.MaxStagnation = 3, 10
	}},
	{"duplicate", "another process was faster", Wait, "duplicate", pollTools, func(s *scene) {
		s.answered(time.Minute, "")
		s.facts.ReadRev, s.led().TotalPrompt = new(s.doc.Rev-1), 1
	}},
	{"duplicate", "the hook asks the same again", Wait, "duplicate", time.Second, func(s *scene) {
		s.hooked(Hook{Key: "turn 1"})
		s.answered(4*time.Second, "turn 1")
	}},
	{"cooldown", "the cooldown", Wait, "cooldown", 4 * time.Second, func(s *scene) {
		s.answered(6*time.Second, "")
		s.set.Cooldown = 10 * time.Second
	}},
	{"countdown_cancelled", "activity during the countdown", Wait, "countdown_cancelled", time.Minute, func(s *scene) { s.facts.Rest = time.Minute }},
	{"continue", "the gate fails", Continue, "continue", 0, func(s *scene) { s.proved(1) }},
	{"continue", "the caller's own gate fails", Continue, "continue", 0, func(s *scene) {
		s.proved(2)
		s.set.Gate = ""
	}},
	{"continue", "the gate fails for the third time, but tools ran", Continue, "continue", 0, func(s *scene) {
		s.proved(1)
		s.failedBefore(2)
		s.led().ToolCalls = 1
	}},
	{"continue", "the gate fails for the third time, but the list changed", Continue, "continue", 0, func(s *scene) {
		s.proved(1)
		s.failedBefore(2)
		s.doc.Todos.Items = append(s.doc.Todos.Items, item("c", todo.Completed))
	}},
	{"continue", "the gate failed while something was open", Continue, "continue", 0, func(s *scene) {
		s.failedBefore(3)
		s.facts.Gate = &session.GateResult{Command: "make test", Code: 1}
	}},
	{"continue", "nothing speaks against it", Continue, "continue", 0, func(*scene) {}},
	{"continue", "a turn that ran tools resets the host's count of blocks", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Cap: 2, WorkFrees: true})
		s.blocks(time.Hour)
		s.led().ToolCalls = 1
	}},
	{"continue", "a turn that moved the list, and so ran a tool", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Cap: 2, WorkFrees: true})
		s.blocks(time.Hour)
		s.led().Attempts = 0
	}},
	{"continue", "nobody else's list", Continue, "continue", 0, func(s *scene) {
		s.doc.Owner = &session.Owner{Agent: "claude", Session: "mine", SeenAt: noon}
		s.facts.Owner, s.facts.Named = new("mine"), true
	}},
	{"continue", "an owner whose list was found by its folder", Continue, "continue", 0, func(s *scene) {
		s.doc.Owner = &session.Owner{Agent: "codex", Session: "theirs", SeenAt: noon}
		s.facts.Owner = new("mine")
	}},
	{"continue", "a sub-agent", Continue, "continue", 0, func(s *scene) { s.doc.Agent = "helper" }},
	{"continue", "a context with room", Continue, "continue", 0, func(s *scene) { s.facts.ContextRatio = ptr(0.949) }},
	{"continue", "a rate limit that is over", Continue, "continue", 0, func(s *scene) { s.failed(ErrorRateLimit, 9, 30*time.Minute) }},
	{"continue", "a backoff that is over", Continue, "continue", 0, func(s *scene) { s.failed(ErrorServer, 2, 10*time.Second) }},
	{"continue", "many failures, long ago", Continue, "continue", 0, func(s *scene) { s.failed(ErrorUnknown, 5, 5*time.Minute) }},
	{"continue", "an outage, and a pause after it", Continue, "continue", 0, func(s *scene) {
		s.failed(ErrorServer, 42, 5*time.Minute)
		s.led().Error.Since = ago(9 * time.Hour)
	}},
	{"continue", "a recovery whose end was lost", Continue, "continue", 0, func(s *scene) { s.led().RecoveringAt = ago(10 * time.Minute) }},
	{"continue", "a compaction whose end was lost", Continue, "continue", 0, func(s *scene) { s.led().CompactingAt = ago(10 * time.Minute) }},
	{"compaction", "activity before the compaction was over", Wait, "compaction", time.Second, func(s *scene) {
		s.led().CompactedAt, s.facts.ActiveAt = ago(59*time.Second), ago(59*time.Second)
	}},
	{"continue", "activity after a compaction", Continue, "continue", 0, func(s *scene) {
		s.led().CompactedAt, s.facts.ActiveAt = ago(59*time.Second), ago(58*time.Second)
	}},
	{"continue", "a compaction that is over", Continue, "continue", 0, func(s *scene) { s.led().CompactedAt = ago(time.Minute) }},
	{"continue", "the caller knows better about tool calls", Continue, "continue", 0, func(s *scene) {
		s.led().PendingCalls, s.facts.PendingToolCalls = 2, ptr(0)
	}},
	{"continue", "a mode that works", Continue, "continue", 0, func(s *scene) { s.facts.AgentMode, s.facts.CanWrite = "build", ptr(true) }},
	{"continue", "background work that would be lost with the turn", Continue, "continue", 0, func(s *scene) {
		s.background("subagent", time.Minute)
		s.facts.Hook = &Hook{Ends: true}
	}},
	{"continue", "a shell whose end was lost", Continue, "continue", 0, func(s *scene) { s.background("shell", 25*time.Hour) }},
	{"continue", "a sub-agent whose end was lost", Continue, "continue", 0, func(s *scene) { s.background("subagent", 31*time.Minute) }},
	{"continue", "the caller knows better about background work", Continue, "continue", 0, func(s *scene) {
		s.background("shell", time.Minute)
		s.facts.Background = ptr(0)
	}},
	{"continue", "the first check-in", Continue, "continue", 0, func(s *scene) {
		s.background("shell", time.Hour)
		s.led().WaitingSince = ago(30 * time.Minute)
	}},
	{"continue", "the second check-in", Continue, "continue", 0, func(s *scene) {
		s.background("shell", 2*time.Hour)
		s.led().WaitingSince, s.led().CheckIns = ago(90*time.Minute), 1
	}},
	{"continue", "yesterday's list with today's prompt", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Began: ago(time.Minute)})
		s.led().PromptKey, s.led().PromptAt = "k", noon
		s.doc.Todos.UpdatedAt = ago(3 * time.Hour)
	}},
	{"continue", "yesterday's list where no prompt is known", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Began: ago(time.Minute)})
		s.doc.Todos.UpdatedAt = ago(3 * time.Hour)
	}},
	{"continue", "something blocked beside open work", Continue, "continue", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Blocked), item("b", todo.Pending)}
	}},
	{"continue", "a budget that nobody counts", Continue, "continue", 0, func(s *scene) { s.set.MaxUSD, s.set.MaxTokens = 1, 1 }},
	{"continue", "attempts, but tools ran", Continue, "continue", 0, func(s *scene) { s.led().Attempts, s.facts.ToolCalls = 3, ptr(1) }},
	{"continue", "little progress while tools run", Continue, "continue", 0, func(s *scene) { s.led().Stagnation, s.led().ToolCalls = 7, 1 }},
	{"continue", "blocks where no hook asks", Continue, "continue", 0, func(s *scene) { s.blocks(time.Hour, time.Minute, time.Second) }},
	{"continue", "two before the host's cap", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Cap: 4})
		s.blocks(2*time.Hour, time.Hour)
	}},
	{"continue", "another question of the hook", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Key: "turn 2"})
		s.answered(time.Second, "turn 1")
	}},
	{"continue", "the same question of the hook, later", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Key: "turn 1"})
		s.answered(5*time.Second, "turn 1")
	}},
	{"continue", "another process was faster, but the user spoke since", Continue, "continue", 0, func(s *scene) {
		s.answered(time.Minute, "")
		s.facts.ReadRev = new(s.doc.Rev - 1)
	}},
	{"continue", "an answer that this call has seen", Continue, "continue", 0, func(s *scene) {
		s.answered(0, "")
		s.facts.ReadRev = &s.doc.Rev
	}},
	{"continue", "a cooldown that is over", Continue, "continue", 0, func(s *scene) {
		s.answered(10*time.Second, "")
		s.set.Cooldown = 10 * time.Second
	}},
	{"no_list", "a gate, and the user cleared the list", NotApplicable, "no_list", 0, func(s *scene) {
		s.listless()
		s.led().ClearedAt = ago(time.Minute)
	}},
	{"no_list", "a gate, and a hook asks after a turn that only read", NotApplicable, "no_list", 0, func(s *scene) {
		s.listless()
		s.hooked(Hook{})
	}},
	{"no_list", "a gate of every project, and a hook asks after work", NotApplicable, "no_list", 0, func(s *scene) {
		s.listless()
		s.hooked(Hook{Worked: true})
		s.set.GateFrom = "configuration"
	}},
	{"gate", "a gate and no list", NeedsHuman, ReasonUnproven, 0, func(s *scene) { s.listless() }},
	{"gate", "a gate of every project, no list, and no hook asks", NeedsHuman, ReasonUnproven, 0, func(s *scene) {
		s.listless()
		s.set.GateFrom = "configuration"
	}},
	{"gate", "a gate and no list, and a hook asks after work", NeedsHuman, ReasonUnproven, 0, func(s *scene) {
		s.listless()
		s.hooked(Hook{Worked: true})
	}},
	{"done", "the agent deleted all items, and the gate passes", Finished, "done", 0, func(s *scene) {
		s.proved(0)
		s.doc.Todos.Items = nil
		s.deleted()
	}},
	{"done", "the agent completed one item, and deleted the others", Finished, "done", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Completed)}
		s.deleted()
	}},
	{"done", "a gate that passes, and no list", Finished, "done", 0, func(s *scene) {
		s.listless()
		s.facts.Gate = &session.GateResult{Command: "make test"}
	}},
	{"continue", "a gate that fails, and no list", Continue, "continue", 0, func(s *scene) {
		s.listless()
		s.facts.Gate = &session.GateResult{Command: "make test", Code: 1}
	}},
	{"dropped", "the agent was asked after what its list lost", NeedsHuman, "dropped", 0, func(s *scene) { s.dropped(true) }},
	{"continue", "the agent's list lost an item", Continue, "continue", 0, func(s *scene) { s.dropped(false) }},
	{"continue", "the agent's list lost an item, and another is open", Continue, "continue", 0, func(s *scene) {
		s.dropped(true)
		s.doc.Todos.Items = []todo.Item{item("a", todo.Pending)}
	}},
	{"dropped", "the agent was asked after what its list lost, and the gate passes", NeedsHuman, "dropped", 0, func(s *scene) {
		s.dropped(true)
		s.facts.Gate = &session.GateResult{Command: "make test"}
	}},
	{"continue", "the agent's list lost an item, and the gate passes", Continue, "continue", 0, func(s *scene) {
		s.dropped(false)
		s.facts.Gate = &session.GateResult{Command: "make test"}
	}},
	{"continue", "the agent emptied its list, and there is a gate", Continue, "continue", 0, func(s *scene) {
		s.dropped(false)
		s.doc.Todos.Active, s.doc.Todos.Emptied, s.set.Gate = false, true, "make test"
		s.hooked(Hook{}) // the turn used no tool that changes something
	}},
	{"done", "only cancelled, and the last turn failed", HostError, "failures", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Cancelled)}
		s.failed(ErrorServer, 1, time.Hour)
	}},
	{"done", "only cancelled, and the host's limit is over", HostError, "failures", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Cancelled)}
		s.failed(ErrorRateLimit, 1, time.Hour)
	}},
	{"done", "one completed, and the last turn failed", Finished, "done", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Cancelled), item("b", todo.Completed)}
		s.failed(ErrorServer, 1, time.Second)
	}},
	{"done", "no list, the gate passes, and the last turn failed", HostError, "failures", 0, func(s *scene) {
		s.doc.Todos, s.set.Gate, s.facts.Gate = session.Todos{}, "make test", &session.GateResult{Command: "make test"}
		s.failed(ErrorServer, 1, time.Hour)
	}},
	{"done", "only cancelled", Finished, "done", 0, func(s *scene) { s.doc.Todos.Items = []todo.Item{item("a", todo.Cancelled)} }},
	{"done", "a finished list that its agent emptied", Finished, "done", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Completed)}
		s.doc.Todos.Active, s.doc.Todos.Emptied = false, true
	}},
	{"done", "the login failed after all was done", Finished, "done", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Completed)}
		s.failed(ErrorAuth, 1, time.Hour)
	}},
	{"host_error", "the login failed, and nothing was completed", HostError, "host_error", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Cancelled)}
		s.failed(ErrorAuth, 1, time.Hour)
	}},
	{"host_error", "the login failed before the first list", HostError, "host_error", 0, func(s *scene) {
		s.doc.Todos = session.Todos{}
		s.failed(ErrorAuth, 1, time.Hour)
	}},
	{"host_error", "the login failed, all was done, and a message waits", HostError, "host_error", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Completed)}
		s.failed(ErrorAuth, 1, time.Hour)
		s.facts.QueuedMessages = ptr(1)
	}},
	{"host_error", "the login failed, and so does the gate", HostError, "host_error", 0, func(s *scene) {
		s.proved(1)
		s.failed(ErrorAuth, 1, time.Hour)
	}},
	{"continue", "a message that was sent twice", Continue, "continue", 0, func(s *scene) { s.sent(true) }},
	{"continue", "a message that arrived", Continue, "continue", 0, func(s *scene) {
		s.sent(false)
		s.facts.ActiveAt = noon
	}},
}
