package run

import (
	"errors"
	"strings"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// step is the input of a run, and the expected action.
type step struct {
	turn   *EndedTurn // the turn that ended; nil if the input is an answer
	answer Answer
	after  time.Duration // the time since the step before
	want   Action
}

var (
	done        = Answer{Decision: continuation.Decision{Outcome: continuation.Finished, Reason: "done"}}
	proceed     = Answer{Decision: continuation.Decision{Outcome: continuation.Continue, Reason: "continue"}}
	noList      = Answer{Decision: continuation.Decision{Outcome: continuation.NotApplicable, Reason: continuation.ReasonNoList}}
	full        = Answer{Decision: continuation.Decision{Outcome: continuation.HostError, Reason: "context_full"}, Class: continuation.ErrorContext}
	refused     = Answer{Decision: continuation.Decision{Outcome: continuation.HostError, Reason: "host_error"}, Class: continuation.ErrorInvalidRequest}
	spent       = Answer{Decision: full.Decision, Class: full.Class, Over: &continuation.Decision{Outcome: continuation.Limit, Reason: "budget"}}
	named       = Answer{Decision: continuation.Decision{Outcome: continuation.Wait, Reason: "rate_limited", RetryAfter: 2 * time.Hour, ResetAt: night + 7_200_000}, Class: continuation.ErrorRateLimit}
	limited     = Answer{Decision: continuation.Decision{Outcome: continuation.Wait, Reason: "rate_limited", RetryAfter: 2 * time.Hour}, Class: continuation.ErrorRateLimit}
	outage      = Answer{Decision: continuation.Decision{Outcome: continuation.Wait, Reason: "backoff", RetryAfter: 5 * time.Second}, Class: continuation.ErrorServer, Since: night}
	down        = Answer{Decision: continuation.Decision{Outcome: continuation.HostError, Reason: "failures"}, Class: continuation.ErrorServer, Since: night}
	nothingDone = Answer{Decision: continuation.Decision{Outcome: continuation.HostError, Reason: "failures", Check: "done"}, Class: continuation.ErrorServer, Since: night}
	crashed     = Answer{Decision: continuation.Decision{Outcome: continuation.Wait, Reason: "backoff", RetryAfter: 5 * time.Second}, Class: continuation.ErrorTurnCutOff}
)

// night is the start of every run in these tests.
const night = todo.Time(1_800_000_000_000)

func answered(o continuation.Outcome, reason string) Answer {
	return Answer{Decision: continuation.Decision{Outcome: o, Reason: reason}}
}

// unchanged returns the answer that all is done, in a checkout that is as it was, with a list of so many items.
func unchanged(items int) Answer {
	a := answered(continuation.Finished, "done")
	a.Proof.Unchanged, a.Listed, a.Counts.Total = true, true, items
	return a
}

// abandoned returns the answer that nothing is left, since the agent cancelled all of it.
func abandoned(changed bool) Answer {
	a := answered(continuation.Finished, "done")
	a.Abandoned, a.Changed, a.Counts.Total = true, changed, 1
	return a
}

// within returns an answer of a run whose time is used up after a while.
func within(a Answer, left time.Duration) Answer {
	a.Left = left
	return a
}

func failing(class continuation.ErrorClass) *EndedTurn { return &EndedTurn{Failed: true, Class: class} }

func ends(o Outcome, a continuation.Outcome) Action {
	return Action{Kind: EndRun, Outcome: o, Answer: a}
}

func waits(d time.Duration) Action { return Action{Kind: WaitFor, For: d} }

var (
	asks     = Action{Kind: Ask}
	resumes  = Action{Kind: Start, Text: Prompt, Resume: true}
	handsOn  = Action{Kind: Start, Text: Handover}
	again    = Action{Kind: Start, Text: Task, Resume: true}
	worked   = &EndedTurn{Worked: true, Acted: true}
	talked   = &EndedTurn{}
	failedBy = failing(continuation.ErrorUnknown)
)

// TestAStoreThatFails waits for the store until it has failed for too long. Only the end of a turn shows that it works again.
func TestAStoreThatFails(t *testing.T) {
	m, down := Machine{Rules: Rules{MaxOutage: time.Hour}}, errors.New("the disk is full")
	now, paused := night, []time.Duration{}
	for act := m.StoreFailed(down, now); act != nil; act = m.StoreFailed(down, now) {
		paused = append(paused, act.For)
		now += todo.Time(act.For.Milliseconds())
		if got := m.Answered(proceed, now); got.Kind != Start {
			t.Fatalf("an answer: got %+v", got)
		}
	}
	if n := len(paused); n != 12 || paused[0] != 5*time.Second || paused[1] != 10*time.Second || paused[n-1] != 10*time.Minute {
		t.Errorf("the pauses: got %v", paused)
	}
	m.TurnEnded(*worked)
	if act := m.StoreFailed(down, now); act == nil || act.For != 5*time.Second {
		t.Errorf("after a turn: got %+v", act)
	}
	m = Machine{Rules: Rules{MaxOutage: time.Hour, MaxWait: 3 * time.Second}}
	if m.StoreFailed(down, night) == nil || m.StoreFailed(down, night+5000) != nil {
		t.Error("the longest wait does not limit it")
	}
}

// TestActions checks the actions of a run in each situation.
func TestActions(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules Rules
		steps []step
	}{
		{"stops early, and is sent back", Rules{Task: true}, []step{
			{turn: worked, want: asks},
			{answer: proceed, want: resumes},
			{turn: worked, want: asks},
			{answer: done, want: ends(Done, continuation.Finished)},
		}},
		{"does nothing, and the gate passes", Rules{Task: true}, []step{
			{turn: talked, want: asks},
			{answer: done, want: Action{Kind: Start, Text: ListOnly, Resume: true}},
			{turn: talked, want: asks},
			{answer: done, want: ends(Unproven, continuation.NotApplicable)},
		}},
		{"only reads, and the gate passes", Rules{Task: true}, []step{
			{turn: &EndedTurn{Worked: true}, want: asks},
			{answer: done, want: Action{Kind: Start, Text: ListOnly, Resume: true}},
			{turn: worked, want: asks},
			{answer: done, want: ends(Done, continuation.Finished)},
		}},
		{"changes no file, whatever it calls, and the gate passes", Rules{Task: true}, []step{
			{turn: worked, want: asks},
			{answer: unchanged(0), want: Action{Kind: Start, Text: ListOnly, Resume: true}},
			{turn: worked, want: asks},
			{answer: unchanged(0), want: ends(Unproven, continuation.NotApplicable)},
		}},
		{"changes no file, and says in a list that all was done before", Rules{Task: true}, []step{
			{turn: worked, want: asks},
			{answer: unchanged(1), want: ends(Done, continuation.Finished)},
		}},
		{"cancels all of its list", Rules{Task: true}, []step{
			{turn: worked, want: asks},
			{answer: abandoned(false), want: Action{Kind: Start, Text: ListOnly, Resume: true}},
			{turn: worked, want: asks},
			{answer: abandoned(false), want: ends(Unproven, continuation.NotApplicable)},
		}},
		{"cancels all of the list that is its task", Rules{}, []step{
			{turn: worked, want: asks},
			{answer: abandoned(false), want: Action{Kind: Start, Text: ListOnly, Resume: true}},
			{turn: worked, want: asks},
			{answer: done, want: ends(Done, continuation.Finished)},
		}},
		{"cancels all of its list in a checkout that it changed", Rules{Task: true}, []step{
			{turn: worked, want: asks},
			{answer: abandoned(true), want: ends(Done, continuation.Finished)},
		}},
		{"cancels all of its list for an item", Rules{Task: true, Item: true}, []step{
			{turn: worked, want: asks},
			{answer: abandoned(false), want: ends(Unproven, continuation.NotApplicable)},
		}},
		{"does nothing for an item", Rules{Task: true, Item: true}, []step{
			{turn: talked, want: asks},
			{answer: done, want: ends(Unproven, continuation.NotApplicable)},
		}},
		{"a conversation whose requests are refused", Rules{Task: true}, []step{
			{turn: &EndedTurn{Failed: true, Class: continuation.ErrorInvalidRequest, Worked: true, Acted: true}, want: asks},
			{answer: refused, want: handsOn},
			{turn: failing(continuation.ErrorInvalidRequest), want: asks},
			{answer: refused, want: ends(Failed, continuation.HostError)},
		}},
		{"a program that does not accept its command line", Rules{Task: true}, []step{
			{turn: &EndedTurn{Failed: true, Class: continuation.ErrorUnknown, Usage: true}, want: ends(Failed, continuation.HostError)},
		}},
		{"has no task, and the gate passes", Rules{}, []step{{answer: done, want: ends(Done, continuation.Finished)}}},
		{"begins a conversation for each turn", Rules{Task: true, Fresh: true}, []step{
			{turn: worked, want: asks}, {answer: proceed, want: Action{Kind: Start, Text: Prompt}},
		}},
		{"a usage limit before the list", Rules{Task: true}, []step{
			{turn: failing(continuation.ErrorRateLimit), want: asks},
			{answer: limited, want: waits(2 * time.Hour)},
			{answer: noList, after: 2 * time.Hour, want: again},
		}},
		{"a usage limit that ends after the time of the run", Rules{Task: true}, []step{
			{turn: failing(continuation.ErrorRateLimit), want: asks},
			{answer: within(limited, 20*time.Minute), want: waits(20 * time.Minute)},
			{answer: Answer{Decision: limited.Decision, Class: limited.Class, Over: spent.Over}, after: 20 * time.Minute, want: ends(AtLimit, continuation.Limit)},
		}},
		{"a budget that is used up while the user's calls run", Rules{Task: true}, []step{
			{turn: worked, want: asks},
			{answer: Answer{Decision: continuation.Decision{Outcome: continuation.Wait, Reason: "tools_pending", RetryAfter: time.Second}, Over: spent.Over}, want: waits(time.Second)},
			{answer: done, after: time.Second, want: ends(Done, continuation.Finished)},
		}},
		{"a usage limit", Rules{}, []step{
			{turn: failing(continuation.ErrorRateLimit), want: asks},
			{answer: limited, want: waits(2 * time.Hour)},
			{answer: proceed, after: 2 * time.Hour, want: resumes},
		}},
		{"servers that fail", Rules{MaxOutage: time.Hour}, []step{
			{turn: failing(continuation.ErrorServer), want: asks},
			{answer: outage, want: waits(5 * time.Second)},
			{turn: failing(continuation.ErrorServer), after: time.Hour, want: asks},
			{answer: outage, want: ends(Failed, continuation.HostError)},
		}},
		{"servers that fail for longer than a question waits", Rules{MaxOutage: 12 * time.Hour}, []step{
			{turn: failing(continuation.ErrorServer), want: asks},
			{answer: down, after: 6 * time.Hour, want: waits(10 * time.Minute)},
			{answer: down, after: 6 * time.Hour, want: ends(Failed, continuation.HostError)},
		}},
		{"a list that was finished before a task on which no turn has worked", Rules{Task: true}, []step{
			{turn: failedBy, want: asks},
			{answer: done, want: again},
			{turn: &EndedTurn{Failed: true, Worked: true, Acted: true}, want: asks},
			{answer: done, want: ends(Done, continuation.Finished)},
		}},
		{"a turn that fails while the gate passes already", Rules{Task: true, MaxOutage: time.Hour}, []step{
			{turn: failing(continuation.ErrorServer), want: asks},
			{answer: nothingDone, want: again},
			{turn: &EndedTurn{Failed: true, Worked: true, Acted: true}, want: asks},
			{answer: nothingDone, want: again},
			{turn: worked, want: asks},
			{answer: done, want: ends(Done, continuation.Finished)},
		}},
		{"the same without a task", Rules{MaxOutage: time.Hour}, []step{
			{answer: nothingDone, want: ends(Failed, continuation.HostError)},
		}},
		{"the program fails by itself", Rules{Task: true}, []step{
			{turn: failedBy, want: asks},
			{answer: crashed, want: waits(5 * time.Second)},
			{answer: noList, after: 5 * time.Second, want: again},
			{turn: &EndedTurn{Failed: true, Worked: true, Acted: true}, want: asks},
			{answer: answered(continuation.HostError, "failures"), want: ends(Failed, continuation.HostError)},
		}},
		{"a conversation that cannot be resumed", Rules{Task: true}, []step{
			{turn: worked, want: asks},
			{answer: proceed, want: resumes},
			{turn: failedBy, want: asks},
			{answer: crashed, want: handsOn},
			{turn: failedBy, want: asks},
			{answer: crashed, want: waits(5 * time.Second)},
			{answer: proceed, want: resumes},
		}},
		{"a conversation that cannot be resumed, and the user has stopped it", Rules{Task: true}, []step{
			{turn: worked, want: asks},
			{answer: proceed, want: resumes},
			{turn: failedBy, want: asks},
			{answer: answered(continuation.NotApplicable, "stopped"), want: ends(Stopped, continuation.NotApplicable)},
		}},
		{"a context that is always full", Rules{Task: true}, []step{
			{turn: failing(continuation.ErrorContext), want: asks},
			{answer: full, want: handsOn},
			{turn: failing(continuation.ErrorContext), want: asks},
			{answer: full, want: handsOn},
			{turn: failing(continuation.ErrorContext), want: asks},
			{answer: full, want: handsOn},
			{turn: failing(continuation.ErrorContext), want: asks},
			{answer: full, want: ends(Failed, continuation.HostError)},
		}},
		{"a context that is full, and a budget that is used up", Rules{Task: true}, []step{
			{turn: failing(continuation.ErrorContext), want: asks},
			{answer: spent, want: ends(AtLimit, continuation.Limit)},
		}},
		{"a context that is full now and then", Rules{Task: true}, []step{
			{answer: full, want: handsOn},
			{turn: worked, want: asks},
			{answer: full, want: handsOn},
			{turn: worked, want: asks},
			{answer: full, want: handsOn},
			{turn: worked, want: asks},
			{answer: full, want: handsOn},
		}},
		{"no list and no gate", Rules{Task: true}, []step{
			{turn: talked, want: asks},
			{answer: noList, want: Action{Kind: Start, Text: ListOnly, Resume: true}},
			{turn: talked, want: asks},
			{answer: noList, want: ends(Unproven, continuation.NotApplicable)},
		}},
		{"no task and no list", Rules{}, []step{{answer: noList, want: ends(Unproven, continuation.NotApplicable)}}},
		{"it pauses", Rules{}, []step{{answer: answered(continuation.NeedsHuman, "paused"), want: ends(NeedsYou, continuation.NeedsHuman)}}},
		{"a gate that must not run here", Rules{}, []step{{answer: answered(continuation.NeedsHuman, continuation.ReasonUnproven), want: ends(NeedsYou, continuation.NeedsHuman)}}},
		{"a limit of onward", Rules{}, []step{{answer: answered(continuation.Limit, "total"), want: ends(AtLimit, continuation.Limit)}}},
		{"the user stopped it", Rules{}, []step{{answer: answered(continuation.NotApplicable, "stopped"), want: ends(Stopped, continuation.NotApplicable)}}},
		{"a login that failed", Rules{}, []step{{answer: answered(continuation.HostError, "host_error"), want: ends(Failed, continuation.HostError)}}},
		{"the user stops a turn", Rules{}, []step{{turn: &EndedTurn{Over: &continuation.Decision{Outcome: continuation.NotApplicable, Reason: "stopped"}}, want: ends(Stopped, continuation.NotApplicable)}}},
		{"a budget is used up within a turn", Rules{}, []step{{turn: &EndedTurn{Over: &continuation.Decision{Outcome: continuation.Limit}}, want: ends(AtLimit, continuation.Limit)}}},
		{"a wait that is too long", Rules{MaxWait: time.Hour}, []step{
			{turn: failing(continuation.ErrorRateLimit), want: asks},
			{answer: limited, want: waits(time.Hour)},
			{answer: limited, after: time.Hour, want: ends(WaitedTooLong, continuation.Wait)},
		}},
		{"a wait that is known to be too long", Rules{MaxWait: time.Hour}, []step{
			{turn: failing(continuation.ErrorRateLimit), want: asks},
			{answer: named, want: ends(WaitedTooLong, continuation.Wait)},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Machine{Rules: c.rules}
			first := asks
			if c.rules.Task {
				first = Action{Kind: Start, Text: Task}
			}
			if got := m.Begin(false); got != first {
				t.Fatalf("it begins with %+v", got)
			}
			now := night
			for i, s := range c.steps {
				now += todo.Time(s.after.Milliseconds())
				var got Action
				if s.turn != nil {
					got = m.TurnEnded(*s.turn)
				} else {
					got = m.Answered(s.answer, now)
				}
				got.Reason, got.Message, got.Hint, got.Grade = "", "", "", ""
				if got != s.want {
					t.Fatalf("step %d: got %+v, want %+v", i+1, got, s.want)
				}
			}
		})
	}
}

