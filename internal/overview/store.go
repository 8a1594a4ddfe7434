package overview

import (
	"fmt"
	"strconv"
	"time"

	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/store"
)

// Store is onward/store/v1: a store and its state.
type Store struct {
	Schema    string         `json:"schema"`
	Store     string         `json:"store"`
	Engine    string         `json:"engine"`
	Local     string         `json:"local,omitzero"`
	Reachable bool           `json:"reachable"`
	Problem   string         `json:"problem,omitzero"`
	Hint      string         `json:"hint,omitzero"`
	Trip      float64        `json:"round_trip_ms"`
	Version   string         `json:"version,omitzero"`
	Sessions  int            `json:"sessions"`
	Size      int64          `json:"size"`
	Quota     int64          `json:"quota,omitzero"`
	Remarks   []store.Remark `json:"remarks"`

	RoundTrip time.Duration `json:"-"`
}

// Read reads the state from the store.
func (i *Store) Read(s find.Storage) error {
	began := time.Now()
	// A session of this name is unlikely; if there is one, reading it takes equally long.
	if _, err := s.Get(session.Key(session.Name{Session: "round-trip"})); err != nil {
		return err
	}
	i.RoundTrip = time.Since(began)
	i.Trip = float64(i.RoundTrip.Microseconds()) / 1000
	lists, err := s.Sessions().SavedLists(session.Name{})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, l := range lists {
		seen[l.Name.Session] = true
	}
	i.Sessions = len(seen)
	if examined, ok := s.Backend.(store.Examiner); ok {
		var c store.Condition
		c, err = examined.Examine()
		i.Version, i.Size, i.Quota, i.Remarks = c.Version, c.Size, c.Quota, c.Remarks
	}
	return err
}

// Text shows a store, one fact a line.
func (i *Store) Text(style render.Style) string {
	var rows [][]string
	row := func(name, text string) { rows = append(rows, []string{name, render.Text(text)}) }
	row("store", i.Store)
	row("engine", i.Engine)
	if !i.Reachable {
		row("state", "not usable: "+i.Problem)
		if i.Hint != "" {
			row("hint", i.Hint)
		}
		return style.Paragraphs(rows)
	}
	row("state", "reachable, in "+i.RoundTrip.Round(time.Microsecond).String())
	if i.Version != "" {
		row("version", i.Version)
	}
	row("sessions", strconv.Itoa(i.Sessions))
	size := bytesText(i.Size)
	if i.Quota > 0 {
		size += " of " + bytesText(i.Quota)
	}
	row("size", size)
	if i.Local != i.Store {
		row("local", i.Local)
	}
	for _, r := range i.Remarks {
		row("note", r.Detail)
		row("hint", r.Hint)
	}
	return style.Paragraphs(rows)
}

// bytesText formats a number of bytes for display.
func bytesText(n int64) string {
	for _, unit := range []string{"bytes", "kB", "MB"} {
		if n < 10_000 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n /= 1000
	}
	return fmt.Sprintf("%d GB", n)
}
