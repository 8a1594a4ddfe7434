package report

import (
	"strings"
	"testing"
	"time"
)

// The task of a run is there as a whole, in one look or unfolded.
func TestLongTaskIsFolded(t *testing.T) {
	task := strings.Repeat("größere Straßen ", 40) + "end"
	for _, c := range []struct{ task, want string }{
		{"mend\nthe parser", "- Task: mend the parser\n"},
		{task, "Straßen…</summary>" + task + "</details>\n"},
	} {
		var b writer
		b.run(&Session{Run: &Run{Agent: "codex", Task: c.task}})
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("there is no %q in:\n%s", c.want, b.String())
		}
	}
}

// What the report on a terminal says is what the user and the agent wrote, character for character, and nothing is folded.
func TestTextIsShownAsItWasWritten(t *testing.T) {
	task := strings.Repeat("a_b | <c> ", 60) + "end"
	r := Report{Sessions: []Session{{Run: &Run{Agent: "codex", Task: task}}}}
	if text := Text(r, time.UTC); !strings.Contains(text, "- Task: "+task+"\n") || strings.ContainsAny(text, "\\") {
		t.Errorf("the task is not as it was written in:\n%s", text)
	}
	if page := Markdown(r, time.UTC); !strings.Contains(page, `a\_b \| \<c\>`) {
		t.Errorf("the task is not escaped in:\n%s", page)
	}
}
