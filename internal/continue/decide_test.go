package continuation

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// scene is what a decision is made on.
type scene struct {
	doc   *session.Document
	facts Facts
	set   Settings
	gone  bool // the owner's process has ended
}

func (s *scene) led() *session.Ledger { return &s.doc.Continuation }

func (s *scene) failed(class ErrorClass, count int, before time.Duration) {
	s.led().Error = &session.Failure{Class: string(class), Count: count, At: ago(before)}
}

// answered reports that a continuation was committed some time ago.
func (s *scene) answered(before time.Duration, key string) {
	s.led().Last = &session.Answer{At: ago(before), Rev: s.doc.Rev, Action: "continue", Reason: "continue", Key: key}
}

// finished closes every item; the gate is set, and its result is not known.
func (s *scene) finished() {
	s.doc.Todos.Items = []todo.Item{item("a", todo.Completed), item("b", todo.Cancelled)}
	s.set.Gate = "make test"
}

// proved is finished, with a result of the gate.
func (s *scene) proved(code int) {
	s.finished()
	s.facts.Gate = &session.Proof{Command: "make test", Code: code, Output: "FAIL\n"}
}

// failedBefore is a gate that failed before for the current list, and was reported to the agent.
func (s *scene) failedBefore(times int) {
	s.led().Gate = &session.Proof{Command: "make test", Code: 1, Failures: times, Told: true, Items: todo.Digest(s.doc.Todos.Items)}
}

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

// rowCase makes one row of the decision table decide; nothing else in it speaks against a continuation.
type rowCase struct {
	number  int
	name    string
	outcome Outcome
	reason  string
	retry   time.Duration
	arrange func(*scene)
}

