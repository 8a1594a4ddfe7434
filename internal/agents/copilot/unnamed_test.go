package copilot_test

import (
	"strings"
	"testing"

	"onward/test/streamtest"
)

// TestEventsBeforeTheStart checks that events before the line that names the session belong to that session.
func TestEventsBeforeTheStart(t *testing.T) {
	line := func(typ, data string) string {
		return `{"type":"` + typ + `","data":{` + data + `},"id":"i","timestamp":"2026-11-22T02:08:58.319Z","parentId":null}` + "\n"
	}
	played := streamtest.Play(t, line("session.permissions_changed", "")+line("session.start", `"sessionId":"s","copilotVersion":"1.0.102"`)+line("user.message", `"content":"go"`))
	if n := strings.Count(played, "report copilot"); n != 1 || !strings.Contains(played, "report copilot s: ") {
		t.Errorf("%d sessions:\n%s", n, played)
	}
}
