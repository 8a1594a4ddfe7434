package run

import (
	"cmp"
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// GateChange compares the gate in force with the one that a run began with, and reports whether a person made the change: with
// a flag or a variable of `onward run`, or with `onward set gate` since then; chosen are its records.
func GateChange(r *session.Run, set continuation.Settings, chosen ...*session.ChosenGate) (changed, byPerson bool) {
	if r.Gate == "" || r.Gate == set.Gate {
		return false, false
	}
	for _, from := range []string{r.GateFrom, set.GateFrom} {
		byPerson = byPerson || from == continuation.FromFlag || from == continuation.FromEnvironment
	}
	for _, c := range chosen {
		byPerson = byPerson || c != nil && c.At >= r.GateSince && (c.Gate == "" || continuation.ParseGate(c.Gate) == set.Gate)
	}
	return true, byPerson
}

// GateAtEnd returns the end of a run whose gate is not the one that it began with. What a person changed is obeyed, and told. Any
// other change proves nothing: the agent may have removed the settings, or moved the checkout away from them.
func GateAtEnd(act Action, r *session.Run, set continuation.Settings, chosen ...*session.ChosenGate) Action {
	changed, byPerson := GateChange(r, set, chosen...)
	if !changed || act.Outcome != Done && (act.Outcome != Unproven || byPerson) {
		return act
	}
	what := GateChangeText(r, set)
	if set.Gate == "" {
		act.Message = cmp.Or(act.Work, act.Message)
	}
	if byPerson {
		act.Message += "; " + what
		return act
	}
	if act.Message = cmp.Or(act.Work, act.Message) + ", but not proven: " + what; act.Outcome == Unproven {
		act.Message = "not proven: " + what
	}
	act.Outcome, act.Answer, act.Reason = NeedsYou, continuation.NeedsHuman, continuation.ReasonUnproven
	act.Hint = continuation.LostGateHint
	return act
}

// GateChangeText says that the gate is not the one that a run began with.
func GateChangeText(r *session.Run, set continuation.Settings) string {
	did := "changed"
	if set.Gate == "" {
		did = "removed"
	}
	return "the gate was " + did + " while the run was at work, and was: " + continuation.FoldLine(r.Gate)
}

// AsksGate reports whether the gate is to be asked at an end, although items are open: one that is not due to time.
func (a Action) AsksGate() bool {
	return a.Outcome == AtLimit && slices.Contains([]string{"attempts", "stalled", "total", "budget"}, a.Reason)
}

// GatePassesSuffix says that the gate passes at such an end. It follows the message.
func (a Action) GatePassesSuffix(open int) string {
	if a.Reason != "budget" {
		return ", but the gate passes" // the message ends with the open items
	}
	return "; " + todo.Plural(open, "item") + map[bool]string{true: " is", false: " are"}[open == 1] + " open on the list, but the gate passes"
}
