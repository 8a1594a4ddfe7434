package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/storetest"
)

var name = session.Name{Session: "s"}

// kept is a store in memory whose content a test can damage.
type kept struct {
	*Store
	memory *storetest.Memory
}

// decode decodes a document without checking its name.
func decode(data []byte) (*Document, error) {
	var d Document
	if err := storetest.Decode(&kind, data, &d); err != nil {
		return nil, err
	}
	return &d, nil
}

func testStore() *kept {
	memory := storetest.NewMemory()
	return &kept{&Store{Backend: memory}, memory}
}

// journal returns the backend's journal, and the mark of its last entry.
func (s *kept) journal(t testing.TB) ([]byte, string) {
	t.Helper()
	v, err := s.Backend.Get(Key(name))
	if err != nil {
		t.Fatal(err)
	}
	return v.Log, v.Acknowledged
}

func mustUpdate(t testing.TB, s *kept, op string, change func(*Document) (Change, error)) Commit {
	t.Helper()
	c, err := s.Update(name, op, noon, change)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustSubmit(t testing.TB, s *kept, text string) Commit {
	t.Helper()
	return mustUpdate(t, s, "", func(d *Document) (Change, error) { return Submit(d, requests(t, text), judge(t), noon) })
}

func mustLoad(t testing.TB, s *kept) *Document {
	t.Helper()
	d, err := s.Load(name)
	if err != nil || d == nil {
		t.Fatalf("%v, %v", d, err)
	}
	return d
}

func encoded(t rapid.TB, d *Document) string {
	t.Helper()
	w := object.NewWriter(0)
	d.MinReader = store.Reader
	w.Write(d)
	w.Line()
	return string(store.Seal(w.Bytes()))
}

func TestDocumentsSurviveWritingAndReading(t *testing.T) {
	full := `{"schema":"onward/schedule/v1","min_reader":3,"waiting":1,"open":0,"head":"611f05a4e0f0d91b","rev":3,"op":"x","session":"s","agent":"primary","updated_at":"2026-01-01T09:00:00.000Z",` +
		`"messages":[{"text":"a\nb","at":"2026-01-01T09:00:00.000Z","new":1}],"ops":[{"id":"x","change":"did","calls":["a"],"complete":["b"],"text":"t"}],` +
		`"rules":[{"tool":"shell","command_prefix":"git status","modes":["default"],"decision":"allow","priority":-2,"new":[]}],` +
		`"batches":[{"id":"b","complete":true,"new":{}}],"calls":[{"id":"a","tool":"view","args":{"n":1},"batch":"b","after":["z"],"priority":-1,"wait_for_previous":true,` +
		`"status":"error","class":"failed","reason":"r","mode":"default","approval":{"outcome":"policy","at":"2026-01-01T09:00:00.000Z","new":1},"cwd":"/","declaration":"h",` +
		`"owner":{"pid":5,"start":"6","boot":"7","new":1},"stop_at":"2026-01-01T09:00:00.000Z","stop_for":"s","result":{"exit_code":-1,"stdout":"o","stderr":"e","truncated":true,"output_file":"f","new":1},` +
		`"moves":[{"status":"validating","at":"2026-01-01T09:00:00.000Z"}],"reported":true,"new":1}],"new":{"a":1}}` + "\n"
	full = string(store.Seal([]byte(full)))
	d, err := decode([]byte(full))
	if err != nil {
		t.Fatal(err)
	}
	if got := encoded(t, d); got != full {
		t.Errorf("got  %s\nwant %s", got, full)
	}
	for bad, want := range map[string]error{
		``: store.ErrCorrupt, `{`: store.ErrCorrupt, "\x00\x00": store.ErrCorrupt, `[]`: store.ErrCorrupt,
		`{"schema":"x"}`: store.ErrForeign, `{"schema":"onward/schedule/vx"}`: store.ErrForeign,
		`{"schema":"onward/schedule/v1","min_reader":4}`:                                                    store.ErrNewer,
		`{"schema":"onward/schedule/v1","calls":[{"id":"a","status":"lost"}]}`:                              store.ErrCorrupt,
		`{"schema":"onward/schedule/v1","calls":[{"id":"a","status":"error"},{"id":"a","status":"error"}]}`: store.ErrCorrupt,
		`{"schema":"onward/schedule/v1","calls":[{"id":"../../trust","status":"error"}]}`:                   store.ErrCorrupt,
		`{"schema":"onward/schedule/v1"} 1`:                                                                 store.ErrCorrupt,
		`{"schema":"onward/schedule/v1","new":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`:   store.ErrLimit,
	} {
		if _, err := decode([]byte(bad)); !errors.Is(err, want) {
			t.Errorf("%.60s: got %v, want %v", bad, err, want)
		}
	}
}

func TestRepeatedOperationReturnsFirstAnswer(t *testing.T) {
	s := testStore()
	push := func(d *Document) (Change, error) { return Push(d, "hello", "", noon) }
	mustUpdate(t, s, "op1", push)
	if c := mustUpdate(t, s, "op1", push); !c.Again || len(c.Doc.Messages) != 1 || c.Change.What != "queued a message" {
		t.Errorf("got %+v", c)
	}
	pop := func(d *Document) (Change, error) { return Pop(d, false), nil }
	mustUpdate(t, s, "op2", pop)
	if c := mustUpdate(t, s, "op2", pop); !c.Again || c.Change.Text != "hello" {
		t.Errorf("got %+v", c)
	}
	for i := range 50 {
		mustUpdate(t, s, fmt.Sprint("more", i), push)
	}
	for op, text := range map[string]string{"op1": "", "op2": "hello"} {
		if c := mustUpdate(t, s, op, push); !c.Again || c.Change.Text != text || len(c.Doc.Ops) > 24 {
			t.Errorf("%s: %+v, %d operations in the document", op, c.Change, len(c.Doc.Ops))
		}
	}
	if c, err := s.Update(name, "op1", noon+todo.Time(25*time.Hour/time.Millisecond), push); err != nil || c.Again {
		t.Errorf("an operation was remembered for ever: %v", err)
	}
}

// TestLongResultsStayInTheDocument checks that the result of a long message is kept only with the last operations in the document.
func TestLongResultsStayInTheDocument(t *testing.T) {
	s := testStore()
	text := strings.Repeat("long ", 1000)
	push := func(d *Document) (Change, error) { return Push(d, text, "", noon) }
	pop := func(d *Document) (Change, error) { return Pop(d, true), nil }
	for n := range 40 {
		mustUpdate(t, s, "", push)
		mustUpdate(t, s, fmt.Sprint("pop", n), pop)
	}
	c := mustUpdate(t, s, "pop39", pop)
	if !c.Again || c.Change.Text != strings.TrimSpace(text) || len(c.Doc.Ops) > 24 {
		t.Errorf("%v, %d bytes, %d operations", c.Again, len(c.Change.Text), len(c.Doc.Ops))
	}
}

func TestStanding(t *testing.T) {
	s := testStore()
	standing := func() string {
		t.Helper()
		got, err := s.Standing(name)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%d %v %d %v", len(got.Messages), got.Awaiting, got.Pending, got.Running)
	}
	want := func(text string) {
		t.Helper()
		if got := standing(); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	want("0 [] 0 false")
	mustSubmit(t, s, "a:view b:edit c:view")
	want("0 [b] 2 false")
	run, err := s.Begin(name)
	if err != nil {
		t.Fatal(err)
	}
	want("0 [b] 2 true")
	run.End()
	mustUpdate(t, s, "", func(d *Document) (Change, error) { return CancelAll(d, "", alive, noon) })
	for n := range 12 {
		want(fmt.Sprintf("%d [] 0 false", n))
		mustUpdate(t, s, "", func(d *Document) (Change, error) { return Push(d, strings.Repeat("long ", 100), "", noon) })
	}
	for _, bad := range []string{"", "{", "[]", `{"schema":"onward/schedule/v1","waiting":"x"`, `{"a":"waiting"}`, strings.Repeat(" ", 300)} {
		s.memory.Damage(Key(name), []byte(bad))
		if got, err := s.Standing(name); err == nil {
			t.Errorf("%q: got %+v", bad, got)
		}
	}
}

// TestLostDocumentIsNotEmpty removes a document without deleting it. It must not count as an empty schedule.
func TestLostDocumentIsNotEmpty(t *testing.T) {
	s := testStore()
	if d, err := s.Load(name); d != nil || err != nil {
		t.Errorf("got %v, %v", d, err)
	}
	mustSubmit(t, s, "a:view")
	s.memory.Lose(Key(name))
	if _, err := s.Load(name); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

// TestDeleteLostSchedule checks that a lost schedule can be deleted, so that its session can be used again.
func TestDeleteLostSchedule(t *testing.T) {
	s := testStore()
	mustSubmit(t, s, "a:view")
	s.memory.Lose(Key(name))
	if _, err := s.Delete(name); err != nil {
		t.Fatal(err)
	}
	mustSubmit(t, s, "b:view")
}

func begin(t testing.TB, s *kept) *Run {
	t.Helper()
	r, err := s.Begin(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustStart(t testing.TB, r *Run, id string) {
	t.Helper()
	_, err := r.Append(func(d *Document) (Change, error) {
		step := d.Step(noon)
		step.Start(d.Find(id), Process{PID: 1})
		return step.Made()
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSecondRunIsBusy(t *testing.T) {
	s := testStore()
	r := begin(t, s)
	if _, err := s.Begin(name); !errors.Is(err, store.ErrBusy) {
		t.Errorf("got %v", err)
	}
	r.End()
	begin(t, s).End()
}

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
	mustUpdate(t, s, "", func(d *Document) (Change, error) { return Push(d, "m", "", noon) })
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

func TestOversizedInputIsRefused(t *testing.T) {
	s := testStore()
	mustSubmit(t, s, "a:view")
	var many []Request
	big := jsontext.Value(`{"command":"` + strings.Repeat("x", MaxArgs-20) + `"}`)
	for i := range 300 {
		many = append(many, Request{ID: fmt.Sprint("x", i), Tool: "view", Args: big})
	}
	_, err := s.Update(name, "", noon, func(d *Document) (Change, error) { return Submit(d, many, judge(t), noon) })
	if !errors.Is(err, store.ErrLimit) || !strings.Contains(err.Error(), "schedule clear") {
		t.Errorf("got %v", err)
	}
	expect(t, mustLoad(t, s), "a=scheduled")
}

// model follows a schedule from outside, and checks what must never happen.
type model struct {
	t        *rapid.T
	started  map[string]int  // number of starts of each call
	final    map[string]Call // the final state of each call
	approved map[string]bool
	complete map[string]int
	seen     []string
}

func (m *model) look(d *Document, did Change) {
	for i := range d.Calls {
		c := d.Calls[i]
		if was, ended := m.final[c.ID]; ended && (was.Status != c.Status || len(was.Moves) != len(c.Moves)) {
			m.t.Fatalf("call %s went from %s to %s", c.ID, was.Status, c.Status)
		}
		if c.Status.Final() {
			m.final[c.ID] = c
		}
		for j := 1; j < len(c.Moves); j++ {
			if from := c.Moves[j-1].Status; !contains(from.next(), c.Moves[j].Status) {
				m.t.Fatalf("call %s went from %s to %s", c.ID, from, c.Moves[j].Status)
			}
		}
		if c.At(Executing) != 0 && c.Tool == "edit" && !m.approved[c.ID] {
			m.t.Fatalf("call %s ran unapproved", c.ID)
		}
	}
	for _, id := range m.seen {
		if d.Find(id) == nil {
			m.t.Fatalf("call %s is lost", id)
		}
	}
	for _, id := range did.Complete {
		if m.complete[id]++; m.complete[id] > 1 {
			m.t.Fatalf("batch %s was reported twice", id)
		}
		for i := range d.Calls {
			if c := &d.Calls[i]; c.Batch == id && !c.Status.Final() {
				m.t.Fatalf("batch %s was reported, but %s is %s", id, c.ID, c.Status)
			}
		}
	}
}

func contains(list []Status, s Status) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// TestRandomInterleavings submits, approves, denies, cancels, starts and ends calls through the store in random order, with deaths of runners.
func TestRandomInterleavings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := testStore()
		m := &model{t: t, started: map[string]int{}, final: map[string]Call{}, approved: map[string]bool{}, complete: map[string]int{}}
		run, err := s.Begin(name)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { run.End() }()
		running := map[string]bool{}
		var plan *Plan
		pickID := func(label string) string {
			if len(m.seen) == 0 {
				return "none"
			}
			return rapid.SampledFrom(m.seen).Draw(t, label)
		}
		update := func(change func(*Document) (Change, error)) {
			c, err := s.Update(name, "", noon, change)
			if err == nil {
				m.look(c.Doc, c.Change)
			} else if !errors.Is(err, ErrState) && !errors.Is(err, ErrNotFound) {
				t.Fatal(err)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"submit": func(t *rapid.T) {
				var batch []Request
				for range rapid.IntRange(1, 3).Draw(t, "calls") {
					q := Request{ID: fmt.Sprint("c", len(m.seen)+len(batch)), Tool: rapid.SampledFrom([]string{"view", "edit", "free", "none"}).Draw(t, "tool")}
					if rapid.Bool().Draw(t, "depends") && len(m.seen) > 0 {
						q.After = []string{pickID("after")}
					}
					q.Barrier = rapid.IntRange(0, 4).Draw(t, "barrier") == 0
					q.Priority = rapid.IntRange(0, 2).Draw(t, "priority")
					batch = append(batch, q)
				}
				update(func(d *Document) (Change, error) { return Submit(d, batch, judge(t), noon) })
				for _, q := range batch {
					m.seen = append(m.seen, q.ID)
				}
			},
			"approve": func(t *rapid.T) {
				id := pickID("call")
				update(func(d *Document) (Change, error) {
					did, _, err := Approve(d, []string{id}, judge(t), false, false, noon)
					if err == nil {
						m.approved[id] = true
					}
					return did, err
				})
			},
			"deny": func(t *rapid.T) {
				id := pickID("call")
				update(func(d *Document) (Change, error) { return Refuse(d, []string{id}, "", noon) })
			},
			"cancel": func(t *rapid.T) {
				id := pickID("call")
				update(func(d *Document) (Change, error) { return Cancel(d, []string{id}, "", alive, noon) })
			},
			"run": func(t *rapid.T) {
				d, err := run.Doc()
				if d == nil || err != nil {
					return
				}
				if plan == nil {
					if plan = NewPlan(d, func(tool string) bool { return tool == "view" }); plan == nil {
						return
					}
				}
				did, err := run.Append(func(d *Document) (Change, error) {
					step := d.Step(noon)
					for _, c := range plan.Next(d, len(running), 2-len(running)) {
						step.Start(c, Process{PID: 1})
						running[c.ID] = true
						if m.started[c.ID]++; m.started[c.ID] > 1 {
							t.Fatalf("call %s was started twice", c.ID)
						}
						for _, id := range c.After {
							if on := d.Find(id); on != nil && on.Status != Success {
								t.Fatalf("call %s ran before %s", c.ID, id)
							}
						}
					}
					return step.Made()
				})
				if err != nil {
					t.Fatal(err)
				}
				d, _ = run.Doc()
				m.look(d, did)
				if len(running) == 0 {
					plan = nil
				}
			},
			"end": func(t *rapid.T) {
				if len(running) == 0 {
					return
				}
				var endings []Ending
				for id := range running {
					endings = append(endings, Ending{ID: id, Status: rapid.SampledFrom([]Status{Success, Success, Errored, Cancelled}).Draw(t, "status")})
					delete(running, id)
				}
				did, err := run.Append(func(d *Document) (Change, error) {
					step := d.Step(noon)
					step.End(endings)
					return step.Made()
				})
				if err != nil {
					t.Fatal(err)
				}
				d, _ := run.Doc()
				m.look(d, did)
			},
			"kill": func(t *rapid.T) {
				run.End()
				if run, err = s.Begin(name); err != nil {
					t.Fatal(err)
				}
				plan = nil
				clear(running)
				if d, err := run.Doc(); d == nil || err != nil {
					return
				}
				c, err := run.Commit(noon, func(d *Document) (Change, error) {
					did, err := Recover(d, dead, noon)
					if did.What == "" && d.Journal > 0 {
						did.What = "took the journal in"
					}
					return did, err
				})
				if err != nil {
					t.Fatal(err)
				}
				m.look(c.Doc, c.Change)
			},
			"": func(t *rapid.T) {
				d, err := s.Load(name)
				if err != nil {
					t.Fatal(err)
				}
				if d != nil {
					m.look(d, Change{})
					again, err := decode([]byte(encoded(t, d)))
					if err != nil || encoded(t, again) != encoded(t, d) {
						t.Fatalf("%v", err)
					}
				}
			},
		})
	})
}
