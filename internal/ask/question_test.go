package ask

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// noon is the time at which these tests start.
const noon todo.Time = 1_767_258_000_000

func ptr[T any](v T) *T { return &v }

// name is the name of the list in these tests.
var name = session.Name{Session: "s"}

// said collects the messages to the user.
type said []string

func (s *said) NoteWaiting(d continuation.Decision) { *s = append(*s, d.Reason) }

func (s *said) NoteIdleCalls(calls int) { *s = append(*s, fmt.Sprintf("%d idle", calls)) }

func (s *said) NoteCountdown(left, open int) { *s = append(*s, fmt.Sprintf("%ds %d", left, open)) }

func question(l *testList, now todo.Time) (*Question, *fakeTime, *said) {
	clock, notes := &fakeTime{}, &said{}
	return &Question{List: l, Now: now, Waiting: clock, Notes: notes}, clock, notes
}

// turnOf returns the end of a turn with a number of tool calls, as a hook reports it.
func turnOf(calls int) *Turn {
	return &Turn{
		Call: hook.Call{Kind: hook.Stop, Session: "me", Agent: "claude", Key: "k"}, Agent: agents.Hook("claude"), Cap: 8,
		StaleAfter: 2 * time.Hour, Now: noon, Calls: calls,
	}
}

// TestQuestionWithinASecondWaits asks again so soon after a continuation that no turn can have followed. The question must wait,
// and if several wait, only one may get an answer.
func TestQuestionWithinASecondWaits(t *testing.T) {
	first := func() *testList {
		l := list(todo.Pending)
		q, _, _ := question(l, noon)
		if a, err := q.Ask(); err != nil || a.Decision.Outcome != continuation.Continue {
			t.Fatalf("the first: %+v, %v", a.Decision, err)
		}
		return l
	}
	again := func(l *testList, after todo.Time) (*Question, *fakeTime) {
		q, clock, _ := question(l, noon+after)
		q.Real = noon + after
		return q, clock
	}
	l := first()
	q, clock := again(l, 200)
	clock.during = func(wait int) WakeReason {
		if wait > 1 {
			return WokeAtLimit
		}
		other, passes := again(l, 300)
		if a, err := other.Ask(); err != nil || a.Decision.Outcome != continuation.Continue || passes.elapsed != 700*time.Millisecond {
			t.Errorf("the other: %+v after %v, %v", a.Decision, passes.elapsed, err)
		}
		return Changed
	}
	if a, err := q.Ask(); err != nil || a.Decision.Reason != "duplicate" || clock.elapsed != 800*time.Millisecond {
		t.Errorf("the one that was late: %+v after %v, %v", a.Decision, clock.elapsed, err)
	}
	if n := l.doc().Continuation.Attempts; n != 2 {
		t.Errorf("%d attempts", n)
	}
	for name, c := range map[string]struct {
		after   todo.Time
		arrange func(*Question)
	}{
		"a second later":            {1000, func(*Question) {}},
		"a clock that was set back": {-1, func(*Question) {}},
		"a turn that is reported":   {1, func(q *Question) { q.Said.ToolCalls = ptr(0) }},
		"a stop hook":               {1, func(q *Question) { q.Turn = turnOf(0) }},
	} {
		q, clock := again(first(), c.after)
		c.arrange(q)
		if a, err := q.Ask(); err != nil || a.Decision.Outcome != continuation.Continue || clock.elapsed != 0 {
			t.Errorf("%s: %+v after %v, %v", name, a.Decision, clock.elapsed, err)
		}
	}
}

// TestTurnIsReportedOnce checks that the report of a hook is committed together with the decision, and not in a dry run.
func TestTurnIsReportedOnce(t *testing.T) {
	l := list(todo.Pending)
	for _, dry := range []bool{true, false} {
		q, _, _ := question(l, noon)
		q.DryRun, q.Turn = dry, turnOf(2)
		a, err := q.Ask()
		if err != nil || a.Decision.Outcome != continuation.Continue || a.Changed == dry {
			t.Errorf("dry run %v: %+v, %v", dry, a, err)
		}
	}
	if led := l.doc().Continuation; led.Turns != 1 || led.Attempts != 1 || led.Last == nil || led.Last.Key == "" {
		t.Errorf("got %+v", led)
	}
}

