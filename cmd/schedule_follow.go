package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"onward/internal/durable"
	"onward/internal/execute"
	"onward/internal/schedule"
)

// followCall prints the output of a call as it comes, until the call ends.
func (a *app) followCall(id string) error {
	t, err := a.target()
	if err != nil {
		return err
	}
	waiting := newWaiting(t.watchCalls)
	defer waiting.Close()
	var output *os.File
	var rest []byte // of a line whose end has not come
	for {
		s, doc, err := a.loadSchedule()
		if err != nil {
			return err
		}
		if schedule.Orphaned(doc, execute.Alive) {
			if _, err := a.recoverCalls(s); err != nil {
				return err
			}
			if doc, err = s.calls.Load(s.name); err != nil {
				return err
			}
		}
		if doc == nil || doc.Find(id) == nil {
			return fmt.Errorf("%w: call %q", schedule.ErrNotFound, id)
		}
		// How the call stands was read before its output, so an end has all of it before it.
		call := doc.Find(id)
		if output == nil {
			if output, err = openOutput(s, id); err != nil {
				return err
			}
			if output != nil {
				defer output.Close()
			}
		}
		var more []byte
		switch {
		case output != nil:
			more, err = io.ReadAll(output)
		case call.Status.Final() && call.Result != nil:
			err = execute.Outputs(s.files.local.Dir, []*schedule.Call{call})
			more = []byte(call.Result.Stdout + call.Result.Stderr)
		}
		if err != nil {
			return failf(exitIO, "read the output of call %q: %v", id, err)
		}
		rest = append(rest, more...)
		whole := bytes.LastIndexByte(rest, '\n') + 1
		if call.Status.Final() {
			whole = len(rest)
		}
		a.print(a.screen(string(rest[:whole])))
		rest = rest[whole:]
		if err := a.out.Flush(); err != nil {
			return &outputError{err, a.committed}
		}
		if call.Status.Final() {
			return outcomeOf(schedule.Sum([]*schedule.Call{call}))
		}
		waiting.Wait(100 * time.Millisecond)
	}
}

// openOutput opens the file with the output of a call, nil where there is none.
func openOutput(s scheduled, id string) (*os.File, error) {
	root, err := durable.Open(s.files.local.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(execute.Output(s.name, id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}
