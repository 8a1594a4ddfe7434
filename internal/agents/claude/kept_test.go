package claude_test

import (
	"fmt"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
	"onward/test/streamtest"
)

// TestOldListsAreDropped resumes a session after so many others that the reader has dropped its list. The reader must
// load the saved list again.
func TestOldListsAreDropped(t *testing.T) {
	const kept = 100 // number of sessions whose lists a reader keeps
	run := streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.Use("t", "TaskCreate", `{"subject":"A"}`) + streamtest.Answer("t", "Task #1 created successfully: A", "null") + streamtest.ClaudeDone
	again := streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.Use("u", "TaskUpdate", `{"taskId":"1","status":"completed"}`) + streamtest.Answer("u", "Updated task #1 status", "null") + streamtest.ClaudeDone
	for _, others := range []int{1, kept + 1} {
		var b strings.Builder
		b.WriteString(run)
		for i := range others {
			b.WriteString(strings.ReplaceAll(run, `"s"`, fmt.Sprintf(`"other%d"`, i)))
		}
		b.WriteString(again)
		asked := 0
		r := agents.NewReader(strings.NewReader(b.String()), stream.Options{Saved: func(_ stream.Kind, session string) native.SavedList {
			if session == "s" {
				asked++
			}
			return native.SavedList{Items: []todo.Item{{ID: "1", Content: "A", Status: todo.Pending}}}
		}})
		var last []todo.Item
		for _, u := range streamtest.Drain(t, r) {
			if u.Session == "s" && u.Event.Type == continuation.Todos {
				last = u.Event.Items
			}
		}
		if len(last) != 1 || last[0].Content != "A" || last[0].Status != todo.Completed {
			t.Errorf("after %d others: %+v", others, last)
		}
		if forgotten := others > kept; asked != 1 && !forgotten || asked != 2 && forgotten {
			t.Errorf("after %d others: asked %d times", others, asked)
		}
	}
}
