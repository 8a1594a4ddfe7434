package ask

import (
	"errors"
	"slices"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// fakeGate is a gate that ends with an exit code. It calls during while it runs.
type fakeGate struct {
	code   int
	runs   int
	held   bool
	absent bool // there is no time to run it
	err    error
	waited bool // another question runs it first, and this one waits for that
	during func()
}

func (g *fakeGate) Prove(set continuation.Settings, shared func() *session.GateResult) (*session.GateResult, error) {
	g.held = true
	if g.during != nil {
		g.during()
	}
	if g.err != nil || g.absent {
		return nil, g.err
	}
	if g.waited {
		if p := shared(); p != nil {
			return p, nil
		}
	}
	g.runs++
	return &session.GateResult{Command: set.Gate, Code: g.code, Output: "red"}, nil
}

func (g *fakeGate) Release() { g.held = false }

// finished returns a list without open items, and with a gate.
func finished() *testList {
	l := list(todo.Completed)
	l.settings.Gate = "make test"
	return l
}

func TestGateDecides(t *testing.T) {
	for code, want := range []string{"done", "continue"} {
		l, gate := finished(), &fakeGate{code: code}
		q, clock, _ := question(l, noon)
		q.Gate = gate
		gate.during = func() { clock.elapsed = time.Minute }
		a, err := q.Ask()
		doc := l.doc()
		if at := doc.UpdatedAt; at != noon+60_000 || doc.Continuation.Gate.At != at {
			t.Errorf("code %d: committed with the time %v", code, at)
		}
		if e := l.did.Events[0]; len(l.did.Events) != 2 || e.Type != session.Gated || e.Code != code || e.Took != 60_000 || e.Output != "red" {
			t.Errorf("code %d: the history has %+v", code, l.did.Events)
		}
		if err != nil || a.Decision.Reason != want || gate.runs != 1 || gate.held || l.commits != 1 {
			t.Errorf("code %d: %s after %d runs and %d commits, %v", code, a.Decision.Reason, gate.runs, l.commits, err)
		}
		if g := doc.Continuation.Gate; g == nil || g.Code != code || g.Output != "red" {
			t.Errorf("code %d: remembered is %+v", code, g)
		}
	}
}

// TestGateIsChangedWhileItRuns changes the setting while the gate runs. The result of the old gate must be dropped.
func TestGateIsChangedWhileItRuns(t *testing.T) {
	l := finished()
	gate := &fakeGate{}
	gate.during = func() {
		if l.settings.Gate == "make test" {
			l.settings.Gate = "make check"
		}
	}
	q, _, _ := question(l, noon)
	q.Gate = gate
	a, err := q.Ask()
	if err != nil || a.Decision.Reason != "done" || gate.runs != 2 || a.Decision.Gate.Command != "make check" {
		t.Errorf("got %s of %+v after %d runs, %v", a.Decision.Reason, a.Decision.Gate, gate.runs, err)
	}
}

// TestRepeatedGateFailures checks that the agent may stop after the allowed number of failures.
func TestRepeatedGateFailures(t *testing.T) {
	l, gate := finished(), &fakeGate{code: 1}
	for i, want := range []string{"continue", "continue", "gate", "gate"} {
		q, _, _ := question(l, noon+todo.Time(i*10_000))
		q.Gate, q.Turn = gate, turnOf(0)
		if a, err := q.Ask(); err != nil || a.Decision.Reason != want || gate.runs != i+1 {
			t.Errorf("question %d: %s after %d runs, %v", i+1, a.Decision.Reason, gate.runs, err)
		}
	}
	if n := l.doc().Continuation.Turns; n != l.commits {
		t.Errorf("the turns of %d commits were counted %d times", l.commits, n)
	}
}

// TestUnprovenGateIsNeverDone checks that a list whose gate could not be run is never done.
func TestUnprovenGateIsNeverDone(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		gate Gate
		err  error
	}{
		{nil, nil},
		{&fakeGate{absent: true}, nil},
		{&fakeGate{err: broken}, broken},
	} {
		q, _, _ := question(finished(), noon)
		q.Gate = c.gate
		a, err := q.Ask()
		if !errors.Is(err, c.err) || a.Decision.Reason != continuation.ReasonUnproven {
			t.Errorf("got %s, %v", a.Decision.Reason, err)
		}
		if g, ok := c.gate.(*fakeGate); ok && g.held {
			t.Error("the gate is still held")
		}
	}
}

