package continuation

import (
	"slices"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// State is the state of a session in one word, the same wherever a user sees it.
type State string

// The states of a session.
const (
	NeedsYou   State = "needs_you" // it waits for its user
	AtLimit    State = "limit"     // a limit is reached
	HasFailed  State = "failed"    // the agent's host failed
	IsCutOff   State = "cut_off"   // its run was cut off, and can be resumed
	IsUnproven State = "unproven"  // nothing is open, and the gate has not passed
	IsOpen     State = "open"      // an item is open, and no turn of an agent is known to run
	IsWaiting  State = "waiting"   // it continues later, on its own
	IsWorking  State = "working"   // a turn of its agent runs
	IsStopped  State = "stopped"   // it does not continue
	IsDone     State = "done"
	IsCleared  State = "cleared" // the list was archived
	IsEmpty    State = "empty"   // there is no list
)

// States lists the states; those that a user may have to act on come first.
var States = [...]State{NeedsYou, AtLimit, HasFailed, IsCutOff, IsUnproven, IsOpen, IsWaiting, IsWorking, IsStopped, IsDone, IsCleared, IsEmpty}

// Words returns the state as a reader sees it.
func (s State) Words() string { return strings.ReplaceAll(string(s), "_", " ") }

// Rank returns the place in the order of the states.
func (s State) Rank() int { return slices.Index(States[:], s) }

// ParseState reads a state.
func ParseState(word string) (State, error) {
	return todo.ParseOneOf("state", strings.ReplaceAll(word, " ", "_"), States[:]...)
}

// stateOf returns the state of a session by its decision. A missing document is nil.
func stateOf(doc *session.Document, d Decision) State {
	switch {
	case d.Reason == ReasonUnproven && len(doc.Current()) == 0 && doc.Ledger().Gate == nil && doc.Ledger().Dropped == nil, d.Reason == ReasonNoList:
		// A gate alone is not work: until a question has reached it, the session is just without a list.
		if doc != nil && len(doc.Todos.Items) > 0 {
			return IsCleared
		}
		return IsEmpty
	case d.Reason == ReasonUnproven, d.Tier == TierGate:
		return IsUnproven
	case d.Reason == "working", d.Reason == "tools_pending":
		return IsWorking
	}
	return [...]State{
		Continue: IsOpen, Finished: IsDone, NeedsHuman: NeedsYou, Limit: AtLimit, Wait: IsWaiting, NotApplicable: IsStopped, HostError: HasFailed,
	}[d.Outcome]
}
