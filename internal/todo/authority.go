package todo

import (
	"errors"
	"fmt"
	"slices"
)

// ErrForbidden is the error if an agent changes an item in a way that only a person may.
var ErrForbidden = errors.New("only a person may do that")

// Authority is who changes a list, and what that one may do with the items that are not its own. The zero value is an agent in a
// turn that the user's prompt began.
type Authority struct {
	Alone bool // the agent works without the user: in a run, or after a continuation
}

// Forbidden is a change of an item that an agent may not make.
type Forbidden struct {
	Item   int    // its index before the change
	Cancel bool   // the item would be cancelled; otherwise it would be gone
	Why    string // in words, such as "has a gate"
}

func (f *Forbidden) Error() string {
	verb := "delete"
	if f.Cancel {
		verb = "cancel"
	}
	return fmt.Sprintf("item %d %s: an agent may not %s it", f.Item+1, f.Why, verb)
}

func (f *Forbidden) Unwrap() error { return ErrForbidden }

// Check returns the first change from one list to another that an agent may not make: a *Forbidden, or nil. The items that the
// agent cannot take off the list are the open ones with a gate, and the open ones of the user. An item without a maker, as
// older versions saved it, is the agent's.
func (a Authority) Check(before, after []Item) error {
	var now map[string]int
	for i := range before {
		was := &before[i]
		if !was.Status.Open() || was.Gate == nil && was.By != ByUser {
			continue
		}
		if now == nil {
			now = make(map[string]int, len(after))
			for at := range after {
				now[after[at].ID] = at
			}
		}
		at, there := now[was.ID]
		if f := a.forbids(was, there && after[at].Status == Cancelled); f != "" && (!there || after[at].Status == Cancelled) {
			return &Forbidden{Item: i, Cancel: there, Why: f}
		}
	}
	return nil
}

// forbids returns why an item may not be removed or cancelled; empty if it may.
func (a Authority) forbids(it *Item, cancel bool) string {
	switch {
	case it.Gate != nil:
		return "has a gate"
	case it.By == ByUser && (!cancel || a.Alone):
		return "is yours"
	}
	return ""
}

// Keep returns a list that an agent has written whole, with its forbidden cancellations taken back. For each item, from has the
// index of the saved one that it continues, or -1.
func (a Authority) Keep(saved, items []Item, from []int) []Item {
	copied := false
	for i := range items {
		if from[i] < 0 || items[i].Status != Cancelled {
			continue
		}
		was := &saved[from[i]]
		if !was.Status.Open() || a.forbids(was, true) == "" {
			continue
		}
		if !copied {
			items, copied = slices.Clone(items), true
		}
		it := &items[i]
		it.Status, it.NativeStatus, it.Reason, it.CompletedAt, it.UpdatedAt = was.Status, was.NativeStatus, was.Reason, was.CompletedAt, was.UpdatedAt
	}
	return items
}
