// Package todo contains the items of a todo list and the operations on it.
//
// Everything here is pure: a function receives items and the current time and returns new items.
// Files, clocks and terminals are elsewhere.
package todo

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of one list. They keep a document within the size that a reader accepts.
const (
	MaxItems = 10_000
	MaxText  = 64 << 10 // bytes of one text, after trimming

	// MaxReason is how many characters the reason of a pause may have.
	MaxReason = 500
)

// The kinds of refusal. Each has its own exit code, so callers distinguish them with errors.Is.
var (
	ErrSyntax   = errors.New("bad argument")   // an argument is malformed
	ErrNotFound = errors.New("no such item")   // there is no item of a well-formed position or id
	ErrLimit    = errors.New("over the limit") // a text, or the list, would grow too large
)

// ErrPosition is an ErrSyntax about a position.
const ErrPosition = syntaxError("bad argument")

// ErrNoRevision is an ErrSyntax about an edit that changes nothing.
const ErrNoRevision = syntaxError("bad argument: nothing to change")

// ErrEmpty is an ErrNotFound in a list without items.
const ErrEmpty = emptyError("no such item")

// emptyError is an ErrNotFound with a message.
type emptyError string

func (e emptyError) Error() string { return string(e) }

func (e emptyError) Unwrap() error { return ErrNotFound }

// syntaxError is an ErrSyntax with a message. It is a constant, so that it costs nothing when the program starts.
type syntaxError string

func (e syntaxError) Error() string { return string(e) }

func (e syntaxError) Unwrap() error { return ErrSyntax }

// Item is one entry of a list.
type Item struct {
	ID           string
	Content      string
	Status       Status
	Priority     Priority
	ActiveForm   string   // the agent's wording while it works on the item
	NativeStatus string   // the agent's own word for the status, if it is another one
	By           string   // ByUser; empty if an agent added it
	BlockedBy    []string // ids of the items that must be closed before
	Reason       string   // why it is blocked
	Assignee     string   // the member of the agent's team whose item it is; empty is nobody's
	Claim        *Claim   // of the worker that holds it, or nil
	Claims       int      // how many times it was claimed
	Gate         *Gate    // the command that must pass before it is completed, or nil
	NeedsProof   bool     // a run on it accepts only what is proven; only a person says so
	CreatedAt    Time
	UpdatedAt    Time
	CompletedAt  Time
	Subtasks     []Subtask
	Unknown      jsontext.Value // members that a newer onward wrote, which are kept
}

// isChecked reports whether a person has set what shows that an item is done.
func (it *Item) isChecked() bool { return it.Gate != nil || it.NeedsProof }

// ByUser marks an item that the user added, and not an agent.
const ByUser = "user"

// Subtask is a part of an item; it has no parts of its own.
type Subtask struct {
	ID      string
	Content string
	Status  Status // empty means pending
	Reason  string // why it is blocked
	By      string // ByUser; empty if an agent added it
	Unknown jsontext.Value
}

// Counts are the totals over the top-level items of a list.
type Counts struct {
	Total int
	Open  int
	Lost  int                // cancelled ones that the agent's own list lacks
	by    [len(meanings)]int // in the order of the statuses
}

// LostReason is the reason of an item that is cancelled only because the agent's own list lacks it, which shows nothing of its work.
const LostReason = "no longer in the agent's list"

// IsLost reports whether an item is cancelled for that reason.
func (it *Item) IsLost() bool { return isLost(it.Status, it.Reason) }

func isLost(s Status, reason string) bool { return s == Cancelled && reason == LostReason }

// WordsFor returns the status of an item with a reason, for a reader.
func WordsFor(s Status, reason string) string {
	if isLost(s, reason) {
		return "lost"
	}
	return s.Words()
}

