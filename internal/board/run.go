package board

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/todo"
)

// RunView shows on a terminal what a run is doing, and the list below that, also after a turn has failed. The lines of the
// run appear above. Nil shows nothing.
type RunView struct {
	t       find.List
	painter Painter
	screen  *screen.Screen
	close   func() // closes the view, once
	over    chan struct{}
	ended   sync.WaitGroup
	mu      sync.Mutex
	list    screen.Frame
	shift   live.StatusLine
	said    string // by the agent, last
	call    string // its last tool call, in a few words
}

// NewRunView shows a run on a screen until End, which closes the screen.
func NewRunView(t find.List, p Painter, drawn *screen.Screen, closeScreen func(), record *session.Run, now todo.Time) *RunView {
	p.Positions = true
	v := &RunView{t: t, painter: p, screen: drawn, list: p.DimLine(""), over: make(chan struct{})}
	v.close = sync.OnceFunc(func() {
		close(v.over)
		v.ended.Wait()
		closeScreen()
	})
	v.ShowActivity(record, now, "starts", 0)
	v.ended.Go(v.redrawOnChange)
	return v
}

// ShowActivity shows what the run is doing, and until when at most; 0 if that is unknown.
func (v *RunView) ShowActivity(r *session.Run, now todo.Time, doing string, left time.Duration) {
	if v == nil {
		return
	}
	v.mu.Lock()
	// Without the monotonic clock, which stops while the machine sleeps.
	s, clock := &v.shift, time.Now().Round(0)
	s.Agent, s.Turn, s.Tokens, s.Micros, s.Doing, s.Until = r.Agent, r.Turns, r.Tokens, r.Micros, doing, time.Time{}
	s.Began = clock.Add(-r.Worked(now))
	if left > 0 {
		s.Until = clock.Add(left)
	}
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// ShowTalk shows what the agent says, or does; the other of the two stays.
func (v *RunView) ShowTalk(said, call string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	v.said, v.call = cmp.Or(said, v.said), cmp.Or(call, v.call)
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// ShowTurnEnding shows that the turn is being ended, and how.
func (v *RunView) ShowTurnEnding(how string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	v.shift.Doing = how
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// redrawOnChange draws the list when it changes, and the time every second.
func (v *RunView) redrawOnChange() {
	watch := v.t.Watch()
	defer watch.Close()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for v.readList(); ; {
		select {
		case <-v.over:
			v.readList()
			return
		case <-watch.Changes:
			v.readList()
		case <-ticker.C:
			v.screen.Show(v.frame)
		}
	}
}

// readList reads the list. If that fails, the last one stays on the screen.
func (v *RunView) readList() {
	doc, err := v.t.Store.Load(v.t.Name)
	if err != nil {
		return
	}
	list := v.painter.DimLine(live.WhyNoItems(doc))
	if items := doc.Current(); len(items) > 0 {
		list = v.painter.Frame(live.Agent{SubAgent: v.t.Name.Agent}, live.ListWriter(v.t.Name, doc), items)
	}
	if gate := v.painter.Gate(doc); gate != "" {
		list = above(list, v.painter.DimLine(gate))
	}
	v.mu.Lock()
	v.list = list
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// frame draws the line of the run above the list.
func (v *RunView) frame(width, height int) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	style := v.painter.Style.WithWidth(width)
	lines := []string{style.Paint("1", style.Cut(render.Text(v.shift.Line(time.Now(), width)), width))}
	if height == 1 {
		return lines
	}
	lines = append(lines, v.painter.talkLines(v.said, v.call, width, height)...)
	return append(lines, v.list(width, max(height-len(lines), 0))...)
}

// End leaves the last frame where it is.
func (v *RunView) End() {
	if v != nil {
		v.close()
	}
}

// lowScreen is the height below which the words of an agent would take the room of the list.
const lowScreen = 10

// talkLines are the agent's last sentence and its last tool call, each cut to the width. A low screen has no room for them.
func (p Painter) talkLines(said, call string, width, height int) (lines []string) {
	style := p.Style.WithWidth(width)
	if 0 < height && height < lowScreen {
		return nil
	}
	for _, text := range []string{lastSentence(said), call} {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			lines = append(lines, style.Paint(render.Dim, style.Cut(render.Text("  "+text), width)))
		}
	}
	return lines
}

// talk puts what the agent at work said and did last above a frame.
func (p Painter) talk(said, call string, frame screen.Frame) screen.Frame {
	return func(width, height int) []string {
		lines := p.talkLines(said, call, width, height)
		return append(lines, frame(width, max(height-len(lines), 0))...)
	}
}

// lastSentence returns the last line of a message that is not blank.
func lastSentence(said string) string {
	said = strings.TrimSpace(said)
	return said[strings.LastIndexByte(said, '\n')+1:]
}