// TestConcurrentQuestionsShareGate checks that a question that waited for the gate uses the result of the other question,
// but not an older result.
func TestConcurrentQuestionsShareGate(t *testing.T) {
	l := finished()
	first := func(code int, asked todo.Time) func() {
		return func() {
			q, _, _ := question(l, asked)
			q.Gate = &fakeGate{code: code}
			if _, err := q.Ask(); err != nil {
				t.Fatal(err)
			}
			l.did = session.Change{}
		}
	}
	first(0, noon)() // the result of an earlier run
	for _, c := range []struct {
		during func()
		runs   int
		want   string
	}{
		{first(1, noon), 0, "duplicate"},
		{first(0, noon), 0, "done"},
		{first(0, noon-1), 1, "done"}, // that run had ended before this question was asked
		{func() {}, 1, "done"},        // the process that ran it had no result
	} {
		l.change(func(d *session.Document) { d.Continuation.Last, d.Continuation.TotalPrompt = nil, 0 })
		gate := &fakeGate{waited: true, during: c.during}
		q, _, _ := question(l, noon)
		q.Gate = gate
		a, err := q.Ask()
		if ran := slices.ContainsFunc(l.did.Events, func(e session.Event) bool { return e.Type == session.Gated }); ran != (c.runs > 0) {
			t.Errorf("%d runs, and the history has %+v", c.runs, l.did.Events)
		}
		if err != nil || a.Decision.Reason != c.want || gate.runs != c.runs {
			t.Errorf("got %s after %d runs, %v; want %s after %d", a.Decision.Reason, gate.runs, err, c.want, c.runs)
		}
	}
}

// TestListChangesWhileTheGateRuns adds an item while the gate runs. The decision must be about the new list.
func TestListChangesWhileTheGateRuns(t *testing.T) {
	l := finished()
	gate := &fakeGate{code: 1, during: func() {
		l.change(func(d *session.Document) {
			d.Todos.Items = append(d.Todos.Items, todo.Item{ID: "new", Content: "new", Status: todo.Pending})
			d.Rev++
		})
	}}
	q, _, _ := question(l, noon)
	q.Gate = gate
	a, err := q.Ask()
	if err != nil || a.Decision.Tier != continuation.TierNormal || a.Decision.Counts.Open != 1 || l.doc().Continuation.Gate != nil {
		t.Errorf("got %+v, %v", a.Decision, err)
	}
}

// TestGateRunsAgainAfterWait checks that the gate runs again after a cooldown, and that only one failure counts.
func TestGateRunsAgainAfterWait(t *testing.T) {
	l, gate := finished(), &fakeGate{code: 1}
	first, _, _ := question(l, noon)
	first.Gate = gate
	if _, err := first.Ask(); err != nil {
		t.Fatal(err)
	}
	l.settings.Cooldown = time.Minute
	q, clock, notes := question(l, noon+30_000)
	q.Gate, q.Patient = gate, time.Hour
	clock.during = func(int) WakeReason {
		if gate.held {
			t.Error("the gate is held during a wait")
		}
		return WokeAtLimit
	}
	a, err := q.Ask()
	if err != nil || a.Decision.Outcome != continuation.Continue || gate.runs != 3 || len(*notes) != 1 {
		t.Fatalf("got %s after %d runs, %v", a.Decision.Reason, gate.runs, err)
	}
	if n := l.doc().Continuation.Gate.Failures; n != 2 {
		t.Errorf("%d failures in a row", n)
	}
}

// TestResultIsEnteredOnce lets two questions wait for the same list. Each records its result of the gate once, and must not
// record it again when the other one changes the list: otherwise they would wake each other forever.
func TestResultIsEnteredOnce(t *testing.T) {
	l, gate := finished(), &fakeGate{code: 1}
	first, _, _ := question(l, noon)
	first.Gate = gate
	if _, err := first.Ask(); err != nil {
		t.Fatal(err)
	}
	l.settings.Cooldown = time.Minute
	q, clock, _ := question(l, noon+30_000)
	q.Gate, q.Patient = gate, 20*time.Second
	clock.step = time.Millisecond
	before := l.commits
	clock.during = func(wait int) WakeReason {
		switch wait {
		case 1:
			other, _, _ := question(l, noon+31_000)
			other.Gate = gate
			if a, err := other.Ask(); err != nil || a.Decision.Reason != "cooldown" {
				t.Errorf("the other question: %s, %v", a.Decision.Reason, err)
			}
			return Changed
		case 2, 3, 4:
			return Changed
		}
		return WokeAtLimit
	}
	if a, err := q.Ask(); err != nil || a.Decision.Reason != "cooldown" {
		t.Fatalf("%s, %v", a.Decision.Reason, err)
	}
	// One for each run of the gate: the question's, the other's, and the question's after its wait.
	if n := l.commits - before; n != 3 || gate.runs != 4 {
		t.Errorf("%d commits for %d runs of the gate", n, gate.runs-1)
	}
}

// TestConcurrentQuestionsWithoutAList asks two questions at the same time about a gate without a list. Only one may get the prompt.
func TestConcurrentQuestionsWithoutAList(t *testing.T) {
	l := finished()
	l.empty()
	var got []string
	ask := func(gate *fakeGate) {
		q, _, _ := question(l, noon)
		q.Gate = gate
		a, err := q.Ask()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, a.Decision.Reason)
	}
	ask(&fakeGate{code: 1, during: func() { ask(&fakeGate{code: 1}) }})
	if !slices.Equal(got, []string{"continue", "duplicate"}) {
		t.Errorf("got %v", got)
	}
}