// TestQuestionStaysAsItIs asks with a countdown, a wait and a turn, each of which moves the time on. The caller's question is the same
// afterwards.
func TestQuestionStaysAsItIs(t *testing.T) {
	l := list(todo.Pending)
	l.settings.Countdown = 2 * time.Second
	q, clock, _ := question(l, noon)
	q.Patient, q.Input, q.Turn = time.Hour, []byte(`{"tool_calls":2}`), turnOf(2)
	clock.during = func(wait int) WakeReason {
		if wait == 1 {
			l.sign("tool-start", noon)
			return Changed
		}
		return WokeAtLimit
	}
	before, turn := *q, *q.Turn
	if a, err := q.Ask(); err != nil || a.Decision.Outcome != continuation.Continue || clock.elapsed == 0 {
		t.Fatalf("%+v after %v, %v", a.Decision, clock.elapsed, err)
	}
	if !reflect.DeepEqual(*q, before) || !reflect.DeepEqual(*q.Turn, turn) {
		t.Errorf("the question was %+v and is %+v", before, *q)
	}
}

// TestCancelledCountdown lets the user send a prompt during the countdown. The turn that follows belongs to the user.
func TestCancelledCountdown(t *testing.T) {
	l := list(todo.Pending, todo.Pending)
	l.settings.Countdown = 2 * time.Second
	q, clock, notes := question(l, noon)
	q.Patient, clock.step = time.Hour, time.Second
	sign := func(kind string) WakeReason {
		l.sign(kind, noon+todo.Time(clock.waits))
		return Changed
	}
	clock.during = func(wait int) WakeReason {
		switch wait {
		case 1:
			return sign("user-prompt") // later than the time in which activity still counts as that of the last turn
		case 2, 3:
			return sign("tool-start") // the start of the user's turn
		case 4:
			l.change(func(d *session.Document) { d.Continuation.Turns++ }) // the end of the user's turn
			return Changed
		}
		return WokeAtLimit
	}
	a, err := q.Ask()
	if err != nil || a.Decision.Outcome != continuation.Continue || l.commits != 1 {
		t.Fatalf("%+v, %v", a.Decision, err)
	}
	if want := (said{"2s 2", "countdown_cancelled", "2s 2", "1s 2"}); !reflect.DeepEqual(*notes, want) {
		t.Errorf("notes: %q", *notes)
	}
	if clock.forgets != 2 {
		t.Errorf("what was typed before was forgotten %d times, not at the beginning of both countdowns", clock.forgets)
	}
}

// TestQuestionRepeatsAfterSilence checks that the question is asked again if the end of the turn is not reported.
func TestQuestionRepeatsAfterSilence(t *testing.T) {
	l := list(todo.Pending)
	l.settings.Countdown = 2 * time.Second
	q, clock, _ := question(l, noon)
	q.Patient = time.Hour
	clock.during = func(wait int) WakeReason {
		if wait == 1 {
			l.sign("tool-start", noon)
			return Changed
		}
		return WokeAtLimit
	}
	a, err := q.Ask()
	if err != nil || a.Decision.Outcome != continuation.Continue {
		t.Fatalf("%+v, %v", a.Decision, err)
	}
	if want := quiet + 2*time.Second; clock.elapsed != want {
		t.Errorf("after %v, not %v", clock.elapsed, want)
	}
}

// TestUserSkipsCountdown checks that the agent continues immediately if the user ends the countdown.
func TestUserSkipsCountdown(t *testing.T) {
	l := list(todo.Pending)
	l.settings.Countdown = time.Hour
	q, clock, _ := question(l, noon)
	clock.during = func(int) WakeReason { return CountdownSkipped }
	a, err := q.Ask()
	if err != nil || a.Decision.Outcome != continuation.Continue || clock.elapsed != 0 {
		t.Errorf("%+v after %v, %v", a.Decision, clock.elapsed, err)
	}
}

// TestTurnEndCancelsCountdown checks that a countdown that was cancelled, also by the end of a turn, never leads to a continuation.
func TestTurnEndCancelsCountdown(t *testing.T) {
	l := list(todo.Pending)
	l.settings.Countdown = time.Minute
	q, clock, _ := question(l, noon)
	clock.during = func(int) WakeReason {
		l.sign("turn-end", noon)
		l.change(func(d *session.Document) {
			d.Continuation.Turns++
			d.Rev++
		})
		return Changed
	}
	a, err := q.Ask()
	if err != nil || a.Decision.Reason != "countdown_cancelled" || l.commits != 0 {
		t.Errorf("%+v, %v", a.Decision, err)
	}
}