var rowCases = []rowCase{
	{1, "the setting is off", NotApplicable, "disabled", 0, func(s *scene) { s.set.Enabled = false }},
	{2, "the list is another's", NotApplicable, "not_owner", 0, func(s *scene) {
		s.doc.Owner = &session.Owner{Agent: "codex", Session: "theirs", SeenAt: noon}
		s.facts.Owner, s.facts.Named = new("mine"), true
	}},
	{2, "the caller's id is empty", NotApplicable, "not_owner", 0, func(s *scene) { s.facts.Owner = new("") }},
	{3, "sub-agents are left alone", NotApplicable, "subagent", 0, func(s *scene) { s.doc.Agent, s.set.Subagents = "helper", false }},
	{4, "no items", Finished, "no_todos", 0, func(s *scene) { s.doc.Todos.Items = nil }},
	{4, "the list was archived", Finished, "no_todos", 0, func(s *scene) { s.doc.Todos.Active = false }},
	{5, "everything is closed", Finished, "done", 0, func(s *scene) {
		s.finished()
		s.set.Gate, s.facts.Gate = "", nil
	}},
	{5, "the gate passes", Finished, "done", 0, func(s *scene) { s.proved(0) }},
	{5, "the caller proves it without a gate of ours", Finished, "done", 0, func(s *scene) {
		s.proved(0)
		s.set.Gate = ""
	}},
	{6, "the user's stop", NotApplicable, "stopped", 0, func(s *scene) { s.led().StoppedAt = ago(time.Hour) }},
	{7, "the user's abort", NotApplicable, "aborted", 0, func(s *scene) { s.led().AbortedAt = ago(time.Hour) }},
	{8, "the model's pause", NeedsHuman, "paused", 0, func(s *scene) { s.led().Paused = &session.Paused{Reason: "which key?", At: ago(time.Hour)} }},
	{9, "a tool call awaits approval", NeedsHuman, "approval", 0, func(s *scene) { s.facts.Awaiting = []string{"a"} }},
	{9, "a message is queued", NeedsHuman, "user_active", 0, func(s *scene) { s.facts.QueuedMessages = ptr(1) }},
	{10, "authentication", HostError, "host_error", 0, func(s *scene) { s.failed(ErrorAuth, 1, time.Hour) }},
	{10, "billing", HostError, "host_error", 0, func(s *scene) { s.failed(ErrorBilling, 1, time.Hour) }},
	{10, "an invalid request", HostError, "host_error", 0, func(s *scene) { s.failed(ErrorInvalidRequest, 1, time.Hour) }},
	{11, "the context overflowed", HostError, "context_full", 0, func(s *scene) { s.failed(ErrorContext, 1, time.Hour) }},
	{11, "the context is nearly full", HostError, "context_full", 0, func(s *scene) { s.facts.ContextRatio = ptr(0.95) }},
	{12, "a rate limit with a time", Wait, "rate_limited", 90 * time.Second, func(s *scene) {
		s.failed(ErrorRateLimit, 1, time.Hour)
		s.led().Error.RetryAt = in(90 * time.Second)
	}},
	{12, "a rate limit without one", Wait, "rate_limited", 50 * time.Second, func(s *scene) { s.failed(ErrorRateLimit, 1, 10*time.Second) }},
	{13, "the first failure", Wait, "backoff", 2 * time.Second, func(s *scene) { s.failed(ErrorServer, 1, 3*time.Second) }},
	{13, "the second failure", Wait, "backoff", 7 * time.Second, func(s *scene) { s.failed(ErrorUnknown, 2, 3*time.Second) }},
	{13, "the fourth failure", Wait, "backoff", time.Millisecond, func(s *scene) { s.failed(ErrorCutOff, 4, 39_999*time.Millisecond) }},
	{13, "the fifth failure", HostError, "failures", 0, func(s *scene) { s.failed(ErrorServer, 5, 299*time.Second) }},
	{13, "the hundredth failure", HostError, "failures", 0, func(s *scene) { s.failed(ErrorServer, 100, 0) }},
	{14, "a recovery", Wait, "recovering", pollTools, func(s *scene) { s.led().RecoveringAt = ago(599 * time.Second) }},
	{15, "a compaction", Wait, "compaction", pollTools, func(s *scene) { s.led().CompactingAt = ago(599 * time.Second) }},
	{15, "a compaction just over", Wait, "compaction", time.Second, func(s *scene) { s.led().CompactedAt = ago(59 * time.Second) }},
	{16, "our own tool calls run", Wait, "tools_pending", pollTools, func(s *scene) { s.facts.Running = 1 }},
	{16, "the caller has tool calls", Wait, "tools_pending", pollTools, func(s *scene) { s.facts.PendingToolCalls = ptr(2) }},
	{16, "an event told of tool calls", Wait, "tools_pending", pollTools, func(s *scene) { s.led().PendingCalls = 1 }},
	{17, "a question is open", NeedsHuman, "question", 0, func(s *scene) { s.led().QuestionAt = ago(24 * time.Hour) }},
	{18, "a planning agent", NotApplicable, "agent_mode", 0, func(s *scene) { s.facts.AgentMode = " Plan " }},
	{18, "a mode of one's own", NotApplicable, "agent_mode", 0, func(s *scene) { s.set.PlanAgents, s.facts.AgentMode = []string{"review"}, "review" }},
	{18, "writing is forbidden", NotApplicable, "agent_mode", 0, func(s *scene) { s.facts.CanWrite = ptr(false) }},
	{19, "background work", Wait, "background", pollBackground, func(s *scene) { s.background("shell", 23*time.Hour) }},
	{19, "a sub-agent", Wait, "background", pollBackground, func(s *scene) { s.background("subagent", 29*time.Minute) }},
	{19, "the caller tells of some", Wait, "background", pollBackground, func(s *scene) { s.facts.Background = ptr(1) }},
	{19, "just before the check-in", Wait, "background", 10 * time.Second, func(s *scene) {
		s.background("shell", time.Hour)
		s.led().WaitingSince = ago(30*time.Minute - 10*time.Second)
	}},
	{19, "after the first check-in", Wait, "background", pollBackground, func(s *scene) {
		s.background("shell", 2*time.Hour)
		s.led().WaitingSince, s.led().CheckIns = ago(89*time.Minute), 1
	}},
	{19, "after the second check-in", Wait, "background", pollBackground, func(s *scene) {
		s.background("shell", 4*time.Hour)
		s.led().WaitingSince, s.led().CheckIns = ago(209*time.Minute), 2
	}},
	{20, "yesterday's list", NotApplicable, "stale", 0, func(s *scene) {
		s.hooked(Hook{Began: ago(time.Minute)})
		s.led().PromptKey, s.led().PromptAt = "k", ago(4*time.Hour)
		s.doc.Todos.UpdatedAt = ago(3 * time.Hour)
	}},
	{21, "the gate has not run", NeedsHuman, Unproven, 0, func(s *scene) {
		s.finished()
		s.facts.Gate = nil
	}},
	{21, "the gate ran too long", NeedsHuman, "gate_broken", 0, func(s *scene) {
		s.proved(0)
		s.facts.Gate.Code, s.facts.Gate.Problem = 0, "it ran longer than 1s"
	}},
	{22, "everything is blocked", NeedsHuman, "blocked", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Completed), item("b", todo.Blocked)}
		s.doc.Todos.Items[1].Reason = "no key"
	}},
	{22, "the rest waits for what is blocked", NeedsHuman, "blocked", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Pending), item("b", todo.Blocked)}
		s.doc.Todos.Items[0].BlockedBy = []string{"b"}
	}},
	{22, "each waits for the other", NeedsHuman, "blocked", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Pending), item("b", todo.Pending)}
		s.doc.Todos.Items[0].BlockedBy, s.doc.Todos.Items[1].BlockedBy = []string{"b"}, []string{"a"}
	}},
	{23, "the time since the prompt", Limit, "budget", 0, func(s *scene) {
		s.set.MaxDuration, s.led().PromptAt = time.Minute, ago(time.Minute)
	}},
	{23, "the time since the list began", Limit, "budget", 0, func(s *scene) { s.set.MaxDuration = time.Hour }},
	{23, "the time that the caller tells", Limit, "budget", 0, func(s *scene) { s.set.MaxDuration, s.facts.ElapsedMS = 2*time.Hour, ptr(int64(7_200_000)) }},
	{23, "money", Limit, "budget", 0, func(s *scene) { s.set.MaxUSD, s.facts.SpendUSD = 2.5, ptr(2.5) }},
	{23, "tokens", Limit, "budget", 0, func(s *scene) { s.set.MaxTokens, s.facts.SpendTokens = 1000, ptr(int64(1000)) }},
	{24, "one prompt's total", Limit, "total", 0, func(s *scene) { s.led().TotalPrompt = 20 }},
	{24, "one list's total", Limit, "total", 0, func(s *scene) { s.led().TotalSession = 100 }},
	{25, "the attempts", Limit, "attempts", 0, func(s *scene) { s.led().Attempts = 3 }},
	{26, "the gate fails for the third time without work", Limit, "gate", 0, func(s *scene) {
		s.proved(1)
		s.failedBefore(2)
	}},
	{26, "the only failure that is allowed", Limit, "gate", 0, func(s *scene) {
		s.proved(1)
		s.set.MaxGate = 1
	}},
	{26, "the gate failed for the third time, and is asked for again", Limit, "gate", 0, func(s *scene) {
		s.proved(1)
		s.failedBefore(3)
		s.led().Gate.Told = false
	}},
	{27, "no progress", Limit, "stalled", 0, func(s *scene) { s.led().Stagnation = 3 }},
	{27, "no progress although tools ran", Limit, "stalled", 0, func(s *scene) { s.led().Stagnation, s.led().ToolCalls = 8, 1 }},
	{27, "no progress although tools ran just now", Limit, "stalled", 0, func(s *scene) { s.led().Stagnation, s.facts.ToolCalls = 8, ptr(1) }},
	{28, "one before the host's cap", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{Cap: 8})
		s.blocks(7*time.Hour, 6*time.Hour, 5*time.Hour, 4*time.Hour, 3*time.Hour, 2*time.Hour, time.Hour)
	}},
	{28, "a turn that neither ran a tool nor moved the list", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{Cap: 2, WorkFrees: true})
		s.blocks(time.Hour)
		s.led().Attempts = 1
	}},
	{28, "a cap of one leaves one block", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{Cap: 1})
		s.blocks(time.Hour)
	}},
	{28, "a turn that ran tools frees nothing where the host does not say so", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{Cap: 2})
		s.blocks(time.Hour)
		s.led().ToolCalls = 1
	}},
	{28, "three blocks within a minute", Limit, "host_cap", 0, func(s *scene) {
		s.hooked(Hook{})
		s.blocks(59*time.Second, 30*time.Second, time.Second)
		s.led().Stagnation, s.set.MaxStagnation = 3, 10
	}},
	{29, "another process was faster", Wait, "duplicate", pollTools, func(s *scene) {
		s.answered(time.Minute, "")
		s.facts.ReadRev, s.led().TotalPrompt = s.doc.Rev-1, 1
	}},
	{29, "the hook asks the same again", Wait, "duplicate", time.Second, func(s *scene) {
		s.hooked(Hook{Key: "turn 1"})
		s.answered(4*time.Second, "turn 1")
	}},
	{30, "the cooldown", Wait, "cooldown", 4 * time.Second, func(s *scene) {
		s.answered(6*time.Second, "")
		s.set.Cooldown = 10 * time.Second
	}},
	{31, "activity during the countdown", Wait, "countdown_cancelled", time.Minute, func(s *scene) { s.facts.Rest = time.Minute }},
	{32, "the gate fails", Continue, "continue", 0, func(s *scene) { s.proved(1) }},
	{32, "the caller's own gate fails", Continue, "continue", 0, func(s *scene) {
		s.proved(2)
		s.set.Gate = ""
	}},
	{32, "the gate fails for the third time, but tools ran", Continue, "continue", 0, func(s *scene) {
		s.proved(1)
		s.failedBefore(2)
		s.led().ToolCalls = 1
	}},
	{32, "the gate fails for the third time, but the list changed", Continue, "continue", 0, func(s *scene) {
		s.proved(1)
		s.failedBefore(2)
		s.doc.Todos.Items = append(s.doc.Todos.Items, item("c", todo.Completed))
	}},
	{32, "the gate failed while something was open", Continue, "continue", 0, func(s *scene) {
		s.failedBefore(3)
		s.facts.Gate = &session.Proof{Command: "make test", Code: 1}
	}},
	{32, "nothing speaks against it", Continue, "continue", 0, func(*scene) {}},
	{32, "a turn that ran tools frees the blocks where the host counts anew", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Cap: 2, WorkFrees: true})
		s.blocks(time.Hour)
		s.led().ToolCalls = 1
	}},
	{32, "a turn that moved the list, and so ran a tool", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Cap: 2, WorkFrees: true})
		s.blocks(time.Hour)
		s.led().Attempts = 0
	}},
	{32, "nobody else's list", Continue, "continue", 0, func(s *scene) {
		s.doc.Owner = &session.Owner{Agent: "claude", Session: "mine", SeenAt: noon}
		s.facts.Owner, s.facts.Named = new("mine"), true
	}},
	{32, "an owner whose list was found by its folder", Continue, "continue", 0, func(s *scene) {
		s.doc.Owner = &session.Owner{Agent: "codex", Session: "theirs", SeenAt: noon}
		s.facts.Owner = new("mine")
	}},
	{32, "a sub-agent", Continue, "continue", 0, func(s *scene) { s.doc.Agent = "helper" }},
	{32, "a context with room", Continue, "continue", 0, func(s *scene) { s.facts.ContextRatio = ptr(0.949) }},
	{32, "a rate limit that is over", Continue, "continue", 0, func(s *scene) { s.failed(ErrorRateLimit, 9, time.Minute) }},
	{32, "a backoff that is over", Continue, "continue", 0, func(s *scene) { s.failed(ErrorServer, 2, 10*time.Second) }},
	{32, "many failures, long ago", Continue, "continue", 0, func(s *scene) { s.failed(ErrorServer, 5, 5*time.Minute) }},
	{32, "a recovery whose end was lost", Continue, "continue", 0, func(s *scene) { s.led().RecoveringAt = ago(10 * time.Minute) }},
	{32, "a compaction whose end was lost", Continue, "continue", 0, func(s *scene) { s.led().CompactingAt = ago(10 * time.Minute) }},
	{15, "activity before the compaction was over", Wait, "compaction", time.Second, func(s *scene) {
		s.led().CompactedAt, s.facts.ActiveAt = ago(59*time.Second), ago(59*time.Second)
	}},
	{32, "activity after a compaction", Continue, "continue", 0, func(s *scene) {
		s.led().CompactedAt, s.facts.ActiveAt = ago(59*time.Second), ago(58*time.Second)
	}},
	{32, "a compaction that is over", Continue, "continue", 0, func(s *scene) { s.led().CompactedAt = ago(time.Minute) }},
	{32, "the caller knows better about tool calls", Continue, "continue", 0, func(s *scene) {
		s.led().PendingCalls, s.facts.PendingToolCalls = 2, ptr(0)
	}},
	{32, "a mode that works", Continue, "continue", 0, func(s *scene) { s.facts.AgentMode, s.facts.CanWrite = "build", ptr(true) }},
	{32, "background work that would be lost with the turn", Continue, "continue", 0, func(s *scene) {
		s.background("subagent", time.Minute)
		s.facts.Hook = &Hook{Ends: true}
	}},
	{32, "a shell whose end was lost", Continue, "continue", 0, func(s *scene) { s.background("shell", 25*time.Hour) }},
	{32, "a sub-agent whose end was lost", Continue, "continue", 0, func(s *scene) { s.background("subagent", 31*time.Minute) }},
	{32, "the caller knows better about background work", Continue, "continue", 0, func(s *scene) {
		s.background("shell", time.Minute)
		s.facts.Background = ptr(0)
	}},
	{32, "the first check-in", Continue, "continue", 0, func(s *scene) {
		s.background("shell", time.Hour)
		s.led().WaitingSince = ago(30 * time.Minute)
	}},
	{32, "the second check-in", Continue, "continue", 0, func(s *scene) {
		s.background("shell", 2*time.Hour)
		s.led().WaitingSince, s.led().CheckIns = ago(90*time.Minute), 1
	}},
	{32, "yesterday's list with today's prompt", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Began: ago(time.Minute)})
		s.led().PromptKey, s.led().PromptAt = "k", noon
		s.doc.Todos.UpdatedAt = ago(3 * time.Hour)
	}},
	{32, "yesterday's list where no prompt is known", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Began: ago(time.Minute)})
		s.doc.Todos.UpdatedAt = ago(3 * time.Hour)
	}},
	{32, "something blocked beside open work", Continue, "continue", 0, func(s *scene) {
		s.doc.Todos.Items = []todo.Item{item("a", todo.Blocked), item("b", todo.Pending)}
	}},
	{32, "a budget that nobody counts", Continue, "continue", 0, func(s *scene) { s.set.MaxUSD, s.set.MaxTokens = 1, 1 }},
	{32, "attempts, but tools ran", Continue, "continue", 0, func(s *scene) { s.led().Attempts, s.facts.ToolCalls = 3, ptr(1) }},
	{32, "little progress while tools run", Continue, "continue", 0, func(s *scene) { s.led().Stagnation, s.led().ToolCalls = 7, 1 }},
	{32, "blocks where no hook asks", Continue, "continue", 0, func(s *scene) { s.blocks(time.Hour, time.Minute, time.Second) }},
	{32, "two before the host's cap", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Cap: 4})
		s.blocks(2*time.Hour, time.Hour)
	}},
	{32, "another question of the hook", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Key: "turn 2"})
		s.answered(time.Second, "turn 1")
	}},
	{32, "the same question of the hook, later", Continue, "continue", 0, func(s *scene) {
		s.hooked(Hook{Key: "turn 1"})
		s.answered(5*time.Second, "turn 1")
	}},
	{32, "another process was faster, but the user spoke since", Continue, "continue", 0, func(s *scene) {
		s.answered(time.Minute, "")
		s.facts.ReadRev = s.doc.Rev - 1
	}},
	{32, "an answer that this call has seen", Continue, "continue", 0, func(s *scene) {
		s.answered(0, "")
		s.facts.ReadRev = s.doc.Rev
	}},
	{32, "a cooldown that is over", Continue, "continue", 0, func(s *scene) {
		s.answered(10*time.Second, "")
		s.set.Cooldown = 10 * time.Second
	}},
}

