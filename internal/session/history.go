package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"onward/internal/store"
	"onward/internal/todo"
)

// MaxUndo is the maximum number of changes that can be undone; fewer if lists are large.
const MaxUndo = 50

// Bounds of a history. Of a long list it keeps a few states of any size.
const (
	keptChanges = MaxUndo
	keptLines   = 10 * MaxUndo // more than can be undone, because most commits do not change the list
	maxHistory  = 1 << 20
	readLines   = 3 * keptLines // more than are kept, because each commit that failed leaves a line
	maxEvents   = 128 << 10     // the size of the events of a line in bytes; the earliest ones are dropped
	minEvent    = 128           // how many bytes an event counts at least
)

// Entry is one commit. If it changed the list, the entry has the list as it was afterwards;
// any other commit only records events, and has no rev.
type Entry struct {
	Rev      uint64
	Previous uint64 // the rev of the change before; 0 for the first
	Op       string
	At       todo.Time
	By       string
	Person   bool // the user made the change
	Change   string
	Touched  []todo.Touched
	Undo     bool // it went back to the list as it was after the change of rev Back
	Back     uint64
	Active   bool
	Items    []todo.Item
	Events   []Event // the events of the commit, besides the list

	written []byte // the items as JSON, while the entry is written
}

// Event is something that happened in a session, as its history records it: the words of the agent or the user,
// and the answers to the agent. Members that do not apply to its type are zero, and are not written. Texts are short: see
// Short. It is one type for all, since the history and reports keep the members side by side.
type Event struct {
	Type   string    // the name of an event, or one of those below
	At     todo.Time // by the agent's own stream; 0 is the time of the commit
	Item   string    // the id of an item: of ItemChanged, of Ran, and of Gated for an item's own gate
	Text   string    // of a prompt, an item, the reason of a pause, the gate's command, an answer, the id of background work
	Status string    // how a turn ended, the new status of an item, the reason of Answered, the outcome of Ran
	Class  string    // of an error; what became of the item of Ran; ItemLost of ItemChanged
	Tier   string    // of Continued

	// Of Gated and Ran.
	Code    int    // the gate's exit code, or the run's
	Problem string // why there is no result
	Output  string // the end of the gate's output
	Took    int    // in milliseconds

	Proof string // of Gated, for an item's own gate that passed: what that shows of the work, as package run says it
	Since string // of Gated: the files that had changed since its result before, the first of them, each in a line

	// Of the end of a turn, and of CutOff; Cost is of Ran too.
	Calls   int    // tool calls
	Called  string // the first of them, each in a line of a few words
	Denied  string // tools that the agent's host denied, each in a line
	Input   int    // tokens that it read
	Cached  int    // of these, tokens that came from a cache
	Written int    // tokens that it wrote
	Cost    int    // in millionths of a US dollar

	// Of Ran.
	Worker string // of Relayed too
	Turns  int
	Tokens int    // without those that came from a cache
	Commit string // the last one of its checkout

	From string // of Relayed: the agent that was at work before; Worker goes on, and the text says why
}

// tokens counts tokens in and out, without those that came from a cache.
func (e *Event) tokens() int { return max(0, e.Input-e.Cached) + e.Written }

// The types of events that are not reported to onward, but its own.
const (
	Continued   = "continue" // the agent was prompted again
	Answered    = "answer"   // the answer was to stop or to wait
	Gated       = "gate"     // the gate ran
	ItemChanged = "item"     // the status of an item changed
	Ran         = "run"      // a run on an item, whose text it has, ended
	CutOff      = "cut-off"  // a run was cut off after this; its text says in which turn
	TakenUp     = "taken-up" // a run that was cut off goes on; its text says in which turn that was
	Relayed     = "relay"    // another agent goes on with the work of a run
)

// ItemLost is the class of the event of an item that its agent's own list lacks.
const ItemLost = "lost"

// entry returns a commit as a line of the history.
func (d *Document) entry(items []byte, previous uint64, did Change) []byte {
	e := Entry{At: d.UpdatedAt, By: did.By, Change: did.What, Events: lastEvents(did.Events)}
	if !did.List {
		return store.Encode(&e, 512)
	}
	e.Rev, e.Previous, e.Op, e.Person, e.Touched, e.Active = d.Rev, previous, d.Op, did.Person, did.Touched, d.Todos.Active
	e.Undo, e.Back, e.written = did.Undo, did.Back, items
	return store.Encode(&e, len(items)+512)
}

// lastEvents returns the last events, as many as fit into a line.
func lastEvents(events []Event) []Event {
	size := 0
	for i := len(events) - 1; i >= 0; i-- {
		if size += minEvent + len(events[i].Text) + len(events[i].Output) + len(events[i].Called) + len(events[i].Since); size > maxEvents {
			return events[i+1:]
		}
	}
	return events
}

// maxShort is the greatest length of a text of an event, in bytes.
const maxShort = 1000

// ShortText cuts a text to the length that the history keeps, between two words.
func ShortText(s string) string { return CutWords(s, maxShort) }

// maxPrompt is the greatest length of the text of a prompt, in bytes: the task of a run is one.
const maxPrompt = 16 << 10

// ShortPrompt cuts a prompt to the length that the history keeps, between two words.
func ShortPrompt(s string) string { return CutWords(s, maxPrompt) }

// longestWord is the length in bytes from which on a word is cut within, such as a path, or a text without spaces.
const longestWord = 60

