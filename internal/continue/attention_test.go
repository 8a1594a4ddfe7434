package continuation

import (
	"errors"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// stand returns the standing of a scene's session, with the last result of the gate that a view can know.
func (s *scene) stand(signs session.Activity) Standing {
	d, _ := Decide(s.doc, s.facts.WithKnownGate(s.doc, s.set), s.set, noon)
	return DeriveStanding(s.doc, d, s.set, func() session.Activity { return signs }, s.gone, noon)
}

// TestAttentionFollowsTheDecision compares the attention with the decision for every row of the decision table.
func TestAttentionFollowsTheDecision(t *testing.T) {
	want := map[Outcome]Attention{
		Continue: AttentionContinuing, Wait: AttentionContinuing, Finished: AttentionDone, NeedsHuman: AttentionUser,
		Limit: AttentionLimit, HostError: AttentionHost, NotApplicable: AttentionStopped,
	}
	for _, row := range rowCases {
		s := &scene{doc: document(), set: defaults(t)}
		row.arrange(s)
		outcome := want[row.outcome]
		reason := row.reason
		switch {
		case reason == ReasonNoList, reason == ReasonUnproven && s.doc.Todos.Items == nil:
			outcome, reason = AttentionDone, ReasonNoList // a view does not count a gate without a list as work
		case reason == ReasonUnproven:
			outcome = AttentionContinuing
		}
		if s.doc.Owner == nil {
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", SeenAt: noon} // the owner is working
		}
		got := s.stand(session.Activity{})
		if got.Attention != outcome || got.Reason != reason || got.Since > noon {
			t.Errorf("%s: got %+v, want %s", row.name, got, outcome)
		}
		still := outcome != AttentionContinuing && (outcome != AttentionDone || reason == ReasonNoList)
		told := "" // what is done needs no reason, but what was cancelled is not done
		if n := CountList(s.doc); reason == "done" && (n.Of(todo.Completed) < n.Total || s.led().Deleted != nil) {
			told = closedText(n, s.led())
		}
		if still && got.Why == "" || outcome == AttentionDone && !still && got.Why != told {
			t.Errorf("%s: why is %q", row.name, got.Why)
		}
	}
}

func TestStanding(t *testing.T) {
	finished := func(failures, code int, told bool) func(*scene) {
		return func(s *scene) {
			s.finished()
			s.led().Gate = &session.GateResult{Command: "make test", Code: code, Failures: failures, Told: told, At: ago(3 * time.Minute), Items: todo.Digest(s.doc.Todos.Items)}
		}
	}
	for _, c := range []struct {
		name    string
		arrange func(*scene)
		signs   todo.Time
		want    Standing
	}{
		{"at work", func(*scene) {}, 0, Standing{IsOpen, AttentionContinuing, "continue", "", ago(time.Minute), 0, true}},
		{"a pause", func(s *scene) {
			s.led().Paused = &session.Paused{Reason: "no key", At: ago(time.Hour)}
		}, 0, Standing{NeedsYou, AttentionUser, "paused", "paused: no key", ago(time.Hour), 0, false}},
		{"the user's stop", func(s *scene) { s.led().StoppedAt = ago(time.Hour) }, 0, Standing{IsStopped, AttentionStopped, "stopped", "the user stopped this session", ago(time.Hour), 0, false}},
		{"a question", func(s *scene) { s.led().QuestionAt = ago(time.Hour) }, 0, Standing{NeedsYou, AttentionUser, "question", "a question to the user is open", ago(time.Hour), 0, false}},
		{"a full context", func(s *scene) { s.failed(ErrorContext, 1, time.Hour) }, 0, Standing{HasFailed, AttentionHost, "context_full", "the agent's context is full", ago(time.Hour), 0, true}},
		{"no activity", func(s *scene) { s.doc.UpdatedAt = ago(2 * time.Hour) }, 0, Standing{IsOpen, AttentionStalled, "continue", "no activity", ago(2 * time.Hour), 0, true}},
		{"a message waits", func(s *scene) { s.queued("") }, 0, Standing{IsOpen, AttentionContinuing, ReasonMessageSent, "your message waits for the agent's next turn", ago(time.Minute), 0, true}},
		{"a message waits for an agent that has ended", func(s *scene) {
			s.queued("")
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", SeenAt: ago(time.Hour), EndedAt: noon}
		}, 0, Standing{IsOpen, AttentionStalled, ReasonMessageSent, "your message waits for the agent's next turn", ago(time.Minute), 0, true}},
		{"activity that is newer than the document", func(s *scene) { s.doc.UpdatedAt = ago(2 * time.Hour) }, ago(time.Hour), Standing{IsOpen, AttentionContinuing, "continue", "", ago(time.Minute), 0, true}},
		{"its agent has ended", func(s *scene) {
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", SeenAt: ago(time.Hour), EndedAt: noon}
		}, 0, Standing{IsOpen, AttentionStalled, "continue", "its agent has ended", ago(time.Minute), 0, true}},
		{"its agent's process is gone", func(s *scene) {
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", SeenAt: ago(time.Hour)}
			s.gone = true
		}, 0, Standing{IsOpen, AttentionStalled, "continue", "its agent has ended", ago(time.Minute), 0, true}},
		{"its agent ended just now", func(s *scene) {
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", EndedAt: noon}
		}, ago(time.Second), Standing{IsOpen, AttentionContinuing, "continue", "", ago(time.Minute), 0, true}},
		{"its conversation is over", func(s *scene) { s.led().PromptKey = "p1" }, 0, Standing{IsOpen, AttentionStalled, "continue", "its agent has ended", ago(time.Minute), 0, true}},
		{"the gate passed", finished(0, 0, false), 0, Standing{IsDone, AttentionDone, "done", "1 completed, 1 cancelled", ago(time.Minute), 0, false}},
		{"the gate failed, and the agent mends it", finished(1, 1, true), 0, Standing{IsUnproven, AttentionContinuing, ReasonUnproven, "the gate fails with exit code 1", ago(time.Minute), 0, true}},
		{"the gate failed too often", finished(3, 1, false), 0, Standing{AtLimit, AttentionLimit, "gate", "the agent was stopped after 3 failures of the gate in a row without work: make test", ago(3 * time.Minute), 0, false}},
		{"the gate has no result", func(s *scene) {
			finished(0, 0, false)(s)
			s.led().Gate.Problem = "it ran too long"
		}, 0, Standing{NeedsYou, AttentionUser, "gate_broken", "the gate has no result: make test: it ran too long", ago(3 * time.Minute), 0, false}},
		{"the gate passed before the agent went on", func(s *scene) {
			finished(0, 0, false)(s)
			s.led().ToolCalls = 1
		}, 0, Standing{IsUnproven, AttentionContinuing, ReasonUnproven, "the gate has not run", ago(time.Minute), 0, true}},
		{"the gate passed for another list", func(s *scene) {
			finished(0, 0, false)(s)
			s.led().Gate.Items = "another"
		}, 0, Standing{IsUnproven, AttentionContinuing, ReasonUnproven, "the gate has not run", ago(time.Minute), 0, true}},
		{"another gate passed", func(s *scene) {
			finished(0, 0, false)(s)
			s.set.Gate = "make lint"
		}, 0, Standing{IsUnproven, AttentionContinuing, ReasonUnproven, "the gate has not run", ago(time.Minute), 0, true}},
		{"a run's own gate has not run", func(s *scene) {
			s.finished()
			s.led().RunGate = "make test"
		}, 0, Standing{IsUnproven, AttentionContinuing, ReasonUnproven, "the gate has not run", ago(time.Minute), 0, true}},
		{"a run's own gate passed", func(s *scene) {
			finished(0, 0, false)(s)
			s.led().Gate.Given, s.set.Gate = true, ""
		}, 0, Standing{IsDone, AttentionDone, "done", "1 completed, 1 cancelled", ago(time.Minute), 0, false}},
		{"a run ended at its own limit", func(s *scene) {
			s.led().RunEnd = &session.RunEnd{At: ago(time.Hour), Rev: s.doc.Rev, State: "limit", Reason: "budget", Message: "the budget of 5 tokens is used up"}
		}, 0, Standing{AtLimit, AttentionLimit, "budget", "the budget of 5 tokens is used up", ago(time.Hour), 0, false}},
		{"a run waited for as long as it may", func(s *scene) {
			s.led().RunEnd = &session.RunEnd{At: ago(time.Hour), Rev: s.doc.Rev, State: "waiting", Reason: "rate_limited", Message: "the agent is rate-limited; waited 10m0s"}
		}, 0, Standing{IsOpen, AttentionStalled, "rate_limited", "the agent is rate-limited; waited 10m0s", ago(time.Hour), 0, false}},
		{"something happened since a run ended", func(s *scene) {
			s.led().RunEnd = &session.RunEnd{At: ago(time.Hour), Rev: s.doc.Rev - 1, State: "limit", Reason: "budget", Message: "the budget of 5 tokens is used up"}
		}, 0, Standing{IsOpen, AttentionContinuing, "continue", "", ago(time.Minute), 0, true}},
		{"a run's own gate failed", func(s *scene) {
			finished(1, 1, false)(s)
			s.led().Gate.Given, s.set.Gate = true, ""
		}, 0, Standing{IsUnproven, AttentionContinuing, ReasonUnproven, "the gate fails with exit code 1", ago(time.Minute), 0, true}},
		{"a run's own gate has no result", func(s *scene) {
			finished(0, 0, false)(s)
			s.led().Gate.Given, s.led().Gate.Problem, s.set.Gate = true, "it ran too long", ""
		}, 0, Standing{NeedsYou, AttentionUser, "gate_broken", "the gate has no result: make test: it ran too long", ago(3 * time.Minute), 0, false}},
		{"a run's own gate failed without a list", func(s *scene) {
			s.doc.Todos = session.Todos{}
			s.led().Gate = &session.GateResult{Command: "make test", Code: 1, Items: todo.Digest(nil), Given: true}
		}, 0, Standing{IsUnproven, AttentionContinuing, ReasonUnproven, "the gate fails with exit code 1", ago(time.Hour), 0, true}},
	} {
		s := &scene{doc: document(), set: defaults(t)}
		c.arrange(s)
		if got := s.stand(session.Activity{At: c.signs}); got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
	if got := DeriveStanding(nil, Decision{Outcome: NotApplicable, Reason: ReasonNoList, Message: "none"}, defaults(t), nil, false, noon); got != (Standing{State: IsEmpty, Attention: AttentionDone, Reason: ReasonNoList, Why: "none"}) {
		t.Errorf("no list: %+v", got)
	}
}

// TestShowsEnd checks which ends of a run are recorded: those that the state of the session does not show permanently.
func TestShowsEnd(t *testing.T) {
	for _, c := range []struct {
		shown    State
		volatile bool
		end      State
		want     bool
	}{
		{IsOpen, true, IsDone, true},
		{NeedsYou, false, NeedsYou, true},
		{AtLimit, false, AtLimit, true},
		{IsUnproven, true, AtLimit, false},
		{IsUnproven, true, IsUnproven, true},
		{HasFailed, true, HasFailed, false},
		{IsWaiting, false, AtLimit, false},
		{IsDone, false, AtLimit, false},
		{IsEmpty, false, IsUnproven, false},
		{IsUnproven, true, IsDone, false},
	} {
		if got := (Standing{State: c.shown, Volatile: c.volatile}).ShowsEnd(c.end); got != c.want {
			t.Errorf("%s shows the end %s: %v", c.shown, c.end, got)
		}
	}
}

// TestStateOfEveryRow checks the state that a user sees for the first case of each row.
func TestStateOfEveryRow(t *testing.T) {
	want := map[string]State{
		"not_owner": IsStopped, "disabled": IsStopped, "subagent": IsStopped, "stopped": IsStopped, "aborted": IsStopped, "agent_mode": IsStopped, "stale": IsStopped,
		"host_error": HasFailed, "context_full": HasFailed, "rate_limited": IsWaiting, "backoff": IsWaiting, "recovering": IsWaiting, "compaction": IsWaiting,
		"tools_pending": IsWorking, "working": IsWorking, "background": IsWaiting, "duplicate": IsWaiting, "cooldown": IsWaiting, "countdown_cancelled": IsWaiting,
		"approval": NeedsYou, "paused": NeedsYou, "question": NeedsYou, "dropped": NeedsYou, "blocked": NeedsYou,
		"done": IsDone, "no_list": IsCleared, "gate": IsUnproven, "budget": AtLimit, "total": AtLimit, "attempts": AtLimit, "max_gate": AtLimit,
		"stalled": AtLimit, "host_cap": AtLimit,
	}
	seen := map[string]bool{}
	for _, c := range rowCases {
		if seen[c.row] || want[c.row] == "" {
			continue
		}
		seen[c.row] = true
		s := &scene{doc: document(), set: defaults(t)}
		c.arrange(s)
		if c.row == "no_list" {
			s.doc.Todos = session.Todos{Items: []todo.Item{item("a", todo.Pending)}}
		}
		d, _ := Decide(s.doc, s.facts, s.set, noon)
		if got := stateOf(s.doc, d); got != want[c.row] {
			t.Errorf("%s: %s, want %s", c.name, got, want[c.row])
		}
	}
	for _, c := range []struct {
		name string
		doc  *session.Document
		gate string
		want State
	}{
		{"no document", nil, "", IsEmpty},
		{"no list", &session.Document{Agent: session.Primary}, "", IsEmpty},
		{"no list, and a gate that has not run", &session.Document{Agent: session.Primary}, "make", IsEmpty},
		{"a list put aside", &session.Document{Agent: session.Primary, Todos: session.Todos{Items: []todo.Item{item("a", todo.Pending)}}}, "make", IsCleared},
		{"no list, and a gate that failed", &session.Document{Agent: session.Primary, Continuation: session.Ledger{Gate: &session.GateResult{Command: "make", Code: 1}}}, "make", IsUnproven},
		{"items", document(), "make", IsOpen},
	} {
		set := defaults(t)
		set.Gate = c.gate
		d, _ := Decide(c.doc, Facts{}.WithKnownGate(c.doc, set), set, noon)
		if got := stateOf(c.doc, d); got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, got, d.Reason, c.want)
		}
	}
}

