package cmd

import (
	"errors"
	"slices"
	"strings"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

type sessionListCmd struct {
	ofAll
	pagerFlags `embed:""`

	Limit int      `default:"20" placeholder:"N" help:"How many at most; default 20, 0 is all."`
	State []string `placeholder:"S" complete:"attention" help:"Only sessions in this state; repeatable, or with commas between."`
}

// Run shows the sessions; those that need the user come first.
func (c *sessionListCmd) Run(a *app, t target) error {
	if err := checkLimit(c.Limit); err != nil {
		return err
	}
	var states []continuation.State
	var attentions []continuation.Attention // earlier versions had these words
	for _, word := range c.State {
		s, err := continuation.ParseState(strings.TrimSpace(word))
		if a, old := continuation.ParseAttention(strings.TrimSpace(word)); err != nil && old == nil {
			attentions = append(attentions, a)
		} else if err != nil {
			return err
		}
		states = append(states, s)
	}
	saved, err := t.store.Catalog(t.name)
	if err != nil {
		return err
	}
	config := readConfigFile().remembering()
	if _, err := config.settings(nil, nil); err != nil {
		return err
	}
	asking, err := t.calls().Asking(saved)
	if err != nil {
		return err
	}
	var rows []live.Row
	show := func(row *live.Row) bool {
		if states == nil || slices.Contains(states, row.Standing.State) || slices.Contains(attentions, row.Standing.Attention) {
			rows = append(rows, *row)
		}
		return true
	}
	t.standings(saved, 0, config, show)
	for _, s := range asking {
		// It has no list, so it is shown as an empty one.
		t.name = s.Name
		row := t.row(session.Listed{Saved: s, Doc: &session.Document{Session: s.Name.Session, Agent: s.Name.Agent, UpdatedAt: todo.TimeOf(s.Changed)}}, config)
		show(&row)
	}
	slices.SortFunc(rows, live.Compare)
	all := rows
	if c.Limit > 0 && len(rows) > c.Limit {
		rows = rows[:c.Limit]
	}
	more := len(all) - len(rows)
	c.show(a, listsJSON(rows, more, standingRow), overviewText(rows, all, a.style(), t.now.Time()))
	a.reportHidden(rows, more)
	return nil
}

// stand returns what a session needs, with the decision; gone reports that the process of its owner has ended.
func (t target) stand(config *configFile, doc *session.Document, gone bool) (ask.Answer, continuation.Standing, error) {
	q := ask.Question{List: asked{target: t, config: config}, Said: continuation.Facts{Switch: todoSwitch()}, Now: t.now, DryRun: true}
	return q.Standing(doc, gone)
}

// gone reports that the process of a list's owner has ended.
func (t target) gone(doc *session.Document) bool {
	return doc.Owner != nil && t.store.Gone(doc.Owner.Process)
}

// standing reads a session and its state; it returns nothing if the session was deleted meanwhile. It changes nothing.
func (t target) standing(s session.Saved, config *configFile) (*live.Row, *session.Document) {
	t.name = s.Name
	read := t.store.Read(s)
	if read.Doc == nil && read.Err == nil {
		return nil, nil
	}
	row := t.row(read, config)
	return &row, read.Doc
}

// standings reads sessions with their states, at most limit of them, or all if it is 0, and shows them one by one, until
// show returns false. It returns how many more there are.
func (t target) standings(saved []session.Saved, limit int, config *configFile, show func(*live.Row) bool) (more int) {
	shown, seen := 0, 0
	for some := range slices.Chunk(saved, session.AtOnce(limit)) {
		ahead := t.ahead(some, config)
		for _, s := range some {
			if limit > 0 && shown == limit {
				return len(saved) - seen
			}
			seen++
			if row, _ := ahead.standing(s, config); row != nil {
				if !show(row) {
					return len(saved) - seen
				}
				shown++
			}
		}
	}
	return 0
}

// ahead reads the documents for the states of sessions with few requests, and returns a target that has them.
func (t target) ahead(saved []session.Saved, config *configFile) target {
	keys := session.Keys(saved)
	for _, s := range saved {
		keys = append(keys, callsKey(s.Name))
	}
	t = t.on(store.Prefetch(t.files.Backend, keys))
	if !t.files.shared() {
		return t
	}
	var settings []store.Key
	for _, s := range saved {
		doc := t.store.Read(s).Doc
		if doc == nil {
			continue
		}
		project, err := t.projectOf(doc)
		if name := t.store.SettingsName(project); err == nil && name != "" {
			key := session.SettingsKey(name)
			if _, known := config.projects[name]; !known && !slices.Contains(settings, key) {
				settings = append(settings, key)
			}
		}
	}
	return t.on(store.Prefetch(t.files.Backend, settings))
}

// on returns the same target in another backend, such as one that has read documents before.
func (t target) on(b store.Backend) target {
	t.files.Backend = b
	t.store = t.store.On(b)
	return t
}

// row returns the row of a session that was read, with its state.
func (t target) row(read session.Listed, config *configFile) live.Row {
	t.name = read.Name
	row := live.NewRow(read)
	if read.Doc == nil {
		return row
	}
	_, standing, err := t.stand(config, read.Doc, t.gone(read.Doc))
	if err != nil {
		standing = live.Unknown(err.Error(), read.Doc.UpdatedAt)
	}
	if errors.Is(err, store.ErrUnavailable) {
		row.Err = err // the error is the session's and does not end the command
	}
	row.Standing = standing
	return row
}
