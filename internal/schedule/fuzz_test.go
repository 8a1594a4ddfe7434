package schedule

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzRequests looks for lines that stop the program, or ask for more calls than there are lines.
func FuzzRequests(f *testing.F) {
	f.Add([]byte(`{"id":"a","tool":"shell","args":{"command":"true"},"after":["b"],"priority":2}` + "\n\n" + `{"tool":"count"}`))
	f.Add([]byte(`{"tool":"shell","args":[1]}`))
	f.Add([]byte(`{"tool":"shell","tool":"edit"}`))
	f.Add([]byte("{\"tool\":\"shell\",\"priority\":1e999}\r\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		requests, err := ReadRequests(data)
		if err != nil {
			if !errors.Is(err, ErrRequest) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		if lines := bytes.Count(bytes.TrimSpace(data), []byte("\n")) + 1; len(requests) == 0 || len(requests) > lines {
			t.Fatalf("%d calls in %d lines", len(requests), lines)
		}
	})
}
