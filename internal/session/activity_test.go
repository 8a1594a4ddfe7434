package session

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"onward/internal/store"
	"onward/internal/todo"
)

func TestActivity(t *testing.T) {
	s := testStore(t)
	if err := s.UpdateActivity(name, saw("tool-start", noon)); err != nil {
		t.Errorf("without a list: %v", err)
	}
	mustAdd(t, s, "a")
	for i, kind := range []string{"tool-start", "assistant-message"} {
		want := Activity{Kind: kind, At: noon + 1000}
		if err := s.UpdateActivity(name, saw(want.Kind, want.At)); err != nil {
			t.Fatal(err)
		}
		if got := s.Activity(name); got != want {
			t.Errorf("%d: got %+v", i, got)
		}
	}
	if err := s.UpdateActivity(Name{Session: "../x"}, saw("x", noon)); !errors.Is(err, store.ErrInvalidName) {
		t.Errorf("got %v", err)
	}
	if d := mustLoad(t, s); d.Rev != 1 {
		t.Errorf("a sign of life is a commit: rev %d", d.Rev)
	}
}

func TestDamagedActivityIsIgnored(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	for _, content := range []string{"", "\n", "tool-start", "tool-start x", "tool-start 1 x", "tool-start 1 -1", "tool-start 1 2 no", "tool-start 1 2 1 -1", "tool-start 1 2 1 1 1", "tool-start 1 2 1 1 a@b x", "tool-start 1 2 A", "tool-start 1 0 0123456", "tool-start 1 0 01234567*1", "tool-start 1 0 01234567+x", "tool-start 1 0 01234567+1,", "\x00\x00"} {
		if err := s.Notes.ChangeNote(Key(name), func([]byte) []byte { return []byte(content) }); err != nil {
			t.Fatal(err)
		}
		if got := s.Activity(name); got != (Activity{}) {
			t.Errorf("%q: got %+v", content, got)
		}
	}
}

// TestToolCallsAreCounted checks that other activity does not change the count of tool calls.
func TestToolCallsAreCounted(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	count := func(a *Activity) {
		a.Kind, a.At = "tool-end", noon
		a.CountCalls("x", 1)
	}
	for want, change := range []func(*Activity){saw("tool-start", noon), count, count, saw("tool-start", noon)} {
		if err := s.UpdateActivity(name, change); err != nil {
			t.Fatal(err)
		}
		if got := s.Activity(name); got.UncountedCalls("x") != min(want, 2) || got.At != noon {
			t.Errorf("step %d: got %+v", want, got)
		}
	}
	if err := s.UpdateActivity(name, func(a *Activity) { a.CountCalls("x", 2*maxCalls) }); err != nil {
		t.Fatal(err)
	}
	if got := s.Activity(name); got.UncountedCalls("x") != maxCalls {
		t.Errorf("a count that could not be read again: %+v", got)
	}
}

// TestWorkIsOfItsConversation checks that the work of several conversations is recorded separately.
func TestWorkIsOfItsConversation(t *testing.T) {
	var a Activity
	a.RecordWork("x", true)
	a.RecordWork("y", true)
	a.RecordWork("x", false)
	a.RecordWork("z", false)
	if a.Worked("x") || !a.Worked("y") || a.Worked("z") || a.Worked("") {
		t.Errorf("%+v", a)
	}
	a.CountCalls("x", 3)
	a.CountCalls("y", 2)
	a.CountCalls("y", -2)
	a.CountCalls("z", -1)
	if a.UncountedCalls("x") != 3 || a.Worked("x") || a.UncountedCalls("y") != 0 || !a.Worked("y") || a.UncountedCalls("z") != 0 {
		t.Errorf("%+v", a)
	}
	for i := range 3 * maxEfforts {
		a.RecordWork(strconv.Itoa(i), true)
		a.CountCalls(strconv.Itoa(i), maxCalls)
	}
	a.Kind, a.At, a.Open = "tool-end", noon, maxCalls
	if again := parseActivity([]byte(a.line())); again != a || len(a.line()) > 200 {
		t.Errorf("%q became %+v", a.line(), again)
	}
	if !a.Worked(strconv.Itoa(3*maxEfforts-1)) || a.Worked("y") {
		t.Errorf("%+v", a)
	}
	claimed := Activity{Start: strings.Repeat("a", 40) + "@" + strings.Repeat("b", 32)}
	if again := parseActivity([]byte(claimed.line())); again != claimed {
		t.Errorf("%q became %+v", claimed.line(), again)
	}
}

func TestSettingsOfASession(t *testing.T) {
	var d Document
	if !d.Set("yolo", "true") || d.Set("yolo", "true") || !d.Set("yolo", "false") || !d.Unset("yolo") || d.Unset("yolo") {
		t.Errorf("got %v", d.Settings)
	}
}

// saw returns a change that records activity and keeps the count of tool calls.
func saw(kind string, at todo.Time) func(*Activity) {
	return func(a *Activity) { a.Kind, a.At = kind, at }
}
