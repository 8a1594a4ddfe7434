package ask

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	continuation "onward/internal/continue"
	"onward/internal/hook"
	"onward/internal/session"
	"onward/internal/todo"
)

// noon is the clock of these tests.
const noon todo.Time = 1_767_258_000_000

func ptr[T any](v T) *T { return &v }

// fakeList is a list in memory.
type fakeList struct {
	doc      *session.Document // nil: there is none
	signs    session.Activity
	queued   int
	settings continuation.Settings
	commits  int
	did      session.Change // of the last commit
}

func (l *fakeList) Load() (*session.Document, error) {
	if l.doc == nil {
		return nil, nil
	}
	doc := *l.doc
	return &doc, nil
}

func (l *fakeList) Settings(*session.Document) (continuation.Settings, error) { return l.settings, nil }

func (l *fakeList) Activity() session.Activity { return l.signs }

func (l *fakeList) Facts(said continuation.Facts) (continuation.Facts, error) {
	if l.queued > 0 {
		said.QueuedMessages = ptr(l.queued)
	}
	return said, nil
}

func (l *fakeList) Update(_ string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	doc := *l.doc
	did, err := change(&doc)
	if err != nil || did.What == "" {
		return session.Commit{Doc: &doc}, err
	}
	doc.Rev++
	doc.UpdatedAt = now
	l.doc = &doc
	l.commits++
	l.did = did
	return session.Commit{Doc: &doc, Changed: true}, nil
}

// fakeTime passes only where the question waits. Each wait may change the list.
type fakeTime struct {
	elapsed time.Duration
	waits   int
	during  func(wait int) Wake // what happens during a wait
	step    time.Duration       // how long a wait that something ends takes
}

func (c *fakeTime) Elapsed() time.Duration { return c.elapsed }

func (c *fakeTime) Wait(d time.Duration) Wake {
	c.waits++
	wake := TimeUp
	if c.during != nil {
		wake = c.during(c.waits)
	}
	if wake != TimeUp {
		d = min(d, c.step)
	}
	c.elapsed += d
	return wake
}

// said collects the notes.
type said []string

func (s *said) Waiting(d continuation.Decision) { *s = append(*s, d.Reason) }

func (s *said) Counting(left, open int) { *s = append(*s, fmt.Sprintf("%ds %d", left, open)) }

func list(statuses ...todo.Status) *fakeList {
	set, err := continuation.Resolve()
	if err != nil {
		panic(err)
	}
	set.Countdown = 0
	doc := &session.Document{
		Schema: session.Schema, Rev: 7, Session: "s", Agent: session.Primary,
		CreatedAt: noon - 3_600_000, Todos: session.Todos{Active: true, UpdatedAt: noon - 60_000, Rev: 7},
	}
	for i, s := range statuses {
		doc.Todos.Items = append(doc.Todos.Items, todo.Item{ID: fmt.Sprint(i), Content: "item", Status: s})
	}
	return &fakeList{doc: doc, settings: set}
}

func question(l *fakeList, now todo.Time) (*Question, *fakeTime, *said) {
	clock, notes := &fakeTime{}, &said{}
	return &Question{List: l, Now: now, Waiting: clock, Notes: notes}, clock, notes
}

// turnOf is a turn's end that a hook reports.
func turnOf(calls int) *Turn {
	return &Turn{
		Call: hook.Call{Kind: hook.Stop, Session: "me", Agent: "claude", Key: "k"}, Agent: hook.Find("claude"), Cap: 8,
		StaleAfter: 2 * time.Hour, Now: noon, Calls: calls,
	}
}

// TestTurnIsReportedOnce commits what a hook reports together with the decision, and nothing of a dry run.
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
	if led := l.doc.Continuation; led.Turns != 1 || led.Attempts != 1 || led.Last == nil || led.Last.Key == "" {
		t.Errorf("got %+v", led)
	}
}

