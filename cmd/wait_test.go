package cmd

import (
	"io"
	"testing"
	"time"

	"onward/internal/ask"
	"onward/internal/store"
)

// TestEnterBetweenTwoWaits types while nothing waits, as between two seconds of a countdown. The pipe
// passes a line on only after the line before it was handled.
func TestEnterBetweenTwoWaits(t *testing.T) {
	in, typed := io.Pipe()
	defer typed.Close()
	w := newWaiting(func() store.Watch { return store.Watch{} })
	w.entered = emptyLines(in)
	w.Wait(0) // the first call starts reading
	for _, line := range []string{"a text\n", "\n", "another text\n"} {
		io.WriteString(typed, line)
	}
	if wake := w.Wait(time.Minute); wake != ask.Hurried {
		t.Errorf("an empty line before a wait: got %v", wake)
	}
	for _, line := range []string{"\n", "a text\n"} {
		io.WriteString(typed, line)
	}
	w.Forget()
	if wake := w.Wait(time.Millisecond); wake != ask.TimeUp {
		t.Errorf("an empty line that is forgotten: got %v", wake)
	}
}
