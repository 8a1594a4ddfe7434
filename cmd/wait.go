package cmd

import (
	"fmt"
	"io"

	continuation "onward/internal/continue"
	"onward/internal/process"
	"onward/internal/todo"
	"onward/internal/wait"
)

// hearEnter lets an empty line from the user's keyboard end a countdown, and reports whether there is one.
func hearEnter(w *wait.Waiting, in io.Reader) bool {
	if w.Entered == nil && isTerminal(in) {
		process.IgnoreBackgroundRead()
		w.Entered = wait.EmptyLines(in)
	}
	return w.Entered != nil
}

// askNotes shows on standard error what a decision waits for.
type askNotes struct {
	a       *app
	waiting *wait.Waiting
}

func (n askNotes) NoteIdleCalls(calls int) {
	n.a.printNote(fmt.Sprintf("%s scheduled, and no `onward schedule run` is at work on that", todo.Plural(calls, "call")))
}

func (n askNotes) NoteWaiting(d continuation.Decision) { n.a.printNote(d.Message + "; waiting") }

func (n askNotes) NoteCountdown(left, open int) {
	hint := ""
	if isTerminal(n.a.err) && hearEnter(n.waiting, n.a.in) {
		hint = " Ctrl-C cancels, Enter continues"
	}
	n.a.printNote(fmt.Sprintf("Resuming in %ds... (%s remaining)%s", left, todo.Plural(open, "task"), hint))
}
