package cmd

import (
	"fmt"
	"path/filepath"
	"time"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/notify"
	"onward/internal/schedule"
)

// files are what another process changes when it does something to the list.
func (t target) files() []string {
	return append(t.callFiles(), t.store.Path(t.name), t.store.ActivityPath(t.name))
}

// callFiles are what another process changes when it does something to the tool calls or the messages.
func (t target) callFiles() []string {
	var paths []string
	for _, path := range schedule.Files(t.name) {
		paths = append(paths, filepath.Join(t.store.Dir, path))
	}
	return paths
}

// waiting is woken by changes of files. It watches them only once it waits.
type waiting struct {
	began time.Time
	files func() []string
	watch *notify.Watcher
}

func newWaiting(files func() []string) *waiting { return &waiting{began: time.Now(), files: files} }

func (w *waiting) Elapsed() time.Duration { return time.Since(w.began) }

// Wait begins to watch at its first call, and returns at once then:
// what changed before is seen by another look.
func (w *waiting) Wait(d time.Duration) ask.Wake {
	if w.watch == nil {
		w.watch = notify.Watch(w.files()...)
		return ask.Changed
	}
	over := time.NewTimer(d)
	defer over.Stop()
	select {
	case <-w.watch.Changes:
		return ask.Changed
	case <-over.C:
		return ask.TimeUp
	}
}

func (w *waiting) Close() {
	if w.watch != nil {
		w.watch.Close()
	}
}

// askNotes shows on standard error what a question waits for.
type askNotes struct{ a *app }

func (n askNotes) Waiting(d continuation.Decision) { n.a.note(d.Message + "; waiting") }

func (n askNotes) Counting(left, open int) {
	tasks := "tasks"
	if open == 1 {
		tasks = "task"
	}
	n.a.note(fmt.Sprintf("Resuming in %ds... (%d %s remaining)", left, open, tasks))
}
