package store

import (
	"errors"
	"fmt"
	"slices"
)

// Remedy is what is done about a damaged document.
type Remedy int

// The remedies.
const (
	Examine Remedy = iota // nothing, it is only reported
	Restore               // a good state replaces it
	Accept                // an edit by hand is accepted
)

// Diagnosis describes what is wrong with a document.
type Diagnosis struct {
	Problem error    // nil if the document is intact, or does not exist
	Copies  []string // of damaged documents of its name
	Copy    string   // the one that was made while it was repaired; empty if there was nothing to copy

	Accepted bool // the document was edited by hand, and is valid from now on
}

// Repair examines a document, and repairs a damaged one while no other process can write it. Its error is one that no
// remedy can fix. To restore replaces the document, after a copy of it was made, with what the function writes. To accept
// makes a document valid that was edited by hand, one that is intact but for its checksum; the function may change it
// before it is committed. Any other damage stays then, and is the error.
func (c Collection[D, C, P]) Repair(name string, remedy Remedy, restore func(Value) (Write, error), accept func(*D) C) (d Diagnosis, err error) {
	if remedy == Examine {
		v, err := c.Backend.Get(c.key(name))
		return c.diagnose(name, v, err)
	}
	what := c.what("repair", name)
	err = Update(c.Backend, c.key(name), what, func(v Value, unread error) (w Write, err error) {
		if d, err = c.diagnose(name, v, unread); err != nil || d.Problem == nil {
			return w, err
		}
		if remedy == Restore {
			w, err = restore(v)
			w.Copy = func(path string) { d.Copy = path }
		} else if err = d.Problem; errors.Is(err, ErrChecksum) {
			w, err = c.accept(name, v, accept)
			d.Accepted = err == nil
		}
		if err != nil && !errors.Is(err, d.Problem) {
			err = fmt.Errorf("%s: %w", what, err)
		}
		return w, err
	})
	if err != nil {
		d.Accepted = false
		return d, err
	}
	if d.Problem != nil {
		d.Copies = c.copies(name)
	}
	return d, nil
}

func (c Collection[D, C, P]) accept(name string, v Value, change func(*D) C) (Write, error) {
	doc, err := c.open(name, v, nil, true)
	if err != nil {
		return Write{}, err
	}
	return c.Rules.Commit(doc, "", change(doc))
}

func (c Collection[D, C, P]) diagnose(name string, v Value, unread error) (Diagnosis, error) {
	_, err := c.open(name, v, unread, false)
	d := Diagnosis{Problem: err, Copies: c.copies(name)}
	switch {
	case errors.Is(unread, ErrForeign):
		// The file in its place is not a document; the user has to move it away.
		return d, unread
	case errors.Is(err, ErrCorrupt), errors.Is(err, ErrForeign), errors.Is(err, ErrLimit):
		return d, nil
	}
	return d, err
}

// copies returns where the copies of damaged documents of a name are.
func (c Collection[D, C, P]) copies(name string) (paths []string) {
	leftovers, _ := c.Backend.Leftovers(c.Kind, name)
	for _, t := range leftovers {
		if t.Copy != "" {
			paths = append(paths, t.Copy)
		}
	}
	slices.Sort(paths)
	return paths
}