func TestParseState(t *testing.T) {
	for i, s := range States {
		for _, word := range []string{string(s), s.Words()} {
			if got, err := ParseState(word); got != s || err != nil || s.Rank() != i {
				t.Errorf("%s: got %s with the rank %d, %v", word, got, s.Rank(), err)
			}
		}
	}
	if _, err := ParseState("continuing"); !errors.Is(err, todo.ErrSyntax) {
		t.Errorf("got %v", err)
	}
}

func TestParseAttention(t *testing.T) {
	for i, a := range Attentions {
		if got, err := ParseAttention(string(a)); got != a || err != nil || a.Rank() != i {
			t.Errorf("%s: got %s with the rank %d, %v", a, got, a.Rank(), err)
		}
	}
	for _, bad := range []string{"", "Done", "done,", "open"} {
		if _, err := ParseAttention(bad); !errors.Is(err, todo.ErrSyntax) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestStateFilter(t *testing.T) {
	working, needs := Standing{State: IsWorking, Attention: AttentionContinuing}, Standing{State: NeedsYou, Attention: AttentionUser}
	for _, c := range []struct {
		words          []string
		working, needs bool
		wrong          bool
	}{
		{nil, true, true, false},
		{[]string{"working"}, true, false, false},
		{[]string{" needs you", "working"}, true, true, false},
		{[]string{string(AttentionUser)}, false, true, false},
		{[]string{"asleep"}, false, false, true},
	} {
		f, err := ParseStateFilter(c.words)
		if (err != nil) != c.wrong || err == nil && (f.Match(working) != c.working || f.Match(needs) != c.needs) {
			t.Errorf("%q: %v, working %v, needs you %v", c.words, err, f.Match(working), f.Match(needs))
		}
	}
}
