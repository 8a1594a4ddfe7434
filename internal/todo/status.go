package todo

import (
	"fmt"
	"slices"
	"strings"
)

// Status describes how far an item has come.
type Status string

// The statuses are the union of those that agents have.
// Their names are part of the file format and of every JSON output.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Cancelled  Status = "cancelled"
	Blocked    Status = "blocked"
)

// Meaning is everything that onward knows about a status.
type Meaning struct {
	Status Status
	Open   bool // work remains
	Works  bool // it is being worked on, so its time is counted
	Waits  bool // it cannot be worked on now; its item may have a reason
	Rank   int  // how far an item has come: a move to a higher rank is progress, one to a lower rank is not
	Tone   Tone

	Past string // the verb for setting it, in the past: `completed 2 items`
	Sign string // on a screen and in a report; no two look alike without colour
	Text string // the sign where only ASCII can be shown

	Boxes string // the characters between the brackets of a check box that mean it
	Note  string // written after the text in a check list, if the box is not enough to tell the status

	Aliases []string // other spellings, in small letters
	Verbs   []string // what users type
	Agents  []string // words of agents, in small letters, with _ between words
}

// Tone is what a status means to the reader of a screen. Each has its colours.
type Tone int

// The tones.
const (
	Idle Tone = iota // nothing happens, and nothing is wrong
	Active
	Good
	Off
	Bad
	Tones // how many there are
)

// meanings describes every status, in the order in which totals are printed.
// Everything that depends on a status takes it from here.
var meanings = [...]Meaning{
	{
		Status: Pending, Open: true, Rank: 0, Tone: Idle,
		Past: "reopened", Sign: "⭕", Text: "[ ]", Boxes: " ",
		Verbs:  []string{"reopen"},
		Agents: []string{"todo", "open", "not_started", "notstarted"},
	},
	{
		Status: InProgress, Open: true, Works: true, Rank: 1, Tone: Active,
		Past: "started", Sign: "⏳", Text: "[>]", Boxes: "~/", Note: "in progress",
		Aliases: []string{"in-progress"}, Verbs: []string{"start"},
		Agents: []string{"inprogress"}, // as inProgress
	},
	{
		Status: Completed, Rank: 3, Tone: Good,
		Past: "completed", Sign: "✅", Text: "[x]", Boxes: "xX✓✔",
		Verbs:  []string{"done", "complete"},
		Agents: []string{"done", "closed", "complete", "finished"},
	},
	{
		Status: Cancelled, Rank: 3, Tone: Off,
		Past: "cancelled", Sign: "❌", Text: "[-]", Boxes: "-", Note: "cancelled",
		Aliases: []string{"canceled"}, Verbs: []string{"cancel"},
	},
	{
		// It ranks before the closed statuses, because completing a blocked item is progress.
		Status: Blocked, Open: true, Waits: true, Rank: 2, Tone: Bad,
		Past: "blocked", Sign: "⛔", Text: "[!]", Boxes: "!", Note: "blocked",
		Verbs:  []string{"block"},
		Agents: []string{"failed"}, // work remains, and its agent cannot do it
	},
}

// foreign is the meaning of a word that is not a status. Lists that were read have no such word; if one appears
// anyway, its item counts as open.
var foreign = Meaning{Open: true, Tone: Bad, Past: "changed", Sign: "❓", Text: "[?]"}

// Meaning returns what a status means. An item without one is pending.
func (s Status) Meaning() *Meaning {
	if s == "" {
		s = Pending
	}
	for i := range meanings {
		if meanings[i].Status == s {
			return &meanings[i]
		}
	}
	return &foreign
}

// Statuses lists every status in the order in which totals are printed.
func Statuses() []Status {
	out := make([]Status, len(meanings))
	for i := range meanings {
		out[i] = meanings[i].Status
	}
	return out
}

// Open reports whether work remains.
func (s Status) Open() bool { return s.Meaning().Open }

// Works reports whether an item is being worked on.
func (s Status) Works() bool { return s.Meaning().Works }

// Waits reports whether an item cannot be worked on now, for a reason that it may have.
func (s Status) Waits() bool { return s.Meaning().Waits }

// Rank orders statuses by how far an item has come,
// so that a move to a higher rank is progress and a move down is not.
func (s Status) Rank() int { return s.Meaning().Rank }

// Urgency orders statuses by what happens next: items at work, those that can be worked on, those that wait, and the rest.
func (s Status) Urgency() int {
	switch m := s.Meaning(); {
	case m.Works:
		return 3
	case m.Open && !m.Waits:
		return 2
	case m.Open:
		return 1
	}
	return 0
}

// Words names a status for a reader.
func (s Status) Words() string { return strings.ReplaceAll(string(s), "_", " ") }

// Known reports whether a status is one of onward's.
func (s Status) Known() bool { return s != "" && s.Meaning() != &foreign }

// StatusWords lists the statuses for a message.
func StatusWords() string { return joined(Statuses()) }

// openStatuses lists the statuses of open items.
func openStatuses() []Status {
	return slices.DeleteFunc(Statuses(), func(s Status) bool { return !s.Open() })
}

// waitingWords names the statuses of items that may have a reason.
func waitingWords() string {
	var words []string
	for i := range meanings {
		if meanings[i].Waits {
			words = append(words, meanings[i].Status.Words())
		}
	}
	return strings.Join(words, " or ")
}

// StatusWhere returns the first status whose meaning has a property.
func StatusWhere(has func(*Meaning) bool) (Status, bool) {
	for i := range meanings {
		if has(&meanings[i]) {
			return meanings[i].Status, true
		}
	}
	return "", false
}

// ParseStatus reads a status word exactly as it is written in files and flags.
func ParseStatus(s string) (Status, error) { return ParseOneOf("status", s, Statuses()...) }

// UnknownWordError is about a word that is none of those that are known.
type UnknownWordError struct {
	Text, Word string
	Known      []string
}

func (e *UnknownWordError) Error() string { return e.Text }
func (e *UnknownWordError) Unwrap() error { return ErrSyntax }

// ParseOneOf reads a word that is one of a few.
func ParseOneOf[T ~string](what, word string, all ...T) (T, error) {
	if slices.Contains(all, T(word)) {
		return T(word), nil
	}
	known := make([]string, len(all))
	for i, is := range all {
		known[i] = string(is)
	}
	return "", &UnknownWordError{fmt.Sprintf("%v: %s %q (one of %s)", ErrSyntax, what, word, joined(all)), word, known}
}

func joined[T ~string](words []T) string {
	names := make([]string, len(words))
	for i, word := range words {
		names[i] = string(word)
	}
	return strings.Join(names, ", ")
}

// StatusNamed reads a status as users enter it: by its name, or by
// the verb that sets it.
func StatusNamed(word string) (Status, error) {
	s, ok := StatusWhere(func(m *Meaning) bool {
		return slices.Contains(m.Verbs, word) || slices.Contains(m.Aliases, word)
	})
	if ok {
		return s, nil
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
	return ParseOneOf("priority", s, High, Medium, Low)
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
