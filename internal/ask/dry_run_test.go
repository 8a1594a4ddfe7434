package ask

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

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
		l.Background = []session.BackgroundTask{{ID: "x", Kind: "shell", Since: noon - 1_000}}
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
		if unproven := dry.Decision.Reason == continuation.ReasonUnproven; unproven != (gate.runs == 1) || gate.held {
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
