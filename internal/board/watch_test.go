package board

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"onward/internal/screen"
)

// The delay of the next read depends on the time that the last one took, but a reported change waits at most a second.
func TestDelaysOfAWatch(t *testing.T) {
	for _, c := range []struct{ took, pause, news, anyway time.Duration }{
		{0, 0, 0, time.Second},
		{0, 100 * time.Millisecond, 100 * time.Millisecond, time.Second},
		{20 * time.Millisecond, 100 * time.Millisecond, 180 * time.Millisecond, time.Second},
		{500 * time.Millisecond, 100 * time.Millisecond, time.Second, 4500 * time.Millisecond},
	} {
		if news, anyway := delays(c.took, c.pause); news != c.news || anyway != c.anyway {
			t.Errorf("a look of %v: got %v and %v, want %v and %v", c.took, news, anyway, c.news, c.anyway)
		}
	}
}

// TestTheLastNews ends the notifications while the command runs: it is waited for, or ended with what it started.
func TestTheLastNews(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there may be no sh")
	}
	for _, c := range []struct {
		patience time.Duration
		told     bool
	}{{time.Minute, true}, {10 * time.Millisecond, false}} {
		file := filepath.Join(t.TempDir(), "told")
		command := "sleep 0.2; echo told >" + file + "; :"
		n := NewNotifier(&command, nil)
		n.enqueue(notification{line: []byte("{}")})
		n.Close(c.patience)
		time.Sleep(250*time.Millisecond - min(c.patience, 250*time.Millisecond))
		if _, err := os.Stat(file); (err == nil) != c.told {
			t.Errorf("with a patience of %v: got %v", c.patience, err)
		}
	}
}

func TestFootBelowAFrame(t *testing.T) {
	fixed := func(lines ...string) screen.Frame { return func(int, int) []string { return lines } }
	for height, want := range map[int]string{0: "list|keys", 1: "list", 4: "list", 5: "list|keys"} {
		if got := strings.Join(withFoot(fixed("list"), fixed("keys"))(40, height), "|"); got != want {
			t.Errorf("%d rows: got %q, want %q", height, got, want)
		}
	}
}
