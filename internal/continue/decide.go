package continuation

import (
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

// Action is what a caller is to do.
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
// last is the last attempt, and checkin asks after long background work.
const (
	TierNormal    Tier = "normal"
	TierEscalated Tier = "escalated"
	TierLast      Tier = "last"
	TierCheckIn   Tier = "checkin"
)

// Decision is the answer to whether the agent is sent on.
type Decision struct {
	Outcome    Outcome
	Reason     string // a code, stable
	Message    string // for a person
	Tier       Tier
	RetryAfter time.Duration // of a wait
	Counts     todo.Counts
	Next       int // index of the item to work on; -1 where there is none
	Attempts   Counter
	Stagnation Counter
	Total      Counter
	Checks     []Result // every check that was made, in order
}

// Counter is a count and where it ends.
type Counter struct {
	N   int
	Max int
}

// Result is what one check said.
type Result struct {
	Number  int
	Name    string
	Matched bool
}

// question is one decision in the making: what the checks look at.
type question struct {
	doc     *session.Document
	led     session.Ledger // a copy, which becomes the new ledger
	items   []todo.Item
	counts  todo.Counts
	facts   Facts
	set     Settings
	now     todo.Time
	checkIn bool // long background work: ask after it
}

// verdict is what a check that matches says.
type verdict struct {
	outcome Outcome
	reason  string
	message string
	retry   time.Duration
}

// Decide goes through the checks in their order; the first that matches decides.
// It changes nothing: the second result is the ledger to commit,
// which differs from the document's only where there is something to remember.
// A missing document is nil.
func Decide(doc *session.Document, facts Facts, set Settings, now todo.Time) (Decision, session.Ledger) {
	if doc == nil {
		doc = &session.Document{Agent: session.Primary}
	}
	q := &question{doc: doc, led: doc.Continuation, items: doc.Todos.Current(), facts: facts, set: set, now: now}
	q.counts = todo.Count(q.items)
	q.takeFacts()

	d := Decision{Counts: q.counts, Next: todo.Next(q.items)}
	for _, c := range checks {
		v := c.match(q)
		d.Checks = append(d.Checks, Result{c.number, c.name, v != nil})
		if v != nil {
			d.Outcome, d.Reason, d.Message, d.RetryAfter = v.outcome, v.reason, v.message, v.retry
			break
		}
	}
	if d.Outcome == Continue {
		d.Tier = q.tier()
		q.spend()
	}
	d.Attempts = Counter{q.led.Attempts, set.MaxAttempts}
	d.Stagnation = Counter{q.led.Stagnation, q.maxStagnation()}
	d.Total = Counter{q.led.TotalPrompt, set.MaxTotal}
	return d, q.led
}

// takeFacts lets the caller's word on the last turn count as the turn's end would.
func (q *question) takeFacts() {
	if n := q.facts.ToolCalls; n != nil && *n > 0 {
		q.led.ToolCalls += *n
		q.led.Attempts = 0
	}
	if q.facts.PendingToolCalls != nil {
		q.led.PendingCalls = *q.facts.PendingToolCalls
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
	if q.checkIn {
		l.CheckIns++
	}
	l.Last = &session.Answer{At: q.now, Rev: q.doc.Rev + 1, Action: Continue.Action(), Reason: "continue"}
	if h := q.facts.Hook; h != nil {
		l.Last.Key = h.Key
		l.HookBlocks = append(l.HookBlocks[:len(l.HookBlocks):len(l.HookBlocks)], q.now.String())
	}
}

// tier says how insistent the prompt is to be, before the continuation is entered.
func (q *question) tier() Tier {
	switch {
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

// Repeat gives the answer to an operation that was committed before:
// a continuation again, without entering it again, where it was one.
func Repeat(doc *session.Document, op string, facts Facts, set Settings, now todo.Time) Decision {
	d, _ := Decide(doc, facts, set, now)
	if last := doc.Continuation.Last; last != nil && last.Op == op && op != "" && d.Counts.Open > 0 {
		d.Outcome, d.Reason, d.Message, d.RetryAfter = Continue, "continue", todos(d.Counts.Open)+" open", 0
		d.Attempts.N, d.Stagnation.N, d.Total.N = doc.Continuation.Attempts, doc.Continuation.Stagnation, doc.Continuation.TotalPrompt
		if d.Tier == "" {
			d.Tier = TierNormal
		}
	}
	return d
}
