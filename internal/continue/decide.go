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
// besides waits for background work that would be lost with the turn, gate follows a gate that failed,
// and dropped asks after open items that the agent's list lost.
const (
	TierNormal     Tier = "normal"
	TierEscalated  Tier = "escalated"
	TierLast       Tier = "last"
	TierCheckIn    Tier = "checkin"
	TierBackground Tier = "beside"
	TierGate       Tier = "gate"
	TierMessage    Tier = "message" // the user's own words
	TierDropped    Tier = "dropped"
)

// The reasons that code outside of their checks asks for.
const (
	continued         = "continue"
	ReasonRemoved     = "removed"     // the list is gone from the store, as a record of its last run shows
	ReasonNoList      = "no_list"     // there is no list, or it was archived
	ReasonGateBroken  = "gate_broken" // the gate has no result
	ReasonPermissions = "permissions" // the agent may not do what its work needs
	ReasonLimitWait   = "limit_wait"  // the agent's usage limit was waited out for too long
)

// Decision is the answer to whether the agent continues.
type Decision struct {
	Outcome    Outcome
	Reason     string // a code, stable
	Message    string // for the user
	Work       string // of a list that is done: the message without what the gate says
	Hint       string // what the user can do about it, if anything
	Tier       Tier
	RetryAfter time.Duration // of a wait
	ResetAt    todo.Time     // of a wait for the host: when it can be asked again, as it said itself; 0 is unknown
	Counts     todo.Counts
	Next       int // index of the item to work on; -1 if there is none
	Attempts   CountAndLimit
	Stagnation CountAndLimit
	Total      CountAndLimit
	Claimed    *todo.Item          // whose gate is to be run before there is a decision; nil if there is none
	Proof      string              // of a list that is done: the grade of what is known about the work, as package run says it
	Gate       *session.GateResult // the last known result of the gate; nil if it never ran
	Lost       []session.LostItem  // items that the agent's own list lost while they were open, the first of them
	Deleted    []session.LostItem  // items that the agent deleted by name while they were open, the first of them
	Abandoned  bool                // nothing is left since the agent cancelled it, and nothing was completed
	Emptied    bool                // there is no list now, because its items were deleted or lost
	Messages   []session.Message   // sent with the prompt, or instead of it
	Asked      string              // the reason of the pause that a message of the user ends
	Check      string              // the name of the check that decided
}

// FailedWithNothingDone reports that nothing is left to do, but that the last turn failed before anything was completed. No limit or
// failure is waited for any more.
func (d *Decision) FailedWithNothingDone() bool { return d.Outcome == HostError && d.Check == "done" }

// IsUnprovenByLostGate reports whether nothing is proven because the last run lost its gate: to run the one that is in force proves nothing.
func (d *Decision) IsUnprovenByLostGate() bool {
	return d.Reason == ReasonUnproven && d.Check == "done"
}

// CountAndLimit is a count and its limit.
type CountAndLimit struct {
	N   int
	Max int
}

// CheckResult is the outcome of one check of a decision.
type CheckResult struct {
	Name    string
	Asked   bool // false: a check before it had decided already
	Matched bool
}

// CheckTrace returns the result of every check in the order of the table: the first that matched has decided.
func (d *Decision) CheckTrace() []CheckResult {
	all, asked := make([]CheckResult, len(checks)), true
	for i, c := range checks {
		all[i] = CheckResult{c.name, asked, c.name == d.Check}
		asked = asked && !all[i].Matched
	}
	return all
}

// question is the input and state of one decision, which the checks read.
type question struct {
	doc     *session.Document
	led     session.Ledger // a copy, which becomes the new ledger
	items   []todo.Item
	counts  todo.Counts
	closed  todo.Counts // of the list, or of the one that its agent emptied once it was finished
	gated   bool        // a gate says whether the work is done, if nothing is open and the list lost nothing
	facts   Facts
	set     Settings
	now     todo.Time
	pending int  // tool calls that the agent still has to run
	beside  bool // background work would be lost with the turn
	checkIn bool // long background work: ask after it
}

