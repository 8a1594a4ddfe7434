package board

import (
	"slices"
	"strings"
	"sync"

	"onward/internal/calls/schedule"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/todo"
)

// Calls draws a line for each tool call that runs. It may be used by several goroutines.
type Calls struct {
	Style render.Style
	Clock func() todo.Time

	mu      sync.Mutex
	running []schedule.Call
}

// Clear forgets the calls that run, so that none is drawn any more.
func (p *Calls) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = nil
}

// UpdateRunning notes which calls run, and returns the lines of those that have ended.
func (p *Calls) UpdateRunning(calls []*schedule.Call) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ended strings.Builder
	for _, c := range calls {
		p.running = slices.DeleteFunc(p.running, func(r schedule.Call) bool { return r.ID == c.ID })
		switch {
		case c.Status == schedule.Executing:
			p.running = append(p.running, *c)
		case c.Status.Final():
			ended.WriteString(output.CallLine(p.Style, c, "", p.Clock()) + "\n")
		}
	}
	return ended.String()
}

// Draw returns a line for each call that runs.
func (p *Calls) Draw(width, height int) []string {
	const most = 16 // lines
	spinner := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	if p.Style.ASCII {
		spinner = []rune(`|/-\`)
	}
	now := p.Clock()
	sign := string(spinner[int(now/100)%len(spinner)])
	p.mu.Lock()
	defer p.mu.Unlock()
	style := p.Style.WithWidth(width)
	var lines []string
	for i := range p.running[:min(len(p.running), most, height)] {
		lines = append(lines, output.CallLine(style, &p.running[i], sign, now))
	}
	return lines
}
