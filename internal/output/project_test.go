package output

import (
	"strings"
	"testing"
	"time"

	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
)

// TestProjectOfAReceiptWithoutAgents: a receipt leaves out agents where it would be too long, and so may have none.
func TestProjectOfAReceiptWithoutAgents(t *testing.T) {
	for agent, want := range map[string]string{"": "run     fix the parser\n", "claude": "run     claude: fix the parser\n"} {
		r := &session.Receipt{Task: "fix the parser", Outcome: string(run.Done), Message: "all items are done"}
		if agent != "" {
			r.Agents = []string{"codex", agent}
		}
		if got := ProjectText(Project{Receipt: r}, render.Style{}, time.Unix(0, 0)); !strings.HasPrefix(got, want) {
			t.Errorf("with the agent %q:\n%s\nwant first:\n%s", agent, got, want)
		}
	}
}
