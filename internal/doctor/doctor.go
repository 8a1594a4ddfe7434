// Package doctor checks that onward can work here, and reports what to do if it cannot.
package doctor

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"onward/internal/durable"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// State describes how grave a finding is.
type State string

// The states. Only Bad is a reason to act before going on.
const (
	Good State = "ok"
	Note State = "note"
	Bad  State = "bad"
)

// Finding is one thing that was looked at.
type Finding struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitzero"` // what to do about it, where there is something
}

// Healthy reports whether nothing is bad.
func Healthy(findings []Finding) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return f.State == Bad })
}

// Store looks at the folder where everything lives. One that is not there yet is judged by the nearest folder above it.
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
	case runtime.GOOS != "windows" && folder.Mode.Perm()&0o077 != 0: // Windows has no such modes, and the folder is below the user's own
		place.State, place.Detail, place.Hint = Note, dir+" can be read by others", "chmod 700 "+dir
	}
	findings := []Finding{place}
	if place.State == Bad {
		return findings
	}
	return append(findings, locks(folder.Locks))
}

// Database checks a store that is not a folder, by its own report.
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

// Sessions checks that every saved list can be read, and names what agents sent that onward did not know;
// title is the name of an agent as its makers write it.
func Sessions(s *session.Store, current session.Name, title func(agent string) string, now todo.Time) []Finding {
	findings, saved, strange := []Finding{{Name: "sessions", State: Good}}, 0, unread{}
	var half []session.Name // whose deletion was begun
	_, err := s.Visit(current, 0, func(l session.Listed) {
		if l.Moved() {
			return // it is saved elsewhere
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
