package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"onward/internal/cli"
	"onward/internal/execute"
	"onward/internal/schedule"
	"onward/internal/store"
)

// followCall prints the output of a call as it comes, until the call ends.
func (a *app) followCall(id string) error {
	t, err := a.target()
	if err != nil {
		return err
	}
	waiting := newWaiting(func() store.Watch { return t.watchCalls().And(t.files.watchFile(execute.Output(t.name, id))) })
	defer waiting.Close()
	var output *os.File
	var rest []byte // of a line whose end has not come
	for {
		s, doc, _, err := a.freshCalls()
		if err != nil {
			return err
		}
		if doc == nil || doc.Find(id) == nil {
			return fmt.Errorf("%w: call %q", schedule.ErrNotFound, id)
		}
		// The state of the call was read before its output, so an end follows the complete output.
		call := doc.Find(id)
		if output == nil {
			if output, err = s.files.outputs().Open(execute.Output(s.name, id)); err != nil {
				return err
			}
			if output != nil {
				defer output.Close()
			}
		}
		var more []byte
		ended := call.Status.Final()
		switch {
		case output != nil:
			more, err = io.ReadAll(io.LimitReader(output, maxPiece))
			ended = ended && len(more) < maxPiece
		case call.Status.Final() && call.Result != nil:
			more, err = s.ended(call)
		}
		if err != nil {
			return cli.Failf(exitIO, "read the output of call %q: %v", id, err)
		}
		rest = append(rest, more...)
		whole := bytes.LastIndexByte(rest, '\n') + 1
		if ended {
			whole = len(rest)
		}
		a.print(a.screen(string(rest[:whole])))
		rest = rest[whole:]
		if err := a.out.Flush(); err != nil {
			return outputError(err, a.committed)
		}
		if ended {
			only := []*schedule.Call{call}
			return a.outcome(only, schedule.Sum(only))
		}
		if len(more) < maxPiece {
			waiting.Wait(t.files.untold())
		}
	}
}

// maxPiece is how many bytes of an output are read before they are printed.
const maxPiece = 1 << 20

// ended returns the output of a call that has ended, if it is in no file of this machine.
func (t target) ended(call *schedule.Call) ([]byte, error) {
	if name := call.Result.Output; name != "" {
		if data, err := t.files.outputs().Read(name); data != nil || err != nil {
			return data, err
		}
	}
	err := t.files.outputs().Fill([]*schedule.Call{call})
	return []byte(call.Result.Stdout + call.Result.Stderr), err
}