// TestEndSaysWhatTheGateShows checks the words and the grade of a run that is done, and those of one in which nothing was done.
func TestEndSaysWhatTheGateShows(t *testing.T) {
	m := Machine{Rules: Rules{Task: true}, Tried: true, Acted: true}
	a := answered(continuation.Finished, "done")
	a.Work, a.Message = "both items are done", "both items are done, and the gate passes"
	a.Proof = Proof{Gated: true, Before: FailedBefore, Start: "a", Now: "b"}
	if got := m.Answered(a, night); got.Grade != Proven || got.Message != "both items are done, and the gate failed before the work and passes now" {
		t.Errorf("%+v", got)
	}
	for want, p := range map[string]Proof{
		"nothing changed, and the gate passed before":                                    {Gated: true, Before: PassedBefore, Unchanged: true},
		"nothing changed, and the gate is flaky: it failed and passed on the same files": {Gated: true, Before: FailedBefore, Flaky: true, Unchanged: true},
		"nothing changed, so the gate proves nothing":                                    {Gated: true, Unchanged: true},
	} {
		m = Machine{Rules: Rules{Task: true, Item: true}, Tried: true, Acted: true}
		a.Proof = p
		if got := m.Answered(a, night); got.Outcome != Unproven || got.Grade != "" || got.Message != want {
			t.Errorf("%q: %+v", want, got)
		}
	}
}

