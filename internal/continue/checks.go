package continuation

import (
	"fmt"
	"math"
	"time"

	"onward/internal/todo"
)

// check is one row of the decision table.
type check struct {
	name  string
	match func(*question) *Decision // nil: the next check decides
}

// checks is the decision table: the first row that matches decides. A row is known by its name only,
// so that one can be added, moved or removed here without a change elsewhere.
var checks = []check{
	{"disabled", disabled},
	{"not_owner", notOwner},
	{"subagent", subagent},
	{"stopped", stopped},
	{"host_error", hostError},
	{"context_full", contextFull},
	{"rate_limited", rateLimited},
	{"backoff", retryOrGiveUp},
	{"recovering", recovering},
	{"compaction", compaction},
	{"tools_pending", toolsPending},
	{"working", working},
	{"approval", approval},
	{ReasonPermissions, permissions},
	{ReasonMessageSent, message},
	{"aborted", aborted},
	{"paused", paused},
	{"question", questionOpen},
	{"dropped", droppedItems},
	{"done", done},
	{"no_list", noList},
	{"agent_mode", agentMode},
	{"background", background},
	{"stale", staleList},
	{"item_gate", itemGate},
	{"gate", gate},
	{"blocked", blocked},
	{"budget", budget},
	{"total", total},
	{"attempts", attempts},
	{"max_gate", maxGate},
	{"stalled", stalled},
	{"host_cap", hostCap},
	{"duplicate", waitForDuplicate},
	{"cooldown", cooldown},
	{"countdown_cancelled", countdownCancelled},
	{"continue", proceed},
}

// The times of the table.
const (
	markExpires     = 10 * time.Minute // a recovery or compaction mark without an end
	afterCompaction = 60 * time.Second
	limitFirst      = time.Minute // if the host names no time to retry, doubled with each failure
	limitLongest    = 30 * time.Minute
	limitWait       = 24 * time.Hour // in all, if it never names one
	marginLeast     = time.Second    // added to a time that the host names
	marginMost      = time.Minute
	backoffFirst    = 5 * time.Second
	backoffLongest  = 160 * time.Second
	outageLongest   = 10 * time.Minute // while the host's server fails
	maxOutage       = 6 * time.Hour
	failuresInARow  = 5 // of the agent's program alone
	failuresPause   = 5 * time.Minute
	pollBackground  = 30 * time.Second // ask again, since an end may not be reported
	pollTools       = time.Second
	pollTurn        = 5 * time.Second  // the end of a process is not announced
	turnSilent      = 10 * time.Minute // a turn without activity has ended without saying so
	callSilent      = time.Hour        // unless a tool call is open, which may take long
	hookDuplicate   = 5 * time.Second
	rapidBlocks     = 60 * time.Second
	clockSkew       = time.Minute // between two processes that ask the same clock
	contextRatio    = 0.95
	listTotal       = 5 // times max-total for one list
)

func because(o Outcome, reason, format string, args ...any) *Decision {
	return &Decision{Outcome: o, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func waitFor(left time.Duration, reason, format string, args ...any) *Decision {
	d := because(Wait, reason, format, args...)
	d.RetryAfter = max(left, time.Millisecond)
	// Rounded up: a second later is soon enough, and a moment too early is not.
	whole := (d.RetryAfter + time.Second - 1).Truncate(time.Second)
	return d.withHint("ask again in %s, as `onward check-continue --wait` does", todo.SpanText(whole))
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
