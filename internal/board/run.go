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

// Run shows on a terminal what a run is doing, and the list below that, also after a turn has failed. The lines of the
// run appear above. Nil shows nothing.
type Run struct {
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

// NewRun shows a run on a screen until End, which closes the screen.
func NewRun(t find.List, p Painter, drawn *screen.Screen, closeScreen func(), record *session.Run, now todo.Time) *Run {
	v := &Run{t: t, painter: p, screen: drawn, list: p.Words(""), over: make(chan struct{})}
	v.close = sync.OnceFunc(func() {
		close(v.over)
		v.ended.Wait()
		closeScreen()
	})
	v.Doing(record, now, "starts", 0)
	v.ended.Go(v.follow)
	return v
}

// Doing shows what the run is doing, and until when at most; 0 if that is unknown.
func (v *Run) Doing(r *session.Run, now todo.Time, doing string, left time.Duration) {
	if v == nil {
		return
	}
	v.mu.Lock()
	// Without the monotonic clock, which stops while the machine sleeps.
	s, clock := &v.shift, time.Now().Round(0)
	s.Agent, s.Turn, s.Tokens, s.Micros, s.Doing, s.Until = r.Agent, r.Turns, r.Tokens, r.Micros, doing, time.Time{}
	s.Began = clock.Add(-r.Began.Since(now))
	if left > 0 {
		s.Until = clock.Add(left)
	}
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// Talk shows what the agent says, or does; the other of the two stays.
func (v *Run) Talk(said, call string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	v.said, v.call = cmp.Or(said, v.said), cmp.Or(call, v.call)
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// ShowTurnEnding shows that the turn is being ended, and how.
func (v *Run) ShowTurnEnding(how string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	v.shift.Doing = how
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// follow draws the list when it changes, and the time every second.
func (v *Run) follow() {
	watch := v.t.Watch()
	defer watch.Close()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for v.look(); ; {
		select {
		case <-v.over:
			v.look()
			return
		case <-watch.Changes:
			v.look()
		case <-ticker.C:
			v.screen.Show(v.frame)
		}
	}
}

// look reads the list. If that fails, the last one stays on the screen.
func (v *Run) look() {
	doc, err := v.t.Store.Load(v.t.Name)
	if err != nil {
		return
	}
	list := v.painter.Words(live.NoList(doc))
	if items := doc.Current(); len(items) > 0 {
		list = v.painter.Frame(live.Agent{SubAgent: v.t.Name.Agent}, live.Writer(v.t.Name, doc), items)
	}
	if gate := v.painter.Gate(doc); gate != "" {
		list = above(list, v.painter.Words(gate))
	}
	v.mu.Lock()
	v.list = list
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// frame draws the line of the run above the list.
func (v *Run) frame(width, height int) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	style := v.painter.Style.Wide(width)
	lines := []string{style.Paint("1", style.Cut(render.Text(v.shift.Line(time.Now(), width)), width))}
	if height == 1 {
		return lines
	}
	lines = append(lines, v.painter.talkLines(v.said, v.call, width, height)...)
	return append(lines, v.list(width, max(height-len(lines), 0))...)
}

// End leaves the last frame where it is.
func (v *Run) End() {
	if v != nil {
		v.close()
	}
}

// lowScreen is the height below which the words of an agent would take the room of the list.
const lowScreen = 10

// talkLines are the agent's last sentence and its last tool call, each cut to the width. A low screen has no room for them.
func (p Painter) talkLines(said, call string, width, height int) (lines []string) {
	style := p.Style.Wide(width)
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