// TestProtectedFiles checks that the agent is told once of protected files that differ, and that the run then needs its user.
func TestProtectedFiles(t *testing.T) {
	m := Machine{Rules: Rules{Task: true}, Tried: true, Acted: true}
	a := answered(continuation.Finished, "done")
	a.Work, a.Proof = "both items are done", Proof{Gated: true, Before: FailedBefore, Start: "a", Now: "b", Protected: []string{"api.go"}}
	if got := m.Answered(a, night); got.Kind != Start || got.Text != Restore || got.Message != "api.go" {
		t.Errorf("%+v", got)
	}
	m.TurnLost(false)
	if got := m.Answered(a, night); got.Text != Restore {
		t.Errorf("after a turn that did not begin: %+v", got)
	}
	if got := m.Answered(a, night); got.Outcome != NeedsYou || got.Reason != ReasonProtected || got.Grade != "" || SettleItem(got).Status != todo.Blocked ||
		got.Message != "both items are done, but the agent changed 1 protected file: api.go" {
		t.Errorf("%+v", got)
	}
	m, a.Proof.Protected, a.Proof.Unprotected = Machine{Rules: Rules{Task: true}, Tried: true, Acted: true}, nil, "too slow"
	if got := m.Answered(a, night); got.Outcome != NeedsYou || got.Message != "both items are done, but nothing shows which protected files changed: too slow" {
		t.Errorf("%+v", got)
	}
	a.Proof.Unprotected = ""
	if got := m.Answered(a, night); got.Outcome != Done || got.Grade != Proven {
		t.Errorf("%+v", got)
	}
}

