package cmd

import (
	"io"
	"testing"
	"time"

	"onward/internal/ask"
	"onward/internal/store"
)

// TestEnterBetweenTwoWaits types while nothing waits, as a countdown is drawn anew each second.
// A line is taken from the pipe only after the one before it was handled.
func TestEnterBetweenTwoWaits(t *testing.T) {
	in, typed := io.Pipe()
	defer typed.Close()
	w := newWaiting(func() store.Watch { return store.Watch{} })
	w.entered = emptyLines(in)
	w.Wait(0) // it begins to watch
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
