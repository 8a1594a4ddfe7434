package ask

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"onward/internal/agents"
	"onward/internal/agents/hook"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/storetest"
)

// noon is the time at which these tests start.
const noon todo.Time = 1_767_258_000_000

func ptr[T any](v T) *T { return &v }

// name is the name of the list in these tests.
var name = session.Name{Session: "s"}

// testList is a list in a store in memory. Another writer interferes with each commit,
// so that every change is made twice.
type testList struct {
	memory   *storetest.Memory
	lists    *session.Store
	queued   int
	idle     int
	atWork   bool
	settings continuation.Settings
	commits  int
	did      session.Change // the change of the last commit
}

// empty deletes the document, so that there is no list.
func (l *testList) empty() {
	l.memory = storetest.NewMemory()
	l.memory.Contended = true
	l.lists = &session.Store{Backend: l.memory, Notes: l.memory}
}

// change changes the document as another process would.
func (l *testList) change(how func(*session.Document)) {
	doc := l.doc()
	how(doc)
	data, err := session.Encode(doc)
	if err != nil {
		panic(err)
	}
	l.memory.Damage(session.Key(name), data)
}

// doc returns the saved document.
func (l *testList) doc() *session.Document {
	doc, err := l.Load()
	if err != nil {
		panic(err)
	}
	return doc
}

// sign records activity.
func (l *testList) sign(kind string, at todo.Time) {
	if err := l.lists.Touch(name, func(a *session.Activity) { a.Kind, a.At = kind, at }); err != nil {
		panic(err)
	}
}

func (l *testList) Load() (*session.Document, error) { return l.lists.Load(name) }

func (l *testList) Recall(doc *session.Document, op string) error { return l.lists.Recall(doc, op, 0) }

func (l *testList) Settings(*session.Document) (continuation.Settings, error) { return l.settings, nil }

func (l *testList) Activity() session.Activity { return l.lists.Activity(name) }

func (l *testList) Gone(*session.Process) bool { return false }

func (l *testList) AtWork() (bool, error) { return l.atWork, nil }

func (l *testList) Delivered([]string) error { return nil }

func (l *testList) Facts(said continuation.Facts) (continuation.Facts, int, error) {
	if l.queued > 0 {
		said.QueuedMessages = ptr(l.queued)
	}
	return said, l.idle, nil
}

func (l *testList) Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	commit, err := l.lists.Update(name, op, now, change)
	if commit.Changed {
		l.commits++
		l.did = commit.Change
	}
	return commit, err
}

// fakeTime is a clock that moves only while a question waits. The function during can change the list in a wait.
type fakeTime struct {
	elapsed time.Duration
	waits   int
	during  func(wait int) Wake // what happens during a wait
	step    time.Duration       // how long a wait takes that an event ends
	forgets int
}

func (c *fakeTime) Elapsed() time.Duration { return c.elapsed }

func (c *fakeTime) Forget() { c.forgets++ }

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

// said collects the messages to the user.
type said []string

func (s *said) Waiting(d continuation.Decision) { *s = append(*s, d.Reason) }

func (s *said) Idle(calls int) { *s = append(*s, fmt.Sprintf("%d idle", calls)) }

func (s *said) Counting(left, open int) { *s = append(*s, fmt.Sprintf("%ds %d", left, open)) }

