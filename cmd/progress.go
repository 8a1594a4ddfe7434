package cmd

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/todo"
)

// progress shows a run as it goes on: JSON lines, or on a terminal one line a call, updated in place.
type progress struct {
	a     *app
	style render.Style
	clock func() todo.Time
	live  bool

	mu      sync.Mutex
	running []schedule.Call
	drawn   int // lines below which the cursor stands
	frame   int
	done    chan struct{}
	ended   sync.WaitGroup
}

// begin starts the spinner, where a person looks.
func (p *progress) begin() {
	p.live = !p.a.JSON && isTerminal(p.a.rawOut)
	if !p.live {
		return
	}
	p.done = make(chan struct{})
	p.ended.Add(1)
	go func() {
		defer p.ended.Done()
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-p.done:
				return
			case <-tick.C:
				p.mu.Lock()
				p.frame++
				p.draw("")
				p.mu.Unlock()
			}
		}
	}()
}

// end leaves the lines of calls that have ended on the screen, and nothing else.
func (p *progress) end() {
	if !p.live {
		return
	}
	close(p.done)
	p.ended.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = nil
	p.draw("")
}

// observe is told of every change after the disk has it.
func (p *progress) observe(doc *schedule.Document, did schedule.Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var finished strings.Builder
	for _, c := range pick(doc, did.Calls) {
		switch {
		case p.a.JSON:
			p.a.write(render.TransitionJSON(c))
		case c.Status == schedule.Executing:
			p.running = append(p.running, *c)
		default:
			p.forget(c.ID)
			if c.Status.Final() {
				finished.WriteString(p.style.CallLine(c, "", p.clock()) + "\n")
			}
		}
	}
	for _, id := range did.Complete {
		if p.a.JSON {
			p.a.write(render.BatchJSON(id, doc))
		} else if !p.live {
			p.a.note("batch " + id + " is complete")
		}
	}
	if p.live {
		p.draw(finished.String())
	}
	// A reader of the lines sees each as it comes.
	p.a.out.Flush()
}

func (p *progress) forget(id string) {
	for i := range p.running {
		if p.running[i].ID == id {
			p.running = append(p.running[:i], p.running[i+1:]...)
			return
		}
	}
}

// draw writes what stays above what is updated.
func (p *progress) draw(stays string) {
	const most = 16 // lines that are updated
	var b strings.Builder
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\x1b[J", p.drawn)
	}
	b.WriteString(stays)
	spinner := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	if p.style.ASCII {
		spinner = []rune(`|/-\`)
	}
	sign := string(spinner[p.frame%len(spinner)])
	p.drawn = min(len(p.running), most)
	for i := range p.running[:p.drawn] {
		b.WriteString(p.style.CallLine(&p.running[i], sign, p.clock()) + "\n")
	}
	if b.Len() > 0 {
		p.a.print(b.String())
		p.a.out.Flush()
	}
}
