package output

import (
	"strings"
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
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

// TestProjectThatWasCutOff: nobody knows when a run was killed, so the time that it has spent ends with the last change of its list.
func TestProjectThatWasCutOff(t *testing.T) {
	began := todo.Time(1_000_000)
	p := Project{
		Run: &session.Run{Agent: "claude", Task: "fix the parser", Turns: 2, Began: began},
		Row: &live.Row{Standing: continuation.Standing{State: continuation.IsCutOff, Since: began + 7000}},
	}
	hours := (began + 3*3600*1000).Time()
	if got := ProjectText(p, render.Style{}, hours); !strings.Contains(got, "spent   2 turns, 7 s\n") {
		t.Errorf("after three hours:\n%s", got)
	}
	p.AtWork = true
	if got := ProjectText(p, render.Style{}, hours); !strings.Contains(got, "spent   2 turns, 3 h\n") {
		t.Errorf("at work for three hours:\n%s", got)
	}
}

// TestProjectCompletedByItsUser: the items of a run that was cut off may be completed by a person, and no agent has to go on.
func TestProjectCompletedByItsUser(t *testing.T) {
	p := Project{Run: &session.Run{Agent: "claude", Turns: 1}, Row: &live.Row{}, Again: "`onward run claude` goes on"}
	p.Row.Standing.State = continuation.IsDone
	if got := ProjectText(p, render.Style{}, time.Unix(0, 0)); !strings.Contains(got, "next    `onward report` shows what happened\n") {
		t.Errorf("done after it was cut off:\n%s", got)
	}
}

// TestProjectKeepsTheCommand: on a narrow screen facts are cut, and the command that comes next is not.
func TestProjectKeepsTheCommand(t *testing.T) {
	p := Project{
		Run: &session.Run{Agent: "claude", Task: strings.Repeat("rename the packages of the parser ", 4), Turns: 1, Ended: &session.RunEnd{}},
		Row: &live.Row{}, Again: "`onward run claude --max-usd 5 --gate 'go test ./internal/parser/...' -- --permission-mode acceptEdits` goes on",
	}
	got := ProjectText(p, render.Style{Width: 60}, time.Unix(0, 0))
	for line := range strings.Lines(got) {
		if next := strings.HasPrefix(line, "next"); next != strings.HasSuffix(line, "goes on\n") || !next && len([]rune(line)) > 61 {
			t.Errorf("at 60 columns:\n%s", got)
		}
	}
}
