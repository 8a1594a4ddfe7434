package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/schedule"
)

// poll is how often a waiting command looks whether another process did something.
const poll = 50 * time.Millisecond

// mark identifies what a decision depends on: another mark means that another process changed something.
func (t target) mark() string {
	mark := t.store.Mark(t.name)
	if info, err := os.Lstat(filepath.Join(t.store.Dir, schedule.Path(t.name))); err == nil {
		mark += fmt.Sprintf("%d/%d", info.ModTime().UnixNano(), info.Size())
	}
	return mark
}

// pause sleeps, and ends at once when another process changes the session.
func (t target) pause(mark string, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && t.mark() == mark; {
		time.Sleep(min(poll, time.Until(end)))
	}
}

// countdown gives a person the time to step in, with a line a second on stderr,
// and reports how long it took, and whether another process was active meanwhile. Where there is none, it takes no time at all.
// A user's message in the first moments is the echo of what ended the turn, and cancels nothing.
// It is over before its time where the list as it is then is not to be continued any more.
func (a *app) countdown(t target, d continuation.Decision, set continuation.Settings, over func() bool) (took time.Duration, cancelled bool) {
	length := set.Countdown
	if length == continuation.Auto {
		length = 0
		if isTerminal(a.err) {
			length = 2 * time.Second
		}
	}
	if length <= 0 {
		return 0, false
	}
	before, mark := t.store.Activity(t.name), t.mark()
	began := time.Now()
	for shown := -1; ; time.Sleep(poll) {
		left := length - time.Since(began)
		if left <= 0 {
			return time.Since(began), false
		}
		if seconds := int((left + time.Second - 1) / time.Second); seconds != shown {
			shown = seconds
			a.note(fmt.Sprintf("Resuming in %ds... (%d tasks remaining)", seconds, d.Counts.Open))
		}
		is := t.mark()
		if is == mark {
			continue
		}
		mark = is
		if now := t.store.Activity(t.name); now != before {
			if continuation.Type(now.Kind) != continuation.UserPrompt || time.Since(began) >= set.Grace {
				return time.Since(began), true
			}
			before = now
		}
		if over() {
			return time.Since(began), false
		}
	}
}
