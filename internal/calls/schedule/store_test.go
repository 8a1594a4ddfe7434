package schedule

import (
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
	d.MinReader = store.ReaderVersion
	w.Write(d)
	w.EndLine()
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
	push := func(d *Document) (Change, error) { return PushMessage(d, "hello", "", noon) }
	mustUpdate(t, s, "op1", push)
	if c := mustUpdate(t, s, "op1", push); !c.Again || len(c.Doc.Messages) != 1 || c.Change.What != "queued a message" {
		t.Errorf("got %+v", c)
	}
	pop := func(d *Document) (Change, error) { return PopMessages(d, false), nil }
	mustUpdate(t, s, "op2", pop)
	if c := mustUpdate(t, s, "op2", pop); !c.Again || c.Change.Text != "hello" {
		t.Errorf("got %+v", c)
	}
	for i := range 50 {
		mustUpdate(t, s, fmt.Sprint("more", i), push)
	}
	for op, text := range map[string]string{"op1": "", "op2": "hello"} {
		if c := mustUpdate(t, s, op, push); !c.Again || c.Change.Text != text || len(c.Doc.Operations) > 24 {
			t.Errorf("%s: %+v, %d operations in the document", op, c.Change, len(c.Doc.Operations))
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
	push := func(d *Document) (Change, error) { return PushMessage(d, text, "", noon) }
	pop := func(d *Document) (Change, error) { return PopMessages(d, true), nil }
	for n := range 40 {
		mustUpdate(t, s, "", push)
		mustUpdate(t, s, fmt.Sprint("pop", n), pop)
	}
	c := mustUpdate(t, s, "pop39", pop)
	if !c.Again || c.Change.Text != strings.TrimSpace(text) || len(c.Doc.Operations) > 24 {
		t.Errorf("%v, %d bytes, %d operations", c.Again, len(c.Change.Text), len(c.Doc.Operations))
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
		mustUpdate(t, s, "", func(d *Document) (Change, error) { return PushMessage(d, strings.Repeat("long ", 100), "", noon) })
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

func begin(t testing.TB, s *kept) *RunLock {
	t.Helper()
	r, err := s.Begin(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustStart(t testing.TB, r *RunLock, id string) {
	t.Helper()
	_, err := r.Append(func(d *Document) (Change, error) {
		step := d.Step(noon)
		step.Start(d.Find(id), Process{PID: 1})
		return step.Result()
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