// Count adds up the statuses of items.
func Count(items []Item) Counts {
	var c Counts
	for i := range items {
		m := items[i].Status.Meaning()
		if c.Total++; m.Open {
			c.Open++
		}
		if items[i].IsLost() {
			c.Lost++
		}
		for j := range meanings {
			if &meanings[j] == m {
				c.by[j]++
			}
		}
	}
	return c
}

// String lists how many items have each status: `2 completed, 1 cancelled`.
func (c Counts) String() string {
	return strings.Join(c.words(func(*Meaning) bool { return true }), ", ")
}

// Words lists how many of the open items, or of the others, have each status.
func (c Counts) Words(open bool) []string {
	return c.words(func(m *Meaning) bool { return m.Open == open })
}

// Without returns the counts without some of the items with a status.
func (c Counts) Without(s Status, n int) Counts {
	for i := range meanings {
		if meanings[i].Status == s {
			c.by[i] -= n
			c.Total -= n
		}
	}
	return c
}

func (c Counts) words(among func(*Meaning) bool) (parts []string) {
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	for i := range meanings {
		switch m := &meanings[i]; {
		case !among(m):
		case m.Status == Cancelled:
			add(c.by[i]-c.Lost, m.Status.Words())
			add(c.Lost, WordsFor(Cancelled, LostReason))
		default:
			add(c.by[i], m.Status.Words())
		}
	}
	return parts
}

// Progress returns how many items are completed, and of how many: cancelled ones are neither done nor left to do.
func (c Counts) Progress() (done, of int) {
	done = c.Of(Completed)
	return done, done + c.Open
}

// Of returns the number of items with one status.
func (c Counts) Of(s Status) int {
	for i := range meanings {
		if meanings[i].Status == s {
			return c.by[i]
		}
	}
	return 0
}

// equal reports whether two items are the same in every field.
func (it *Item) equal(other *Item) bool {
	return it.ID == other.ID && it.Content == other.Content && it.Status == other.Status &&
		it.Priority == other.Priority && it.ActiveForm == other.ActiveForm &&
		it.NativeStatus == other.NativeStatus && it.By == other.By && it.Reason == other.Reason && it.Assignee == other.Assignee &&
		it.Claim.equal(other.Claim) && it.Claims == other.Claims && it.Gate.equal(other.Gate) && it.NeedsProof == other.NeedsProof &&
		it.CreatedAt == other.CreatedAt && it.UpdatedAt == other.UpdatedAt && it.CompletedAt == other.CompletedAt &&
		slices.Equal(it.BlockedBy, other.BlockedBy) && bytes.Equal(it.Unknown, other.Unknown) &&
		slices.EqualFunc(it.Subtasks, other.Subtasks, Subtask.equal)
}

func (t Subtask) equal(other Subtask) bool {
	return t.ID == other.ID && t.Content == other.Content && t.StatusOrPending() == other.StatusOrPending() && t.Reason == other.Reason && t.By == other.By &&
		bytes.Equal(t.Unknown, other.Unknown)
}

// Equal reports whether two lists hold the same items in the same order.
func Equal(a, b []Item) bool {
	return slices.EqualFunc(a, b, func(x, y Item) bool { return x.equal(&y) })
}

// CheckText trims a text. It returns an error for a text that a list cannot hold: an empty one, one with invalid UTF-8
// or NUL, or one of more than MaxText bytes.
func CheckText(s string) (string, error) {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return "", fmt.Errorf("%w: the text is empty", ErrSyntax)
	case !utf8.ValidString(s):
		return "", fmt.Errorf("%w: the text is not valid UTF-8", ErrText)
	case strings.ContainsRune(s, 0):
		return "", fmt.Errorf("%w: the text holds a NUL character", ErrText)
	case len(s) > MaxText:
		return "", fmt.Errorf("%w: the text has %d bytes, at most %d are kept", ErrLimit, len(s), MaxText)
	}
	return s, nil
}

// ErrText marks a text whose bytes cannot be kept.
var ErrText = errors.New("bad text")
