package storetest

import (
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

// Subject is a backend under test, empty, with what befalls a store from outside.
type Subject struct {
	store.Backend
	Notes  store.Notes
	Damage func(store.Key, []byte) // puts other content in the place of a document
	Lose   func(store.Key)         // takes a document away that was not deleted
}

// Run puts a backend to the test.
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
		{"log", testLog},
		{"joined log", testJoinedLog},
		{"hold", testHold},
		{"watch", testWatch},
		{"damage", testDamage},
		{"deletion", testDeletion},
		{"faults", testFaults},
		{"notes", testNotes},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// kind is a collection with a log of its own, and calls one whose log is joined to the document.
var (
	kind  = store.Kind{Name: "page", Folder: "pages", Limit: 1 << 20, Note: ".note", Log: &store.Log{Folder: "past", Ending: ".jsonl", Limit: 1 << 20, Bound: 1 << 18, Lines: 3}}
	calls = store.Kind{Name: "page", Folder: "calls", Limit: 1 << 20, KeepCopies: true, Log: &store.Log{Folder: "calls", Ending: ".journal", Limit: 1 << 20, Joined: true}}
)

// page is a document as small as one can be.
type page struct {
	schema, name string
	minReader    int
	rev          uint64
	ops          []string
	lines        []string
}

func (p *page) Fields(f *object.Fields) {
	f.Need("name", "lines")
	object.Text(f, "schema", &p.schema)
	f.Int("min_reader", &p.minReader)
	object.Text(f, "name", &p.name)
	f.Uint("rev", &p.rev)
	object.Strings(f, "ops", &p.ops)
	object.Strings(f, "lines", &p.lines)
	f.Skip("sum")
}

func (p *page) Head() store.Head {
	return store.Head{Schema: p.schema, MinReader: p.minReader, Name: p.name, Saved: p.rev > 0}
}

func (p *page) Check() error { return nil }

// rules are those of one page.
type rules struct{ name string }

func (rules) Join(*page, store.Value) error { return nil }

func (r rules) New() *page {
	return &page{schema: "onward/" + kind.Name + "/v1", minReader: store.Reader, name: r.name}
}

func (rules) Allow(*page) error { return nil }

func (rules) PriorResult(p *page, op string) (string, bool) {
	return "before", slices.Contains(p.ops, op)
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

// expect reads a page and compares its lines; "none" is no page.
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
	for range 2 { // also after a writer has seen it
		if _, err := s.pages("a").Load("a"); !errors.Is(err, store.ErrGone) || !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("gone: %v", err)
		}
		if _, err := s.add("a", "", "y"); !errors.Is(err, store.ErrGone) {
			t.Errorf("written though it is gone: %v", err)
		}
	}
	if d, err := s.pages("a").Repair("a", store.Restore, func() (store.Write, error) { return store.Write{Delete: true}, nil }, nil); err != nil || d.Problem == nil || d.Copy != "" {
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

// Lost returns how many of 16 times 125 acknowledged updates are not there, or there twice.
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

func testLog(t *testing.T, s Subject) {
	k := store.Key{Kind: &kind, Name: "a"}
	for n := range 6 {
		s.mustAdd(t, "a", fmt.Sprint(n))
		log, err := s.Log(k)
		if last := fmt.Sprintf("%d added %d\n", n+1, n); err != nil || !strings.HasSuffix(string(log), last) {
			t.Fatalf("got %q, %v, want %q at its end", log, err, last)
		}
	}
	if log, _ := s.Log(k); string(log) != "3 added 2\n4 added 3\n5 added 4\n6 added 5\n" {
		t.Errorf("trimmed: %q", log)
	}
	if log, err := s.Log(store.Key{Kind: &kind, Name: "none"}); log != nil || err != nil {
		t.Errorf("%q, %v", log, err)
	}
}

// testJoinedLog appends lines to a held document; what a commit has taken in is void.
func testJoinedLog(t *testing.T, s Subject) {
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
			if len(v.Log) == 0 && v.Mark == "" {
				place = 0
			}
			return store.Line{Data: []byte(text), At: place, Mark: "mark " + text[:1]}, nil
		})
		place += len(text)
		if err != nil || saw != seesData {
			t.Fatalf("%v; saw %q, want %q", err, saw, seesData)
		}
	}
	expect := func(data, log, mark string) {
		t.Helper()
		v, err := s.Get(k)
		if err != nil || string(v.Data) != data || string(v.Log) != log || log != "" && v.Mark != mark {
			t.Errorf("got %q, %q, %q, %v", v.Data, v.Log, v.Mark, err)
		}
	}
	appendLine("a\n", "one")
	appendLine("b\n", "one")
	expect("one", "a\nb\n", "mark b")
	place = 2 // what follows is void
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
	if first, err = s.Hold(k, false); err != nil {
		t.Fatal(err)
	}
	first.Release()
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
	d, err := s.pages("a").Repair("a", store.Restore, func() (store.Write, error) { return store.Write{Data: restored, Now: at}, nil }, nil)
	if err != nil || d.Problem == nil || d.Copy == "" || !slices.Contains(d.Copies, d.Copy) {
		t.Errorf("repair: %+v, %v", d, err)
	}
	s.expect(t, "a", "restored")
	if d, err := s.pages("a").Repair("a", store.Restore, func() (store.Write, error) { panic("it is sound") }, nil); err != nil || d.Problem != nil {
		t.Errorf("repair what is sound: %+v, %v", d, err)
	}
}

func testDeletion(t *testing.T, s Subject) {
	pages := s.pages("a")
	none := func() (bool, error) { return false, nil }
	goes := func(is bool) func(time.Time) bool { return func(time.Time) bool { return is } }
	if gone, err := pages.Delete("a", goes(true), none); gone || !errors.Is(err, store.ErrNone) {
		t.Errorf("none: %v, %v", gone, err)
	}
	s.mustAdd(t, "a", "x")
	if gone, err := pages.Delete("a", goes(false), none); gone || err != nil {
		t.Errorf("it was to stay: %v, %v", gone, err)
	}
	disk := store.Problem(store.ErrIO, "the disk")
	for removed, want := range map[bool]error{false: store.ErrIO, true: store.ErrNotDurable} {
		if gone, err := pages.Delete("a", goes(true), func() (bool, error) { return removed, disk }); gone || !errors.Is(err, want) {
			t.Errorf("what belongs to it stays: %v, %v", gone, err)
		}
		s.expect(t, "a", "x")
	}
	first := false
	gone, err := pages.Delete("a", goes(true), func() (bool, error) {
		p, err := pages.Load("a")
		first = p != nil && err == nil
		return false, nil
	})
	if !gone || err != nil || !first {
		t.Errorf("%v, %v, and it was there meanwhile: %v", gone, err, first)
	}
	s.expect(t, "a", "none")
	if log, err := s.Log(store.Key{Kind: &kind, Name: "a"}); log != nil || err != nil {
		t.Errorf("its log: %q, %v", log, err)
	}
	s.mustAdd(t, "a", "new")
	s.expect(t, "a", "new")
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