// anyLedger draws a ledger, with every mark that a check looks at.
func anyLedger(t *rapid.T) session.Ledger {
	at := func(name string) todo.Time {
		if rapid.IntRange(0, 3).Draw(t, name) > 0 {
			return 0 // most marks decide alone, so that two of them hide each other
		}
		return noon - todo.Time(rapid.IntRange(0, 120_000).Draw(t, name+" ago"))
	}
	n := func(name string) int { return rapid.IntRange(0, 4).Draw(t, name) }
	l := session.Ledger{
		Turns: n("turns"), Attempts: n("attempts"), Stagnation: n("stagnation"), TotalPrompt: n("total"), ToolCalls: n("calls"),
		PendingCalls: rapid.SampledFrom([]int{0, 0, 0, 2}).Draw(t, "pending"),
		RecoveringAt: at("recovering"), CompactingAt: at("compacting"), CompactedAt: at("compacted"), WaitingSince: at("waiting"),
	}
	switch rapid.IntRange(0, 12).Draw(t, "mark") {
	case 0:
		l.Paused = &session.Paused{Reason: "reason", At: noon}
	case 1:
		l.StoppedAt = noon
	case 2:
		l.Error = &session.Failure{Class: rapid.SampledFrom([]string{"auth", "server", "rate_limit", "context"}).Draw(t, "class"), At: noon - 6_000, Count: n("failures")}
	case 3:
		l.Background = []session.Task{{ID: "x", Kind: "shell", Since: noon - 1_000}}
	case 4:
		l.Last = &session.Answer{At: noon - 1_000, Rev: 7, Action: "continue", Reason: "continue"}
	}
	return l
}

// TestDryRunReturnsTheSameAnswer draws lists, marks, facts and signs of life,
// and asks the same once without committing and once in earnest.
func TestDryRunReturnsTheSameAnswer(t *testing.T) {
	committed, compacted, woken, proved := 0, 0, 0, 0
	property := func(t *rapid.T) {
		statuses := todo.Statuses[:]
		if rapid.IntRange(0, 2).Draw(t, "finished") == 0 {
			statuses = []todo.Status{todo.Completed}
		}
		l := list(rapid.SliceOfN(rapid.SampledFrom(statuses), 0, 3).Draw(t, "statuses")...)
		if rapid.IntRange(0, 3).Draw(t, "marked") > 0 {
			l.doc.Continuation = anyLedger(t)
		}
		l.signs = session.Activity{Kind: "assistant-message", At: noon - todo.Time(rapid.IntRange(0, 120_000).Draw(t, "sign ago"))}
		l.queued = rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "queued")
		l.settings.Cooldown = rapid.SampledFrom([]time.Duration{0, 0, time.Minute}).Draw(t, "cooldown")
		if rapid.IntRange(0, 9).Draw(t, "no list") == 0 {
			l.doc = nil
		}
		var facts continuation.Facts
		if rapid.Bool().Draw(t, "calls said") {
			facts.ToolCalls = ptr(rapid.IntRange(0, 2).Draw(t, "tool calls"))
		}
		if rapid.IntRange(0, 4).Draw(t, "pending said") == 0 {
			facts.PendingToolCalls = ptr(rapid.IntRange(0, 1).Draw(t, "pending calls"))
		}
		var turn *Turn
		if rapid.Bool().Draw(t, "a hook asks") {
			turn = turnOf(rapid.IntRange(0, 2).Draw(t, "turn calls"))
		}
		gate := &fakeGate{code: rapid.IntRange(0, 1).Draw(t, "gate's code")}
		if rapid.IntRange(0, 3).Draw(t, "a gate is set") > 0 {
			l.settings.Gate = "make test"
		}
		ask := func(dry bool) Answer {
			q, _, _ := question(l, noon)
			q.Turn, q.Gate = turn, gate
			q.Said, q.DryRun = facts, dry
			a, err := q.Ask()
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		// Within a minute of a compaction, only a sign of life has the agent continued.
		marked := l.doc != nil && l.doc.Continuation.CompactedAt > noon-60_000
		before := l.commits
		dry := ask(true)
		if l.commits != before || gate.runs != 0 {
			t.Fatal("a dry run commits, or runs the gate")
		}
		real := ask(false)
		if unproven := dry.Decision.Reason == continuation.Unproven; unproven != (gate.runs == 1) || gate.held {
			t.Fatalf("the gate ran %d times, and the dry run says %s", gate.runs, dry.Decision.Reason)
		} else if unproven {
			proved++
			if gate.code == 0 != (real.Decision.Reason == "done") {
				t.Fatalf("the gate ends with %d: %s", gate.code, real.Decision.Reason)
			}
		} else if !reflect.DeepEqual(dry.Decision, real.Decision) {
			t.Errorf("dry run: %+v\nin earnest: %+v", dry.Decision, real.Decision)
		}
		committed += l.commits
		if dry.Decision.Reason == "compaction" {
			compacted++
		} else if marked && dry.Decision.Outcome == continuation.Continue {
			woken++ // by the sign of life, which came later
		}
	}
	for range 30 {
		rapid.Check(t, property) // so often that every kind of answer is among them
	}
	if committed == 0 || compacted == 0 || woken == 0 || proved == 0 {
		t.Errorf("the drawing is too narrow: %d commits, %d compactions, %d of them over, %d gates", committed, compacted, woken, proved)
	}
}

