package continuation

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// check is one row of the decision table.
type check struct {
	number int
	name   string
	match  func(*question) *verdict // nil: the next check decides
}

// checks is the decision table; the order is the order of its rows.
var checks = [...]check{
	{1, "disabled", disabled},
	{2, "not_owner", notOwner},
	{3, "subagent", subagent},
	{4, "no_todos", noTodos},
	{5, "done", done},
	{6, "stopped", stopped},
	{7, "aborted", aborted},
	{8, "paused", paused},
	{9, "user_active", userActive},
	{10, "host_error", hostError},
	{11, "context_full", contextFull},
	{12, "rate_limited", rateLimited},
	{13, "backoff", backoff},
	{14, "recovering", recovering},
	{15, "compaction", compaction},
	{16, "tools_pending", toolsPending},
	{17, "question", questionOpen},
	{18, "agent_mode", agentMode},
	{19, "background", background},
	{20, "stale", staleList},
	{21, "blocked", blocked},
	{22, "budget", budget},
	{23, "total", total},
	{24, "attempts", attempts},
	{25, "stalled", stalled},
	{26, "host_cap", hostCap},
	{27, "duplicate", duplicate},
	{28, "cooldown", cooldown},
	{29, "countdown_cancelled", countdownCancelled},
	{30, "continue", goOn},
}

// The times of the table.
const (
	markExpires      = 10 * time.Minute // a recovery or compaction mark whose end never came
	afterCompaction  = 60 * time.Second
	rateLimitDefault = 60 * time.Second // where the host does not say when to come back
	backoffFirst     = 5 * time.Second
	backoffLongest   = 160 * time.Second
	failuresInARow   = 5
	failuresPause    = 5 * time.Minute
	pollBackground   = 30 * time.Second // ask again, since an end may not be reported
	pollTools        = time.Second
	hookDuplicate    = 5 * time.Second
	rapidBlocks      = 60 * time.Second
	clockSkew        = time.Minute // between two processes that ask the same clock
	contextRatio     = 0.95
	listTotal        = 5 // times max-total for one list
)

func because(o Outcome, reason, format string, args ...any) *verdict {
	return &verdict{outcome: o, reason: reason, message: fmt.Sprintf(format, args...)}
}

func waitFor(d time.Duration, reason, format string, args ...any) *verdict {
	v := because(Wait, reason, format, args...)
	v.retry = max(d, time.Millisecond)
	return v
}

func disabled(q *question) *verdict {
	if q.set.Enabled {
		return nil
	}
	return because(NotApplicable, "disabled", "continuation is switched off (todo-continuation is false)")
}

// notOwner keeps one agent from driving another's list.
// An agent without an id is nobody, not everybody.
func notOwner(q *question) *verdict {
	claim, owner := q.facts.Owner, q.doc.Owner
	switch {
	case claim == nil:
		return nil
	case claim.Session == "":
		return because(NotApplicable, "not_owner", "the caller names itself with an empty id")
	case q.facts.Named && owner != nil && owner.Session != claim.Session:
		return because(NotApplicable, "not_owner", "the list belongs to %s session %s", owner.Agent, owner.Session)
	}
	return nil
}

func subagent(q *question) *verdict {
	if q.doc.Agent == session.Primary || q.set.Subagents {
		return nil
	}
	return because(NotApplicable, "subagent", "sub-agents are not sent on (subagents is false)")
}

func noTodos(q *question) *verdict {
	if len(q.items) > 0 {
		return nil
	}
	return because(Finished, "no_todos", "there is no list, or nothing on it")
}

func done(q *question) *verdict {
	if q.counts.Open > 0 {
		return nil
	}
	if q.counts.Total == 1 {
		return because(Finished, "done", "the only todo is done")
	}
	return because(Finished, "done", "all %s done", todos(q.counts.Total))
}

func stopped(q *question) *verdict {
	if q.led.StoppedAt == 0 {
		return nil
	}
	return because(NotApplicable, "stopped", "the user stopped it; `onward resume` goes on")
}

func aborted(q *question) *verdict {
	if q.led.AbortedAt == 0 {
		return nil
	}
	return because(NotApplicable, "aborted", "the user interrupted the agent; the next prompt goes on")
}

func paused(q *question) *verdict {
	if q.led.Paused == nil {
		return nil
	}
	return because(NeedsHuman, "paused", "AI paused: %s", q.led.Paused.Reason)
}

func userActive(q *question) *verdict {
	if n := q.facts.QueuedMessages; n != nil && *n > 0 {
		return because(NeedsHuman, "user_active", "a message of the user waits in the queue")
	}
	return nil
}

// failure gives the open error of one of some classes.
func (q *question) failure(classes ...ErrorClass) *session.Failure {
	if f := q.led.Error; f != nil && slices.Contains(classes, ErrorClass(f.Class)) {
		return f
	}
	return nil
}

