package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"onward/internal/store"
)

func testLog(t *testing.T, s Subject) {
	k := store.Key{Kind: &kind, Name: "a"}
	for n := range 6 {
		s.mustAdd(t, "a", fmt.Sprint(n))
		_, log, _, err := store.GetWithLog(s, k)
		if last := fmt.Sprintf("%d added %d\n", n+1, n); err != nil || !strings.HasSuffix(string(log), last) {
			t.Fatalf("got %q, %v, want %q at its end", log, err, last)
		}
	}
	if _, log, _, _ := store.GetWithLog(s, k); string(log) != "3 added 2\n4 added 3\n5 added 4\n6 added 5\n" {
		t.Errorf("trimmed: %q", log)
	}
	if _, log, _, err := store.GetWithLog(s, store.Key{Kind: &kind, Name: "none"}); log != nil || err != nil {
		t.Errorf("%q, %v", log, err)
	}
}

// testOneMoment compares a document with its log, which must be of the same commit, after and during the changes of others.
func testOneMoment(t *testing.T, s Subject) {
	k := store.Key{Kind: &kind, Name: "a"}
	s.mustAdd(t, "a", "0")
	seen, err := s.Get(k)
	if err != nil {
		t.Fatal(err)
	}
	s.mustAdd(t, "a", "1")
	if log, err := seen.Lines(); string(log) != "1 added 0\n" && !errors.Is(err, store.ErrBusy) {
		t.Errorf("the log of a document that has changed since: %q, %v", log, err)
	}
	rushed, attempts := Subject{Backend: s.hurried(t)}, 0
	_, err = s.pages("a").Update("a", "", func(p *page) (string, error) {
		if attempts++; attempts == 1 {
			_, err := rushed.add("a", "", "meanwhile") // fails in a store of files, where the page is locked
			if err != nil && !errors.Is(err, store.ErrBusy) {
				return "", err
			}
		}
		return "added moments", p.endsLog()
	})
	if err != nil {
		t.Error(err)
	}
	var all sync.WaitGroup
	over := make(chan struct{})
	for range 2 {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				default:
				}
				if _, err := s.add("a", "", "more"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 50 {
		p, log, err := s.pages("a").LoadWithLog("a")
		if err == nil {
			p.readLog = func() ([]byte, error) { return log, nil }
			err = p.hasLog()
		}
		if err != nil {
			t.Error(err)
			break
		}
	}
	close(over)
	all.Wait()
}

// hasLog returns an error unless the log contains the line of the page's last commit.
func (p *page) hasLog() error {
	log, err := p.readLog()
	if err == nil && p.rev > 0 && !strings.Contains("\n"+string(log), fmt.Sprintf("\n%d added ", p.rev)) {
		err = fmt.Errorf("the log of revision %d is %q", p.rev, log)
	}
	return err
}

// endsLog is like hasLog, but the line must be the last one: no other commit can have followed the page's.
func (p *page) endsLog() error {
	err := p.hasLog()
	if err != nil {
		return err
	}
	log, _ := p.readLog()
	if lines := strings.Split(strings.TrimSpace(string(log)), "\n"); !strings.HasPrefix(lines[len(lines)-1], fmt.Sprintf("%d ", p.rev)) {
		err = fmt.Errorf("the log of revision %d ends later: %q", p.rev, log)
	}
	return err
}

// testJournal appends lines to the journal of a held document. The lines that a commit has included are void afterwards.
func testJournal(t *testing.T, s Subject) {
	k := store.Key{Kind: &calls, Name: "a"}
	write := func(text string) {
		t.Helper()
		err := s.Update(k, func(v store.Value, err error) (store.Write, error) {
			return store.Write{Data: []byte(text), Now: at}, err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	h, err := s.Hold(k, true)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	var seen store.Value
	place := 0
	appendLine := func(text, seesData string) {
		t.Helper()
		var saw string
		seen, err = h.Append(seen, func(v store.Value, err error) (store.Line, error) {
			if saw = string(v.Data); err != nil {
				t.Error(err)
			}
			if len(v.Log) == 0 && v.Acknowledged == "" {
				place = 0
			}
			return store.Line{Data: []byte(text), At: place, Acknowledged: "mark " + text[:1]}, nil
		})
		place += len(text)
		if err != nil || saw != seesData {
			t.Fatalf("%v; saw %q, want %q", err, saw, seesData)
		}
	}
	expect := func(data, log, mark string) {
		t.Helper()
		v, err := s.Get(k)
		if err != nil || string(v.Data) != data || string(v.Log) != log || log != "" && v.Acknowledged != mark {
			t.Errorf("got %q, %q, %q, %v", v.Data, v.Log, v.Acknowledged, err)
		}
	}
	appendLine("a\n", "one")
	appendLine("b\n", "one")
	expect("one", "a\nb\n", "mark b")
	place = 2 // the next line replaces everything after the second byte
	appendLine("c\n", "one")
	expect("one", "a\nc\n", "mark c")
	if h.Replaced(seen) {
		t.Error("its own line moved the document")
	}
	write("two")
	expect("two", "", "")
	if !h.Replaced(seen) {
		t.Error("another commit did not move the document")
	}
	place = 0
	appendLine("d\n", "two")
	expect("two", "d\n", "mark d")
	refuse := errors.New("refused")
	if _, err := h.Append(seen, func(store.Value, error) (store.Line, error) { return store.Line{}, refuse }); !errors.Is(err, refuse) {
		t.Errorf("%v", err)
	}
	if _, err := h.Append(seen, func(store.Value, error) (store.Line, error) { return store.Line{}, nil }); err != nil {
		t.Error(err)
	}
	expect("two", "d\n", "mark d")
	err = h.Update(k, func(v store.Value, err error) (store.Write, error) {
		if string(v.Log) != "d\n" || err != nil {
			t.Errorf("saw %q, %v", v.Log, err)
		}
		return store.Write{Data: []byte("three"), Now: at}, nil
	})
	if err != nil {
		t.Error(err)
	}
	expect("three", "", "")
}