func list(statuses ...todo.Status) *testList {
	set, _, err := continuation.Resolve()
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
	data, err := session.Encode(doc)
	if err != nil {
		panic(err)
	}
	l := &testList{settings: set}
	l.empty()
	l.memory.Damage(session.Key(name), data)
	return l
}

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
	clock.during = func(wait int) Wake {
		if wait > 1 {
			return TimeUp
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

// anyLedger draws a ledger with any of the members that the checks read.
func anyLedger(t *rapid.T) session.Ledger {
	at := func(name string) todo.Time {
		if rapid.IntRange(0, 3).Draw(t, name) > 0 {
			return 0 // mostly 0, because two members that both decide would hide each other
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
		l.Last = &session.LastDecision{At: noon - 1_000, Rev: 7, Action: "continue", Reason: "continue"}
	}
	return l
}

// TestDryRunReturnsTheSameAnswer draws lists, ledgers, facts and activity,
// and asks the same question first as a dry run and then without. The answers must agree.
func TestDryRunReturnsTheSameAnswer(t *testing.T) {
	committed, compacted, woken, proved := 0, 0, 0, 0
	property := func(t *rapid.T) {
		statuses := todo.Statuses()
		if rapid.IntRange(0, 2).Draw(t, "finished") == 0 {
			statuses = []todo.Status{todo.Completed}
		}
		l := list(rapid.SliceOfN(rapid.SampledFrom(statuses), 0, 3).Draw(t, "statuses")...)
		if rapid.IntRange(0, 3).Draw(t, "marked") > 0 {
			ledger := anyLedger(t)
			l.change(func(d *session.Document) { d.Continuation = ledger })
		}
		sign := noon - todo.Time(rapid.IntRange(0, 120_000).Draw(t, "sign ago"))
		l.queued = rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "queued")
		l.settings.Cooldown = rapid.SampledFrom([]time.Duration{0, 0, time.Minute}).Draw(t, "cooldown")
		if rapid.IntRange(0, 9).Draw(t, "no list") == 0 {
			l.empty()
		}
		l.sign("assistant-message", sign)
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
		// Within a minute after a compaction, the agent continues only if there was activity.
		doc := l.doc()
		marked := doc != nil && doc.Continuation.CompactedAt > noon-60_000
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
			if passed := slices.Contains([]string{"done", "failures"}, real.Decision.Reason); gate.code == 0 != passed {
				t.Fatalf("the gate ends with %d: %s", gate.code, real.Decision.Reason)
			}
		} else if !reflect.DeepEqual(dry.Decision, real.Decision) {
			t.Errorf("dry run: %+v\nin earnest: %+v", dry.Decision, real.Decision)
		}
		committed += l.commits
		if dry.Decision.Reason == "compaction" {
			compacted++
		} else if marked && dry.Decision.Outcome == continuation.Continue {
			woken++ // by activity after the compaction
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 30 { // several in one check, because with a fixed seed all checks draw the same values
			property(t)
		}
	})
	if committed == 0 || compacted == 0 || woken == 0 || proved == 0 {
		t.Errorf("the drawing is too narrow: %d commits, %d compactions, %d of them over, %d gates", committed, compacted, woken, proved)
	}
}

// TestActivityAfterCompaction is the case in which a dry run once gave another answer.
func TestActivityAfterCompaction(t *testing.T) {
	l := list(todo.Pending)
	l.change(func(d *session.Document) { d.Continuation.CompactedAt = noon - 10_000 })
	l.sign("assistant-message", noon-8_000)
	for _, dry := range []bool{true, false} {
		q, _, _ := question(l, noon)
		q.DryRun = dry
		if a, err := q.Ask(); err != nil || a.Decision.Outcome != continuation.Continue {
			t.Errorf("dry run %v: %s, %v", dry, a.Decision.Reason, err)
		}
	}
}

// TestCancelledCountdown lets the user send a prompt during the countdown. The turn that follows belongs to the user.
func TestCancelledCountdown(t *testing.T) {
	l := list(todo.Pending, todo.Pending)
	l.settings.Countdown = 2 * time.Second
	q, clock, notes := question(l, noon)
	q.Patient, clock.step = time.Hour, time.Second
	sign := func(kind string) Wake {
		l.sign(kind, noon+todo.Time(clock.waits))
		return Changed
	}
	clock.during = func(wait int) Wake {
		switch wait {
		case 1:
			return sign("user-prompt") // later than the time in which activity still counts as that of the last turn
		case 2, 3:
			return sign("tool-start") // the start of the user's turn
		case 4:
			l.change(func(d *session.Document) { d.Continuation.Turns++ }) // the end of the user's turn
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
	clock.during = func(wait int) Wake {
		if wait == 1 {
			l.sign("tool-start", noon)
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

// TestUserSkipsCountdown checks that the agent continues immediately if the user ends the countdown.
func TestUserSkipsCountdown(t *testing.T) {
	l := list(todo.Pending)
	l.settings.Countdown = time.Hour
	q, clock, _ := question(l, noon)
	clock.during = func(int) Wake { return Hurried }
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
	clock.during = func(int) Wake {
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
		err := Until(clock, c.limit, time.Second, func() (bool, error) {
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
	clock.during = func(wait int) Wake {
		if wait == 1 {
			l.change(func(d *session.Document) {
				d.Continuation.Background = []session.Task{{ID: "b", Since: noon + 4*3_600_000}}
			})
		}
		return TimeUp
	}
	a, err := q.Ask()
	if want := 4*time.Hour + time.Minute + 30*time.Minute; err != nil || clock.elapsed < want || a.Decision.Outcome != continuation.Continue {
		t.Errorf("%s after %v, %v", a.Decision.Reason, clock.elapsed, err)
	}
}
