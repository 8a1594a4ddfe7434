package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"onward/internal/store"
)

func testHold(t *testing.T, s Subject) {
	k, other := store.Key{Kind: &kind, Name: "a"}, store.Key{Kind: &kind, Name: "b"}
	first, err := s.Hold(k, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Hold(k, true); !errors.Is(err, store.ErrBusy) {
		t.Errorf("held twice: %v", err)
	}
	s.mustAdd(t, "a", "x") // a commit does not wait for it
	for of, want := range map[store.Key]bool{k: true, other: false} {
		if is, err := s.Held(of); is != want || err != nil {
			t.Errorf("%s is held: %v, %v", of.Name, is, err)
		}
	}
	second, err := s.Hold(other, true)
	if err != nil {
		t.Fatal(err)
	}
	second.Release()
	first.Release()
	again, err := s.Hold(k, false)
	if err != nil {
		t.Fatal(err)
	}
	first.Release() // a second release must not end the hold of the present holder
	if _, err := s.Hold(k, true); !errors.Is(err, store.ErrBusy) {
		t.Errorf("held after an earlier holder's second release: %v", err)
	}
	again.Release()
}

// hurried returns the store bound to a context that has ended, for a caller that does not wait.
func (s Subject) hurried(t *testing.T) store.Backend {
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	t.Cleanup(cancel)
	return s.With(ctx)
}

// testContext interrupts a caller that waits for a held document, and one whose context ended before its call.
func testContext(t *testing.T, s Subject) {
	k := store.Key{Kind: &kind, Name: "a"}
	s.mustAdd(t, "a", "x")
	held, err := s.Hold(k, true)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	if _, err := s.hurried(t).Hold(k, false); !errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrInterrupted) {
		t.Errorf("a deadline that has passed: %v", err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	bound, waited := Subject{Backend: s.With(ctx)}, make(chan error, 1)
	began := time.Now()
	go func() {
		_, err := bound.Hold(k, false)
		waited <- err
	}()
	interrupt()
	// A store that never waits says that the document is held; the others would wait for a minute.
	if err := <-waited; !errors.Is(err, store.ErrInterrupted) && !errors.Is(err, store.ErrBusy) || time.Since(began) > 40*time.Second {
		t.Errorf("waiting for %v: %v", time.Since(began), err)
	}
	if _, err := bound.Hold(store.Key{Kind: &kind, Name: "b"}, true); !errors.Is(err, store.ErrInterrupted) {
		t.Errorf("a document is held after the interrupt: %v", err)
	}
	if _, err := bound.add("a", "", "late"); !errors.Is(err, store.ErrInterrupted) {
		t.Errorf("a change after the interrupt: %v", err)
	}
	s.mustAdd(t, "a", "y")
	s.expect(t, "a", "x y")
}