// TestCheckFirst checks what a run does that accepts only what is proven, from a gate that passes already.
func TestCheckFirst(t *testing.T) {
	begins := func() *Machine {
		m := &Machine{Rules: Rules{Task: true, Proof: true}}
		if got := m.RequireFailingCheck(PassedBefore, ""); got == nil || got.Text != Check {
			t.Fatalf("the gate passes: %+v", got)
		}
		m.TurnEnded(*worked)
		return m
	}
	with := func(a Answer, is CheckTurn) Answer {
		a.Alone = &is
		return a
	}
	red := CheckTurn{Checks: []string{"a_test.go"}, Gate: FailedBefore}
	gateFails := answered(continuation.Continue, "gate")
	for _, a := range []Answer{done, proceed, gateFails, noList, answered(continuation.Limit, "gate")} {
		m := begins()
		if got := m.Answered(with(a, red), night); got.Text != Task || !got.Resume || m.Asked != 0 {
			t.Errorf("%s, and the check fails: %+v", a.Reason, got)
		}
		for lacks, is := range map[string]CheckTurn{
			"the gate still passes":                                                           {Checks: red.Checks, Gate: PassedBefore},
			"other files than checks changed: a.go":                                           {Checks: red.Checks, Others: []string{"a.go"}, Gate: FailedBefore},
			"nothing shows which files changed: too slow":                                     {Unknown: "too slow", Gate: FailedBefore},
			"the gate fails, but no check changed":                                            {Gate: FailedBefore},
			"the gate has no result: it failed with an exit code above 125, as after a crash": {Checks: red.Checks, Gate: CrashedBefore},
			"the gate has no result: no result in time":                                       {Checks: red.Checks, Problem: "no result in time"},
			"the gate is flaky: it failed and passed on the same files":                       {Checks: red.Checks, Gate: FlakyBefore},
		} {
			m := begins()
			if got := m.Answered(with(a, is), night); got.Text != Check || got.Message != lacks {
				t.Errorf("%s: %+v", lacks, got)
			}
			m.TurnEnded(*worked)
			got := m.Answered(with(a, is), night)
			if got.Outcome != AtLimit || got.Reason != ReasonNeverFailed || SettleItem(got).Status != todo.Blocked || !strings.HasSuffix(got.Message, "and "+lacks) {
				t.Errorf("%s, twice: %+v", lacks, got)
			}
		}
	}
	for _, a := range []Answer{answered(continuation.Continue, continuation.ReasonMessageSent), answered(continuation.NeedsHuman, "paused"), limited, answered(continuation.Limit, "total")} {
		m := begins()
		if got := m.Answered(with(a, red), night); got.Text == Check || m.Asked != 1 {
			t.Errorf("%s: %+v", a.Reason, got)
		}
	}
	m := &Machine{Rules: Rules{Task: true, Proof: true}, Asked: 1}
	if got := m.Begin(false); got.Text != Check {
		t.Errorf("a run that is taken up before its first turn: %+v", got)
	}
	m.TurnEnded(*failedBy)
	if got := m.Answered(done, night); got.Text != Check || m.Asked != 1 {
		t.Errorf("after a turn that failed: %+v", got)
	}
	m = begins()
	m.Answered(with(done, CheckTurn{Gate: PassedBefore}), night)
	for range 2 {
		m.TurnEnded(*failedBy)
		if !m.PromptWaits() {
			t.Error("a limit in a turn for the check: the list may be finished, but the check waits")
		}
		failed := answered(continuation.HostError, "failed")
		failed.Check = "done"
		if got := m.Answered(failed, night); got.Text != Check {
			t.Errorf("nothing was done in a turn for the check: %+v", got)
		}
		m = begins()
	}
	m = &Machine{Rules: Rules{Proof: true}}
	if got := m.RequireFailingCheck(FailedBefore, ""); got != nil {
		t.Errorf("the gate fails: %+v", got)
	}
	for _, before := range []string{"", CrashedBefore, FlakyBefore} {
		if got := m.RequireFailingCheck(before, ""); got.Outcome != NeedsYou || got.Reason != continuation.ReasonUnproven || SettleItem(*got).Status != todo.Pending {
			t.Errorf("%s: %+v", before, got)
		}
	}
}

