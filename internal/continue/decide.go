package continuation

import (
	"fmt"
	"slices"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// Outcome is the kind of answer; each has its own exit code.
type Outcome int

// The outcomes of a decision.
const (
	Continue Outcome = iota
	Finished
	NeedsHuman
	Limit
	Wait
	NotApplicable
	HostError
)

// Action is the action that a caller must take.
func (o Outcome) Action() string {
	switch o {
	case Continue:
		return "continue"
	case Wait:
		return "wait"
	default:
		return "stop"
	}
}

// Tier is how insistent the prompt is.
type Tier string

// The tiers. Escalated follows a prompt that moved nothing,
// last is the last attempt, checkin asks after long background work,
// beside waits for work that would be lost with the turn, and gate follows a gate that failed.
const (
	TierNormal    Tier = "normal"
	TierEscalated Tier = "escalated"
	TierLast      Tier = "last"
	TierCheckIn   Tier = "checkin"
	TierBeside    Tier = "beside"
	TierGate      Tier = "gate"
)

// continued is the reason of a continuation.
const continued = "continue"

// Decision is the answer to whether the agent continues.
type Decision struct {
	Outcome    Outcome
	Reason     string // a code, stable
	Message    string // for the user
	Hint       string // what the user can do about it, if anything
	Tier       Tier
	RetryAfter time.Duration // of a wait
	Counts     todo.Counts
	Next       int // index of the item to work on; -1 if there is none
	Attempts   Counter
	Stagnation Counter
	Total      Counter
	Gate       *session.Proof // the last known result of the gate; nil where it never ran
	Check      int            // the number of the check that decided
}

// Counter is a count and where it ends.
type Counter struct {
	N   int
	Max int
}

// Result is the outcome of one check of a decision.
type Result struct {
	Number  int
	Name    string
	Asked   bool // false: a check before it had decided already
	Matched bool
}

// AllChecks returns the result of every check of the table: the first that matched has decided.
func (d *Decision) AllChecks() []Result {
	var all []Result
	for _, c := range checks {
		all = append(all, Result{c.number, c.name, c.number <= d.Check, c.number == d.Check})
	}
	return all
}

// question is the input and state of one decision, which the checks read.
type question struct {
	doc     *session.Document
	led     session.Ledger // a copy, which becomes the new ledger
	items   []todo.Item
	counts  todo.Counts
	facts   Facts
	set     Settings
	now     todo.Time
	pending int  // tool calls that the agent still has to run
	beside  bool // work beside the conversation would be lost with the turn
	checkIn bool // long background work: ask after it
}

// hinted adds a hint to the decision: what the user can do.
func (d *Decision) hinted(format string, args ...any) *Decision {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Decide runs the checks in order; the first that matches decides.
// It changes nothing: the second result is the ledger to commit,
// which differs from the document's only where there is something to remember.
// A missing document is nil.
func Decide(doc *session.Document, facts Facts, set Settings, now todo.Time) (Decision, session.Ledger) {
	if doc == nil {
		doc = &session.Document{Agent: session.Primary}
	}
	q := &question{doc: doc, led: doc.Continuation, items: doc.Todos.Current(), facts: facts, set: set, now: now}
	q.counts = todo.Count(q.items)
	q.applyFacts()

	var d Decision
	for _, c := range checks {
		if decided := c.match(q); decided != nil {
			d = *decided
			d.Check = c.number
			break
		}
	}
	d.Counts, d.Next = q.counts, todo.Next(q.items)
	// The allowance is this question's limit, computed before the count of tool calls is reset.
	allowed := q.maxStagnation()
	if d.Outcome == Continue {
		d.Tier = q.tier()
		q.spend()
	}
	d.Attempts = Counter{q.led.Attempts, set.MaxAttempts}
	d.Stagnation = Counter{q.led.Stagnation, allowed}
	d.Total = Counter{q.led.TotalPrompt, set.MaxTotal}
	d.Gate = q.led.Gate
	return d, q.led
}

// CanContinue reports whether a list may be continued at all, now or later, unless the user changes a setting.
func CanContinue(doc *session.Document, set Settings, now todo.Time) bool {
	d, _ := Decide(doc, Facts{}, set, now)
	switch d.Reason {
	case "disabled", "subagent", "stopped":
		return false
	}
	return d.Outcome != Finished
}

// applyFacts applies the caller's facts about the last turn as the turn's end would.
func (q *question) applyFacts() {
	if n := q.facts.ToolCalls; n != nil {
		usedTools(&q.led, *n)
	}
	if n := q.facts.PendingToolCalls; n != nil && *n == 0 {
		q.led.PendingCalls = 0
	}
	// Calls that the caller still has to run delay this question only, since their end would not be reported.
	q.pending = q.led.PendingCalls
	if n := q.facts.PendingToolCalls; n != nil {
		q.pending = *n
	}
}

// spend enters a continuation in the ledger.
func (q *question) spend() {
	l := &q.led
	l.Attempts++
	l.Stagnation++
	l.TotalPrompt++
	l.TotalSession++
	l.ToolCalls = 0
	q.markTold()
	if q.checkIn {
		l.CheckIns++
	}
	l.Last = &session.Answer{At: q.now, Rev: q.doc.Rev + 1, Action: Continue.Action(), Reason: continued}
	if h := q.facts.Hook; h != nil {
		l.Last.Key = h.Key
		l.HookBlocks = append(l.HookBlocks[:len(l.HookBlocks):len(l.HookBlocks)], q.now.String())
	}
}

// tier reports how insistent the prompt is to be, before the continuation is entered.
func (q *question) tier() Tier {
	switch {
	case q.counts.Open == 0:
		return TierGate
	case q.beside:
		return TierBeside
	case q.checkIn:
		return TierCheckIn
	case q.led.Attempts+1 >= q.set.MaxAttempts:
		return TierLast
	case q.led.Stagnation > 0:
		return TierEscalated
	default:
		return TierNormal
	}
}

// toolBonus is how many more continuations without a forward move are allowed while tools run:
// an agent that works may need several turns for one item.
const toolBonus = 5

func (q *question) maxStagnation() int {
	if q.led.ToolCalls > 0 {
		return q.set.MaxStagnation + toolBonus
	}
	return q.set.MaxStagnation
}

// Repeat returns the answer to an operation that was committed before, where that was a continuation:
// the same answer, without recording it again. Any other answer held only at its time and is decided again.
func Repeat(doc *session.Document, op string, facts Facts, set Settings, now todo.Time) (Decision, bool) {
	at := slices.IndexFunc(doc.Applied, func(a session.Applied) bool { return a.Op == op })
	if op == "" || at < 0 || doc.Applied[at].Change != continued {
		return Decision{}, false
	}
	d, _ := Decide(doc, facts, set, now)
	l := &doc.Continuation
	tier := TierNormal
	if last := l.Last; last != nil && last.Op == op && last.Tier != "" {
		tier, d.Stagnation.Max = Tier(last.Tier), last.Allowed
	}
	if d.Counts.Open == 0 && (tier != TierGate || l.Gate == nil) {
		return d, true
	}
	d.Outcome, d.Reason, d.Message, d.Hint, d.RetryAfter = Continue, continued, left(d.Counts.Open, l.Gate), "", 0
	d.Attempts.N, d.Stagnation.N, d.Total.N = l.Attempts, l.Stagnation, l.TotalPrompt
	d.Tier, d.Gate = tier, l.Gate
	return d, true
}