func hostError(q *question) *verdict {
	if f := q.failure(ErrorAuth, ErrorBilling, ErrorInvalidRequest); f != nil {
		return because(HostError, "host_error", "the agent's host refused: %s", f.Class)
	}
	return nil
}

func contextFull(q *question) *verdict {
	if r := q.facts.ContextRatio; r != nil && *r >= contextRatio || q.failure(ErrorContext) != nil {
		return because(HostError, "context_full", "the agent's context is full")
	}
	return nil
}

func rateLimited(q *question) *verdict {
	f := q.failure(ErrorRateLimit)
	if f == nil {
		return nil
	}
	pause := rateLimitDefault
	if f.RetryAt > f.At {
		pause = f.At.Since(f.RetryAt)
	}
	if left := pause - q.age(f.At); left > 0 {
		return waitFor(left, "rate_limited", "the agent's host limits the rate")
	}
	return nil
}

func backoff(q *question) *verdict {
	f := q.failure(ErrorServer, ErrorUnknown, ErrorCutOff)
	if f == nil {
		return nil
	}
	if f.Count >= failuresInARow {
		if q.age(f.At) < failuresPause {
			return because(HostError, "failures", "%d turns failed in a row, the last with %s", f.Count, f.Class)
		}
		return nil
	}
	pause := min(backoffFirst<<max(0, f.Count-1), backoffLongest)
	if left := pause - q.age(f.At); left > 0 {
		return waitFor(left, "backoff", "the last turn ended with %s", f.Class)
	}
	return nil
}

func recovering(q *question) *verdict {
	if at := q.led.RecoveringAt; at != 0 && q.age(at) < markExpires {
		return waitFor(pollTools, "recovering", "the agent's session is being repaired")
	}
	return nil
}

func compaction(q *question) *verdict {
	if at := q.led.CompactingAt; at != 0 && q.age(at) < markExpires {
		return waitFor(pollTools, "compaction", "the agent's context is being compacted")
	}
	if at := q.led.CompactedAt; at != 0 && q.age(at) < afterCompaction && q.facts.ActiveAt <= at {
		return waitFor(afterCompaction-q.age(at), "compaction", "the agent's context was compacted just now")
	}
	return nil
}

func toolsPending(q *question) *verdict {
	if q.pending <= 0 {
		return nil
	}
	return waitFor(pollTools, "tools_pending", "the agent still has tool calls to run")
}

func questionOpen(q *question) *verdict {
	if q.led.QuestionAt == 0 {
		return nil
	}
	return because(NeedsHuman, "question", "a question to the user is open")
}

// agentMode spares an agent that is not to write.
// Where nobody says so, writing is allowed.
func agentMode(q *question) *verdict {
	if w := q.facts.CanWrite; w != nil && !*w {
		return because(NotApplicable, "agent_mode", "the agent may not write")
	}
	mode := strings.ToLower(strings.TrimSpace(q.facts.AgentMode))
	if mode != "" && slices.Contains(q.set.PlanAgents, mode) {
		return because(NotApplicable, "agent_mode", "the agent is in %s mode", mode)
	}
	return nil
}

// background waits for work beside the conversation, but not for ever:
// 30 minutes after the waiting began, an hour later, and then every two hours,
// the agent is asked after it.
func background(q *question) *verdict {
	n := len(running(q.led.Background, q.now))
	if b := q.facts.Background; b != nil {
		n = *b
	}
	if n <= 0 {
		q.led.WaitingSince, q.led.CheckIns = 0, 0
		return nil
	}
	if q.led.WaitingSince == 0 {
		q.led.WaitingSince = q.now
	}
	due := 30 * time.Minute
	if q.led.CheckIns > 0 {
		due = 90*time.Minute + time.Duration(q.led.CheckIns-1)*2*time.Hour
	}
	if left := due - q.led.WaitingSince.Since(q.now); left > 0 {
		return waitFor(min(left, pollBackground), "background", "background work runs (%d)", n)
	}
	q.checkIn = true
	return nil
}

// staleList keeps yesterday's list from driving today's conversation.
func staleList(q *question) *verdict {
	h := q.facts.Hook
	if h == nil || h.Began == 0 || q.led.PromptKey == "" {
		return nil
	}
	untouched := q.doc.Todos.UpdatedAt.Since(h.Began) >= q.set.StaleAfter
	if untouched && q.led.PromptAt < h.Began {
		return because(NotApplicable, "stale", "the list was left before this conversation; `onward event user-prompt --session %s` adopts it", q.doc.Session)
	}
	return nil
}

// blocked ends where no item can be worked on: each is blocked, or waits for one that is.
func blocked(q *question) *verdict {
	if todo.Next(q.items) >= 0 {
		return nil
	}
	for i := range q.items {
		if it := &q.items[i]; it.Status == todo.Blocked {
			if it.Reason != "" {
				return because(NeedsHuman, "blocked", "everything open is blocked: %s (%s)", Fold(it.Content), it.Reason)
			}
			return because(NeedsHuman, "blocked", "everything open is blocked: %s", Fold(it.Content))
		}
	}
	return because(NeedsHuman, "blocked", "the open items wait for each other")
}

