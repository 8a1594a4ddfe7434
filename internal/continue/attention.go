package continuation

import (
	"slices"
	"strings"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// Attention is what a list needs from its user.
type Attention string

// The kinds of attention. Most are outcomes of a decision, under the names of their exit codes.
const (
	AttentionUser       Attention = "needs_human" // paused, a question, an approval, a gate without a result
	AttentionLimit      Attention = "limit"
	AttentionHost       Attention = "host_error"
	AttentionStalled    Attention = "stalled" // it may continue, and no agent is at work
	AttentionContinuing Attention = "continuing"
	AttentionStopped    Attention = "stopped" // by the user, who knows
	AttentionDone       Attention = "done"
)

// Attentions lists them in the order in which sessions are shown: the most urgent comes first.
var Attentions = [...]Attention{AttentionUser, AttentionLimit, AttentionHost, AttentionStalled, AttentionContinuing, AttentionStopped, AttentionDone}

// byOutcome is the attention that each outcome needs.
var byOutcome = [...]Attention{
	Continue: AttentionContinuing, Finished: AttentionDone, NeedsHuman: AttentionUser, Limit: AttentionLimit, Wait: AttentionContinuing, NotApplicable: AttentionStopped, HostError: AttentionHost,
}

// Rank returns the place in that order.
func (a Attention) Rank() int { return slices.Index(Attentions[:], a) }

// NeedsUser reports whether the list stands still until its user does something.
func (a Attention) NeedsUser() bool {
	return a == AttentionUser || a == AttentionLimit || a == AttentionHost || a == AttentionStalled
}

// ParseAttention reads a kind of attention.
func ParseAttention(word string) (Attention, error) {
	return todo.ParseOneOf("state", word, Attentions[:]...)
}

// StateFilter lets through sessions in one of its states; the zero value lets all through.
type StateFilter struct {
	states     []State
	attentions []Attention // earlier versions had these words
}

// ParseStateFilter reads the words for states.
func ParseStateFilter(words []string) (f StateFilter, err error) {
	for _, word := range words {
		s, err := ParseState(strings.TrimSpace(word))
		if a, old := ParseAttention(strings.TrimSpace(word)); err != nil && old == nil {
			f.attentions = append(f.attentions, a)
		} else if err != nil {
			return f, err
		}
		f.states = append(f.states, s)
	}
	return f, nil
}

// Match reports whether a session is let through.
func (f StateFilter) Match(s Standing) bool {
	return f.states == nil || slices.Contains(f.states, s.State) || slices.Contains(f.attentions, s.Attention)
}

// Standing is the state of a session.
type Standing struct {
	State     State
	Attention Attention
	Reason    string    // of the decision
	Why       string    // why it does not continue; empty if it does, or is done
	Since     todo.Time // the beginning of the state; for a list that continues: its last change
	Until     todo.Time // when it is asked again, if it waits
	Volatile  bool      // time alone may change it
}

// NotifiesUser reports whether the user is notified when a session comes to a state: it needs attention, or its run ended.
func (s Standing) NotifiesUser() bool {
	switch s.Attention {
	case AttentionContinuing, AttentionStopped, "":
		return false
	}
	return s.State != IsEmpty && s.State != IsCleared
}

// GoesOn reports whether a reader of the state expects that the list goes on, now or later, without its user.
func (s Standing) GoesOn() bool {
	switch s.State {
	case IsOpen, IsWaiting, IsWorking, HasFailed:
		return true
	}
	return false
}

// WithKnownGate returns the facts with the gate's last result if that still holds: the list and the gate are the same, no tool
// was called since, and the agent was not sent back to work because of it.
func (f Facts) WithKnownGate(doc *session.Document, set Settings) Facts {
	if f.Gate != nil || doc == nil || doc.Continuation.Gate == nil {
		return f
	}
	g := doc.Continuation.Gate
	if !g.Told && g.Command == set.Gate && g.ToolCalls == doc.Continuation.ToolCalls && g.Items == todo.Digest(doc.Todos.Current()) {
		f.Gate = g
	}
	return f
}

// withGivenGate returns the decision with what is known about a gate that came with one command, such as `onward run --gate`,
// and has not passed for the list as it is now. A later question knows no gate, but nobody must read that the work is done.
func (d Decision) withGivenGate(doc *session.Document) Decision {
	if d.Outcome != Finished && d.Reason != ReasonNoList {
		return d
	}
	l := doc.Ledger()
	g := l.Gate
	ran := g != nil && g.Given && g.Items == todo.Digest(doc.Todos.Current())
	switch {
	case ran && g.Passed():
	case ran && g.Problem != "":
		return *noResult(g)
	case ran, l.RunGate != "" && d.Outcome == Finished:
		d.Outcome, d.Reason = NeedsHuman, ReasonUnproven
	}
	return d
}

// WithCutOff returns the standing of a session whose run was cut off at a time. What its user must do, or has decided, goes before that.
func (s Standing) WithCutOff(at todo.Time) Standing {
	switch s.State {
	case IsOpen, IsWaiting, IsWorking, IsUnproven, IsEmpty, HasFailed:
		return Standing{State: IsCutOff, Attention: AttentionStalled, Reason: string(IsCutOff), Why: "`onward run` picks it up", Since: at}
	}
	return s
}

// WithAgentAtWork returns the standing of a session whose agent a run has started: not every agent reports that a turn of it runs.
func (s Standing) WithAgentAtWork() Standing {
	if s.State == IsOpen {
		s.State, s.Attention, s.Reason, s.Why = IsWorking, AttentionContinuing, "working", ""
	}
	return s
}

// ForSession names the session in the command that continues, if the session is not the current one.
func (s Standing) ForSession(session string) Standing {
	if s.State == IsCutOff {
		s.Why = "`onward run --session " + session + "` picks it up"
	}
	return s
}

// silentAfter is how long after its last activity a list counts as stalled whose agent has ended.
const silentAfter = time.Minute

// DeriveStanding derives the state of a session from its decision; gone is whether the process of its owner has ended.
// The function signs, which returns the last activity, is called only if that matters.
func DeriveStanding(doc *session.Document, d Decision, set Settings, signs func() session.Activity, gone bool, now todo.Time) Standing {
	if s, ended := runEndStanding(doc); ended && d.Reason != ReasonMessageSent { // else an agent goes on with that
		return s
	}
	d = d.withGivenGate(doc)
	s := Standing{State: stateOf(doc, d), Attention: byOutcome[d.Outcome], Reason: d.Reason, Why: d.Message, Since: stateSince(doc, d.Reason), Volatile: d.Outcome == HostError}
	if d.Outcome == Wait && s.State == IsWaiting {
		s.Until = now + todo.Time(d.RetryAfter.Milliseconds())
	}
	if s.State == IsEmpty || s.State == IsCleared {
		s.Attention = AttentionDone
		if d.Reason == ReasonUnproven {
			s.Reason, s.Why = ReasonNoList, "no list has been saved yet"
		}
		return s
	}
	switch counts := CountList(doc); {
	case d.Outcome == Finished && (len(d.Deleted) > 0 || counts.Of(todo.Completed) < counts.Total):
		s.Why = closedText(counts, doc.Ledger())
	case d.Reason == ReasonMessageSent:
		s.Why = "your message waits for the agent's next turn"
	case d.Outcome == Continue, d.Outcome == Finished:
		s.Why = ""
	}
	if d.Reason == ReasonUnproven {
		s.Attention, s.Why = AttentionContinuing, "the gate has not run"
		if g := doc.Ledger().Gate; g != nil && g.Failed() {
			s.Why = remainingText(0, doc.Ledger(), true)
		}
	}
	switch {
	case d.Reason == "working":
		s.Why, s.Volatile = "", true
		if last, turn := signs(), doc.Ledger().Turn; last.Kind == string(NeedsUser) && turn != nil && last.At >= turn.At {
			s.State, s.Attention, s.Why, s.Since = NeedsYou, AttentionUser, "its agent waits for your answer", last.At
		}
	case s.Attention == AttentionContinuing && doc != nil:
		s.Volatile = true
		if seen, why := whySilent(doc, set, signs, gone, now); why != "" {
			s.Attention, s.Since = AttentionStalled, seen
			if d.Reason != ReasonMessageSent {
				s.Why = why
			}
		}
	}
	return s
}

// whySilent reports why no agent seems to be at work on a list, and since when; empty if one may be.
func whySilent(doc *session.Document, set Settings, signs func() session.Activity, gone bool, now todo.Time) (todo.Time, string) {
	seen, o := doc.UpdatedAt, doc.Owner
	gone = gone || o == nil && doc.Continuation.PromptKey != "" || o != nil && o.EndedAt != 0
	if o != nil {
		seen = max(seen, o.SeenAt)
	}
	if seen.Since(now) >= silentAfter {
		seen = max(seen, signs().At)
	}
	switch age := seen.Since(now); {
	case gone && age >= silentAfter:
		return seen, "its agent has ended"
	case age >= set.StaleAfter:
		return seen, "no activity"
	}
	return seen, ""
}

// stateSince returns when the state behind a decision began.
func stateSince(doc *session.Document, reason string) todo.Time {
	if doc == nil {
		return 0
	}
	l := &doc.Continuation
	switch {
	case reason == "paused" && l.Paused != nil:
		return l.Paused.At
	case reason == "working" && l.Turn != nil:
		return l.Turn.At
	case reason == "question":
		return l.QuestionAt
	case reason == "stopped":
		return l.StoppedAt
	case reason == "aborted":
		return l.AbortedAt
	case l.Error != nil && slices.Contains([]string{"host_error", "context_full", "failures", "rate_limited", "backoff"}, reason):
		return l.Error.At
	case l.Gate != nil && slices.Contains([]string{"gate", ReasonGateBroken}, reason):
		return l.Gate.At
	case reason == ReasonPermissions && l.Denied != nil:
		return l.Denied.At
	case reason == "dropped" && l.Dropped != nil:
		return l.Dropped.At
	case slices.Contains([]string{continued, ReasonUnproven, "blocked", "done", ReasonNoList}, reason):
		return max(doc.Todos.UpdatedAt, min(doc.CreatedAt, doc.UpdatedAt))
	}
	return doc.UpdatedAt
}