// TestIdleCalls checks that calls that no process runs are reported once, however often the list is read.
func TestIdleCalls(t *testing.T) {
	l := list(todo.Pending)
	l.idle = 2
	q, _, told := question(l, noon)
	if _, err := q.Ask(); err != nil || !reflect.DeepEqual(*told, said{"2 idle"}) {
		t.Errorf("told %v, %v", *told, err)
	}
}

// TestUntil checks that Until repeats its look until it has nothing to wait for, or the time is up.
func TestUntil(t *testing.T) {
	failed := errors.New("failed")
	for _, c := range []struct {
		name    string
		limit   time.Duration
		over    int // the number of the look that ends the wait; 0 if none does
		err     error
		looks   int
		elapsed time.Duration
	}{
		{"nothing to wait for", -1, 1, nil, 1, 0},
		{"over later", -1, 3, nil, 3, 2 * time.Second},
		{"no time", 0, 0, nil, 1, 0},
		{"the limit is not a multiple of the interval", 2500 * time.Millisecond, 0, nil, 4, 2500 * time.Millisecond},
		{"over before the limit", time.Minute, 2, nil, 2, time.Second},
		{"an error", time.Minute, 2, failed, 2, time.Second},
	} {
		clock, looks := &fakeTime{}, 0
		err := PollUntil(clock, c.limit, time.Second, func() (bool, error) {
			looks++
			if looks == c.over && c.err != nil {
				return false, c.err
			}
			return looks == c.over, nil
		})
		if !errors.Is(err, c.err) || looks != c.looks || clock.elapsed != c.elapsed {
			t.Errorf("%s: %d looks in %v, %v", c.name, looks, clock.elapsed, err)
		}
	}
}

// TestWaitsUntilTheLimitEnds checks that a question waits for the known end of a usage limit, however short its patience is, but
// at most for a day.
func TestWaitsUntilTheLimitEnds(t *testing.T) {
	for _, c := range []struct {
		name   string
		until  time.Duration // the end that the host named; 0 if none
		resets bool
		want   string
		after  time.Duration
		waits  int
	}{
		{"five hours", 5 * time.Hour, true, "continue", 5*time.Hour + time.Minute, 1},
		{"a day", 24 * time.Hour, true, "continue", 24*time.Hour + time.Minute, 1},
		{"more than a day", 24*time.Hour + 1000*time.Millisecond, true, "rate_limited", time.Hour, 1},
		{"no time", 0, true, "continue", time.Minute, 1},
		{"a limit of the caller", 5 * time.Hour, false, "rate_limited", time.Hour, 1},
	} {
		l := list(todo.Pending)
		l.change(func(d *session.Document) {
			d.Continuation.Error = &session.Failure{Class: "rate_limit", At: noon, Since: noon, Count: 1}
			if c.until > 0 {
				d.Continuation.Error.RetryAt = noon + todo.Time(c.until.Milliseconds())
			}
		})
		q, clock, _ := question(l, noon)
		q.Patient, q.Resets = time.Hour, c.resets
		a, err := q.Ask()
		if err != nil || a.Decision.Reason != c.want || clock.elapsed != c.after || clock.waits != c.waits {
			t.Errorf("%s: %s after %v and %d waits, %v", c.name, a.Decision.Reason, clock.elapsed, clock.waits, err)
		}
	}
}

// TestLimitLeavesThePatience checks that the time until the end of a limit is not subtracted from the patience for a later wait.
func TestLimitLeavesThePatience(t *testing.T) {
	l := list(todo.Pending)
	l.change(func(d *session.Document) {
		d.Continuation.Error = &session.Failure{Class: "rate_limit", At: noon, Count: 1, RetryAt: noon + 4*3_600_000}
	})
	q, clock, _ := question(l, noon)
	q.Patient, q.Resets = time.Hour, true
	clock.during = func(wait int) WakeReason {
		if wait == 1 {
			l.change(func(d *session.Document) {
				d.Continuation.Background = []session.BackgroundTask{{ID: "b", Since: noon + 4*3_600_000}}
			})
		}
		return WokeAtLimit
	}
	a, err := q.Ask()
	if want := 4*time.Hour + time.Minute + 30*time.Minute; err != nil || clock.elapsed < want || a.Decision.Outcome != continuation.Continue {
		t.Errorf("%s after %v, %v", a.Decision.Reason, clock.elapsed, err)
	}
}
