package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"onward/internal/object"
	"onward/internal/store"
)

// Subject is an empty backend under test, with functions that damage its documents from outside.
type Subject struct {
	store.Backend
	Notes  store.Notes
	Damage func(store.Key, []byte) // replaces the content of a document without a commit
	Lose   func(store.Key)         // removes a document without deleting it
}

// Run runs the suite on a backend, which open makes for each test.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Subject)
	}{
		{"never, saved, deleted, gone", testLives},
		{"update", testUpdate},
		{"operations", testOperations},
		{"concurrent updates", testConcurrency},
		{"names", testNames},
		{"many documents", testMany},
		{"log", testLog},
		{"one moment", testOneMoment},
		{"journal", testJournal},
		{"hold", testHold},
		{"context", testContext},
		{"watch", testWatch},
		{"damage", testDamage},
		{"deletion", testDeletion},
		{"effects", testEffects},
		{"faults", testFaults},
		{"memory of operations", testMemory},
		{"notes", testNotes},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// kind is a collection with a log of its own; that of calls is a journal, whose lines are voided by commits.
var (
	kind  = store.Spec{Name: "page", Folder: "pages", Limit: 1 << 20, Note: ".note", Log: &store.Log{Folder: "past", Ending: ".jsonl", Limit: 1 << 20, Bound: 1 << 18, Lines: 3}}
	calls = store.Spec{Name: "page", Folder: "calls", Limit: 1 << 20, Log: &store.Log{Folder: "calls", Ending: ".journal", Limit: 1 << 20, Journal: true}}
)

// page is the smallest document with a content: a list of lines.
type page struct {
	schema, name string
	minReader    int
	rev          uint64
	ops          []string
	lines        []string
	deleting     bool

	readLog func() ([]byte, error)
}

func (p *page) Fields(f *object.Fields) {
	f.Require("name", "lines")
	object.Text(f, "schema", &p.schema)
	f.Int("min_reader", &p.minReader)
	object.Text(f, "name", &p.name)
	f.Uint("rev", &p.rev)
	object.Strings(f, "ops", &p.ops)
	object.Strings(f, "lines", &p.lines)
	f.OmitEmpty().Bool("deleting", &p.deleting)
	f.Skip("sum")
}

func (p *page) Head() store.Head {
	return store.Head{Schema: p.schema, MinReader: p.minReader, Name: p.name, Saved: p.rev > 0, Deleting: p.deleting}
}

func (p *page) Check() error { return nil }

// rules are the rules of store.Rules for the page of that name.
type rules struct{ name string }

func (rules) Join(p *page, v store.Value) error {
	p.readLog = v.Lines
	return nil
}

func (r rules) New() *page {
	return &page{schema: "onward/" + kind.Name + "/v1", minReader: store.Reader, name: r.name}
}

func (rules) Allow(*page) error { return nil }

func (rules) PriorResult(p *page, op string) (string, bool, error) {
	return "before", slices.Contains(p.ops, op), nil
}

func (rules) Commit(p *page, op, did string) (store.Write, error) {
	if did == "" {
		return store.Write{}, nil
	}
	p.rev++
	p.ops = store.Remember(p.ops, store.Operation(op))
	return store.Write{Data: store.Encode(p, 0), Now: at, Line: fmt.Appendf(nil, "%d %s\n", p.rev, did), Trim: p.rev%5 == 0}, nil
}

func (s Subject) pages(name string) store.Collection[page, string, *page] {
	return store.Collection[page, string, *page]{Backend: s, Kind: &kind, Rules: rules{name}}
}

// add adds a line to a page.
func (s Subject) add(name, op, line string) (store.Commit[page, string], error) {
	return s.pages(name).Update(name, op, func(p *page) (string, error) {
		p.lines = append(p.lines, line)
		return "added " + line, nil
	})
}

func (s Subject) mustAdd(t *testing.T, name, line string) {
	t.Helper()
	if _, err := s.add(name, "", line); err != nil {
		t.Fatal(err)
	}
}

// expect reads a page and compares its lines; "none" means that there must not be a page.
func (s Subject) expect(t *testing.T, name, want string) {
	t.Helper()
	p, err := s.pages(name).Load(name)
	got := "none"
	if p != nil {
		got = strings.Join(p.lines, " ")
	}
	if err != nil || got != want {
		t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
	}
}

func testLives(t *testing.T, s Subject) {
	k := store.Key{Kind: &kind, Name: "a"}
	if v, err := s.Get(k); err != nil || v.Data != nil || v.Deleted {
		t.Errorf("never saved: %+v, %v", v, err)
	}
	s.mustAdd(t, "a", "x")
	s.expect(t, "a", "x")
	s.Lose(k)
	for range 2 { // the second time after a writer has seen it
		if _, err := s.pages("a").Load("a"); !errors.Is(err, store.ErrGone) || !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("gone: %v", err)
		}
		if _, err := s.add("a", "", "y"); !errors.Is(err, store.ErrGone) {
			t.Errorf("written though it is gone: %v", err)
		}
	}
	if d, err := s.pages("a").Repair("a", store.Restore, func(store.Value) (store.Write, error) { return store.Write{Delete: true}, nil }, nil); err != nil || d.Problem == nil || d.Copy != "" {
		t.Errorf("repair: %+v, %v", d, err)
	}
	if v, err := s.Get(k); err != nil || v.Data != nil || !v.Deleted {
		t.Errorf("deleted: %+v, %v", v, err)
	}
	s.mustAdd(t, "a", "z")
	s.expect(t, "a", "z")
}

