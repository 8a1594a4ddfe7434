package night

import (
	"errors"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// oneList is a store with one list, which counts what is written to it.
type oneList struct {
	Store
	doc    *session.Document
	writes int
}

func (s *oneList) Load() (*session.Document, error) { return s.doc, nil }

func (s *oneList) Update(_ ChangeCause, _ todo.Time, change func(*session.Document) (session.Change, error)) error {
	s.writes++
	doc := s.doc
	if doc == nil {
		doc = &session.Document{}
	}
	_, err := change(doc)
	return err
}

// TestRefusalOfARemovedList records a refusal that the store had not taken: a list that was removed in the meantime, or replaced, does
// not begin anew with it.
func TestRefusalOfARemovedList(t *testing.T) {
	seen := session.Document{CreatedAt: 1}
	seen.Rev, seen.Op, seen.OperationIDs = 3, "o", []string{"o"}
	removed, other, again := (*session.Document)(nil), seen, seen
	other.CreatedAt = 2
	for name, c := range map[string]struct {
		doc    *session.Document
		err    error
		writes int
	}{
		"the list is there": {&again, nil, 1}, "it was removed": {removed, errReplaced, 0}, "there is another one": {&other, errReplaced, 0},
	} {
		store := &oneList{doc: c.doc}
		end := continuation.Event{Type: continuation.TurnEnd, Status: continuation.Failed, ErrorClass: continuation.ErrorRateLimit, Source: "claude"}
		r := Runner{Store: store, rev: seen.Rev, op: seen.Op, created: seen.CreatedAt, refused: &refusal{end, 0}, at: 5}
		if err := r.recordRefusal(); !errors.Is(err, c.err) || store.writes != c.writes || (r.refused == nil) != (err == nil) {
			t.Errorf("%s: %v after %d writes, and still to be recorded: %v", name, err, store.writes, r.refused != nil)
		}
	}
}
