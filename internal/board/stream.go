package board

import (
	"slices"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/screen"
)

// StreamListView shows the list of an agent's stream while it is read. Nil shows nothing.
type StreamListView struct {
	screen  *screen.Screen
	painter Painter
	view    live.View
	writer  string // the agent of the list on the screen
	close   func()
}

// NewStreamListView shows lists on a screen until End, which closes the screen.
func NewStreamListView(p Painter, drawn *screen.Screen, closeScreen func()) *StreamListView {
	return &StreamListView{screen: drawn, painter: p, view: live.View{Settle: p.Settle}, close: closeScreen}
}

// Show brings updates to the screen.
func (l *StreamListView) Show(updates []stream.Update) {
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

// End stops drawing, and leaves the last list on the screen.
func (l *StreamListView) End() {
	if l != nil {
		l.close()
	}
}
