package overview

import (
	"slices"
	"time"

	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/report"
	"onward/internal/session"
)

// Report returns the report on sessions: markdown, text for a terminal, json, or else a page.
func Report(t find.List, names []session.Name, format string) ([]byte, error) {
	r := report.Report{Schema: report.Schema, At: t.Now}
	config := find.ReadConfig().Caching()
	lists := render.Map(names, func(_ int, n *session.Name) session.StoredList { return session.StoredList{Name: *n} })
	for some := range slices.Chunk(lists, session.BatchSize(0)) {
		ahead := t.Prefetched(some, config, session.ReceiptKey)
		for _, list := range some {
			s, err := readReport(ahead, list.Name, config)
			if err != nil {
				return nil, err
			}
			r.Sessions = append(r.Sessions, s)
		}
	}
	switch format {
	case "json":
		return render.EncodeJSON(r), nil
	case "text":
		return []byte(report.Text(r, time.Local)), nil
	case "markdown":
		return []byte(report.Markdown(r, time.Local)), nil
	default:
		return report.HTML(r, time.Local), nil
	}
}

// readReport reads the data of one list from the store.
func readReport(t find.List, name session.Name, config *find.Config) (report.Session, error) {
	t.Name, t.ByFlag = name, t.ByFlag || name.Session != t.Name.Session
	src := report.Source{Name: name}
	var err error
	if src.Doc, err = t.Store.Load(name); err != nil {
		return report.Session{}, err
	}
	if src.Entries, err = t.Store.FullHistory(name); err != nil {
		return report.Session{}, err
	}
	if src.Calls, err = t.Calls().Records(name, t.Now); err != nil {
		return report.Session{}, err
	}
	if src.Doc != nil {
		src.Doc.ReleaseOwner("", t.Store.Gone, t.Now)
	}
	if src.Run, err = t.Store.ReadRun(name); err != nil {
		return report.Session{}, err
	}
	if src.Receipt, err = t.Store.ReadReceipt(name); err != nil {
		return report.Session{}, err
	}
	got, standing, err := Standing(t, config, src.Doc, false)
	src.Decision, src.Standing = got.Decision, standing
	return report.Build(src), err
}
