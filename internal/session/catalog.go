package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"onward/internal/store"
	"onward/internal/todo"
)

// StoredList is a list in the store, as its folder shows it: the document is not read.
type StoredList struct {
	Name    Name
	Number  int // its place in the catalog, from 1; the argument of `todo load`
	Current bool
	Changed time.Time
}

// LoadedList is a saved list with its document, or with the error of reading it.
type LoadedList struct {
	StoredList
	Doc *Document
	Err error
}

// Moved reports whether the list is in another store now.
func (l LoadedList) Moved() bool { return errors.Is(l.Err, store.ErrMoved) }

// Deleting reports whether the deletion of the list was begun and is not complete.
func (l LoadedList) Deleting() bool { return errors.Is(l.Err, store.ErrDeleting) }

// SavedLists returns the lists that the store has: the current session's first, then the newest change first,
// sub-agents' lists under the main list of their session.
// It reads the folder only, so that a caller reads as many documents as it shows.
func (s *Store) SavedLists(current Name) ([]StoredList, error) {
	entries, err := s.Backend.List(&kind, "", true)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	saved := make([]StoredList, 0, len(entries))
	for _, e := range entries {
		if name, err := ParseName(e.Name); err == nil { // otherwise it is not a name that onward assigns
			saved = append(saved, StoredList{Name: name, Changed: e.Changed})
		}
	}
	sortAndNumber(saved, current)
	return saved, nil
}

// VisitLists reads the first saved lists, at most limit of them, or all if it is 0, and shows them one by one:
// a store may have more than there is memory. A damaged list is among them with its error. It
// returns how many more are saved.
func (s *Store) VisitLists(current Name, limit int, show func(LoadedList)) (more int, err error) {
	saved, err := s.SavedLists(current)
	shown := 0
	for some := range slices.Chunk(saved, BatchSize(limit)) {
		ahead := s.WithBackend(store.Prefetch(s.Backend, Keys(some)))
		for _, entry := range some {
			if limit > 0 && shown == limit {
				return len(saved) - entry.Number + 1, nil
			}
			if l := ahead.Read(entry); l.Doc != nil || l.Err != nil {
				show(l)
				shown++
			}
		}
	}
	return 0, err
}

// BatchSize returns how many saved lists to read with one request, if at most limit of them are wanted; 0 means all.
func BatchSize(limit int) int {
	const most = 128 // more would need more memory, and not much less time
	if limit == 0 {
		return most
	}
	return min(limit, most)
}

// Keys returns the addresses of saved lists, and of the main lists that those of sub-agents depend on.
func Keys(saved []StoredList) []store.Key {
	keys := make([]store.Key, 0, len(saved))
	for _, e := range saved {
		keys = append(keys, Key(e.Name))
		if main := Key(Name{Session: e.Name.Session}); !e.Name.IsMain() && !slices.Contains(keys, main) {
			keys = append(keys, main)
		}
	}
	return keys
}

// WithBackend returns the same lists in another backend, such as one that has read them before.
func (s *Store) WithBackend(b store.Backend) *Store {
	on := *s
	on.Backend = b
	return &on
}

// Read reads a saved list; one that has been deleted since has neither a document nor an error.
func (s *Store) Read(entry StoredList) LoadedList {
	doc, err := s.Load(entry.Name)
	return LoadedList{StoredList: entry, Doc: doc, Err: err}
}

// sortAndNumber sorts saved lists as a catalog and numbers them.
func sortAndNumber(saved []StoredList, current Name) {
	// A session is as new as the newest of its lists.
	newest := make(map[string]time.Time, len(saved))
	for _, e := range saved {
		if at, seen := newest[e.Name.Session]; !seen || e.Changed.After(at) {
			newest[e.Name.Session] = e.Changed
		}
	}
	slices.SortFunc(saved, func(a, b StoredList) int {
		x, y := a.Name, b.Name
		if x.Session == y.Session {
			return cmp.Or(compareLater(!x.IsMain(), !y.IsMain()), b.Changed.Compare(a.Changed), cmp.Compare(x.Agent, y.Agent))
		}
		return cmp.Or(
			compareLater(x.Session != current.Session, y.Session != current.Session),
			newest[y.Session].Compare(newest[x.Session]),
			cmp.Compare(x.Session, y.Session))
	})
	for i := range saved {
		saved[i].Number = i + 1
		saved[i].Current = saved[i].Name.String() == current.String()
	}
}

// compareLater orders two values: the one that is not later sorts first.
func compareLater(xLater, yLater bool) int {
	switch {
	case xLater == yLater:
		return 0
	case xLater:
		return 1
	}
	return -1
}

// FindToCopy returns the list that the user means, as Find does. It has items, because it is to be copied.
func (s *Store) FindToCopy(text string, current Name) (Name, *Document, error) {
	name, err := s.find(text, current)
	if err != nil {
		return name, nil, err
	}
	doc, err := s.Load(name)
	switch {
	case err != nil:
	case doc == nil:
		err = &NoSessionError{name.String()}
	case len(doc.Todos.Items) == 0:
		err = fmt.Errorf("%w: the list of session %q is empty", ErrNoSession, name)
	}
	return name, doc, err
}

// CheckExists refuses a name whose document is nil, unless it is a sub-agent's and the session has a main list:
// the name is misspelt.
func (s *Store) CheckExists(name Name, doc *Document) (err error) {
	if doc == nil && !name.IsMain() {
		doc, err = s.Load(Name{Session: name.Session})
	}
	if doc == nil && err == nil {
		err = &NoSessionError{name.Session}
	}
	return err
}

// find returns the list with the given number of the catalog, or the given name.
func (s *Store) find(text string, current Name) (Name, error) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return ParseName(text)
	}
	saved, err := s.SavedLists(current)
	if err != nil {
		return Name{}, err
	}
	n, err := strconv.Atoi(text)
	switch {
	case err == nil && n == 0:
		return Name{}, fmt.Errorf("%w: list 0: the numbers of saved lists begin with 1", todo.ErrSyntax)
	case err != nil || n > len(saved):
		// A session may have a number as its name; the name counts if the catalog has no such number.
		for _, e := range saved {
			if e.Name.String() == text {
				return e.Name, nil
			}
		}
		return Name{}, fmt.Errorf("%w: number %s, %s", ErrNoSession, text, availableText(len(saved)))
	}
	return saved[n-1].Name, nil
}

func availableText(n int) string {
	if n == 0 {
		return "no list is saved"
	}
	return fmt.Sprintf("the saved lists are 1 to %d", n)
}
