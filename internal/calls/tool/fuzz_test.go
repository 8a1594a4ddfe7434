package tool

import (
	"errors"
	"testing"
)

// FuzzDecode looks for a file of declarations that makes the program panic, or declares a tool without a name.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":"onward/tools/v1","tools":[{"name":"count","description":"counts","command":["wc","-l","{file}"],"parameters":{"type":"object","required":["file"]}}]}`))
	f.Add([]byte(`{"schema":"onward/tools/v1","tools":[{"name":"","command":[]}]}`))
	f.Add([]byte(`{"schema":"onward/tools/v1","tools":[{"name":"a","name":"b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tools, err := Decode(data, "tools.json", "/project")
		if err != nil {
			if !errors.Is(err, ErrDeclaration) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		for _, declared := range tools {
			if declared.Name == "" {
				t.Fatalf("a tool without a name: %+v", declared)
			}
		}
	})
}
