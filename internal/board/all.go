package board

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"onward/internal/cli"
	"onward/internal/overview"

	"onward/internal/output"

	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/store"
)

// overviewPause is the least time between two looks at all sessions.
const overviewPause = 100 * time.Millisecond

// poller knows the states of all sessions in the store. It reads those that may have changed.
type poller struct {
	*Watch
	snapshots map[session.Name]*live.Snapshot
	rows      []live.Row // in order
	wrong     string     // why the last look failed, as it was shown
}

// lookResult is the result of one look at all sessions.
type lookResult struct {
	snapshots map[session.Name]*live.Snapshot
	rows      []live.Row
	changed   []live.Row // the sessions whose state has changed
	gone      []session.Name
}

// poll looks at all sessions. A store that does not answer any more is not the end of the watching.
func (l *poller) poll() (lookResult, error) {
	var now lookResult
	err := l.readStoreInterruptibly(func() (err error) {
		now, err = l.read()
		return err
	})
	switch {
	case err == nil:
		l.wrong = ""
		l.compare(&now)
	case l.snapshots != nil && errors.Is(err, store.ErrUnavailable):
		if err := l.withSilenceSince(err); l.wrong != err.Error() {
			l.wrong = err.Error()
			l.report(err)
		}
		return lookResult{}, nil
	}
	return now, err
}

// compare finds the sessions whose state has changed since the last look, and those that are gone.
func (l *poller) compare(now *lookResult) {
	for i := range now.rows {
		if l.News.recordState(&now.rows[i]) {
			now.changed = append(now.changed, now.rows[i])
		}
	}
	for name := range l.snapshots {
		if now.snapshots[name] == nil {
			now.gone = append(now.gone, name)
			l.News.forget(name)
		}
	}
	l.News.endFirstLook()
	l.snapshots, l.rows = now.snapshots, now.rows
}

// report shows the error of a look.
func (l *poller) report(err error) {
	if l.JSON {
		l.Fail(err)
	} else {
		l.view.showMessage(err.Error())
	}
}

// read reads the sessions that may have changed.
func (l *poller) read() (now lookResult, err error) {
	saved, err := l.List.Store.SavedLists(l.List.Name)
	if err != nil {
		return now, err
	}
	withCalls, err := l.List.Calls().Names()
	if err != nil {
		return now, err
	}
	calls := make(map[string]bool, len(withCalls))
	for _, name := range withCalls {
		calls[name] = true
	}
	at, config := time.Now(), find.ReadConfig().Caching()
	now.snapshots = make(map[session.Name]*live.Snapshot, len(saved))
	var stale []session.StoredList
	for _, s := range saved {
		if is := l.snapshots[s.Name]; is == nil || is.Stale(s, calls[s.Name.String()], l.List.Now.Time(), at) {
			stale = append(stale, s)
		} else {
			fresh := *is
			now.snapshots[s.Name] = &fresh
		}
	}
	overview.EachRow(l.List, stale, 0, config, func(row *live.Row) bool {
		if errors.Is(row.Err, store.ErrUnavailable) {
			err = row.Err // the error is the store's, not the session's
		}
		now.snapshots[row.Name] = &live.Snapshot{Row: *row, At: at, Calls: calls[row.Name.String()]}
		return err == nil
	})
	if err != nil {
		return now, err
	}
	now.rows = make([]live.Row, 0, len(saved))
	for _, s := range saved {
		if is := now.snapshots[s.Name]; is != nil {
			is.Row.StoredList = s
			now.rows = append(now.rows, is.Row)
		}
	}
	slices.SortFunc(now.rows, live.Compare)
	return now, nil
}

// newOverview returns the view of all sessions: a board on a terminal, else lines.
func newOverview(w *Watch) view {
	l := &poller{Watch: w}
	if w.Screen != nil {
		return &boardView{poller: l}
	}
	return &standingView{poller: l}
}

// standingView prints a line for each session whose state has changed: as JSON, or as text
// on a terminal that cannot draw.
type standingView struct{ *poller }

func (v *standingView) refresh() error {
	now, err := v.poll()
	if err != nil {
		return err
	}
	var out []byte
	if v.JSON {
		for i := range now.changed {
			out = append(out, standingLine(&now.changed[i])...)
		}
		for _, name := range now.gone {
			out = append(out, goneLine(name)...)
		}
	} else {
		if len(now.changed) > 0 {
			cells, always := output.OverviewCells(now.changed, -1, v.Painter.Style, v.List.Now.Time())
			out = append(out, v.Painter.Style.Table(cells, always)...)
		}
		for _, name := range now.gone {
			out = fmt.Appendf(out, " deleted %s\n", name)
		}
	}
	if _, err := v.Out.Write(out); err != nil && len(out) > 0 {
		return cli.OutputError(err, false)
	}
	return nil
}

// goneLine is onward/standing/v1 of a session that was deleted.
func goneLine(name session.Name) []byte {
	return render.EncodeJSON(output.Document("onward/standing/v1", name, "attention", "deleted"))
}