func TestDecisionTable(t *testing.T) {
	covered := map[int]bool{}
	for _, c := range rowCases {
		covered[c.number] = true
		t.Run(fmt.Sprintf("%d %s: %s", c.number, checks[c.number-1].name, c.name), func(t *testing.T) {
			s := &scene{doc: document(), set: defaults(t)}
			c.arrange(s)
			d, led := Decide(s.doc, s.facts, s.set, noon)
			decidedBy(t, d, c.number)
			if d.Outcome != c.outcome || d.Reason != c.reason || d.RetryAfter != c.retry {
				t.Errorf("got %d %s after %v, want %d %s after %v", d.Outcome, d.Reason, d.RetryAfter, c.outcome, c.reason, c.retry)
			}
			if d.Message == "" || (d.Outcome == Wait) != (d.RetryAfter > 0) || (d.Outcome == Continue) != (d.Tier != "") {
				t.Errorf("message %q, tier %q, retry %v", d.Message, d.Tier, d.RetryAfter)
			}
			spent := 0
			if c.outcome == Continue {
				spent = 1
			}
			if got := led.TotalPrompt - s.doc.Continuation.TotalPrompt; got != spent || led.TotalSession-s.doc.Continuation.TotalSession != spent {
				t.Errorf("%d continuations were counted", got)
			}
		})
	}
	for i, c := range checks {
		if c.number != i+1 || !covered[c.number] {
			t.Errorf("row %d (%s) has no case", c.number, c.name)
		}
	}
}

