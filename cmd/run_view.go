package cmd

import (
	"sync"
	"time"

	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/todo"
)

// runView shows on a terminal what a run does, above the list as `watch` draws it. What the run tells appears above.
// Nil shows nothing.
type runView struct {
	t      target
	list   listPicture
	below  screen.Frame // the list
	screen *screen.Screen
	close  func() // once
	over   chan struct{}
	ended  sync.WaitGroup
	mu     sync.Mutex
	shift  live.Shift
}

// view takes over standard error if that is a terminal on which lists can be drawn.
func (r *runner) view() *runView {
	file, ok := canvas(r.a.err)
	if r.a.JSON || r.a.Quiet || !ok {
		return nil
	}
	p, err := liveFlags{}.picture(r.a, r.a.err)
	if err != nil {
		return nil
	}
	v := &runView{t: r.t, list: listPicture{picture: p}, below: p.words(""), over: make(chan struct{}), shift: live.Shift{Agent: r.Agent}}
	drawn, closeScreen := r.a.openScreen(file)
	v.screen, v.close = drawn, sync.OnceFunc(func() {
		close(v.over)
		v.ended.Wait()
		closeScreen()
	})
	v.does(&r.record, r.t.now, "begins", 0)
	v.ended.Go(v.follow)
	return v
}

// does shows what the run does now, and until when at most; 0 is unknown.
func (v *runView) does(r *session.Run, now todo.Time, doing string, left time.Duration) {
	if v == nil {
		return
	}
	v.mu.Lock()
	s := &v.shift
	s.Turn, s.Tokens, s.Micros, s.Doing, s.Until = r.Turns, r.Tokens, r.Micros, doing, time.Time{}
	s.Began = time.Now().Add(-r.Began.Since(now))
	if left > 0 {
		s.Until = time.Now().Add(left)
	}
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// follow brings the list to the screen as it changes, and the time as it passes.
func (v *runView) follow() {
	watch := v.t.watch()
	defer watch.Close()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		v.look()
		select {
		case <-v.over:
			v.look()
			return
		case <-watch.Changes:
		case <-ticker.C:
		}
	}
}

// look reads the list.
func (v *runView) look() {
	row, doc := v.t.standing(session.Saved{Name: v.t.name, Current: true}, readConfigFile())
	if row == nil {
		row = &live.Row{Saved: session.Saved{Name: v.t.name}}
	}
	v.mu.Lock()
	if row.Err == nil {
		v.below = v.list.frame(row, doc)
	}
	v.mu.Unlock()
	v.screen.Show(v.frame)
}

// frame draws the line of the run above the list.
func (v *runView) frame(width, height int) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	style := v.list.picture.style.Wide(width)
	lines := []string{style.Paint("1", style.Cut(render.Text(v.shift.Line(time.Now(), width)), width))}
	if height == 1 {
		return lines
	}
	return append(lines, v.below(width, max(height-1, 0))...)
}

// end leaves the last frame where it is.
func (v *runView) end() {
	if v != nil {
		v.close()
	}
}
