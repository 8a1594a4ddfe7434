package continuation

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"onward/internal/todo"
)

func TestReadEvent(t *testing.T) {
	for line, want := range map[string]Event{
		`{"type":"turn-end","tool_calls":2}`:                           {Type: TurnEnd, ToolCalls: 2},
		`{"type":"error","class":"auth"}`:                              {Type: Error, ErrorClass: ErrorAuth},
		`{"type":"error","error_class":"auth","class":"billing"}`:      {Type: Error, ErrorClass: ErrorAuth},
		`{"type":"error","class":"rate_limit","retry_after":"1m"}`:     {Type: Error, ErrorClass: ErrorRateLimit, RetryAfter: 60_000},
		`{"type":"error","class":"rate_limit","retry_after":90}`:       {Type: Error, ErrorClass: ErrorRateLimit, RetryAfter: 90_000},
		`{"type":"error","class":"rate_limit","retry_after_ms":90}`:    {Type: Error, ErrorClass: ErrorRateLimit, RetryAfter: 90},
		`{"type":"todos","items":[{"text":" a ","status":"blocked"}]}`: {Type: Todos, Items: []todo.Item{{Content: "a", Status: todo.Blocked}}},
		`{"type":"background-start","id":"b","kind":"subagent"}`:       {Type: BackgroundStart, ID: "b", Kind: "subagent"},
	} {
		if got, _, err := ReadEvent([]byte(line)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", line, got, err)
		}
	}
	for line, want := range map[string]string{
		`{"typ":"turn-end"}`:                   `unknown key "typ"`,
		`{"type":"turn-end","tool_calls":"2"}`: "tool_calls has the wrong kind of value",
		`[]`:                                   "not one JSON object",
		`{"type":"stop"} {}`:                   "after top-level value",
		`{"type":"stop","type":"stop"}`:        "duplicate",
		`{"type":"error","class":"rate_limit","retry_after":"x"}`:   `retry_after: "x" is not a duration`,
		`{"type":"error","class":"rate_limit","retry_after":-1}`:    `retry_after: "-1" is not a duration`,
		`{"type":"todos","items":[{"content":"a","status":"odd"}]}`: `status "odd"`,
		`{"type":"todos","items":[{"content":" "}]}`:                "the text is empty",
	} {
		_, _, err := ReadEvent([]byte(line))
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, ErrData) && !errors.Is(err, todo.ErrData) {
			t.Errorf("%s: got %v", line, err)
		}
	}
}