// CutWords cuts a text to a number of bytes: between two words, or within a long one between two characters.
func CutWords(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := strings.ToValidUTF8(s[:limit], "")
	if next, _ := utf8.DecodeRuneInString(s[limit:]); !unicode.IsSpace(next) {
		if space := strings.LastIndexFunc(end, unicode.IsSpace); space > 0 && limit-space <= min(longestWord, limit/2) {
			end = end[:space]
		}
	}
	return strings.TrimRightFunc(end, unicode.IsSpace) + "…"
}

// Entries returns every change in a list's history that can be read, oldest first; none if there is no history.
// A line that is damaged or cut is skipped: the history is best effort.
// But a history that the disk fails to return is an error, not an empty history.
func (s *Store) Entries(name Name) ([]Entry, error) {
	_, log, _, err := store.GetWithLog(s.Backend, Key(name))
	return entriesOf(name, func() ([]byte, error) { return log, err })
}

// Entries returns the history as Store.Entries does, as it was when the document was read. Outside an update, the error
// is store.ErrBusy if the list has changed since.
func (d *Document) Entries() ([]Entry, error) {
	if d.readLog == nil {
		return nil, nil
	}
	return entriesOf(Name{d.Session, d.Agent}, d.readLog)
}

// entriesOf returns the changes in a log.
func entriesOf(name Name, read func() ([]byte, error)) ([]Entry, error) {
	entries, err := readableEntries(name, read)
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.Rev == 0 }), err
}

// loadWithLog reads a list and the lines of its history, as they were at one moment.
func (s *Store) loadWithLog(name Name) (*Document, []Entry, error) {
	if err := CheckName(name); err != nil {
		return nil, nil, err
	}
	doc, log, err := s.list(name, 0).LoadWithLog(name.String())
	if err == nil {
		err = s.checkProject(doc)
	}
	if doc == nil || err != nil {
		return nil, nil, err
	}
	entries, err := readableEntries(name, func() ([]byte, error) { return log, nil })
	return doc, entries, err
}

// FullHistory returns what happened in a session, oldest first: the committed changes of its list,
// and between them the commits that left the list as it was, which have no rev.
func (s *Store) FullHistory(name Name) ([]Entry, error) {
	doc, lines, err := s.loadWithLog(name)
	if doc == nil || err != nil {
		return nil, err
	}
	came := map[uint64]string{0: ""}
	for _, e := range chain(doc, lines, len(lines)) {
		came[e.Rev] = e.Op
	}
	return slices.DeleteFunc(lines, func(e Entry) bool {
		op, ok := came[e.Rev]
		return !ok || op != e.Op
	}), nil
}

// readableEntries returns the lines of a history that can be read.
func readableEntries(name Name, read func() ([]byte, error)) ([]Entry, error) {
	data, err := read()
	switch {
	case errors.Is(err, store.ErrLimit):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the history of session %q: %w", name, err)
	}
	var entries []Entry
	for line := range bytes.Lines(lastLines(data, readLines)) {
		var e Entry
		if err := store.ReadLine(bytes.TrimSuffix(line, []byte{'\n'}), &e); err == nil && (e.Rev > 0 || len(e.Events) > 0) {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// lastLines returns the last n lines.
func lastLines(data []byte, n int) []byte {
	for at := len(data); n >= 0; n-- {
		if at = bytes.LastIndexByte(data[:at], '\n'); at < 0 {
			return data
		} else if n == 0 {
			return data[at+1:]
		}
	}
	return data
}

// History returns the changes of a list that can be undone, newest first.
// It follows each change to the one before it, so that an entry
// whose commit failed is not among them.
func (s *Store) History(name Name) ([]Entry, error) {
	doc, entries, err := s.loadWithLog(name)
	if doc == nil || err != nil {
		return nil, err
	}
	return chain(doc, slices.DeleteFunc(entries, func(e Entry) bool { return e.Rev == 0 }), keptChanges), nil
}

// chain follows the entries backwards from that of the document, each to the one before it, for a number of steps at most.
func chain(doc *Document, entries []Entry, most int) []Entry {
	byRev := revisions(entries)
	var out []Entry
	for rev := doc.Todos.Rev; rev > 0 && len(out) <= most; {
		e, ok := byRev[rev]
		if !ok || e.Previous >= rev {
			break
		}
		out = append(out, e)
		rev = e.Previous
	}
	return out
}

// revisions returns entries by their rev; the last entry of a rev is the one that was committed.
func revisions(entries []Entry) map[uint64]Entry {
	byRev := make(map[uint64]Entry, len(entries))
	for _, e := range entries {
		byRev[e.Rev] = e
	}
	return byRev
}

// StateBefore finds the list as it was before its last n changes: the entry of the change that made it so,
// or an empty one of rev 0 for the time before the first. Changes that were undone already do not count,
// so repeated undo goes further back. It also returns the changes to undo, newest first.
func StateBefore(doc *Document, entries []Entry, n int) (Entry, []Entry, error) {
	byRev := revisions(entries)
	var undone []Entry
	for at := doc.Todos.Rev; ; {
		e, known := byRev[at]
		if e.Previous >= at || e.Undo && e.Back >= at {
			known = false // it refers to itself, so onward did not write it
		}
		switch {
		case at == 0 && len(undone) == n:
			return Entry{}, undone, nil
		case !known && at != 0:
			// The change is known, but not the list as it was before it.
			return Entry{}, nil, fmt.Errorf("%w: you asked for change %d, and the history has %d", ErrNoChange, n, max(0, len(undone)-1))
		case at == 0:
			return Entry{}, nil, fmt.Errorf("%w: you asked for change %d, and the history has %d", ErrNoChange, n, len(undone))
		case e.Undo:
			at = e.Back
			continue
		case len(undone) == n:
			return e, undone, nil
		}
		undone = append(undone, e)
		at = e.Previous
	}
}