// TestHookThatRunsAgainAfterTheGate runs a stop hook whose gate takes a minute, and runs it again when the first run ends.
func TestHookThatRunsAgainAfterTheGate(t *testing.T) {
	l, now := finished(), noon
	for i, want := range []string{"continue", "duplicate"} {
		q, clock, _ := question(l, now)
		q.Turn = turnOf(0)
		q.Gate = &fakeGate{code: 1, during: func() { clock.elapsed = time.Minute }}
		a, err := q.Ask()
		if err != nil || a.Decision.Reason != want {
			t.Errorf("run %d: %s, %v", i+1, a.Decision.Reason, err)
		}
		now += 60_001
	}
}

// claimedDone returns a list with an open item, and one that the agent claims to be done and whose gate has not run.
func claimedDone() *testList {
	l := list(todo.InProgress, todo.Pending)
	l.change(func(d *session.Document) { d.Todos.Items[0].Gate = &todo.Gate{Command: "make a", ClaimedDone: true} })
	return l
}

// TestGateOfAnItemSettlesIt checks that the gate of an item runs before the agent is sent back to work, and that its result is committed.
func TestGateOfAnItemSettlesIt(t *testing.T) {
	for code, want := range []todo.Status{todo.Completed, todo.InProgress} {
		l, gate := claimedDone(), &fakeGate{code: code}
		q, clock, _ := question(l, noon)
		q.Gate = gate
		gate.during = func() { clock.elapsed += time.Minute }
		a, err := q.Ask()
		it := l.doc().Todos.Items[0]
		if err != nil || a.Decision.Outcome != continuation.Continue || !a.Settled || gate.runs != 1 || gate.held || a.Decision.Next != 1-code {
			t.Errorf("code %d: %s of item %d after %d runs, settled %v, %v", code, a.Decision.Reason, a.Decision.Next, gate.runs, a.Settled, err)
		}
		if it.Status != want || it.ClaimedDone() || it.Gate.Code != code || it.Gate.Failed() != (code != 0) {
			t.Errorf("code %d: the item is %+v, its gate %+v", code, it, it.Gate)
		}
		if a.Decision.Counts.Of(todo.Completed) != 1-code {
			t.Errorf("code %d: decided on %+v", code, a.Decision.Counts)
		}
	}
}

// TestGateOfAnItemThatChanges changes the claim, the text or the gate of an item while its gate runs. The result must be dropped.
func TestGateOfAnItemThatChanges(t *testing.T) {
	for what, how := range map[string]func(*todo.Item){
		"claimed":  func(it *todo.Item) { it.Claim, it.Claims = &todo.Claim{By: "w", Number: 1, Until: noon + 1}, 1 },
		"reworded": func(it *todo.Item) { it.Content = "another" },
		"gated":    func(it *todo.Item) { it.Gate = &todo.Gate{Command: "make b", ClaimedDone: true} },
	} {
		l, gate := claimedDone(), &fakeGate{}
		q, _, _ := question(l, noon)
		q.Gate = gate
		gate.during = func() {
			l.change(func(d *session.Document) { how(&d.Todos.Items[0]); d.Rev++ })
			gate.during = nil
		}
		a, err := q.Ask()
		if it := l.doc().Todos.Items[0]; err != nil || a.Settled || it.Status != todo.InProgress || !it.ClaimedDone() || gate.runs != 1 {
			t.Errorf("%s: settled %v after %d runs, %+v, %v", what, a.Settled, gate.runs, it, err)
		}
	}
}

// TestGateOfAnItemThatCannotRun checks that a gate that cannot run leaves the item unchanged, and is tried only once for a question.
func TestGateOfAnItemThatCannotRun(t *testing.T) {
	for _, dry := range []bool{false, true} {
		l := claimedDone()
		q, _, _ := question(l, noon)
		q.Gate, q.DryRun = &fakeGate{absent: true}, dry
		a, err := q.Ask()
		if it := l.doc().Todos.Items[0]; err != nil || a.Decision.Outcome != continuation.Continue || a.Decision.Next != 1 || !it.ClaimedDone() {
			t.Errorf("dry %v: %s of item %d, %v", dry, a.Decision.Reason, a.Decision.Next, err)
		}
		l.change(func(d *session.Document) { d.Todos.Items = d.Todos.Items[:1] })
		q, _, _ = question(l, noon)
		q.Gate, q.DryRun = &fakeGate{absent: true}, dry
		if a, err := q.Ask(); err != nil || a.Decision.Reason != continuation.ReasonUnproven {
			t.Errorf("dry %v: %s, %v", dry, a.Decision.Reason, err)
		}
	}
}