func budget(q *question) *verdict {
	elapsed := q.led.PromptAt.Since(q.now)
	if q.led.PromptAt == 0 {
		elapsed = q.doc.CreatedAt.Since(q.now)
	}
	if ms := q.facts.ElapsedMS; ms != nil {
		elapsed = time.Duration(*ms) * time.Millisecond
	}
	switch usd, tokens := q.facts.SpendUSD, q.facts.SpendTokens; {
	case q.set.MaxDuration > 0 && elapsed >= q.set.MaxDuration:
		return because(Limit, "budget", "the time of %v is used up", q.set.MaxDuration)
	case q.set.MaxUSD > 0 && usd != nil && *usd >= q.set.MaxUSD:
		return because(Limit, "budget", "the budget of %v USD is used up", q.set.MaxUSD)
	case q.set.MaxTokens > 0 && tokens != nil && *tokens >= q.set.MaxTokens:
		return because(Limit, "budget", "the budget of %d tokens is used up", q.set.MaxTokens)
	}
	return nil
}

func total(q *question) *verdict {
	switch {
	case q.led.TotalPrompt >= q.set.MaxTotal:
		return because(Limit, "total", "stopped after %d continuations for one prompt, %s open", q.led.TotalPrompt, todos(q.counts.Open))
	case q.led.TotalSession >= listTotal*q.set.MaxTotal:
		return because(Limit, "total", "stopped after %d continuations of one list, %s open", q.led.TotalSession, todos(q.counts.Open))
	}
	return nil
}

func attempts(q *question) *verdict {
	if q.led.Attempts < q.set.MaxAttempts {
		return nil
	}
	return because(Limit, "attempts", "stopped after %s without work, %s open", plural(q.led.Attempts, "attempt"), todos(q.counts.Open))
}

func stalled(q *question) *verdict {
	if q.led.Stagnation < q.maxStagnation() {
		return nil
	}
	return because(Limit, "stalled", "stopped after %s without progress, %s open", plural(q.led.Stagnation, "continuation"), todos(q.counts.Open))
}

// hostCap stops one before the host would override us without a word.
func hostCap(q *question) *verdict {
	h := q.facts.Hook
	if h == nil {
		return nil
	}
	if h.WorkFrees && q.led.ToolCalls > 0 {
		q.led.HookBlocks = nil
	}
	blocks := q.led.HookBlocks
	if h.Cap > 0 && len(blocks) >= max(1, h.Cap-1) {
		return because(Limit, "host_cap", "stopped after %s in a row, one before the agent's own limit", plural(len(blocks), "continuation"))
	}
	if len(blocks) >= 3 && q.led.ToolCalls == 0 && q.led.Stagnation >= 3 {
		first, err := time.Parse(time.RFC3339, blocks[len(blocks)-3])
		if err == nil && q.age(todo.TimeOf(first)) < rapidBlocks {
			return because(Limit, "host_cap", "stopped after 3 continuations within a minute that did nothing")
		}
	}
	return nil
}

// duplicate lets one of two processes that asked at the same moment go on, not both.
func duplicate(q *question) *verdict {
	last := q.led.Last
	if last == nil || last.Action != Continue.Action() {
		return nil
	}
	// A prompt of the user since then makes it another question.
	if q.facts.ReadRev > 0 && last.Rev > q.facts.ReadRev && q.led.TotalPrompt > 0 {
		return waitFor(pollTools, "duplicate", "another process was told to go on just now")
	}
	if h := q.facts.Hook; h != nil && h.Key != "" && h.Key == last.Key && q.age(last.At) < hookDuplicate {
		return waitFor(hookDuplicate-q.age(last.At), "duplicate", "the same question was answered just now")
	}
	return nil
}

func cooldown(q *question) *verdict {
	if q.led.Last == nil || q.set.Cooldown <= 0 {
		return nil
	}
	if left := q.set.Cooldown - q.age(q.led.Last.At); left > 0 {
		return waitFor(left, "cooldown", "the last continuation was less than %v ago", q.set.Cooldown)
	}
	return nil
}

func countdownCancelled(q *question) *verdict {
	if !q.facts.CountdownCancelled {
		return nil
	}
	return waitFor(pollTools, "countdown_cancelled", "the countdown was cancelled by activity")
}

func goOn(q *question) *verdict {
	return because(Continue, continued, "%s open", todos(q.counts.Open))
}

// age gives how long ago something was. What lies ahead was noted before the clock was set back;
// nobody knows how long ago that is, and it must hold nobody up, so it counts as long ago.
func (q *question) age(at todo.Time) time.Duration {
	if at > q.now+todo.Time(clockSkew/time.Millisecond) {
		return math.MaxInt64
	}
	return at.Since(q.now)
}

func todos(n int) string { return plural(n, "todo") }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
