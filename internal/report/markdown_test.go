package report

import (
	"strings"
	"testing"
)

// The task of a run is there as a whole, in one look or unfolded.
func TestLongTaskIsFolded(t *testing.T) {
	task := strings.Repeat("größere Straßen ", 40) + "end"
	for _, c := range []struct{ task, want string }{
		{"mend\nthe parser", "- Task: mend the parser\n"},
		{task, "Straßen…</summary>" + task + "</details>\n"},
	} {
		var b strings.Builder
		writeRun(&b, &Session{Run: &Run{Agent: "codex", Task: c.task}})
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("there is no %q in:\n%s", c.want, b.String())
		}
	}
}
