package cmd

import (
	"slices"

	"onward/internal/agents/stream"
	"onward/internal/board"
	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/screen"
)

// liveList shows the list of a stream on standard error while it is read. Nil shows nothing.
type liveList struct {
	screen  *screen.Screen
	painter board.Painter
	view    live.View
	writer  string // the agent of the list on the screen
	close   func()
}

// live takes over standard error if it is a terminal and a live view was requested.
// What is written there meanwhile, and events on the same terminal, appear above the list.
func (c *ingestCmd) live(a *app) (*liveList, error) {
	p, err := c.painter(a, a.err)
	if err != nil {
		return nil, err
	}
	file, ok := canvas(a.err)
	if !c.Live || !ok {
		return nil, nil
	}
	l := &liveList{painter: p, view: live.View{Settle: c.Settle}}
	l.screen, l.close = a.openScreen(file)
	return l, nil
}

// show brings updates to the screen.
func (l *liveList) show(updates []stream.Update) {
	if l == nil || len(updates) == 0 {
		return
	}
	for _, u := range updates {
		if u.Event.Type == continuation.Todos {
			l.writer = u.Event.Source
			u.Event.Items = slices.Clone(u.Event.Items) // the reader continues with them
		}
		l.view.Apply(live.Agent{Kind: string(u.Kind), Session: u.Session, SubAgent: u.SubAgent}, u.Event)
	}
	from, items := l.view.Shown()
	l.screen.Show(l.painter.Frame(from, l.writer, items))
}

// end leaves the last list where it is.
func (l *liveList) end() {
	if l != nil {
		l.close()
	}
}
