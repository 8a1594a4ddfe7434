package continuation

import (
	"strings"
	"testing"
)

// TestRepeated ends a turn because of a loop. It is no work and no failure, however the agent ended, and every prompt says what was
// repeated, until a turn ends otherwise, or the user speaks.
func TestRepeated(t *testing.T) {
	end := Event{Type: TurnEnd, Status: CutOff, ToolCalls: 25, RepeatedCall: "cat README.md", Repeats: 20}
	for _, next := range []Event{{Type: TurnEnd, ToolCalls: 1}, {Type: UserPrompt}, {Type: Resume}} {
		doc := document()
		before := doc.Continuation.ToolCalls
		doc.Continuation.Attempts = 1
		if _, err := ApplyAll(doc, []Event{end}, false, nil, noon); err != nil {
			t.Fatal(err)
		}
		if l := doc.Continuation; l.Attempts != 1 || l.ToolCalls != before || l.Error != nil || l.AbortedAt != 0 {
			t.Errorf("the turn counts as work or as a failure: %+v", l)
		}
		d, _ := Decide(doc, Facts{}, defaults(t), noon)
		const says = "\n\nYour last turn called \"cat README.md\" 20 times in a row with the same result"
		for _, prompt := range []string{Prompt(doc, d, defaults(t)), AskForListPrompt(doc), HandoverPrompt(doc, Handover{Prompt: Prompt(doc, d, defaults(t))}, defaults(t))} {
			if !strings.HasPrefix(prompt, tag) || strings.Count(prompt, says) != 1 {
				t.Errorf("the prompt does not say what was repeated:\n%s", prompt)
			}
		}
		if _, err := ApplyAll(doc, []Event{next}, false, nil, noon); err != nil {
			t.Fatal(err)
		}
		if prompt := AskForListPrompt(doc); doc.Continuation.Repeated != nil || strings.Contains(prompt, "Your last turn") {
			t.Errorf("after %s the call is still named", next.Type)
		}
	}
}
