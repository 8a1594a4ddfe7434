package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// List is the content of a file.
type List struct {
	Items     []todo.Item
	Flattened int // subtasks that were deeper than one level, and are now under their item
	Boxless   int // bullets without a box that were taken for prose, since other bullets of the file have one
	Absent    int // dependencies on what the file does not have, which were left out

	Dashed int         // boxes [-]
	Dash   todo.Status // what they were taken for

	format Format
	places []place // of the items; nil for a format that is not written back
}

// Notes says what of a file was read in another way than it is written. A person may have chosen what a box [-] means.
func (l *List) Notes(dashChosen bool) (notes []string) {
	if l.Flattened > 0 {
		notes = append(notes, "subtasks have one level: "+todo.Plural(l.Flattened, "deeper one")+" moved up, below the item")
	}
	if l.Absent > 0 {
		notes = append(notes, "left out "+todo.Plural(l.Absent, "reference")+" to a dependency that the file does not have")
	}
	if l.Dashed > 0 && !dashChosen {
		other := map[todo.Status]string{todo.Cancelled: "in-progress", todo.InProgress: "cancelled"}[l.Dash]
		notes = append(notes, fmt.Sprintf("%s with [-] read as %s; --dash %s reads [-] as %s", todo.Plural(l.Dashed, "item"), l.Dash.Words(), other, strings.ReplaceAll(other, "-", " ")))
	}
	if l.Boxless > 0 {
		notes = append(notes, todo.Plural(l.Boxless, "bullet")+" without a box left out: this file marks its items with boxes")
	}
	return notes
}

// IsTaskFile reports whether a file of this name in a folder is one of an agent's tasks.
func IsTaskFile(name string) bool {
	return strings.HasSuffix(name, ".json") && !strings.HasPrefix(name, ".")
}

// place is where an item is in its file, and where its subtasks are.
type place struct {
	mark
	parts []mark
}

// mark is where an item or a subtask is, and the note after its text that tells its status; nil if it has none.
type mark struct {
	*native.Place
	note *statusNote
}

type statusNote struct {
	native.Span
	keep string // what takes its place when its status is no longer true
}

// Error describes where a file cannot be read. Line and column count from 1, the column in bytes.
// It wraps one of the kinds of package todo: ErrData, ErrText or ErrLimit.
type Error struct {
	File         string // within a folder; empty if there is one file only
	Line, Column int
	Err          error
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap returns what is wrong there.
func (e *Error) Unwrap() error { return e.Err }

// errorAt makes an error at a place in data.
func errorAt(data []byte, offset int, err error) *Error {
	line, column := object.LineAndColumn(data, int64(max(offset, 0)))
	return &Error{Line: line, Column: column, Err: err}
}

// Decode reads a whole file. Text without any item is an error, since it is hardly what was meant;
// a JSON list may be empty.
func (as Agents) Decode(s Source, data []byte) (List, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if err := checkBytes(data); err != nil {
		return List{}, err
	}
	if s.Format == Auto || s.Format == "" {
		s.Format = as.detect(s.Name, data)
	}
	list, err := as.read(s, data)
	list.format = s.Format
	return list, err
}

func (as Agents) read(s Source, data []byte) (list List, err error) {
	switch s.Format {
	case Markdown:
		list, err = readMarkdown(s, data)
	case TaskMaster, PRD, Beads:
		return readPlan(s, data)
	case Text:
		list, err = readText(data)
	case CSV:
		list, err = readCSV(data)
	default:
		return as.readJSON(s.Format, data)
	}
	if err == nil && len(list.Items) == 0 {
		err = fmt.Errorf("%w: it holds no items", todo.ErrData)
	}
	if err != nil {
		return List{}, err
	}
	return list, nil
}

// checkBytes refuses what no list can hold, at its place.
func checkBytes(data []byte) error {
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return errorAt(data, 0, fmt.Errorf("%w: it is UTF-16, not UTF-8", todo.ErrText))
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return errorAt(data, at, fmt.Errorf("%w: a NUL character", todo.ErrText))
	}
	if utf8.Valid(data) {
		return nil
	}
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return errorAt(data, at, fmt.Errorf("%w: not valid UTF-8", todo.ErrText))
}

// checkText is todo.CheckText for a file: an empty text is wrong data, not a wrong argument.
func checkText(s string) (string, error) {
	s, err := todo.CheckText(s)
	if errors.Is(err, todo.ErrSyntax) {
		err = fmt.Errorf("%w: the text is empty", todo.ErrData)
	}
	return s, err
}

// full refuses one entry more than a list, or an item, can hold.
func full(n int, what string) error {
	if n < todo.MaxItems {
		return nil
	}
	return fmt.Errorf("%w: more than %d %s", todo.ErrLimit, todo.MaxItems, what)
}
