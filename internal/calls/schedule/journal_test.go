package schedule

import (
	"bytes"
	"errors"
	"testing"

	"onward/internal/store"
)

func TestJournalAppliesUntilMerged(t *testing.T) {
	s := testStore()
	mustSubmit(t, s, "a:view b:view c:view")
	r := begin(t, s)
	defer r.End()
	mustStart(t, r, "a")
	mustStart(t, r, "b")
	expect(t, mustLoad(t, s), "a=executing b=executing c=scheduled")
	if d := mustLoad(t, s); d.Rev != 1 {
		t.Errorf("the document was written, rev %d", d.Rev)
	}
	// Another process commits the document. The journal then no longer applies, but is not an error.
	mustUpdate(t, s, "", func(d *Document) (Change, error) { return PushMessage(d, "m", "", noon) })
	old, _ := s.journal(t)
	expect(t, mustLoad(t, s), "a=executing b=executing c=scheduled")
	mustStart(t, r, "c")
	expect(t, mustLoad(t, s), "a=executing b=executing c=executing")
	// If an old journal replaces the newer one, this is damage: the start of c is lost.
	_, mark := s.journal(t)
	s.memory.DamageLog(Key(name), old, mark)
	if _, err := s.Load(name); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

// TestDamagedJournal cuts a journal at every byte, and damages every byte. A cut that a crash can cause loses only the last
// entry. Any other missing or damaged part is an error, since finished calls would run again.
func TestDamagedJournal(t *testing.T) {
	s := testStore()
	mustSubmit(t, s, "a:view b:view")
	damage := func(journal []byte, mark string) { s.memory.DamageLog(Key(name), journal, mark) }
	const unknown = ""
	r := begin(t, s)
	mustStart(t, r, "a")
	first, afterFirst := s.journal(t)
	mustStart(t, r, "b")
	r.End()
	whole, afterSecond := s.journal(t)
	for n := range len(whole) + 1 {
		want := "a=scheduled b=scheduled"
		if n >= len(first) {
			want = "a=executing b=scheduled"
		}
		if n == len(whole) {
			want = "a=executing b=executing"
		}
		for _, tail := range [][]byte{nil, {0, 0, 0}} {
			for _, c := range []struct {
				mark  string
				known int
			}{{unknown, 0}, {afterFirst, len(first)}, {afterSecond, len(whole)}} {
				damage(append(whole[:n:n], tail...), c.mark)
				d, err := s.Load(name)
				if n < c.known {
					if !errors.Is(err, store.ErrCorrupt) {
						t.Fatalf("cut at %d of %d, %d known: got %v", n, len(whole), c.known, err)
					}
				} else if err != nil || statuses(d) != want {
					t.Fatalf("cut at %d of %d, %d known: got %s, %v, want %s", n, len(whole), c.known, statuses(d), err, want)
				}
			}
		}
	}
	for at := range whole {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 1
		damage(damaged, afterSecond)
		if _, err := s.Load(name); !errors.Is(err, store.ErrCorrupt) {
			t.Fatalf("byte %d of %d is damaged: got %v", at, len(whole), err)
		}
	}
	// Whole lines follow the bad one, so a crash cannot have caused it.
	damage(append([]byte("{\n"), whole...), unknown)
	if _, err := s.Load(name); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a bad line at the beginning: got %v", err)
	}
	damage(nil, afterSecond)
	if _, err := s.Load(name); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a journal that is gone: got %v", err)
	}
	damage(whole, afterSecond)
	// The next run merges the journal before it appends to it.
	r = begin(t, s)
	defer r.End()
	if mustLoad(t, s).Journal == 0 {
		t.Error("the journal passes for clean")
	}
	if _, err := r.Commit(noon, func(d *Document) (Change, error) { return Recover(d, dead, noon) }); err != nil {
		t.Fatal(err)
	}
	expect(t, mustLoad(t, s), "a=error b=error")
	if mustLoad(t, s).Journal > 0 {
		// This run has not opened the file yet; its next entry clears it.
		mustSubmit(t, s, "c:view")
		mustStart(t, r, "c")
		expect(t, mustLoad(t, s), "a=error b=error c=executing")
	}
}
