package cmd

import (
	"fmt"
	"slices"
	"time"

	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
)

// overviewPause is the least time between two looks at all sessions.
const overviewPause = 100 * time.Millisecond

// lookout knows the states of all sessions in the store. It reads those that may have changed.
type lookout struct {
	*watching
	seen map[session.Name]*live.Sighting
	rows []live.Row // in order
}

// poll reads what may have changed, and returns the sessions whose state has changed, and those that are gone.
func (l *lookout) poll() (changed []live.Row, gone []session.Name, err error) {
	saved, err := l.t.store.Catalog(l.t.name)
	if err != nil {
		return nil, nil, err
	}
	withCalls, err := l.t.calls().Names()
	if err != nil {
		return nil, nil, err
	}
	calls := make(map[string]bool, len(withCalls))
	for _, name := range withCalls {
		calls[name] = true
	}
	now, config := time.Now(), readConfigFile()
	found := make(map[session.Name]*live.Sighting, len(saved))
	l.rows = make([]live.Row, 0, len(saved))
	for _, s := range saved {
		is := l.seen[s.Name]
		if is == nil || is.Stale(s, calls[s.Name.String()], l.t.now.Time(), now) {
			row, _ := l.t.standing(s, config)
			if row == nil {
				continue
			}
			is = &live.Sighting{Row: *row, At: now, Calls: calls[s.Name.String()]}
			if l.news.saw(row) {
				changed = append(changed, *row)
			}
		}
		is.Row.Saved = s
		found[s.Name] = is
		l.rows = append(l.rows, is.Row)
	}
	for name := range l.seen {
		if found[name] == nil {
			gone = append(gone, name)
			l.news.gone(name)
		}
	}
	l.seen = found
	l.news.begun()
	slices.SortFunc(l.rows, live.Compare)
	slices.SortFunc(changed, live.Compare)
	return changed, gone, nil
}

// newOverview returns the view of all sessions for what standard output is.
func newOverview(w *watching, p picture) view {
	l := &lookout{watching: w}
	if w.screen != nil {
		return &boardView{lookout: l, picture: p}
	}
	return &standingView{lookout: l, style: p.style}
}

// standingView prints a line for each session whose state has changed: as JSON, or as text
// on a terminal that cannot draw.
type standingView struct {
	*lookout
	style render.Style
}

func (v *standingView) refresh() error {
	changed, gone, err := v.poll()
	if err != nil {
		return err
	}
	var out []byte
	if v.events {
		for i := range changed {
			out = append(out, standingLine(&changed[i])...)
		}
		for _, name := range gone {
			out = append(out, goneLine(name)...)
		}
	} else {
		if len(changed) > 0 {
			cells, always := overviewCells(changed, -1, v.style, v.t.now.Time())
			out = append(out, v.style.Table(cells, always)...)
		}
		for _, name := range gone {
			out = fmt.Appendf(out, " deleted %s\n", name)
		}
	}
	if _, err := v.a.rawOut.Write(out); err != nil && len(out) > 0 {
		return outputError(err, false)
	}
	return nil
}

// goneLine is onward/standing/v1 of a session that was deleted.
func goneLine(name session.Name) []byte {
	return render.Encode(document("onward/standing/v1", name, "attention", "deleted"))
}
