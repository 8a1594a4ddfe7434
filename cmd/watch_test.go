package cmd

import (
	"testing"
	"time"
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
