package native

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Form is what a strict reader expects next to a list.
type Form struct {
	Task     bool   // one item alone
	Times    bool   // in our own form
	Plan     bool   // it is the plan of a project, with its own words and priorities
	Lines    bool   // one item after the other, without an array
	Statuses string // the words that the program has for a status; empty is ours
}

func (f *Form) words() string {
	if f == nil || f.Statuses == "" {
		return todo.StatusWords()
	}
	return f.Statuses
}

// Error describes where a list cannot be read.
type Error struct {
	Item, Part int // the number of the item, and of its subtask, from 1; 0 is none
	At         int // in bytes from the beginning
	Err        error
}

func (e *Error) Error() string {
	switch {
	case e.Part > 0:
		return fmt.Sprintf("item %d: subtask %d: %v", e.Item, e.Part, e.Err)
	case e.Item > 0:
		return fmt.Sprintf("item %d: %v", e.Item, e.Err)
	}
	return e.Err.Error()
}

// Unwrap returns the kind of the problem: ErrData, ErrText or ErrLimit of package todo.
func (e *Error) Unwrap() error { return e.Err }

// Decode reads a whole list: an array of items, or an object that holds one as items or todos.
// Unlike Read it refuses entries that cannot be kept.
func Decode(data []byte) ([]todo.Item, error) {
	entries, _, err := decode(data, Form{Times: true}, false)
	var at *Error
	if errors.As(err, &at) && at.Item == 0 {
		line, column := object.LineAndColumn(data, int64(at.At))
		return nil, fmt.Errorf("line %d, column %d: %w", line, column, at.Err)
	}
	if err != nil {
		return nil, err
	}
	items := []todo.Item{}
	for _, e := range entries {
		e.Status = cmp.Or(e.Status, todo.Pending)
		if !e.Gone {
			items = append(items, e.Item)
		}
	}
	return items, nil
}

// DecodeFile is Decode for the file of another program, from which the caller makes a list.
// It also returns how many subtasks were deeper than one level; they are directly under their item now.
func DecodeFile(data []byte, form Form) (entries []Entry, flattened int, err error) {
	// Names that are not used may occur twice: to find that out, all of them would have to be kept in memory.
	return decode(data, form, true)
}

func decode(data []byte, form Form, twice bool) ([]Entry, int, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, 0, fmt.Errorf("%w: it is empty; an empty list is []", todo.ErrData)
	}
	r := newReader(data, &form, jsontext.AllowDuplicateNames(twice))
	r.mark()
	var list []Entry
	switch kind := r.dec.PeekKind(); {
	case kind == '{' && form.Lines:
		list = r.lines()
	case kind == '{':
		list = r.envelope()
	case strings.IndexByte(`ntf"0`, byte(kind)) >= 0:
		r.refusef(r.at, "the list is not an array")
	default:
		list = r.list()
	}
	r.item = 0
	if r.Err() == nil {
		r.mark()
		if _, err := r.dec.ReadToken(); err == nil {
			r.refusef(r.at, "there is a second value; the JSON lines of an agent are read by onward ingest")
		} else if !errors.Is(err, io.EOF) {
			return nil, 0, r.misread(err)
		}
	}
	seen := make(map[string]bool, len(list))
	for i := range list {
		if r.item = i + 1; list[i].ID != "" && seen[list[i].ID] {
			r.refusef(list[i].At, "the id %q is duplicated", list[i].ID)
		}
		seen[list[i].ID] = true
	}
	switch {
	case r.wrong != nil:
		return nil, 0, r.wrong
	case r.Err() != nil:
		return nil, 0, r.misread(r.Err())
	}
	return list, r.flattened, nil
}

// misread returns the decoder's error, and the position where it stopped.
func (r *reader) misread(err error) error {
	at, item := r.at, r.item
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at, item, err = int(syntax.ByteOffset), 0, syntax.Err
	}
	return &Error{Item: item, At: at, Err: fmt.Errorf("%w: %w", todo.ErrData, err)}
}

// envelope reads an object that holds a list as items or todos, or that is an item itself.
func (r *reader) envelope() (list []Entry) {
	found := false
	task := entry{Entry: Entry{At: r.at}}
	r.Object(func(name string) {
		r.mark()
		switch {
		case name == "items" || name == "todos":
			if r.Null() {
				break
			}
			if found {
				r.refusef(r.at, "the object has two lists")
			}
			list, found = r.list(), true
			r.item = 0
		case r.form.Task:
			r.member(&task, name)
		default:
			r.Skip()
		}
	})
	switch {
	case found || r.Err() != nil:
	case r.form.Task:
		r.chooseTextAndStatus(&task)
		list = []Entry{task.Entry}
	default:
		r.refusef(task.At, "the object has neither items nor todos")
	}
	return list
}

// list reads the items one by one, so that a long list of invalid entries takes no memory.
func (r *reader) list() (list []Entry) {
	r.Array(func() { list = r.next(list) })
	return list
}

// lines reads items that follow each other without an array.
func (r *reader) lines() (list []Entry) {
	for r.Err() == nil && r.dec.PeekKind() == '{' {
		list = r.next(list)
	}
	return list
}

// next reads another item of a list.
func (r *reader) next(list []Entry) []Entry {
	r.mark()
	if r.item = 0; r.full(len(list), "items") {
		return list
	}
	r.item = len(list) + 1
	return append(list, r.read())
}
