package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

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
	if _, err := s.add("B+C", "", "x"); !errors.Is(err, store.ErrInvalidName) {
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
