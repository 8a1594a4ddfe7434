// Package doctor checks that onward works on this machine, and reports what to do if it does not.
package doctor

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"onward/internal/durable"
	"onward/internal/output"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// State is the severity of a finding.
type State string

// The states. Something must be done about Bad only.
const (
	Good State = "ok"
	Note State = "note"
	Bad  State = "bad"
)

// Finding is the result of one check.
type Finding struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitzero"` // what to do about it; may be empty
}

// Healthy reports whether nothing is bad.
func Healthy(findings []Finding) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return f.State == Bad })
}

// Store checks the folder of the store. If it does not exist yet, the nearest folder above it is checked.
func Store(dir string) []Finding {
	place := Finding{Name: "store", State: Good, Detail: dir}
	folder, err := durable.Probe(dir)
	switch {
	case folder.Missing:
		place.Detail += " (the first change makes it)"
	case err != nil:
		place.State, place.Detail = Bad, err.Error()
	case !folder.Mode.IsDir():
		place.State, place.Detail, place.Hint = Bad, dir+" is not a folder", "move it away, or choose another store with --store or ONWARD_STORE"
	case runtime.GOOS != "windows" && folder.Mode.Perm()&0o077 != 0: // Windows has no such modes, and its folder is inside the user's own
		place.State, place.Detail, place.Hint = Note, dir+" can be read by others", "chmod 700 "+dir
	}
	findings := []Finding{place}
	if place.State == Bad {
		return findings
	}
	for _, open := range folder.Open {
		findings = append(findings, Finding{
			Name: "folder", State: Note, Detail: open + " can be written by others, who can then change your lists", Hint: "chmod go-w " + open,
		})
	}
	return append(findings, locks(folder.Locks))
}

// Database reports on a store that is not a folder, by what the store says of itself.
func Database(address string, trip time.Duration, c store.Condition) []Finding {
	detail := address + ", answers in " + trip.Round(time.Microsecond).String()
	if c.Version != "" {
		detail += ", version " + c.Version
	}
	findings := []Finding{{Name: "store", State: Good, Detail: detail}}
	for _, r := range c.Remarks {
		f := Finding{Name: "store", State: Note, Detail: r.Detail, Hint: r.Hint}
		if r.Bad {
			f.State = Bad
		}
		findings = append(findings, f)
	}
	return findings
}

// locks reports whether files can be written and locked.
func locks(err error) Finding {
	if err == nil {
		return Finding{Name: "locks", State: Good, Detail: "the file system supports them"}
	}
	hint := "choose a store that you may write with --store or ONWARD_STORE"
	switch {
	case errors.Is(err, store.ErrLockUnsupported):
		hint = "put the store on a local disk with --store or ONWARD_STORE"
	case errors.Is(err, store.ErrFull):
		hint = "make space on the disk, or choose another store with --store or ONWARD_STORE"
	}
	return Finding{Name: "locks", State: Bad, Detail: err.Error(), Hint: hint}
}

// Sessions checks that every saved list can be read, and reports unknown events that agents sent.
// The function title returns the name of an agent as its makers write it.
func Sessions(s *session.Store, current session.Name, title func(agent string) string, now todo.Time) []Finding {
	findings, saved, strange := []Finding{{Name: "sessions", State: Good}}, 0, unread{}
	var half []session.Name // their deletion was begun and not completed
	_, err := s.VisitLists(current, 0, func(l session.LoadedList) {
		if l.Moved() {
			return // it is in another store
		}
		if l.Deleting() {
			half = append(half, l.Name)
			return
		}
		saved++
		if l.Doc != nil {
			strange.add(l.Doc, now)
			findings = append(findings, goal(l.Doc, title)...)
		}
		if l.Err != nil {
			findings = append(findings, Finding{Name: "session", State: Bad, Detail: l.Err.Error(), Hint: "onward repair " + l.Name.String()})
		}
	})
	if err != nil {
		return []Finding{{Name: "sessions", State: Bad, Detail: err.Error()}}
	}
	if findings[0].Detail = fmt.Sprintf("%d saved lists", saved); saved == 1 {
		findings[0].Detail = "1 saved list"
	}
	findings = append(findings, strange.findings(title)...)
	left, err := s.Leftovers()
	if err != nil {
		return append(findings, Finding{Name: "leftovers", State: Bad, Detail: err.Error()})
	}
	for _, name := range append(half, left...) {
		findings = append(findings, Finding{
			Name: "leftovers", State: Note, Detail: fmt.Sprintf("session %q was deleted, but not everything of it", name.String()),
			Hint: "onward session delete --yes " + name.String(),
		})
	}
	return findings
}

// Current reports the session that commands work on here, by its name or by the error of finding it, which has a hint. An error that says
// nothing of the session is returned.
func Current(name session.Name, err error, hint func(error) string) (Finding, error) {
	switch {
	case errors.Is(err, store.ErrCorrupt), errors.Is(err, store.ErrForeign):
		return Finding{Name: "current", State: Bad, Detail: err.Error(), Hint: "choose again with `onward session use`"}, nil
	case errors.Is(err, store.ErrPermission): // another user may have made the file
		return Finding{Name: "current", State: Bad, Detail: err.Error(), Hint: hint(err)}, nil
	case errors.Is(err, session.ErrUnnamed):
		return Finding{Name: "current", State: Note, Detail: err.Error(), Hint: hint(err)}, nil
	}
	return Finding{Name: "current", State: Good, Detail: "session " + name.String()}, err
}

// Project reports how the current session stands, in the words of every other view, and what its user types next.
func Project(is output.Project, now todo.Time) (findings []Finding) {
	if !is.Known() {
		return []Finding{{Name: "list", State: Good, Detail: output.NoList}}
	}
	for _, f := range is.Facts(now.Time()) {
		if n := len(findings); f.Key == "next" {
			if n > 0 {
				findings[n-1].Hint = f.Text
			}
			continue
		}
		found := Finding{Name: f.Key, State: Good, Detail: f.Text}
		if f.Key == "state" && is.Row.Standing.Attention.NeedsUser() || f.Key == "proof" && strings.HasPrefix(f.Text, "none") {
			found.State = Note
		}
		findings = append(findings, found)
	}
	return findings
}

// UnreadableDocuments reports the documents of one kind that cannot be read, those of every session. The function key returns the
// address of one, and read reads it from a backend.
func UnreadableDocuments(b store.Backend, key func(session.Name) store.Key, read func(store.Backend, session.Name) error) (findings []Finding) {
	kind := key(session.Name{}).Kind
	entries, err := b.List(kind, "", false)
	if err != nil {
		return []Finding{{Name: "session", State: Bad, Detail: fmt.Sprintf("list each %s: %v", kind.Name, err)}}
	}
	for some := range slices.Chunk(entries, session.BatchSize(0)) {
		var names []session.Name
		var keys []store.Key
		for _, e := range some {
			if name, err := session.ParseName(e.Name); err == nil {
				names, keys = append(names, name), append(keys, key(name))
			}
		}
		ahead := store.Prefetch(b, keys)
		for _, name := range names {
			if err := read(ahead, name); errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrForeign) {
				findings = append(findings, Finding{Name: "session", State: Bad, Detail: err.Error(), Hint: "onward repair " + name.String()})
			}
		}
	}
	return findings
}