func decidedBy(t *testing.T, d Decision, number int) {
	t.Helper()
	all := d.AllChecks()
	if d.Check != number || len(all) != len(checks) {
		t.Errorf("check %d of %d decided, want %d", d.Check, len(all), number)
	}
	for _, c := range all {
		if c.Matched != (c.Number == number) || c.Asked != (c.Number <= number) {
			t.Errorf("check %d (%s), where %d decided: matched %v, asked %v", c.Number, c.Name, number, c.Matched, c.Asked)
		}
	}
}

// TestFirstMatchingCheckDecides lets two rows match at once, each pair of them.
func TestFirstMatchingCheckDecides(t *testing.T) {
	seen := map[int]bool{}
	var firsts []rowCase // the first case of each row
	for _, c := range rowCases {
		if !seen[c.number] {
			firsts = append(firsts, c)
		}
		seen[c.number] = true
	}
	for i, first := range firsts {
		for _, second := range firsts[i+1:] {
			s := &scene{doc: document(), set: defaults(t)}
			second.arrange(s)
			first.arrange(s)
			d, _ := Decide(s.doc, s.facts, s.set, noon)
			if d.Check != first.number {
				t.Errorf("%s and %s: check %d decided", first.name, second.name, d.Check)
			}
		}
	}
}

