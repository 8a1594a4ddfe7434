package cmd

import (
	"io"
	"time"

	"onward/internal/board"
	"onward/internal/calls/schedule"
	"onward/internal/output"
	"onward/internal/screen"
)

// progress shows a run as it proceeds: JSON lines, or on a terminal a line for each call that runs,
// below those of the calls that have ended.
type progress struct {
	a *app

	screen *screen.Screen // nil if there is no terminal
	close  func()

	lines board.Calls
}

// begin takes over the terminal if output goes to one.
func (p *progress) begin() {
	file, ok := canvas(p.a.rawOut)
	if p.a.JSON || !ok {
		return
	}
	s, closeScreen := p.a.openScreen(file)
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.Show(p.lines.Draw)
			}
		}
	}()
	p.screen, p.close = s, func() {
		close(done)
		p.lines.Clear()
		closeScreen()
	}
}

// end leaves the lines of calls that have ended on the screen, and nothing else.
func (p *progress) end() {
	if p.screen != nil {
		p.close()
	}
}

// observe is called after every change, once it is saved.
func (p *progress) observe(doc *schedule.Document, did schedule.Change) {
	calls := doc.ExistingCalls(did.Calls)
	switch {
	case p.a.JSON:
		for _, c := range calls {
			p.a.writeJSON(output.TransitionJSON(c))
		}
		for _, id := range did.Complete {
			p.a.writeJSON(output.BatchJSON(id, doc))
		}
		// The lines are flushed, so that a reader sees each one immediately.
		p.a.out.Flush()
	case p.screen != nil:
		// Written lines appear above the drawing. Errors of a terminal that is gone are ignored.
		_, _ = io.WriteString(p.a.rawOut, p.lines.UpdateRunning(calls))
		p.screen.Show(p.lines.Draw)
	default:
		p.a.noteComplete(&did)
	}
}
