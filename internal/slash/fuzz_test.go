package slash

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParse searches for a line that becomes another command when it is written and read again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"/todo done 2", "/todo add 'it''s'", "/\ttodo", "/TODO\nshow", "todo", "/", "/a\x00b /c", "/ todo"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrSyntax) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		again, err := Parse("/" + line.Name + " " + line.Rest)
		if err != nil || again.Rest != line.Rest || again.Name != strings.ToLower(line.Name) {
			t.Fatalf("%+v, and then %+v, %v", line, again, err)
		}
		if words, err := line.Words(); err == nil && len(words) > len(line.Rest) {
			t.Fatalf("%q has %d words", line.Rest, len(words))
		}
	})
}

// FuzzDecode searches for a file of declared commands that makes the program panic.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":"onward/commands/v1","commands":[{"name":"deploy","description":"deploys","action":{"type":"tool","name":"shell","args":{}}}]}`))
	f.Add([]byte(`{"schema":"onward/commands/v1","commands":[{"name":"deploy","action":{"type":"dialog"}}]}`))
	f.Add([]byte(`{"schema":"onward/commands/v1","commands":[{"nme":"deploy"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Decode(data, "commands.json"); err != nil && !errors.Is(err, ErrDeclaration) {
			t.Fatalf("another kind of error: %v", err)
		}
	})
}
