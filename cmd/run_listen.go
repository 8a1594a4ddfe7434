package cmd

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	continuation "onward/internal/continue"
)

// listener notes when the agent prints something, on standard output or standard error.
type listener chan struct{}

func (l listener) Write(p []byte) (int, error) {
	select {
	case l <- struct{}{}:
	default: // that is known
	}
	return len(p), nil
}

// overslept is the delay of a timer that shows that this process was suspended, or the machine asleep.
const overslept = 500 * time.Millisecond

// silence reports that the agent printed nothing for a time. If this process was suspended, the agent may have been too,
// and the time starts again.
func (l listener) silence(limit time.Duration, over <-chan struct{}, report func()) {
	for {
		due := time.Now().Add(limit)
		select {
		case <-over:
			return
		case <-l:
		case <-time.After(limit):
			if time.Since(due) < overslept {
				report()
				return
			}
		}
	}
}

// runLog is the log of a run. Once it cannot be written any more, the run continues without it.
type runLog struct {
	in io.Writer

	mu      sync.Mutex // standard output and standard error are written at the same time
	problem error
	told    bool
}

func (l *runLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.problem == nil {
		_, l.problem = l.in.Write(p)
	}
	return len(p), nil
}

// news returns why the log is not complete, once.
func (l *runLog) news() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.problem == nil || l.told {
		return nil
	}
	l.told = true
	return l.problem
}

// ending keeps the end of the output of a program.
type ending struct {
	mu   sync.Mutex
	text []byte
}

// maxEnding is the size of that end in bytes.
const maxEnding = 4 << 10

func (e *ending) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.text = append(e.text, p...)
	if over := len(e.text) - maxEnding; over > 0 {
		e.text = bytes.Clone(e.text[over:])
	}
	return len(p), nil
}

// last returns the last line that is not blank.
func (e *ending) last() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(e.text), ""))
	return continuation.Fold(text[strings.LastIndexByte(text, '\n')+1:])
}
