package run

import (
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestGateAtEnd compares the gate at the end of a run with the one that it began with.
func TestGateAtEnd(t *testing.T) {
	const began = todo.Time(1000)
	done := Action{Kind: EndRun, Outcome: Done, Answer: continuation.Finished, Reason: "done", Message: "the only item is done"}
	noList := Action{Kind: EndRun, Outcome: Unproven, Answer: continuation.NotApplicable, Reason: continuation.ReasonNoList}
	limit := Action{Kind: EndRun, Outcome: AtLimit, Answer: continuation.Limit, Reason: "total"}
	for what, tt := range map[string]struct {
		end          Action
		before, from string
		now, nowFrom string
		chosen       *session.ChosenGate
		want         Outcome
		told         bool
	}{
		"the same":                      {end: done, before: "a", from: continuation.FromProject, now: "a", nowFrom: continuation.FromProject, want: Done},
		"the same, of a session":        {end: done, before: "a", from: continuation.FromProject, now: "a", nowFrom: continuation.FromSession, want: Done},
		"none before":                   {end: done, now: "a", want: Done},
		"gone":                          {end: done, before: "a", from: continuation.FromProject, want: NeedsYou, told: true},
		"gone, and there is no list":    {end: noList, before: "a", from: continuation.FromProject, want: NeedsYou, told: true},
		"changed":                       {end: done, before: "a", from: continuation.FromProject, now: "b", nowFrom: continuation.FromProject, want: NeedsYou, told: true},
		"changed at a limit":            {end: limit, before: "a", from: continuation.FromProject, now: "b", want: AtLimit},
		"changed by a person":           {end: done, before: "a", from: continuation.FromProject, now: "b", nowFrom: continuation.FromProject, chosen: &session.ChosenGate{Gate: " b", At: began}, want: Done, told: true},
		"removed by a person":           {end: done, before: "a", from: continuation.FromProject, chosen: &session.ChosenGate{At: began + 1}, want: Done, told: true},
		"a person chose none":           {end: done, before: "a", from: continuation.FromProject, chosen: &session.ChosenGate{Gate: "none", At: began + 1}, want: Done, told: true},
		"a person chose another":        {end: done, before: "a", from: continuation.FromProject, now: "c", chosen: &session.ChosenGate{Gate: "b", At: began + 1}, want: NeedsYou, told: true},
		"a person chose none, but then": {end: done, before: "a", from: continuation.FromProject, now: "c", chosen: &session.ChosenGate{Gate: "none", At: began + 1}, want: NeedsYou, told: true},
		"a person chose it before":      {end: done, before: "a", from: continuation.FromProject, now: "b", chosen: &session.ChosenGate{Gate: "b", At: began - 1}, want: NeedsYou, told: true},
		"a flag had it":                 {end: done, before: "a", from: continuation.FromFlag, want: Done, told: true},
		"a flag has it":                 {end: done, before: "a", from: continuation.FromProject, now: "b", nowFrom: continuation.FromFlag, want: Done, told: true},
	} {
		r := session.Run{Gate: tt.before, GateFrom: tt.from, GateSince: began}
		got := GateAtEnd(tt.end, &r, continuation.Settings{Gate: tt.now, GateFrom: tt.nowFrom}, nil, tt.chosen)
		if got.Outcome != tt.want || (got.Message != tt.end.Message) != tt.told {
			t.Errorf("%s: %s, %q; want %s, told %v", what, got.Outcome, got.Message, tt.want, tt.told)
		}
		if got.Outcome == NeedsYou && (got.Answer != continuation.NeedsHuman || got.Reason != continuation.ReasonUnproven || got.Hint == "") {
			t.Errorf("%s: %+v", what, got)
		}
	}
}
