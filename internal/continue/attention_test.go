package continuation

import (
	"errors"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// stand returns the standing of a scene's session, with the gate's last result as a view knows it.
func (s *scene) stand(signs session.Activity) Standing {
	d, _ := Decide(s.doc, s.facts.Known(s.doc, s.set), s.set, noon)
	return DeriveStanding(s.doc, d, s.set, func() session.Activity { return signs }, s.gone, noon)
}

// TestAttentionFollowsTheDecision compares every row of the decision table.
func TestAttentionFollowsTheDecision(t *testing.T) {
	want := map[Outcome]Attention{
		Continue: Continuing, Wait: Continuing, Finished: NoMore, NeedsHuman: ForUser,
		Limit: ForLimit, HostError: ForHost, NotApplicable: SwitchedOff,
	}
	for _, row := range rowCases {
		s := &scene{doc: document(), set: defaults(t)}
		row.arrange(s)
		outcome := want[row.outcome]
		if row.reason == Unproven {
			outcome = Continuing
		}
		if s.doc.Owner == nil {
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", SeenAt: noon} // at work
		}
		got := s.stand(session.Activity{})
		if got.Attention != outcome || got.Reason != row.reason || got.Since > noon {
			t.Errorf("%s: got %+v, want %s", row.name, got, outcome)
		}
		still := outcome != Continuing && (outcome != NoMore || row.reason == "no_todos")
		if still && got.Why == "" || outcome == NoMore && !still && got.Why != "" {
			t.Errorf("%s: why is %q", row.name, got.Why)
		}
	}
}

func TestStanding(t *testing.T) {
	finished := func(failures, code int, told bool) func(*scene) {
		return func(s *scene) {
			s.finished()
			s.led().Gate = &session.Proof{Command: "make test", Code: code, Failures: failures, Told: told, At: ago(3 * time.Minute), Items: todo.Digest(s.doc.Todos.Items)}
		}
	}
	for _, c := range []struct {
		name    string
		arrange func(*scene)
		signs   todo.Time
		want    Standing
	}{
		{"at work", func(*scene) {}, 0, Standing{Continuing, "continue", "", ago(time.Minute), true}},
		{"a pause", func(s *scene) {
			s.led().Paused = &session.Paused{Reason: "no key", At: ago(time.Hour)}
		}, 0, Standing{ForUser, "paused", "AI paused: no key", ago(time.Hour), false}},
		{"the user's stop", func(s *scene) { s.led().StoppedAt = ago(time.Hour) }, 0, Standing{SwitchedOff, "stopped", "the user stopped this session", ago(time.Hour), false}},
		{"a question", func(s *scene) { s.led().QuestionAt = ago(time.Hour) }, 0, Standing{ForUser, "question", "a question to the user is open", ago(time.Hour), false}},
		{"a full context", func(s *scene) { s.failed(ErrorContext, 1, time.Hour) }, 0, Standing{ForHost, "context_full", "the agent's context is full", ago(time.Hour), true}},
		{"no sign of life", func(s *scene) { s.doc.UpdatedAt = ago(2 * time.Hour) }, 0, Standing{Stalled, "continue", "no sign of life", ago(2 * time.Hour), true}},
		{"a sign of life beside the document", func(s *scene) { s.doc.UpdatedAt = ago(2 * time.Hour) }, ago(time.Hour), Standing{Continuing, "continue", "", ago(time.Minute), true}},
		{"its agent has ended", func(s *scene) {
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", SeenAt: ago(time.Hour), EndedAt: noon}
		}, 0, Standing{Stalled, "continue", "its agent has ended", ago(time.Minute), true}},
		{"its agent's process is gone", func(s *scene) {
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", SeenAt: ago(time.Hour)}
			s.gone = true
		}, 0, Standing{Stalled, "continue", "its agent has ended", ago(time.Minute), true}},
		{"its agent ended just now", func(s *scene) {
			s.doc.Owner = &session.Owner{Agent: "claude", Session: "a", EndedAt: noon}
		}, ago(time.Second), Standing{Continuing, "continue", "", ago(time.Minute), true}},
		{"its conversation is over", func(s *scene) { s.led().PromptKey = "p1" }, 0, Standing{Stalled, "continue", "its agent has ended", ago(time.Minute), true}},
		{"the gate passed", finished(0, 0, false), 0, Standing{NoMore, "done", "", ago(time.Minute), false}},
		{"the gate failed, and the agent mends it", finished(1, 1, true), 0, Standing{Continuing, Unproven, "the gate fails with exit code 1", ago(time.Minute), true}},
		{"the gate failed too often", finished(3, 1, false), 0, Standing{ForLimit, "gate", "stopped after 3 failures of the gate in a row without work: make test", ago(3 * time.Minute), false}},
		{"the gate proves nothing", func(s *scene) {
			finished(0, 0, false)(s)
			s.led().Gate.Problem = "it ran too long"
		}, 0, Standing{ForUser, "gate_broken", "the gate proves nothing: make test: it ran too long", ago(3 * time.Minute), false}},
		{"the gate passed before the agent went on", func(s *scene) {
			finished(0, 0, false)(s)
			s.led().ToolCalls = 1
		}, 0, Standing{Continuing, Unproven, "the gate has not run", ago(time.Minute), true}},
		{"the gate passed for another list", func(s *scene) {
			finished(0, 0, false)(s)
			s.led().Gate.Items = "another"
		}, 0, Standing{Continuing, Unproven, "the gate has not run", ago(time.Minute), true}},
		{"another gate passed", func(s *scene) {
			finished(0, 0, false)(s)
			s.set.Gate = "make lint"
		}, 0, Standing{Continuing, Unproven, "the gate has not run", ago(time.Minute), true}},
	} {
		s := &scene{doc: document(), set: defaults(t)}
		c.arrange(s)
		if got := s.stand(session.Activity{At: c.signs}); got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
	if got := DeriveStanding(nil, Decision{Outcome: Finished, Reason: "no_todos", Message: "none"}, defaults(t), nil, false, noon); got != (Standing{Attention: NoMore, Reason: "no_todos", Why: "none"}) {
		t.Errorf("no list: %+v", got)
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
