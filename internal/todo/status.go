package todo

import (
	"fmt"
	"slices"
	"strings"
)

// Status describes how far an item has come.
type Status string

// The statuses are the union of what the agents know.
// Their names are part of the file format and of every JSON output.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Cancelled  Status = "cancelled"
	Blocked    Status = "blocked"
)

// Statuses lists every status in the order in which totals are printed.
var Statuses = [...]Status{Pending, InProgress, Completed, Cancelled, Blocked}

// Open reports whether work remains: pending, in_progress or blocked.
func (s Status) Open() bool {
	return s == Pending || s == InProgress || s == Blocked
}

// openStatuses lists the statuses of open items.
func openStatuses() []Status {
	return slices.DeleteFunc(slices.Clone(Statuses[:]), func(s Status) bool { return !s.Open() })
}

// Words names a status for a reader.
func (s Status) Words() string { return strings.ReplaceAll(string(s), "_", " ") }

// Rank orders statuses by how far an item has come,
// so that a move to a higher rank is progress and a move down is not.
// A blocked item ranks before a closed one,
// because a block that is lifted and finished is progress too.
func (s Status) Rank() int {
	switch s {
	case InProgress:
		return 1
	case Blocked:
		return 2
	case Cancelled, Completed:
		return 3
	default:
		return 0
	}
}

// Known reports whether a status is one of onward's.
func (s Status) Known() bool { return slices.Contains(Statuses[:], s) }

// ParseStatus reads a status word exactly as it is written in files and flags.
func ParseStatus(s string) (Status, error) { return OneOf("status", s, Statuses[:]...) }

// OneOf reads a word that is one of a few.
func OneOf[T ~string](what, word string, all ...T) (T, error) {
	if slices.Contains(all, T(word)) {
		return T(word), nil
	}
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = string(one)
	}
	return "", fmt.Errorf("%w: %s %q (one of %s)", ErrSyntax, what, word, strings.Join(names, ", "))
}

// StatusNamed reads a status as users enter it: by its name, or by
// the verb that sets it.
func StatusNamed(word string) (Status, error) {
	switch word {
	case "reopen":
		return Pending, nil
	case "start", "in-progress":
		return InProgress, nil
	case "done", "complete":
		return Completed, nil
	case "cancel", "canceled":
		return Cancelled, nil
	case "block":
		return Blocked, nil
	}
	return ParseStatus(word)
}

// Priority orders items of the same status when the next one is chosen.
type Priority string

// The priorities, in the words of the agents that have them.
const (
	High   Priority = "high"
	Medium Priority = "medium"
	Low    Priority = "low"
)

// ParsePriority reads a priority word; the empty string means none.
func ParsePriority(s string) (Priority, error) {
	if s == "" {
		return "", nil
	}
	return OneOf("priority", s, High, Medium, Low)
}

// weight orders priorities from high to none; an item without one counts as medium.
func (p Priority) weight() int {
	switch p {
	case High:
		return 0
	case Low:
		return 2
	default:
		return 1
	}
}