func testUpdate(t *testing.T, s Subject) {
	stop := errors.New("stop")
	for _, refuse := range []error{stop, nil} {
		c, err := s.pages("a").Update("a", "", func(p *page) (string, error) {
			p.lines = append(p.lines, "x")
			return "", refuse
		})
		if !errors.Is(err, refuse) || c.Changed {
			t.Errorf("%+v, %v", c, err)
		}
		s.expect(t, "a", "none")
	}
	if c, err := s.add("a", "", "x"); err != nil || !c.Changed || c.Again || c.Doc.rev != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	entries, err := s.List(&kind, "", true)
	if err != nil || len(entries) != 1 || entries[0].Name != "a" || !entries[0].Changed.Truncate(1e9).Equal(at) {
		t.Errorf("%v, %v", entries, err)
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
	if _, err := s.add("a", "bad op", "x"); !errors.Is(err, store.ErrID) {
		t.Errorf("%v", err)
	}
}

// Lost makes 16 writers update a page 125 times each, and returns how many acknowledged updates are missing or duplicated.
func Lost(t *testing.T, s Subject) int {
	t.Helper()
	const writers, each = 16, 125
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range each {
				if _, err := s.add("a", "", fmt.Sprintf("%d.%d", w, n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	p, err := s.pages("a").Load("a")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(p.lines)
	wrong := len(p.lines) - len(slices.Compact(slices.Clone(p.lines)))
	return wrong + writers*each - len(slices.Compact(p.lines))
}

func testConcurrency(t *testing.T, s Subject) {
	if lost := Lost(t, s); lost != 0 {
		t.Errorf("%d updates are lost, or there twice", lost)
	}
}

func testNames(t *testing.T, s Subject) {
	for _, name := range []string{"a", "b+c", "z.json"} {
		s.mustAdd(t, name, name)
	}
	if _, err := s.add("B+C", "", "x"); !errors.Is(err, store.ErrID) {
		t.Errorf("a name that differs only in case: %v", err)
	}
	entries, err := s.List(&kind, "", false)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "a b+c z.json" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	for like, want := range map[string]int{"b+c": 1, "B+C": 1, "b": 0} {
		if entries, err := s.List(&kind, like, false); len(entries) != want || err != nil {
			t.Errorf("like %s: %v, %v, want %d", like, entries, err, want)
		}
	}
	if entries, err := s.List(&calls, "", true); len(entries) != 0 || err != nil {
		t.Errorf("another collection: %v, %v", entries, err)
	}
}

// testMany reads many documents of two collections in one call. Some exist; the others were never saved,
// or were lost, deleted or damaged.
func testMany(t *testing.T, s Subject) {
	var keys []store.Key
	for n := range 150 {
		name := fmt.Sprint("n", n)
		keys = append(keys, store.Key{Kind: &kind, Name: name}, store.Key{Kind: &calls, Name: name})
		if n%3 == 0 {
			s.mustAdd(t, name, name)
		}
		if n%7 == 0 {
			err := s.Update(keys[len(keys)-1], func(store.Value, error) (store.Write, error) {
				return store.Write{Data: []byte(name), Now: at}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	h, err := s.Hold(keys[1], true)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	if _, err := h.Append(store.Value{}, func(store.Value, error) (store.Line, error) {
		return store.Line{Data: []byte("line\n"), Acknowledged: "mark"}, nil
	}); err != nil {
		t.Fatal(err)
	}
	s.Lose(keys[0])
	s.Damage(keys[6], []byte("{"))
	if err := s.Update(keys[12], func(store.Value, error) (store.Write, error) { return store.Write{Delete: true}, nil }); err != nil {
		t.Fatal(err)
	}
	got := s.GetMany(keys)
	if len(got) != len(keys) {
		t.Fatalf("%d answers to %d keys", len(got), len(keys))
	}
	ahead := store.Prefetch(s, keys)
	for i, k := range keys {
		want := told(s.Get(k))
		if is := told(got[i].Value, got[i].Err); is != want {
			t.Errorf("%s/%s: got %s, want %s", k.Kind.Folder, k.Name, is, want)
		}
		if is := told(ahead.Get(k)); is != want {
			t.Errorf("%s/%s, read before: got %s, want %s", k.Kind.Folder, k.Name, is, want)
		}
	}
}

// told describes what Get returned, as a text to compare.
func told(v store.Value, err error) string {
	log, bad := v.Lines()
	return fmt.Sprintf("%q, deleted %v, log %q, mark %q, %v, %v", v.Data, v.Deleted, log, v.Acknowledged, err, bad)
}

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
	if h.Moved(seen) {
		t.Error("its own line moved the document")
	}
	write("two")
	expect("two", "", "")
	if !h.Moved(seen) {
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

func testWatch(t *testing.T, s Subject) {
	s.mustAdd(t, "a", "x")
	w := s.Watch(store.Key{Kind: &kind, Name: "a"}, store.Key{Kind: &kind, Name: "later"})
	defer w.Close()
	for _, name := range []string{"a", "later"} {
		s.mustAdd(t, name, "y")
		<-w.Changes
	}
	all := s.Watch(store.Key{Kind: &kind})
	defer all.Close()
	for _, name := range []string{"a", "new"} {
		s.mustAdd(t, name, "z")
		<-all.Changes
	}
}

func testDamage(t *testing.T, s Subject) {
	k := store.Key{Kind: &kind, Name: "a"}
	s.mustAdd(t, "a", "x")
	s.mustAdd(t, "other", "x")
	good, err := s.Get(k)
	if err != nil {
		t.Fatal(err)
	}
	flipped := []byte(strings.Replace(string(good.Data), `"x"`, `"y"`, 1))
	for _, c := range []struct {
		name string
		data string
		want error
	}{
		{"empty", "", store.ErrCorrupt},
		{"NUL", "\x00\x00", store.ErrCorrupt},
		{"half", string(good.Data[:20]), store.ErrCorrupt},
		{"one byte", string(flipped), store.ErrChecksum},
		{"another name", strings.Replace(string(good.Data), `"a"`, `"b"`, 1), store.ErrCorrupt},
		{"another program's", `{"name":"x"}`, store.ErrForeign},
		{"too large", strings.Repeat("x", kind.Limit+1), store.ErrLimit},
	} {
		s.Damage(k, []byte(c.data))
		if _, err := s.pages("a").Load("a"); !errors.Is(err, c.want) {
			t.Errorf("%s: load: %v", c.name, err)
		}
		if _, err := s.add("a", "", "y"); !errors.Is(err, c.want) {
			t.Errorf("%s: update: %v", c.name, err)
		}
		if d, err := s.pages("a").Repair("a", store.Examine, nil, nil); err != nil || !errors.Is(d.Problem, c.want) {
			t.Errorf("%s: diagnose: %+v, %v", c.name, d, err)
		}
	}
	s.expect(t, "other", "x")
	s.Damage(k, flipped)
	if d, err := s.pages("a").Repair("a", store.Accept, nil, func(*page) string { return "accepted" }); err != nil || !d.Accepted {
		t.Errorf("accept: %+v, %v", d, err)
	}
	s.expect(t, "a", "y")
	s.Damage(k, good.Data[:20])
	if d, err := s.pages("a").Repair("a", store.Accept, nil, func(*page) string { return "accepted" }); !errors.Is(err, store.ErrCorrupt) || d.Accepted {
		t.Errorf("accept what is damaged: %+v, %v", d, err)
	}
	sound := rules{"a"}.New()
	sound.rev, sound.lines = 7, []string{"restored"}
	restored := store.Encode(sound, 0)
	d, err := s.pages("a").Repair("a", store.Restore, func(store.Value) (store.Write, error) { return store.Write{Data: restored, Now: at}, nil }, nil)
	if err != nil || d.Problem == nil || d.Copy == "" || !slices.Contains(d.Copies, d.Copy) {
		t.Errorf("repair: %+v, %v", d, err)
	}
	s.expect(t, "a", "restored")
	if d, err := s.pages("a").Repair("a", store.Restore, func(store.Value) (store.Write, error) { panic("it is sound") }, nil); err != nil || d.Problem != nil {
		t.Errorf("repair what is sound: %+v, %v", d, err)
	}
}

// deletion returns the deletion of a page. The function rest deletes what belongs to the page elsewhere.
func deletion(rest func() (bool, error)) store.Deletion[page] {
	return store.Deletion[page]{
		Goes: func(time.Time) bool { return true },
		Mark: func(p *page) (store.Write, error) {
			p.deleting = true
			return store.Write{Data: store.Encode(p, 0)}, nil
		},
		Rest: func(store.Backend) (bool, error) { return rest() },
	}
}

func (s Subject) delete(name string, rest func() (bool, error)) (gone bool, err error) {
	return s.pages(name).Delete(name, deletion(rest))
}

// complete completes a deletion if it was cut off.
func (s Subject) complete(name string) (gone bool, err error) {
	how := deletion(func() (bool, error) { return false, nil })
	how.Cut = true
	return s.pages(name).Delete(name, how)
}

func testDeletion(t *testing.T, s Subject) {
	none := func() (bool, error) { return false, nil }
	if gone, err := s.delete("a", none); gone || !errors.Is(err, store.ErrNone) {
		t.Errorf("none: %v, %v", gone, err)
	}
	s.mustAdd(t, "a", "x")
	gone, err := s.pages("a").Delete("a", store.Deletion[page]{Goes: func(time.Time) bool { return false }, Rest: func(store.Backend) (bool, error) { panic("it stays") }})
	if gone || err != nil {
		t.Errorf("it was to stay: %v, %v", gone, err)
	}
	disk := store.Problem(store.ErrIO, "the disk")
	if gone, err := s.delete("a", func() (bool, error) { return false, disk }); gone || !errors.Is(err, store.ErrIO) || errors.Is(err, store.ErrNotDurable) {
		t.Errorf("the rest is refused: %v, %v", gone, err)
	}
	s.expect(t, "a", "x")
	before, _ := s.List(&kind, "", true)
	if gone, err := s.delete("a", func() (bool, error) { return true, disk }); gone || !errors.Is(err, store.ErrHalfDeleted) || !errors.Is(err, store.ErrNotDurable) {
		t.Errorf("half of the rest is gone: %v, %v", gone, err)
	}
	after, err := s.List(&kind, "", true)
	if err != nil || len(after) != 1 || !after[0].Changed.Equal(before[0].Changed) {
		t.Errorf("its time is %v, and was %v, %v", after, before, err)
	}
	s.isDeleting(t, "a")
	gone, err = s.delete("a", func() (bool, error) {
		s.isDeleting(t, "a")
		if gone, err := s.complete("a"); gone || !errors.Is(err, store.ErrBusy) {
			t.Errorf("another process completes what is being deleted: %v, %v", gone, err)
		}
		return false, nil
	})
	if !gone || err != nil {
		t.Errorf("a deletion that was begun before: %v, %v", gone, err)
	}
	s.expect(t, "a", "none")
	if _, log, _, err := store.GetWithLog(s, store.Key{Kind: &kind, Name: "a"}); log != nil || err != nil {
		t.Errorf("its log: %q, %v", log, err)
	}
	if gone, err := s.delete("a", none); !gone || err != nil {
		t.Errorf("deleted already: %v, %v", gone, err)
	}
	s.mustAdd(t, "a", "new")
	s.expect(t, "a", "new")
	gone, err = s.delete("a", func() (bool, error) { return true, store.Problem(store.ErrNotDurable, "the folder") })
	if !gone || !errors.Is(err, store.ErrNotDurable) || errors.Is(err, store.ErrHalfDeleted) {
		t.Errorf("the rest is gone, and may come back: %v, %v", gone, err)
	}
	s.expect(t, "a", "none")
	testCutDeletion(t, s)
	testRacedDeletion(t, s)
}

// testCutDeletion lets a process die in the middle of a deletion. Its hold ends, and any other process
// completes the deletion, but deletes nothing else.
func testCutDeletion(t *testing.T, s Subject) {
	s.mustAdd(t, "cut", "x")
	if gone, err := s.complete("cut"); gone || err != nil {
		t.Errorf("nobody was about to delete it: %v, %v", gone, err)
	}
	s.expect(t, "cut", "x")
	_, err := s.delete("cut", func() (bool, error) { return true, store.Problem(store.ErrIO, "as good as dead") })
	if !errors.Is(err, store.ErrHalfDeleted) {
		t.Error(err)
	}
	s.isDeleting(t, "cut")
	if gone, err := s.complete("cut"); !gone || err != nil {
		t.Errorf("it is not completed: %v, %v", gone, err)
	}
	s.expect(t, "cut", "none")
	s.mustAdd(t, "cut", "new")
	if gone, err := s.complete("cut"); gone || err != nil {
		t.Errorf("the next page of the name: %v, %v", gone, err)
	}
	s.expect(t, "cut", "new")
}

// isDeleting checks that a page that is being deleted can be neither read nor changed.
func (s Subject) isDeleting(t *testing.T, name string) {
	t.Helper()
	if p, err := s.pages(name).Load(name); p != nil || !errors.Is(err, store.ErrDeleting) || !errors.Is(err, store.ErrBusy) {
		t.Errorf("it is read: %v, %v", p, err)
	}
	if _, err := s.add(name, "", "late"); !errors.Is(err, store.ErrDeleting) {
		t.Errorf("it is written: %v", err)
	}
}

// testRacedDeletion lets another writer commit before the deletion's mark is set, and lets an older version,
// which does not know the mark, replace the document after it.
func testRacedDeletion(t *testing.T, s Subject) {
	s.mustAdd(t, "raced", "x")
	rushed, k := Subject{Backend: s.hurried(t)}, store.Key{Kind: &kind, Name: "raced"}
	attempts, raced := 0, false
	how := store.Deletion[page]{Goes: func(time.Time) bool { return true }, Mark: func(p *page) (store.Write, error) {
		if attempts++; attempts == 1 {
			_, busy := rushed.add("raced", "", "y") // fails in a store of files, where the page is locked
			raced = busy == nil
		}
		if lines := len(p.lines); raced && attempts > 1 && lines != 2 {
			t.Errorf("%d lines are marked", lines)
		}
		p.deleting = true
		return store.Write{Data: store.Encode(p, 0)}, nil
	}, Rest: func(store.Backend) (bool, error) {
		return true, s.Update(k, func(store.Value, error) (store.Write, error) {
			return store.Write{Data: []byte("something else"), Now: at}, nil
		})
	}}
	if gone, err := s.pages("raced").Delete("raced", how); gone || !errors.Is(err, store.ErrHalfDeleted) {
		t.Errorf("replaced meanwhile: %v, %v", gone, err)
	}
	if v, err := s.Get(k); err != nil || string(v.Data) != "something else" {
		t.Errorf("what came later: %q, %v", v.Data, err)
	}
	if gone, err := s.delete("raced", func() (bool, error) { return false, nil }); !gone || err != nil {
		t.Errorf("what cannot be read is not deleted: %v, %v", gone, err)
	}
}

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
var memories = store.MemoryKind("page-operations")

// testMemory lets many processes remember operations of one page.
func testMemory(t *testing.T, s Subject) {
	m := store.Memory{Backend: s, Kind: &memories}
	if known, err := m.Read("a", at); err != nil || known.Knows("0.0") {
		t.Errorf("nothing was remembered: %v, %v", known, err)
	}
	const writers, each = 8, 5
	op := func(w, n int) string { return fmt.Sprintf("%d.%d", w, n) }
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range each {
				if err := m.Add("a", []store.Applied{{Op: op(w, n), Result: &page{name: op(w, n)}}}, at); err != nil {
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
	many := make([]store.Applied, 1001)
	for n := range many {
		many[n] = store.Applied{Op: fmt.Sprint("many", n), Result: &page{}}
	}
	err = m.Add("many", many, at)
	if kept, bad := m.Read("many", at); err != nil || bad != nil || len(kept) != 1000 || kept.Knows("many0") || !kept.Knows("many1000") {
		t.Errorf("of 1001 operations %d are kept, %v, %v", len(kept), err, bad)
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

func testNotes(t *testing.T, s Subject) {
	s.mustAdd(t, "a", "x")
	k := store.Key{Kind: &kind, Name: "a"}
	if note := s.Notes.Note(k); len(note) != 0 {
		t.Errorf("%q", note)
	}
	for _, text := range []string{"a long one\n", "short\n"} {
		if err := s.Notes.ChangeNote(k, func([]byte) []byte { return []byte(text) }); err != nil {
			t.Fatal(err)
		}
		if note := s.Notes.Note(k); string(note) != text {
			t.Errorf("got %q, want %q", note, text)
		}
	}
}
