package cmd

import (
	"sync"
	"time"

	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/todo"
)

// runView shows on a terminal what a run is doing, and the list below that, also after a turn has failed. The lines of the
// run appear above. Nil shows nothing.
type runView struct {
	t       find.List
	painter painter
	screen  *screen.Screen
	close   func() // closes the view, once
	over    chan struct{}
	ended   sync.WaitGroup
	mu      sync.Mutex
	list    screen.Frame
	shift   live.Shift
}

// view takes over standard error if that is a terminal on which lists can be drawn.
func (r *runner) view(record *session.Run, now todo.Time) *runView {
	file, ok := canvas(r.a.err)
	if r.a.JSON || r.a.Quiet || !ok {
		return nil
	}
	p, err := liveFlags{}.painter(r.a, r.a.err)
	if err != nil {
		return nil
	}
	v := &runView{t: r.t, painter: p, list: p.words(""), over: make(chan struct{}), shift: live.Shift{Agent: r.Agent}}
	drawn, closeScreen := r.a.openScreen(file)
	v.screen, v.close = drawn, sync.OnceFunc(func() {
		close(v.over)
		v.ended.Wait()
		closeScreen()
	})
	v.does(record, now, "starts", 0)
	v.ended.Go(v.follow)
	return v
}

// does shows what the run is doing, and until when at most; 0 if that is unknown.
func (v *runView) does(r *session.Run, now todo.Time, doing string, left time.Duration) {
	if v == nil {
		return
	}
	v.mu.Lock()
	// Without the monotonic clock, which stops while the machine sleeps.
	s, clock := &v.shift, time.Now().Round(0)
	s.Turn, s.Tokens, s.Micros, s.Doing, s.Until = r.Turns, r.Tokens, r.Micros, doing, time.Time{}
	s.Began = clock.Add(-r.Began.Since(now))
	if left > 0 {
		s.Until = clock.Add(left)
	}
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// ends shows that the turn is being ended, and how.
func (v *runView) ends(how string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	v.shift.Doing = how
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// follow draws the list when it changes, and the time every second.
func (v *runView) follow() {
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
func (v *runView) look() {
	doc, err := v.t.Store.Load(v.t.Name)
	if err != nil {
		return
	}
	list := v.painter.words(live.NoList(doc))
	if items := doc.Current(); len(items) > 0 {
		list = v.painter.frame(live.Agent{SubAgent: v.t.Name.Agent}, live.Writer(v.t.Name, doc), items)
	}
	if gate := gateRemark(doc); gate != "" {
		list = above(list, v.painter.words(gate))
	}
	v.mu.Lock()
	v.list = list
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// frame draws the line of the run above the list.
func (v *runView) frame(width, height int) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	style := v.painter.style.Wide(width)
	lines := []string{style.Paint("1", style.Cut(render.Text(v.shift.Line(time.Now(), width)), width))}
	if height == 1 {
		return lines
	}
	return append(lines, v.list(width, max(height-1, 0))...)
}

// end leaves the last frame where it is.
func (v *runView) end() {
	if v != nil {
		v.close()
	}
}
