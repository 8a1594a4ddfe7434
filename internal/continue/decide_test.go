package continuation

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// scene is the input of a decision: the document, the settings and the facts.
type scene struct {
	doc   *session.Document
	facts Facts
	set   Settings
	gone  bool // the process of the owner has ended
}

func (s *scene) led() *session.Ledger { return &s.doc.Continuation }

func (s *scene) failed(class ErrorClass, count int, before time.Duration) {
	s.led().Error = &session.Failure{Class: string(class), Count: count, At: ago(before)}
}

// answered records that a continuation was committed some time ago.
func (s *scene) answered(before time.Duration, key string) {
	s.led().Last = &session.LastDecision{At: ago(before), Rev: s.doc.Rev, Action: "continue", Reason: "continue", Key: key}
}

// claimed leaves one open item, which its agent claims to be done, and whose gate has not passed.
func (s *scene) claimed(problem string) {
	it := item("a", todo.InProgress)
	it.Gate = &todo.Gate{Command: "make a", ClaimedDone: true, Problem: problem}
	s.doc.Todos.Items = []todo.Item{it}
}

// finished closes all items and sets a gate without a result.
func (s *scene) finished() {
	s.doc.Todos.Items = []todo.Item{item("a", todo.Completed), item("b", todo.Cancelled)}
	s.set.Gate = "make test"
}

// proved closes all items and sets a gate with a result.
func (s *scene) proved(code int) {
	s.finished()
	s.facts.Gate = &session.GateResult{Command: "make test", Code: code, Output: "FAIL\n"}
}

// failedBefore records failures of the gate for the current list, which were reported to the agent.
func (s *scene) failedBefore(times int) {
	s.led().Gate = &session.GateResult{Command: "make test", Code: 1, Failures: times, Told: true, Items: todo.Digest(s.doc.Todos.Items)}
}

// listless removes the list and sets a gate.
func (s *scene) listless() {
	s.doc.Todos, s.set.Gate, s.set.GateFrom = session.Todos{}, "make test", FromProject
}

// dropped finishes the list, and records that an open item was left out of it; told means that the agent was asked about it.
func (s *scene) dropped(told bool) {
	s.doc.Todos.Items = []todo.Item{item("a", todo.Completed)}
	s.led().Dropped = &session.Dropped{At: ago(time.Minute), Items: []session.Lost{{ID: "b", Content: "item b"}}, Told: told}
}

// queued adds a message to the queue.
func (s *scene) queued(by string) {
	s.facts.Messages = []Queued{{ID: "m1", Text: "look at main.go", By: by}}
}

// sent records that a message of the user was sent before; again means for the second time.
func (s *scene) sent(again bool) {
	s.led().Delivering = &session.Delivery{At: ago(time.Minute), Messages: []session.Message{{ID: "m0", Text: "look"}}, Again: again}
	s.doc.Todos.UpdatedAt = ago(time.Hour)
}

// works records that a turn started some time ago.
func (s *scene) works(before time.Duration) { s.led().Turn = &session.Turn{At: ago(before)} }

func (s *scene) hooked(h Hook) { s.facts.Hook = &h }

func (s *scene) blocks(befores ...time.Duration) {
	s.led().HookBlocks = nil
	for _, d := range befores {
		s.led().HookBlocks = append(s.led().HookBlocks, ago(d).String())
	}
}