// TestSignOfLifeAfterCompaction is the case in which the two used to differ.
func TestSignOfLifeAfterCompaction(t *testing.T) {
	l := list(todo.Pending)
	l.doc.Continuation.CompactedAt = noon - 10_000
	l.signs = session.Activity{Kind: "assistant-message", At: noon - 8_000}
	for _, dry := range []bool{true, false} {
		q, _, _ := question(l, noon)
		q.DryRun = dry
		if a, err := q.Ask(); err != nil || a.Decision.Outcome != continuation.Continue {
			t.Errorf("dry run %v: %s, %v", dry, a.Decision.Reason, err)
		}
	}
}

// TestCancelledCountdown lets the user step in during the countdown: the turn that follows is theirs.
func TestCancelledCountdown(t *testing.T) {
	l := list(todo.Pending, todo.Pending)
	l.settings.Countdown = 2 * time.Second
	q, clock, notes := question(l, noon)
	q.Patient, clock.step = time.Hour, time.Second
	sign := func(kind string) Wake {
		l.signs = session.Activity{Kind: kind, At: noon + todo.Time(clock.waits)}
		return Changed
	}
	clock.during = func(wait int) Wake {
		switch wait {
		case 1:
			return sign("user-prompt") // after the grace
		case 2, 3:
			return sign("tool-start") // the user's turn
		case 4:
			l.doc.Continuation.Turns++ // and its end
			return Changed
		}
		return TimeUp
	}
	a, err := q.Ask()
	if err != nil || a.Decision.Outcome != continuation.Continue || l.commits != 1 {
		t.Fatalf("%+v, %v", a.Decision, err)
	}
	if want := (said{"2s 2", "countdown_cancelled", "2s 2", "1s 2"}); !reflect.DeepEqual(*notes, want) {
		t.Errorf("notes: %q", *notes)
	}
}

// TestQuietConversation asks anew where nobody reports the end of the turn.
func TestQuietConversation(t *testing.T) {
	l := list(todo.Pending)
	l.settings.Countdown = 2 * time.Second
	q, clock, _ := question(l, noon)
	q.Patient = time.Hour
	clock.during = func(wait int) Wake {
		if wait == 1 {
			l.signs = session.Activity{Kind: "tool-start", At: noon}
			return Changed
		}
		return TimeUp
	}
	a, err := q.Ask()
	if err != nil || a.Decision.Outcome != continuation.Continue {
		t.Fatalf("%+v, %v", a.Decision, err)
	}
	if want := quiet + 2*time.Second; clock.elapsed != want {
		t.Errorf("after %v, not %v", clock.elapsed, want)
	}
}

// TestHurriedCountdown continues at once where the user says so.
func TestHurriedCountdown(t *testing.T) {
	l := list(todo.Pending)
	l.settings.Countdown = time.Hour
	q, clock, _ := question(l, noon)
	clock.during = func(int) Wake { return Hurried }
	a, err := q.Ask()
	if err != nil || a.Decision.Outcome != continuation.Continue || clock.elapsed != 0 {
		t.Errorf("%+v after %v, %v", a.Decision, clock.elapsed, err)
	}
}

// TestTurnEndCancelsCountdown never continues on a countdown that was cancelled, even by the end of a turn.
func TestTurnEndCancelsCountdown(t *testing.T) {
	l := list(todo.Pending)
	l.settings.Countdown = time.Minute
	q, clock, _ := question(l, noon)
	clock.during = func(int) Wake {
		l.signs = session.Activity{Kind: "turn-end", At: noon}
		l.doc.Continuation.Turns++
		l.doc.Rev++
		return Changed
	}
	a, err := q.Ask()
	if err != nil || a.Decision.Reason != "countdown_cancelled" || l.commits != 0 {
		t.Errorf("%+v, %v", a.Decision, err)
	}
}
