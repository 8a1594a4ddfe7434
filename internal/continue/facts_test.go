package continuation

import (
	"errors"
	"reflect"
	"testing"

	"onward/internal/session"
)

func TestHostModeChoosesTheStrongerPrompt(t *testing.T) {
	for _, c := range []struct {
		mode      string
		yolo, set bool
		want      bool
	}{
		{"bypassPermissions", false, false, true},
		{" yolo ", false, false, true},
		{"YOLO", false, false, true},
		{"default", false, false, false},
		{"acceptEdits", false, false, false},
		{"plan", false, false, false},
		{"", false, false, false},
		{"bypassPermissions", false, true, false},
		{"default", true, true, true},
	} {
		if got := (Settings{Yolo: c.yolo, YoloSet: c.set}).WithMode(c.mode).Yolo; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestParseFacts(t *testing.T) {
	got, err := ReadFacts([]byte(`{"tool_calls":0,"pending_tool_calls":1,"background":2,"queued_messages":3,"agent_mode":"plan",
		"can_write":false,"context_ratio":0.5,"spend_usd":1.5,"spend_tokens":7,"elapsed_ms":8,
		"gate":{"command":"make","code":2,"output":"red"}}`))
	want := Facts{
		ToolCalls: ptr(0), PendingToolCalls: ptr(1), Background: ptr(2), QueuedMessages: ptr(3), AgentMode: "plan",
		CanWrite: ptr(false), ContextRatio: ptr(0.5), SpendUSD: ptr(1.5), SpendTokens: ptr(int64(7)), ElapsedMS: ptr(int64(8)),
		Gate: &session.GateResult{Command: "make", Code: 2, Output: "red"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got := (Facts{}).WithDefaults(want); !reflect.DeepEqual(got, want) {
		t.Errorf("Or forgets something: %+v", got)
	}
	if got := want.WithDefaults(Facts{}); !reflect.DeepEqual(got, want) {
		t.Errorf("what is unknown took the place of what is known: %+v", got)
	}
	if got := (Facts{ToolCalls: ptr(9), CanWrite: ptr(true), Named: true}).WithDefaults(want); !got.Named || *got.ToolCalls != 9 || !*got.CanWrite || *got.Background != 2 {
		t.Errorf("got %+v", got)
	}
	// A missing member means that the fact is unknown.
	if got, err := ReadFacts([]byte(`{}`)); err != nil || !reflect.DeepEqual(got, Facts{}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for text, want := range map[string]int64{`{"elapsed":"2m"}`: 120_000, `{"elapsed":90}`: 90_000, `{"elapsed_ms":90}`: 90} {
		if got, err := ReadFacts([]byte(text)); err != nil || *got.ElapsedMS != want {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
	for _, bad := range []string{`{"elapsed":"x"}`, `{"elapsed":-1}`, `{"background":-1}`, ``, `[]`, `{"tool_call":1}`, `{"tool_calls":"1"}`, `{"tool_calls":1,"tool_calls":2}`, `{"tool_calls":1.5}`, `{} x`, `{"gate":{}}`, `{"gate":{"code":-1}}`, `{"gate":{"exit":1}}`} {
		if _, err := ReadFacts([]byte(bad)); !errors.Is(err, ErrData) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}