// TestAFailedTurnIsNoAnswer: what the agent is asked only once it is asked again after a turn that failed, and no finished list is an end before.
func TestAFailedTurnIsNoAnswer(t *testing.T) {
	changed := answered(continuation.Finished, "done")
	changed.Proof = Proof{Gated: true, Before: FailedBefore, Start: "a", Now: "b", Protected: []string{"api.go"}}
	nothing := answered(continuation.Finished, "done")
	nothing.Abandoned = true
	failedBefore := answered(continuation.HostError, "done")
	failedBefore.Check = "done"
	for asked, a := range map[PromptKind]Answer{Restore: changed, ListOnly: nothing} {
		for _, next := range []Answer{a, failedBefore, noList} {
			m := Machine{Rules: Rules{Task: true}, Tried: true, Acted: true}
			first := m.Answered(a, night)
			m.TurnEnded(*failedBy)
			if !m.PromptWaits() {
				t.Errorf("%v: a finished list would be the end", asked)
			}
			if got := m.Answered(next, night); got.Text != asked || got.Message != first.Message {
				t.Errorf("%v: %+v", asked, got)
			}
			m.TurnEnded(*worked)
			if got := m.Answered(a, night); got.Kind != EndRun || m.PromptWaits() {
				t.Errorf("%v, then answered: %+v", asked, got)
			}
		}
	}
	// Where the conversation cannot be resumed, the new one is asked, and that is the once.
	refused := Answer{Decision: continuation.Decision{Outcome: continuation.HostError, Reason: "host_error"}, Class: continuation.ErrorInvalidRequest}
	for asked, a := range map[PromptKind]Answer{Restore: changed, ListOnly: nothing} {
		m := Machine{Rules: Rules{Task: true}, Tried: true, Acted: true}
		m.TurnEnded(*worked)
		first := m.Answered(a, night)
		m.TurnEnded(EndedTurn{Failed: true, Class: continuation.ErrorInvalidRequest})
		if got := m.Answered(refused, night); got.Text != asked || got.Resume || got.Message != first.Message {
			t.Errorf("%v in a new conversation: %+v", asked, got)
		}
		m.TurnEnded(*worked)
		if got := m.Answered(a, night); got.Kind != EndRun {
			t.Errorf("%v, then answered: %+v", asked, got)
		}
	}
	// New conversations that the store kept from beginning are none: those that are left still get the question.
	lost := Machine{Rules: Rules{Task: true}, Tried: true, Acted: true}
	lost.TurnEnded(*worked)
	lost.Answered(nothing, night)
	lost.TurnEnded(EndedTurn{Failed: true, Class: continuation.ErrorInvalidRequest})
	for range 2 * handovers {
		if got := lost.Answered(refused, night); got.Text != ListOnly || got.Resume {
			t.Fatalf("after turns that did not begin: %+v", got)
		}
		lost.TurnLost(false)
	}
	m := Machine{Rules: Rules{Task: true, Proof: true}}
	m.RequireFailingCheck(PassedBefore, "")
	a := answered(continuation.Continue, "gate")
	a.Alone = &CheckTurn{Gate: PassedBefore}
	for _, turn := range []*EndedTurn{worked, failedBy, failedBy} {
		m.TurnEnded(*turn)
		if got := m.Answered(a, night); got.Text != Check {
			t.Fatalf("a check: %+v", got)
		}
	}
	m.TurnEnded(*worked)
	if got := m.Answered(a, night); got.Reason != ReasonNeverFailed || !strings.Contains(got.Message, "asked 2 times") {
		t.Errorf("%+v", got)
	}
	m = Machine{Rules: Rules{Task: true, Proof: true}}
	m.RequireFailingCheck(PassedBefore, "")
	m.TurnEnded(*worked)
	m.Answered(a, night)
	m.TurnEnded(EndedTurn{Failed: true, Class: continuation.ErrorInvalidRequest})
	if got := m.Answered(refused, night); got.Text != Check || got.Resume || got.Message != "the gate still passes" {
		t.Errorf("a check in a new conversation: %+v", got)
	}
	m.TurnEnded(*worked)
	if got := m.Answered(a, night); got.Reason != ReasonNeverFailed {
		t.Errorf("and then: %+v", got)
	}
}

