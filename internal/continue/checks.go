package continuation

import (
	"fmt"
	"math"
	"time"

	"onward/internal/todo"
)

// check is one row of the decision table.
type check struct {
	number int
	name   string
	match  func(*question) *Decision // of which the outcome is decided; nil: the next check decides
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
	{21, "gate", gate},
	{22, "blocked", blocked},
	{23, "budget", budget},
	{24, "total", total},
	{25, "attempts", attempts},
	{26, "max_gate", maxGate},
	{27, "stalled", stalled},
	{28, "host_cap", hostCap},
	{29, "duplicate", duplicate},
	{30, "cooldown", cooldown},
	{31, "countdown_cancelled", countdownCancelled},
	{32, "continue", proceed},
}

// The times of the table.
const (
	markExpires      = 10 * time.Minute // a recovery or compaction mark without an end
	afterCompaction  = 60 * time.Second
	rateLimitDefault = 60 * time.Second // if the host names no time to retry
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

func because(o Outcome, reason, format string, args ...any) *Decision {
	return &Decision{Outcome: o, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func waitFor(left time.Duration, reason, format string, args ...any) *Decision {
	d := because(Wait, reason, format, args...)
	d.RetryAfter = max(left, time.Millisecond)
	return d.hinted("ask again in %v, as `onward check-continue --wait` does", d.RetryAfter.Round(time.Millisecond))
}

// age returns how long ago something was. A time in the future was recorded before the clock was set back;
// its real age is unknown and must not block anything, so it counts as long ago.
func (q *question) age(at todo.Time) time.Duration {
	if at > q.now+todo.Time(clockSkew/time.Millisecond) {
		return math.MaxInt64
	}
	return at.Since(q.now)
}

func items(n int) string { return todo.Plural(n, "item") }
