package cmd

import (
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"onward/internal/output"

	"onward/internal/calls/schedule"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/todo"
)

// progress shows a run as it proceeds: JSON lines, or on a terminal a line for each call that runs,
// below those of the calls that have ended.
type progress struct {
	a     *app
	style render.Style
	clock func() todo.Time

	screen *screen.Screen // nil if there is no terminal
	close  func()

	mu      sync.Mutex
	running []schedule.Call
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
				s.Show(p.draw)
			}
		}
	}()
	p.screen, p.close = s, func() {
		close(done)
		p.mu.Lock()
		p.running = nil
		p.mu.Unlock()
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
	calls := doc.Pick(did.Calls)
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
		_, _ = io.WriteString(p.a.rawOut, p.follow(calls))
		p.screen.Show(p.draw)
	default:
		p.a.noteComplete(&did)
	}
}

// follow notes which calls run, and returns the lines of those that have ended.
func (p *progress) follow(calls []*schedule.Call) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ended strings.Builder
	for _, c := range calls {
		p.running = slices.DeleteFunc(p.running, func(r schedule.Call) bool { return r.ID == c.ID })
		switch {
		case c.Status == schedule.Executing:
			p.running = append(p.running, *c)
		case c.Status.Final():
			ended.WriteString(output.CallLine(p.style, c, "", p.clock()) + "\n")
		}
	}
	return ended.String()
}

// draw returns a line for each call that runs.
func (p *progress) draw(width, height int) []string {
	const most = 16 // lines
	spinner := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	if p.style.ASCII {
		spinner = []rune(`|/-\`)
	}
	now := p.clock()
	sign := string(spinner[int(now/100)%len(spinner)])
	p.mu.Lock()
	defer p.mu.Unlock()
	style := p.style.Wide(width)
	var lines []string
	for i := range p.running[:min(len(p.running), most, height)] {
		lines = append(lines, output.CallLine(style, &p.running[i], sign, now))
	}
	return lines
}