// TestOnlyProven checks the end of such a run: what is only checked is not done, and an agent that changed checks is told once.
func TestOnlyProven(t *testing.T) {
	m := Machine{Rules: Rules{Task: true, Proof: true}, Tried: true, Acted: true}
	a := answered(continuation.Finished, "done")
	a.Work, a.Proof = "both items are done", Proof{Gated: true, Before: FailedBefore, Start: "a", Now: "b", Checks: []string{"a_test.go"}}
	if got := m.Answered(a, night); got.Text != Restore || got.Message != "a_test.go" {
		t.Errorf("%+v", got)
	}
	got := m.Answered(a, night)
	if got.Outcome != NeedsYou || got.Reason != continuation.ReasonUnproven || got.Grade != Checked || SettleItem(got).Status != todo.Blocked ||
		got.Message != "both items are done, and the gate failed before the work and passes now, and the agent changed 1 check: a_test.go; that is not proven" {
		t.Errorf("%+v", got)
	}
	a.Proof.Checks = nil
	if got := m.Answered(a, night); got.Outcome != Done || got.Grade != Proven {
		t.Errorf("%+v", got)
	}
	a.Proof.Before = PassedBefore
	if got := m.Answered(a, night); got.Outcome != NeedsYou || got.Grade != Checked {
		t.Errorf("%+v", got)
	}
}

