// Package overview reads sessions with what each of them needs, for the rows of an overview and for a report. It changes and
// decides nothing: package ask answers, as it does for a hook.
package overview

import (
	"errors"
	"slices"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/live"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Standing returns what a session needs, with the decision; gone reports that the process of its owner has ended. A run that was cut off
// left nothing in the session that says so: only its record does.
func Standing(t find.List, config *find.Config, doc *session.Document, gone bool) (ask.Answer, continuation.Standing, error) {
	q := ask.Question{List: find.ConfiguredList{List: t, Config: config}, Said: continuation.Facts{Switch: find.CallerTodoToolHint()}, Now: t.Now, DryRun: true}
	a, standing, err := q.Standing(doc, gone)
	if err != nil || doc == nil {
		return a, standing, err
	}
	last, err := t.Store.ReadRun(t.Name)
	switch {
	case err != nil:
	case t.Store.WasCutOff(last):
		standing = standing.WithCutOff(doc.UpdatedAt)
	case t.Store.HasAgentAtWork(last):
		standing = standing.WithAgentAtWork()
	}
	if t.ByFlag {
		standing = standing.ForSession(t.Name.Session)
	}
	return a, standing, err
}

// OwnerGone reports that the process of a list's owner has ended.
func OwnerGone(t find.List, doc *session.Document) bool {
	return doc.Owner != nil && t.Store.Gone(doc.Owner.Process)
}

// ReadRow reads a session and its state; it returns nothing if the session was deleted in between.
func ReadRow(t find.List, s session.StoredList, config *find.Config) (*live.Row, *session.Document) {
	t.Name = s.Name
	read := t.Store.Read(s)
	if read.Doc == nil && read.Err == nil {
		return nil, nil
	}
	row := RowOf(t, read, config)
	return &row, read.Doc
}

// EachRow reads sessions with their states, at most limit of them, or all if it is 0, and shows them one by one, until
// show returns false. It returns how many more there are.
func EachRow(t find.List, saved []session.StoredList, limit int, config *find.Config, show func(*live.Row) bool) (more int) {
	shown, seen := 0, 0
	for some := range slices.Chunk(saved, session.BatchSize(limit)) {
		ahead := t.Prefetched(some, config)
		for _, s := range some {
			if limit > 0 && shown == limit {
				return len(saved) - seen
			}
			seen++
			if row, _ := ReadRow(ahead, s, config); row != nil {
				if !show(row) {
					return len(saved) - seen
				}
				shown++
			}
		}
	}
	return 0
}

// Sessions returns the rows of all sessions that a filter lets through; those that need the user come first. Sessions without a list are
// among them if a call awaits approval.
func Sessions(t find.List, match func(continuation.Standing) bool) (rows []live.Row, err error) {
	saved, err := t.Store.SavedLists(t.Name)
	if err != nil {
		return nil, err
	}
	config := find.ReadConfig().Caching()
	if _, err := config.Settings(nil, nil); err != nil {
		return nil, err
	}
	asking, err := t.Calls().SessionsAwaiting(saved)
	if err != nil {
		return nil, err
	}
	show := func(row *live.Row) bool {
		if match(row.Standing) {
			rows = append(rows, *row)
		}
		return true
	}
	EachRow(t, saved, 0, config, show)
	for _, s := range asking {
		row := rowWithoutList(t, s, config)
		show(&row)
	}
	slices.SortFunc(rows, live.Compare)
	return rows, nil
}

// OthersAsking returns the rows of the other sessions whose agents wait for an answer of the user.
func OthersAsking(t find.List) ([]live.Row, error) {
	rows, err := Sessions(t, func(is continuation.Standing) bool { return is.State == continuation.NeedsYou && is.Reason == "paused" })
	return slices.DeleteFunc(rows, func(r live.Row) bool { return r.Name == t.Name }), err
}

// rowWithoutList returns the row of a session that has calls and no list: it is shown as an empty one.
func rowWithoutList(t find.List, s session.StoredList, config *find.Config) live.Row {
	return RowOf(t, session.LoadedList{StoredList: s, Doc: &session.Document{Session: s.Name.Session, Agent: s.Name.Agent, UpdatedAt: todo.TimeOf(s.Changed)}}, config)
}

// RowOf returns the row of a session that was read, with its state.
func RowOf(t find.List, read session.LoadedList, config *find.Config) live.Row {
	t.Name = read.Name
	row := live.NewRow(read)
	if read.Doc == nil {
		return row
	}
	_, standing, err := Standing(t, config, read.Doc, OwnerGone(t, read.Doc))
	if err != nil {
		standing = live.DamagedStanding(err.Error(), read.Doc.UpdatedAt)
	}
	if errors.Is(err, store.ErrUnavailable) {
		row.Err = err // the error is the session's and does not end the command
	}
	if row.Standing = standing; !read.Current {
		row.Standing = standing.ForSession(read.Name.Session)
	}
	return row
}
