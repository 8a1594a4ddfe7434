package execute

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"onward/internal/calls/schedule"
	"onward/internal/durable"
	"onward/internal/session"
)

// OutputFollower reads the output of a call while it is written.
type OutputFollower struct {
	Outputs Outputs
	Name    session.Name

	source io.ReadCloser // nil as long as there is no output
	lines  *bufio.Reader // of the source
	rest   string        // the beginning of a line whose end has not been written yet
}

// PrintNew passes on the lines that a call has printed since the last time; once the call has ended, also the last line
// without an end. The caller has read the state of the call before, so if that is an end, the output is complete.
func (f *OutputFollower) PrintNew(call *schedule.Call, print func(text string)) error {
	if err := f.openOutput(call); f.source == nil || err != nil {
		return err
	}
	for {
		text, err := f.lines.ReadString('\n')
		f.rest += text
		if err == nil || call.Status.Final() {
			print(f.rest)
			f.rest = ""
		}
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return fmt.Errorf("read the output of call %q: %w", call.ID, durable.SystemError(err))
		case call.Status.Final():
			return f.source.Close()
		default:
			return nil
		}
	}
}

// openOutput opens the file that a call writes to, or the kept output of a call that has ended.
func (f *OutputFollower) openOutput(call *schedule.Call) error {
	if f.source != nil {
		return nil
	}
	file, err := f.Outputs.open(OutputPath(f.Name, call.ID))
	switch {
	case file != nil:
		f.source = file
	case err != nil || !call.Status.Final() || call.Result == nil:
		return err
	default:
		kept, err := f.Outputs.kept(call)
		if err != nil {
			return err
		}
		f.source = io.NopCloser(strings.NewReader(kept))
	}
	f.lines = bufio.NewReader(f.source)
	return nil
}

// kept returns the output of a call that has ended.
func (o Outputs) kept(call *schedule.Call) (string, error) {
	if name := call.Result.Output; name != "" {
		if data, err := o.Read(name); data != nil || err != nil {
			return string(data), err
		}
	}
	err := o.FillIn([]*schedule.Call{call})
	return call.Result.Stdout + call.Result.Stderr, err
}