// TestTakenUpAfterAFinishedList checks that a resumed run gives the task again unless a turn is known to have worked on it.
func TestTakenUpAfterAFinishedList(t *testing.T) {
	for _, c := range []struct {
		tried bool
		want  Action
	}{
		{false, Action{Kind: Start, Text: Task, Resume: true}},
		{true, ends(Done, continuation.Finished)},
	} {
		m := Machine{Rules: Rules{Task: true}, Tried: c.tried, Known: true, Acted: c.tried}
		if got := m.Begin(true); got != asks {
			t.Errorf("it begins with %+v", got)
		}
		got := m.Answered(answered(continuation.Finished, "done"), night)
		if got.Reason, got.Message, got.Hint, got.Grade = "", "", "", ""; got != c.want {
			t.Errorf("tried %v: got %+v, want %+v", c.tried, got, c.want)
		}
	}
}

// TestTakenUpAfterARefusal checks that a resumed run hands over the conversation that it knows, whose requests are refused.
func TestTakenUpAfterARefusal(t *testing.T) {
	m := Machine{Rules: Rules{Task: true}, Tried: true, Known: true}
	m.Begin(true)
	if got := m.Answered(refused, night); got != handsOn {
		t.Errorf("got %+v", got)
	}
	m = Machine{Rules: Rules{Task: true}}
	m.Begin(true)
	if got := m.Answered(refused, night); got.Kind != EndRun || got.Outcome != Failed {
		t.Errorf("without a conversation: got %+v", got)
	}
}

