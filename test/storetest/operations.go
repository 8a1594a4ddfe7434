package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"onward/internal/store"
)

// testEffects lets many readers remove lines while others add some, as the user's messages are removed from their queue.
// Each removed line must be reported once, after the update that removed it.
func testEffects(t *testing.T, s Subject) {
	const readers, writers, each = 4, 2, 15
	var mu sync.Mutex
	told := map[string]int{}
	var adding, taking sync.WaitGroup
	over := make(chan struct{})
	for w := range writers {
		adding.Go(func() {
			for n := range each {
				s.mustAdd(t, "a", fmt.Sprintf("%d.%d", w, n))
			}
		})
	}
	take := func() {
		var taken []string
		_, err := s.pages("a").Update("a", "", func(p *page) (string, error) {
			taken = p.lines
			if p.lines = nil; len(taken) == 0 {
				return "", nil
			}
			return "took them", nil
		})
		if err != nil {
			t.Error(err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for _, line := range taken {
			told[line]++
		}
	}
	for range readers {
		taking.Go(func() {
			for done := false; !done; take() {
				select {
				case <-over:
					done = true
				default:
				}
			}
		})
	}
	adding.Wait()
	close(over)
	taking.Wait()
	if len(told) != writers*each {
		t.Errorf("%d lines were told of %d", len(told), writers*each)
	}
	for line, n := range told {
		if n != 1 {
			t.Errorf("%s was told %d times", line, n)
		}
	}
}

// memories is the collection that remembers the operations of pages.
var memories = store.OperationLogKind("page-operations")

// testMemory lets many processes remember operations of one page.
func testMemory(t *testing.T, s Subject) {
	m := store.OperationLog{Backend: s, Kind: &memories}
	if known, err := m.Read("a", at); err != nil || known.Has("0.0") {
		t.Errorf("nothing was remembered: %v, %v", known, err)
	}
	const writers, each = 8, 5
	op := func(w, n int) string { return fmt.Sprintf("%d.%d", w, n) }
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range each {
				if err := m.Add("a", []store.Operation{{ID: op(w, n), Result: &page{name: op(w, n)}}}, at); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	known, err := m.Read("a", at.Add(23*time.Hour))
	for w := range writers {
		for n := range each {
			var p page
			if is, bad := known.Result(op(w, n), &p); !is || bad != nil || p.name != op(w, n) {
				t.Errorf("%s: %v, %q, %v, %v", op(w, n), is, p.name, bad, err)
			}
		}
	}
	many := make([]store.Operation, 1001)
	for n := range many {
		many[n] = store.Operation{ID: fmt.Sprint("many", n), Result: &page{}}
	}
	err = m.Add("many", many, at)
	if kept, bad := m.Read("many", at); err != nil || bad != nil || len(kept) != 1000 || kept.Has("many0") || !kept.Has("many1000") {
		t.Errorf("of 1001 operations %d are kept, %v, %v", len(kept), err, bad)
	}
	for n := range 3 {
		err = errors.Join(err, m.Add("long", []store.Operation{{ID: fmt.Sprint("long", n), Result: &page{lines: []string{strings.Repeat("x", 400<<10)}}}}, at))
	}
	if kept, bad := m.Read("long", at); err != nil || bad != nil || len(kept) != 2 || kept.Has("long0") {
		t.Errorf("of three operations with long results %d are kept, %v, %v", len(kept), err, bad)
	}
	if known, err := m.Read("a", at.Add(25*time.Hour)); err != nil || len(known) != 0 {
		t.Errorf("a day later: %d, %v", len(known), err)
	}
	for range 2 {
		if _, err := m.Delete("a"); err != nil {
			t.Error(err)
		}
	}
	if known, err := m.Read("a", at); err != nil || len(known) != 0 {
		t.Errorf("forgotten: %d, %v", len(known), err)
	}
}

func testOperations(t *testing.T, s Subject) {
	for n := range 20 {
		for again := range 2 {
			c, err := s.add("a", fmt.Sprint("op", n), "x")
			if err != nil || c.Again != (again == 1) || !c.Changed {
				t.Fatalf("operation %d: %+v, %v", n, c, err)
			}
		}
	}
	p, err := s.pages("a").Load("a")
	if err != nil || len(p.lines) != 20 || len(p.ops) != 16 {
		t.Errorf("%d lines, %d operations, %v", len(p.lines), len(p.ops), err)
	}
	if _, err := s.add("a", "bad op", "x"); !errors.Is(err, store.ErrInvalidName) {
		t.Errorf("%v", err)
	}
}
