package system

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"
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

// silence reports each time that the agent printed nothing for a time, and how long it has been silent, until that is enough. If
// this process was suspended, the agent may have been too, and the time starts again.
func (l listener) silence(limit time.Duration, over <-chan struct{}, report func(silent time.Duration) (enough bool)) {
	began := time.Now()
	for {
		due := time.Now().Add(limit)
		select {
		case <-over:
			return
		case <-l:
			began = time.Now()
		case <-time.After(limit):
			if time.Since(due) >= overslept {
				began = time.Now()
			} else if report(time.Since(began)) {
				return
			}
		}
	}
}

// Log is the log of a run. Once it cannot be written any more, the run continues without it.
type Log struct {
	In io.Writer

	mu      sync.Mutex // standard output and standard error are written at the same time
	within  bool       // the last line is not complete
	problem error
	told    bool
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(p)
	return len(p), nil
}

// WriteLine adds a line that no program has printed.
func (l *Log) WriteLine(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.within {
		text = "\n" + text
	}
	l.write([]byte(text + "\n"))
}

func (l *Log) write(p []byte) {
	if l.problem == nil && len(p) > 0 {
		l.within = p[len(p)-1] != '\n'
		_, l.problem = l.In.Write(p)
	}
}

// lost returns why the log is not complete, once.
func (l *Log) lost() error {
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
	at   time.Time // when it grew
}

// maxEnding is the size of that end in bytes.
const maxEnding = 16 << 10

func (e *ending) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.text, e.at = append(e.text, p...), time.Now()
	if over := len(e.text) - maxEnding; over > 0 {
		e.text = bytes.Clone(e.text[over:])
	}
	return len(p), nil
}

// last returns when it grew, and its last line.
func (e *ending) last() (at time.Time, line string) {
	text := strings.TrimSpace(e.String())
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at, text[strings.LastIndexByte(text, '\n')+1:]
}

// String returns it from the beginning of a line.
func (e *ending) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	text := string(e.text)
	if len(text) == maxEnding {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// whole is the output of a program that ends when the program has ended, and so when all that it wrote to standard error is known.
type whole struct {
	io.Reader
	end func()
}

func (w *whole) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil {
		w.end()
	}
	return n, err
}