func TestMissingDocumentHasNoList(t *testing.T) {
	d, _ := Decide(nil, Facts{}, defaults(t), noon)
	if d.Reason != "no_todos" || d.Next != -1 {
		t.Errorf("got %+v", d)
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"the model's pause", "AI paused: which key?"},
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

// TestEveryEndNamesACommand checks that every end or wait of a loop names the user's next step.
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
		Last: &session.Answer{At: noon, Rev: 8, Action: "continue", Reason: "continue", Key: "turn 1"},
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
	// An answer that was not a continuation is evaluated again, and the new one counts.
	for _, op := range []string{"", "op-0", "op-2"} {
		if d, ok := Repeat(doc, op, Facts{}, defaults(t), noon); ok {
			t.Errorf("%q: got %s", op, d.Reason)
		}
	}
}

// TestPendingCallsDelayOneQuestion exists because the end of such calls is not reported.
func TestPendingCallsDelayOneQuestion(t *testing.T) {
	doc := document()
	d, led := Decide(doc, Facts{PendingToolCalls: ptr(2)}, defaults(t), noon)
	if d.Reason != "tools_pending" || !reflect.DeepEqual(led, doc.Continuation) {
		t.Errorf("got %s, %+v", d.Reason, led)
	}
}

// TestFailureWithoutCount holds for a document that another program wrote into.
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

// TestClockSetBack must not hold an agent up for as long as the clock was set back.
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
