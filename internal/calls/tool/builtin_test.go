package tool

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

func TestWhatABuiltInToolDoesToTheList(t *testing.T) {
	failed := errors.New("disk")
	for _, c := range []struct {
		name, tool, args string
		continues        bool
		failed           error
		want             continuation.Event
		problem          bool
	}{
		{"a pause", PauseTool, `{"reason":"the key is missing"}`, true, nil, continuation.Event{Type: continuation.Pause, Reason: "the key is missing"}, false},
		{"a pause of an agent that may stop", PauseTool, `{"reason":"done"}`, false, nil, continuation.Event{}, true},
		{"it is not known whether it may", PauseTool, `{"reason":"done"}`, true, failed, continuation.Event{}, true},
		{"a list", "todo_write", `{"todos":[{"content":"fix it","status":"pending"}]}`, false, failed, continuation.Event{Type: continuation.Todos, Writer: todo.Authority{Alone: true, Item: "t1"}, Change: "wrote the list"}, false},
		{"no list", "todo_write", `{"todos":1}`, true, nil, continuation.Event{}, true},
	} {
		e, err := ListEvent(c.tool, jsontext.Value(c.args), func() (bool, error) { return c.continues, c.failed }, func() todo.Authority { return todo.Authority{Alone: true, Item: "t1"} })
		if (err != nil) != c.problem {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err == nil && (e.Type != c.want.Type || e.Reason != c.want.Reason || e.Writer.Alone != c.want.Writer.Alone || e.Writer.Item != c.want.Writer.Item || e.Change != c.want.Change || e.Source != "tool") {
			t.Errorf("%s: got %+v", c.name, e)
		}
		if wants := c.want.Type == continuation.Todos; err == nil && (len(e.Items) == 1) != wants {
			t.Errorf("%s: %d items", c.name, len(e.Items))
		}
	}
}
