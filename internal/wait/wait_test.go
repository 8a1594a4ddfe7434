package wait

import (
	"io"
	"testing"
	"time"
	"unsafe"

	"onward/internal/ask"
	"onward/internal/store"
)

// TestEnterBetweenTwoWaits types while nothing waits, as between two seconds of a countdown. The pipe
// passes a line on only after the line before it was handled.
func TestEnterBetweenTwoWaits(t *testing.T) {
	in, typed := io.Pipe()
	defer typed.Close()
	w := New(func() store.Watch { return store.Watch{} })
	w.Entered = EmptyLines(in)
	w.Wait(0) // the first call starts reading
	for _, line := range []string{"a text\n", "\n", "another text\n"} {
		io.WriteString(typed, line)
	}
	if wake := w.Wait(time.Minute); wake != ask.CountdownSkipped {
		t.Errorf("an empty line before a wait: got %v", wake)
	}
	for _, line := range []string{"\n", "a text\n"} {
		io.WriteString(typed, line)
	}
	w.DropInput()
	if wake := w.Wait(time.Millisecond); wake != ask.WokeAtLimit {
		t.Errorf("an empty line that is forgotten: got %v", wake)
	}
}

// TestSinceTheClockWasChanged makes a moment whose wall clock and monotonic clock differ, as after a step of the wall clock.
func TestSinceTheClockWasChanged(t *testing.T) {
	for _, step := range []time.Duration{-time.Hour, time.Hour} {
		began := time.Now().Add(-time.Minute)
		// The seconds of the wall clock are above 30 bits of nanoseconds. A clock that is set forward has a moment in its past.
		*(*uint64)(unsafe.Pointer(&began)) -= uint64(int64(step/time.Second)) << 30
		if got, want := Since(began).Round(time.Second), time.Minute+max(0, step); got != want {
			t.Errorf("a minute after a moment, with a step of %v: got %v, want %v", step, got, want)
		}
	}
}