// withHint adds a hint to the decision: what the user can do.
func (d *Decision) withHint(format string, args ...any) *Decision {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Decide runs the checks in order; the first that matches decides.
// It changes nothing: the second result is the ledger to commit,
// which differs from the document's only if there is something to remember.
// A missing document is nil.
func Decide(doc *session.Document, facts Facts, set Settings, now todo.Time) (Decision, session.Ledger) {
	if doc == nil {
		doc = &session.Document{Agent: session.Primary}
	}
	q := &question{doc: doc, led: doc.Continuation, items: doc.Todos.Current(), facts: facts, set: set, now: now}
	q.counts, q.closed = todo.Count(q.items), CountList(doc)
	if allMissing(q.items) {
		q.closed = todo.Counts{} // a list that its agent lost shows nothing about the work
	}
	hasGate := set.Gate != "" || facts.Gate != nil
	q.gated = hasGate && q.led.Dropped == nil && (q.closed.Total > 0 || q.standsForList())
	q.applyFacts()
	q.dropReceived()

	var d Decision
	for _, c := range checks {
		if decided := c.match(q); decided != nil {
			d = *decided
			d.Check = c.name
			break
		}
	}
	d.Counts, d.Next = q.counts, todo.Next(q.items)
	// The allowance is this question's limit, computed before the count of tool calls is reset.
	allowed := q.maxStagnation()
	if d.Outcome == Continue {
		if d.Reason == ReasonMessageSent {
			d.Tier, d.Messages = TierMessage, q.noteMessagesSent(true)
			if p := q.led.Paused; p != nil {
				d.Asked = p.Reason
			}
			was := q.led.Dropped
			d.Lost = lostItems(&q.led)
			if resetForPrompt(&q.led); facts.Ended { // otherwise the run would end as done, no matter what the agent does with the message
				askAgain(&q.led, was)
			}
			q.led.PromptAt = now
		} else {
			d.Tier, d.Messages = q.promptTier(), q.noteMessagesSent(false)
			q.countContinuation()
		}
		if q.recordContinuation(d.Reason); d.Tier == TierDropped {
			q.led.Last.Tier = string(d.Tier)
		}
	}
	d.Attempts = CountAndLimit{q.led.Attempts, set.MaxAttempts}
	d.Stagnation = CountAndLimit{q.led.Stagnation, allowed}
	d.Total = CountAndLimit{q.led.TotalPrompt, set.MaxTotal}
	d.Gate = q.led.Gate
	if q.led.Dropped != nil {
		d.Lost = lostItems(&q.led)
	}
	if q.led.Deleted != nil {
		d.Deleted = q.led.Deleted.Items
	}
	d.Abandoned = q.allCancelled()
	return d, q.led
}

// CountList counts the items of a list, or of the one that its agent emptied once it was finished. A missing document is nil.
func CountList(doc *session.Document) todo.Counts {
	if doc == nil || !doc.Todos.Emptied {
		return todo.Count(doc.Current())
	}
	if n := todo.Count(doc.Todos.Items); n.Open == 0 {
		return n
	}
	return todo.Counts{}
}

// CanContinue reports whether the agent of a list may continue now or later without a change of a setting.
func CanContinue(doc *session.Document, set Settings, now todo.Time) bool {
	d, _ := Decide(doc, Facts{}, set, now)
	switch d.Reason {
	case "disabled", "subagent", "stopped", ReasonNoList:
		return false
	}
	return d.Outcome != Finished && (d.Counts.Open > 0 || set.Gate != "" || doc.Continuation.Dropped != nil)
}

// applyFacts applies the caller's facts about the last turn as the turn's end would.
func (q *question) applyFacts() {
	if n := q.facts.ToolCalls; n != nil {
		usedTools(&q.led, *n)
		q.led.Turn = nil // the caller reports that the turn is over
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

// countContinuation enters a continuation in the ledger.
func (q *question) countContinuation() {
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
}

// newTurn returns a turn of the list's owner, which ends with its process at the latest.
func newTurn(doc *session.Document, now todo.Time) *session.Turn {
	t := &session.Turn{At: now}
	if o := doc.Owner; o != nil && o.EndedAt == 0 {
		t.Process = o.Process
	}
	return t
}

// recordContinuation records the continuation as the last one. If the end of its turn will be reported, it also begins the turn.
func (q *question) recordContinuation(reason string) {
	l := &q.led
	l.Last = &session.LastDecision{At: q.now, Rev: q.doc.Rev + 1, Action: Continue.Action(), Reason: reason, Turns: l.Turns}
	l.Turn = nil
	if h := q.facts.Hook; h != nil {
		if h.BothEnds {
			l.Turn = newTurn(q.doc, q.now)
		}
		l.Last.Key = h.Key
		l.HookBlocks = append(l.HookBlocks[:len(l.HookBlocks):len(l.HookBlocks)], q.now.String())
	}
}

// promptTier reports how insistent the prompt is to be, before the continuation is entered.
func (q *question) promptTier() Tier {
	switch {
	case q.counts.Open == 0 && q.gated:
		return TierGate
	case q.counts.Open == 0:
		return TierDropped
	case q.beside:
		return TierBackground
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

// RepeatAnswer returns the answer to an operation that was committed before, if that was a continuation:
// the same answer, without recording it again. Any other answer held only at its time and is decided again.
func RepeatAnswer(doc *session.Document, op string, facts Facts, set Settings, now todo.Time) (Decision, bool) {
	at := slices.IndexFunc(doc.Operations, func(a session.Operation) bool { return a.ID == op })
	if op == "" || at < 0 || doc.Operations[at].Change != continued && doc.Operations[at].Change != ReasonMessageSent {
		return Decision{}, false
	}
	d, _ := Decide(doc, facts, set, now)
	l := &doc.Continuation
	d.Messages = nil
	if l.Delivering != nil && l.Delivering.Rev == doc.Operations[at].Rev {
		d.Messages = l.Delivering.Messages
	}
	if doc.Operations[at].Change == ReasonMessageSent {
		if d.Messages == nil {
			return Decision{}, false // the message has been delivered
		}
		d.Outcome, d.Reason, d.Tier = Continue, ReasonMessageSent, TierMessage
		d.Message, d.Hint, d.RetryAfter = todo.Plural(len(d.Messages), "message")+" of the user", "", 0
		return d, true
	}
	tier := TierNormal
	if last := l.Last; last != nil && last.Op == op && last.Tier != "" {
		tier, d.Stagnation.Max = Tier(last.Tier), last.Allowed
	}
	if tier == TierGate && l.Gate == nil || tier == TierDropped && l.Dropped == nil {
		tier = TierNormal // the reason for that tier no longer holds
	}
	if d.Counts.Open == 0 && tier != TierGate && tier != TierDropped {
		return d, true
	}
	d.Outcome, d.Reason, d.Message, d.Hint, d.RetryAfter = Continue, continued, remainingText(d.Counts.Open, l, tier == TierGate), "", 0
	d.Attempts.N, d.Stagnation.N, d.Total.N = l.Attempts, l.Stagnation, l.TotalPrompt
	d.Tier, d.Gate = tier, l.Gate
	return d, true
}
