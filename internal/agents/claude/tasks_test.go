package claude_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/test/streamtest"
)

// TestManyTasks creates more tasks than can be undone, one or two in each line. Each update must have the list at that time.
func TestManyTasks(t *testing.T) {
	const n = 2*1000 + 1 // the lists of the last 1,000 tasks can be restored
	var b strings.Builder
	b.WriteString(streamtest.ClaudeInit)
	for i := 1; i < n; i += 2 {
		for id := i; id < i+2; id++ {
			b.WriteString(streamtest.Use(fmt.Sprint(id), "TaskCreate", fmt.Sprintf(`{"subject":"task %d"}`, id)))
		}
		result := func(id int) string {
			return fmt.Sprintf(`{"type":"tool_result","tool_use_id":"%d","content":"Task #%d created successfully: task %d"}`, id, id, id)
		}
		if i%3 == 0 {
			fmt.Fprintf(&b, `{"type":"user","message":{"content":[%s,%s]},"session_id":"s"}`+"\n", result(i), result(i+1))
		} else {
			fmt.Fprintf(&b, `{"type":"user","message":{"content":[%s]},"session_id":"s"}`+"\n", result(i))
			fmt.Fprintf(&b, `{"type":"user","message":{"content":[%s]},"session_id":"s"}`+"\n", result(i+1))
		}
	}
	b.WriteString(streamtest.Use("done", "TaskUpdate", `{"taskId":"7","status":"completed"}`) + streamtest.Use("open", "TaskUpdate", `{"taskId":"7","status":"pending"}`))
	b.WriteString(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"done","content":"Updated task #7 status"},` +
		`{"type":"tool_result","tool_use_id":"open","content":"Updated task #7 status"}]},"session_id":"s"}` + "\n")
	r := agents.NewReader(strings.NewReader(b.String()), stream.Options{})
	lists := 0
	for {
		updates, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		for _, u := range updates {
			if u.Event.Type != continuation.Todos {
				continue
			}
			lists++
			items := u.Event.Items
			if len(items) != min(lists, n-1) {
				t.Fatalf("list %d has %d items", lists, len(items))
			}
			last := items[len(items)-1]
			if want := fmt.Sprintf("task %d", len(items)); last.Content != want {
				t.Fatalf("list %d ends with %q", lists, last.Content)
			}
			if got, want := items[min(6, len(items)-1)].Status == "completed", lists == n; got != want {
				t.Fatalf("in list %d, task 7 is completed: %v", lists, got)
			}
		}
	}
	if lists != n+1 {
		t.Errorf("%d lists", lists)
	}
}
