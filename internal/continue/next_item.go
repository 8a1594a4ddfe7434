package continuation

import (
	"errors"
	"fmt"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// NextItem is the item that is ready for a worker, or the reason why there is none.
type NextItem struct {
	Ready   todo.Ready
	Item    todo.Item
	Claimed bool
	Rev     uint64

	blocked []string // if none is ready: why the first blocked items are, for a reader
	more    int      // how many others are
}

// FindNext finds the item of a list that is ready for a worker.
func FindNext(doc *session.Document, w todo.Worker, now todo.Time) NextItem {
	next := NextItem{Rev: doc.Rev, Ready: todo.ReadyFor(doc.Todos.Items, w, now)}
	if next.Ready.Item >= 0 {
		next.Item = doc.Todos.Items[next.Ready.Item]
	} else {
		next.noteBlocked(doc.Todos.Items)
	}
	return next
}

// noteBlocked notes why items of the list are blocked.
func (n *NextItem) noteBlocked(items []todo.Item) {
	n.blocked, n.more = nil, 0
	for i := range items {
		switch it := &items[i]; {
		case !it.Status.Waits() || it.Reason == "":
		case len(n.blocked) == maxNamed:
			n.more++
		default:
			n.blocked = append(n.blocked, fmt.Sprintf("item %d: %s", i+1, FoldLine(it.Reason)))
		}
	}
}

// Why says in words why no item is ready, with the reasons of the blocked ones.
func (n *NextItem) Why() string {
	text := n.Ready.Why()
	if n.Ready.Working || !n.Ready.Open {
		return text
	}
	text = strings.Join(append([]string{text}, n.blocked...), "; ")
	if n.more > 0 {
		text += fmt.Sprintf("; and %d more", n.more)
	}
	return text
}

// Outcome tells what a worker does next: work on the item, end because nothing is open, wait for the others, or let the user decide.
func (n *NextItem) Outcome() Outcome {
	switch {
	case n.Ready.Item >= 0:
		return Continue
	case !n.Ready.Open:
		return Finished
	case n.Ready.Working:
		return Wait
	}
	return NeedsHuman
}

// Claim claims the item that is ready now, if there is one.
func (n *NextItem) Claim(doc *session.Document, w todo.Worker, by string, now todo.Time) (session.Change, error) {
	e, ready, err := todo.ClaimNext(doc.Todos.Current(), w, now)
	if n.Ready = ready; ready.Item < 0 {
		n.noteBlocked(doc.Todos.Current())
	}
	if err != nil || ready.Item < 0 {
		return session.Change{}, err
	}
	n.Item = e.Items[ready.Item]
	return Apply(doc, Event{Type: Edited, Items: e.Items, Touched: e.Touched, Change: e.What, Source: "cli", By: by}, now)
}

// Committed takes the result of the claim. A retry gets the item that it claimed before, even if another one is ready now.
func (n *NextItem) Committed(commit session.Commit) error {
	if !commit.Changed && !commit.Again {
		n.Claimed = n.Ready.Item >= 0 // a claim that is renewed within a millisecond changes nothing
		return nil
	}
	n.Claimed, n.Rev = true, commit.Doc.Rev
	for _, touched := range commit.Change.Touched {
		at, err := todo.ParsePosition("id:" + touched.ID)
		if err != nil {
			return err
		}
		ref, err := todo.Find(commit.Doc.Todos.Items, at)
		if errors.Is(err, todo.ErrNotFound) {
			return fmt.Errorf("the item that was claimed before is gone: %w", err)
		}
		if err != nil {
			return err
		}
		n.Ready.Item, n.Item = ref.Item, commit.Doc.Todos.Items[ref.Item]
	}
	return nil
}
