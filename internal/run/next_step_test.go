package run

import (
	"testing"

	continuation "onward/internal/continue"
)

func TestNextStepOfTheUser(t *testing.T) {
	for reason, want := range map[string]NextStep{
		"paused": AnswerAgent, "question": AnswerAgent, "": AnswerAgent,
		continuation.ReasonPermissions: FollowHint,
		"approval":                     FollowHintFirst, "user_active": FollowHintFirst,
		continuation.ReasonGateBroken: FollowHintFirst, continuation.ReasonUnproven: FollowHintFirst, ReasonRemoved: FollowHintFirst,
	} {
		if got := (Action{Reason: reason}).NextStep(); got != want {
			t.Errorf("%q: got %d, want %d", reason, got, want)
		}
	}
}