func (s *scene) background(kind string, before time.Duration) {
	s.led().Background = []session.Task{{ID: "b", Kind: kind, Since: ago(before)}}
}

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
	{"message", "a message is in the caller's queue", NeedsHuman, "user_active", 0, func(s *scene) { s.facts.QueuedMessages = ptr(1) }},
	{"message", "a message is queued", Continue, Sent, 0, func(s *scene) { s.queued("") }},
	{"message", "a message ends a pause, an interrupt and a question", Continue, Sent, 0, func(s *scene) {
		s.led().Paused, s.led().AbortedAt, s.led().QuestionAt = &session.Paused{Reason: "why", At: noon}, noon, noon
		s.queued("")
	}},
	{"message", "a message where there is no list", Continue, Sent, 0, func(s *scene) {
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
	{"message", "a message that was sent without a sign of life since", Continue, Sent, 0, func(s *scene) { s.sent(false) }},
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
	{"backoff", "the fourth failure", Wait, "backoff", time.Millisecond, func(s *scene) { s.failed(ErrorCutOff, 4, 39_999*time.Millisecond) }},
	{"backoff", "the fifth failure", HostError, "failures", 0, func(s *scene) { s.failed(ErrorCutOff, 5, 299*time.Second) }},
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
	{"item_gate", "the gate of an item is to be run", NeedsHuman, Unproven, 0, func(s *scene) {
		s.claimed("")
		s.facts.ItemGates = true
	}},
	{"item_gate", "it is to be run before the others are worked on", NeedsHuman, Unproven, 0, func(s *scene) {
		s.claimed("")
		s.doc.Todos.Items = append(s.doc.Todos.Items, item("b", todo.Pending))
		s.facts.ItemGates = true
	}},
	{"item_gate", "it cannot be run", NeedsHuman, Unproven, 0, func(s *scene) { s.claimed("") }},
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
	{"gate", "the gate has not run", NeedsHuman, Unproven, 0, func(s *scene) {
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
	{"gate", "a gate and no list", NeedsHuman, Unproven, 0, func(s *scene) { s.listless() }},
	{"gate", "a gate of every project, no list, and no hook asks", NeedsHuman, Unproven, 0, func(s *scene) {
		s.listless()
		s.set.GateFrom = "configuration"
	}},
	{"gate", "a gate and no list, and a hook asks after work", NeedsHuman, Unproven, 0, func(s *scene) {
		s.listless()
		s.hooked(Hook{Worked: true})
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
	{"done", "the agent's list lost an item, and the gate passes", Finished, "done", 0, func(s *scene) {
		s.dropped(true)
		s.facts.Gate = &session.GateResult{Command: "make test"}
	}},
	{"gate", "the agent emptied its list, and there is a gate", NeedsHuman, Unproven, 0, func(s *scene) {
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

func TestDecisionTable(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range rowCases {
		covered[c.row] = true
		t.Run(c.row+": "+c.name, func(t *testing.T) {
			s := &scene{doc: document(), set: defaults(t)}
			c.arrange(s)
			d, led := Decide(s.doc, s.facts, s.set, noon)
			decidedBy(t, d, c.row)
			if d.Outcome != c.outcome || d.Reason != c.reason || d.RetryAfter != c.retry {
				t.Errorf("got %d %s after %v, want %d %s after %v", d.Outcome, d.Reason, d.RetryAfter, c.outcome, c.reason, c.retry)
			}
			if d.Message == "" || (d.Outcome == Wait) != (d.RetryAfter > 0) || (d.Outcome == Continue) != (d.Tier != "") {
				t.Errorf("message %q, tier %q, retry %v", d.Message, d.Tier, d.RetryAfter)
			}
			spent := 0
			if c.outcome == Continue && c.reason != Sent {
				spent = 1
			}
			if got := led.TotalPrompt - s.doc.Continuation.TotalPrompt; got != spent || led.TotalSession-s.doc.Continuation.TotalSession != spent {
				t.Errorf("%d continuations were counted", got)
			}
		})
	}
	for i, c := range checks {
		if place(c.name) != i || !covered[c.name] {
			t.Errorf("row %d (%s) has no case, or not a name of its own", i+1, c.name)
		}
	}
}

// place returns the index of a row in the table.
func place(row string) int {
	return slices.IndexFunc(checks, func(c check) bool { return c.name == row })
}

func decidedBy(t *testing.T, d Decision, row string) {
	t.Helper()
	all := d.AllChecks()
	if d.Check != row || len(all) != len(checks) {
		t.Errorf("check %s of %d decided, want %s", d.Check, len(all), row)
	}
	for i, c := range all {
		if c.Matched != (c.Name == row) || c.Asked != (i <= place(row)) {
			t.Errorf("check %s, where %s decided: matched %v, asked %v", c.Name, row, c.Matched, c.Asked)
		}
	}
}

// TestRowIsKnownByItsName adds a row in the middle of the table. This must need no other change.
func TestRowIsKnownByItsName(t *testing.T) {
	defer func(before []check) { checks = before }(checks)
	at := place("blocked")
	checks = slices.Insert(slices.Clone(checks), at, check{"full_moon", func(*question) *Decision {
		return because(NeedsHuman, "full_moon", "wait for the moon").hinted("`onward resume`")
	}})
	d, _ := Decide(document(), Facts{}, defaults(t), noon)
	if d.Reason != "full_moon" || d.Outcome != NeedsHuman {
		t.Errorf("got %+v", d)
	}
	decidedBy(t, d, "full_moon")
	if all := d.AllChecks(); all[at].Name != "full_moon" || all[at+1].Name != "blocked" {
		t.Errorf("got %+v", all)
	}
}

// TestFirstMatchingCheckDecides makes each pair of rows match at the same time. The first one must decide.
func TestFirstMatchingCheckDecides(t *testing.T) {
	var firsts []rowCase // the first case of each row, in the order of the table
	for _, row := range checks {
		firsts = append(firsts, rowCases[slices.IndexFunc(rowCases, func(c rowCase) bool { return c.row == row.name })])
	}
	for i, first := range firsts {
		for _, second := range firsts[i+1:] {
			s := &scene{doc: document(), set: defaults(t)}
			second.arrange(s)
			first.arrange(s)
			if first.row == "working" && s.facts.Hook != nil {
				continue // a stop hook asks only at the end of a turn
			}
			d, _ := Decide(s.doc, s.facts, s.set, noon)
			want := first.row
			failure := place("host_error") <= place(want) && place(want) <= place("backoff")
			switch {
			case failure && (second.row == "done" || second.row == "gate"):
				want = second.row // the turn failed after the list was finished
			case (want == "dropped" || want == "no_list") && s.set.Gate != "":
				continue // a gate decides instead
			}
			if d.Check != want {
				t.Errorf("%s and %s: check %s decided", first.name, second.name, d.Check)
			}
		}
	}
}

func TestMissingDocumentHasNoList(t *testing.T) {
	d, _ := Decide(nil, Facts{}, defaults(t), noon)
	if d.Reason != "no_list" || d.Next != -1 {
		t.Errorf("got %+v", d)
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"the model's pause", "paused: which key?"},
		{"everything is blocked", "everything open is blocked: item b (no key)"},
		{"one prompt's total", "20 continuations"},
		{"the list is another's", "codex session theirs"},
		{"yesterday's list", "onward event user-prompt --session s"},
		{"the fifth failure", "5 turns failed in a row"},
	} {
		for _, row := range rowCases {
			if row.name != c.name {
				continue
			}
			s := &scene{doc: document(), set: defaults(t)}
			row.arrange(s)
			if d, _ := Decide(s.doc, s.facts, s.set, noon); !strings.Contains(d.Message+"; "+d.Hint, c.want) {
				t.Errorf("%s: got %q, %q, want %q", c.name, d.Message, d.Hint, c.want)
			}
		}
	}
}

// TestEveryEndNamesACommand checks that every answer that ends or delays a loop names a command for the user's next step.
func TestEveryEndNamesACommand(t *testing.T) {
	for _, row := range rowCases {
		s := &scene{doc: document(), set: defaults(t)}
		row.arrange(s)
		d, _ := Decide(s.doc, s.facts, s.set, noon)
		if d.Outcome != Continue && (d.Message == "" || !strings.Contains(d.Hint, "`onward ")) {
			t.Errorf("%s (%s): the message is %q, the hint %q", row.name, d.Reason, d.Message, d.Hint)
		}
	}
}

func TestTiers(t *testing.T) {
	for _, c := range []struct {
		name    string
		want    Tier
		arrange func(*scene)
	}{
		{"the first", TierNormal, func(*scene) {}},
		{"nothing moved since the last", TierEscalated, func(s *scene) { s.led().Stagnation = 1 }},
		{"the last attempt", TierLast, func(s *scene) { s.led().Attempts, s.led().Stagnation = 2, 2 }},
		{"the only attempt", TierLast, func(s *scene) { s.set.MaxAttempts = 1 }},
		{"a check-in", TierCheckIn, func(s *scene) {
			s.background("shell", time.Hour)
			s.led().WaitingSince, s.led().Attempts = ago(time.Hour), 2
		}},
		{"a gate that fails, at the last attempt", TierGate, func(s *scene) {
			s.proved(1)
			s.led().Attempts = 2
		}},
	} {
		s := &scene{doc: document(), set: defaults(t)}
		c.arrange(s)
		if d, _ := Decide(s.doc, s.facts, s.set, noon); d.Tier != c.want {
			t.Errorf("%s: got %q, want %q", c.name, d.Tier, c.want)
		}
	}
}

func TestContinuationUpdatesTheLedger(t *testing.T) {
	s := &scene{doc: document(), set: defaults(t)}
	s.led().ToolCalls = 4
	s.hooked(Hook{Key: "turn 1"})
	d, led := Decide(s.doc, s.facts, s.set, noon)
	want := session.Ledger{
		Attempts: 1, Stagnation: 1, TotalPrompt: 1, TotalSession: 1, HookBlocks: []string{noon.String()},
		Last: &session.LastDecision{At: noon, Rev: 8, Action: "continue", Reason: "continue", Key: "turn 1"},
	}
	if !reflect.DeepEqual(led, want) {
		t.Errorf("got %+v, want %+v", led, want)
	}
	if d.Attempts != (Counter{1, 3}) || d.Stagnation != (Counter{1, 8}) || d.Total != (Counter{1, 20}) || d.Next != 1 {
		t.Errorf("got %+v", d)
	}
}

func TestWaitingForBackgroundWorkIsRemembered(t *testing.T) {
	doc := document()
	doc.Continuation.Background = []session.Task{{ID: "b", Kind: "shell", Since: noon}}
	_, led := Decide(doc, Facts{}, defaults(t), noon)
	if led.WaitingSince != noon {
		t.Fatalf("got %+v", led)
	}
	doc.Continuation = led
	// After the clock was set back, the wait must not last until the old time is reached again.
	if _, led := Decide(doc, Facts{}, defaults(t), ago(24*time.Hour)); led.WaitingSince != ago(24*time.Hour) {
		t.Errorf("since %v, at %v", led.WaitingSince, ago(24*time.Hour))
	}
	d, led := Decide(doc, Facts{}, defaults(t), in(30*time.Minute))
	if d.Tier != TierCheckIn || led.CheckIns != 1 || led.WaitingSince != noon {
		t.Errorf("got %s, %+v", d.Tier, led)
	}
	doc.Continuation = led
	_, led = Decide(doc, Facts{Background: ptr(0)}, defaults(t), in(31*time.Minute))
	if led.WaitingSince != 0 || led.CheckIns != 0 {
		t.Errorf("got %+v", led)
	}
}

func TestRepeatReturnsTheSameAnswer(t *testing.T) {
	doc := document()
	_, doc.Continuation = Decide(doc, Facts{}, defaults(t), noon)
	last := doc.Continuation.Last
	last.Op, last.Tier, last.Allowed = "op-1", string(TierNormal), 8
	doc.Applied = []session.Applied{{Op: "op-0", Rev: 1, Change: "background"}, {Op: "op-1", Rev: 2, Change: "continue"}}
	doc.Continuation.AbortedAt = noon
	d, ok := Repeat(doc, "op-1", Facts{}, defaults(t), noon)
	if !ok || d.Outcome != Continue || d.Attempts.N != 1 || d.Total.N != 1 || d.Tier != TierNormal || d.Stagnation != (Counter{1, 8}) {
		t.Errorf("got %+v", d)
	}
	// If the answer to an operation was not a continuation, the repeated question is decided again.
	for _, op := range []string{"", "op-0", "op-2"} {
		if d, ok := Repeat(doc, op, Facts{}, defaults(t), noon); ok {
			t.Errorf("%q: got %s", op, d.Reason)
		}
	}
}

// TestPendingCallsDelayOneQuestion checks that pending calls delay only one question, since their ends are not reported.
func TestPendingCallsDelayOneQuestion(t *testing.T) {
	doc := document()
	d, led := Decide(doc, Facts{PendingToolCalls: ptr(2)}, defaults(t), noon)
	if d.Reason != "tools_pending" || !reflect.DeepEqual(led, doc.Continuation) {
		t.Errorf("got %s, %+v", d.Reason, led)
	}
}

// TestFailureWithoutCount decides about a failure without a count, which another program wrote into the document.
func TestFailureWithoutCount(t *testing.T) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v", r)
		}
	}()
	s := &scene{doc: document(), set: defaults(t)}
	s.failed(ErrorServer, 0, time.Second)
	if d, _ := Decide(s.doc, s.facts, s.set, noon); d.Reason != "backoff" {
		t.Errorf("got %s", d.Reason)
	}
}

// TestClockSetBack checks that the agent does not wait for as long as the clock was set back.
func TestClockSetBack(t *testing.T) {
	for name, arrange := range map[string]func(*scene){
		"a recovery":   func(s *scene) { s.led().RecoveringAt = in(24 * time.Hour) },
		"a compaction": func(s *scene) { s.led().CompactedAt = in(24 * time.Hour) },
		"a failure":    func(s *scene) { s.failed(ErrorServer, 1, -24*time.Hour) },
		"failures":     func(s *scene) { s.failed(ErrorServer, 9, -24*time.Hour) },
		"a rate limit": func(s *scene) { s.failed(ErrorRateLimit, 1, -24*time.Hour) },
		"a cooldown": func(s *scene) {
			s.answered(-24*time.Hour, "")
			s.set.Cooldown = time.Second
		},
	} {
		s := &scene{doc: document(), set: defaults(t)}
		arrange(s)
		if d, _ := Decide(s.doc, s.facts, s.set, in(11*time.Minute)); d.Outcome != Continue {
			t.Errorf("%s: still %s after 11 minutes", name, d.Reason)
		}
	}
}