// TestTurnLost: where the store fails, a turn that has not begun counts for nothing, and the end of one that has begun is not known.
func TestTurnLost(t *testing.T) {
	m := Machine{Rules: Rules{Task: true, MaxOutage: time.Hour}, Acted: true}
	m.Begin(false)
	m.TurnEnded(*worked)
	full := Answer{Decision: continuation.Decision{Outcome: continuation.HostError, Reason: "context_full"}}
	for range 2 * handovers {
		if act := m.Answered(full, night); act.Kind != Start || act.Text != Handover {
			t.Fatalf("new conversations that did not begin: got %+v", act)
		}
		m.TurnLost(false)
	}
	noList := Answer{Decision: continuation.Decision{Outcome: continuation.NotApplicable, Reason: continuation.ReasonNoList}}
	for range 2 {
		if act := m.Answered(noList, night); act.Kind != Start || act.Text != ListOnly {
			t.Fatalf("a request for a list that was not made: got %+v", act)
		}
		m.TurnLost(false)
	}
	m.Answered(proceed, night)
	m.TurnEnded(EndedTurn{Failed: true, Class: continuation.ErrorUnknown})
	limited := Answer{Decision: continuation.Decision{Outcome: continuation.Wait, Reason: "rate_limited", RetryAfter: time.Minute}, Class: continuation.ErrorRateLimit}
	if act := m.Answered(limited, night); act.Text != Handover {
		t.Fatalf("a conversation that cannot be resumed: got %+v", act)
	}
	m.TurnLost(true)
	if act := m.Answered(limited, night); act.Kind != WaitFor {
		t.Errorf("a limit in a turn whose end is not known: got %+v", act)
	}
}

// TestHandoverThatWasNotRecorded: the store fails when the new conversation is to be recorded, so none has begun, and the conversation
// that the host refuses is still the last one.
func TestHandoverThatWasNotRecorded(t *testing.T) {
	m := Machine{}
	refused := Answer{Decision: continuation.Decision{Outcome: continuation.HostError, Reason: "host_error"}, Class: continuation.ErrorInvalidRequest}
	m.TurnEnded(*worked)
	m.Answered(proceed, night)
	m.TurnEnded(EndedTurn{Failed: true, Class: continuation.ErrorInvalidRequest})
	for range 2 {
		if act := m.Answered(refused, night); act.Kind != Start || act.Text != Handover {
			t.Fatalf("got %+v", act)
		}
		m.StoreFailed(errors.New("the disk is full"), night)
	}
}

// TestLimitsEnd checks that a run ends if the host always announces the end of its limit, but the limit never ends.
func TestLimitsEnd(t *testing.T) {
	m, now := Machine{}, night
	act := m.Begin(true)
	turns := 0
	for act.Kind != EndRun {
		turns++
		m.TurnEnded(*failing(continuation.ErrorRateLimit))
		act = m.Answered(limited, now)
		if again := m.Answered(limited, now); act.Kind == WaitFor && again != act {
			t.Fatalf("a wait that is woken early becomes %+v", again)
		}
	}
	if act.Outcome != AtLimit || act.Reason != "limit_wait" || turns != limitTimes+1 {
		t.Errorf("%+v after %d turns", act, turns)
	}
}

// TestLimitOfADay checks that a usage limit whose end nobody names is waited for a whole day, by what the questions answer.
func TestLimitOfADay(t *testing.T) {
	set, _, err := continuation.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	doc, now := &session.Document{Session: "s", Agent: session.Primary}, night
	m := Machine{Rules: Rules{Task: true}}
	for act := m.Begin(false); act.Kind != EndRun; {
		switch act.Kind {
		case Start:
			if _, err := continuation.ApplyAll(doc, []continuation.Event{
				{Type: continuation.TurnStart}, {Type: continuation.TurnEnd, Status: continuation.Failed, ErrorClass: continuation.ErrorRateLimit},
			}, false, nil, now); err != nil {
				t.Fatal(err)
			}
			act = m.TurnEnded(*failing(continuation.ErrorRateLimit))
		case WaitFor:
			now += todo.Time(act.For.Milliseconds())
			act = Action{Kind: Ask}
		case Ask:
			decision, _ := continuation.Decide(doc, continuation.Facts{TaskWaits: m.taskWaits()}, set, now)
			act = m.Answered(Answer{Decision: decision, Class: continuation.ErrorRateLimit}, now)
			if act.Kind == EndRun && (act.Outcome != AtLimit || act.Reason != continuation.ReasonLimitWait || night.Since(now) < 24*time.Hour) {
				t.Errorf("%+v after %v", act, night.Since(now))
			}
		}
	}
}
