package continuation

import (
	"slices"

	"onward/internal/session"
	"onward/internal/todo"
)

// ExpectGate notes the gate that a run was given, so that no view calls the work done before it has passed, also where the
// run is cut off.
func ExpectGate(doc *session.Document, set Settings) session.Change {
	gate := ""
	if set.GateFrom == FromFlag {
		gate = set.Gate
	}
	if doc.Continuation.RunGate == gate {
		return session.Change{}
	}
	doc.Continuation.RunGate = gate
	return session.Change{What: "run started", By: "cli"}
}

// EndRun records how a run has ended, for the views and the history of its session. Shown reports that the session's state
// shows it already. Lost is the gate that the run began with, if that is gone and no person changed it.
func EndRun(doc *session.Document, state State, d Decision, shown bool, lost *session.ChosenGate, now todo.Time) session.Change {
	l := &doc.Continuation
	pending := l.RunGate != "" || l.LostGate != lost
	l.RunGate, l.LostGate = "", lost
	switch {
	case !shown:
		l.RunEnd = &session.RunEnd{At: now, Rev: doc.Rev + 1, State: string(state), Reason: d.Reason, Message: session.ShortText(d.Message)}
		did := session.Change{What: "run ended", By: "cli"}
		if g := l.Gate; d.Outcome != Finished || g == nil || g.At < l.PromptAt { // else the answer to the gate's result says it already
			did.Events = d.Record(nil, 0)
		}
		return did
	case pending:
		return session.Change{What: "run ended", By: "cli"}
	}
	return session.Change{}
}

// InterruptRun records that the user interrupted a run. The list does not continue until there is a prompt or a resume; a turn that was
// interrupted has recorded that already. The views show the session as stopped even while a usage limit is open.
func InterruptRun(doc *session.Document, message string, now todo.Time) (session.Change, error) {
	if doc.Rev == 0 {
		return session.Change{}, nil
	}
	did, err := session.Change{What: "run ended", By: "cli"}, error(nil)
	if doc.Continuation.AbortedAt == 0 {
		did, err = Apply(doc, Event{Type: Abort, Source: "cli"}, now)
	}
	doc.Continuation.RunEnd = &session.RunEnd{At: now, Rev: doc.Rev + 1, State: string(IsStopped), Reason: "interrupt", Message: message}
	return did, err
}

// RecordLostGate records the gate that a run began with and that is gone, where nothing else is recorded of its end.
func RecordLostGate(doc *session.Document, lost session.ChosenGate) session.Change {
	if had := doc.Continuation.LostGate; had != nil && had.Gate == lost.Gate && had.At == lost.At {
		return session.Change{}
	}
	doc.Continuation.LostGate = &lost
	return session.Change{What: "run ended", By: "cli"}
}

// LostGate returns the gate that the last run lost, until it is in force again or a person has chosen one. The document may be nil.
func LostGate(doc *session.Document, set Settings) string {
	lost := doc.Ledger().LostGate
	if lost == nil {
		return ""
	}
	switch chosen := doc.ChosenGate; {
	case lost.Gate == set.Gate, chosen != nil && chosen.At >= lost.At:
		return ""
	case slices.Contains([]string{FromFlag, FromEnvironment, FromSession, FromProject}, set.GateFrom):
		return ""
	}
	return lost.Gate
}

// LostGateText says of a finished list what a lost gate means for it.
func LostGateText(gate string) string {
	return "not proven: the gate was removed or changed while a run was at work, and was: " + FoldLine(gate)
}

// LostGateHint is the next step where a gate is gone and no person removed it.
const LostGateHint = "`onward set gate COMMAND` sets the gate again, and `onward set gate none` removes it"

// ForgetHostFailure ends what is known about the host of an agent whose work another one goes on with, and reports whether there was something.
func ForgetHostFailure(doc *session.Document) bool {
	l := &doc.Continuation
	had := l.Error != nil || l.Denied != nil
	l.Error, l.Denied = nil, nil
	return had
}

// ShowsEnd reports whether the state of a session shows, and will go on showing, that its run ended in a state.
func (s Standing) ShowsEnd(state State) bool {
	switch state {
	case IsDone: // a view without a list does not show that there was a run, and one with another gate than the run's that it passed
		return s.State != IsEmpty && s.State != IsCleared && s.State != IsUnproven
	case IsStopped:
		return true
	}
	return s.State == state && (state == IsUnproven || !s.Volatile)
}

// runEndStanding returns the standing that a run has left, if nothing was committed since it ended.
func runEndStanding(doc *session.Document) (Standing, bool) {
	e := doc.Ledger().RunEnd
	if e == nil || e.Rev != doc.Rev {
		return Standing{}, false
	}
	s := Standing{State: State(e.State), Reason: e.Reason, Why: e.Message, Since: e.At}
	switch s.State {
	case IsDone:
		s.Attention, s.Why = AttentionDone, ""
	case AtLimit:
		s.Attention = AttentionLimit
	case HasFailed:
		s.Attention = AttentionHost
	case IsStopped:
		s.Attention = AttentionStopped
	case IsWaiting: // nobody waits any more
		s.State, s.Attention = IsOpen, AttentionStalled
	default:
		s.Attention = AttentionUser
	}
	return s, true
}
