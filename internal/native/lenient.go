package native

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// List is the list in a call of a todo tool.
type List struct {
	Items []todo.Item
	Left  []Skipped // the entries that cannot be kept
	More  int       // how many entries were not read any more, because the list was full
}

// Skipped is an entry that was left out.
type Skipped struct {
	At   int // its place in the list, from 0
	Why  error
	Text string // of the entry, if it has one
}

// SkippedTexts returns the texts of the entries that were left out, if they have one that can be kept. Nothing shows that they
// are done.
func (l *List) SkippedTexts() (texts []string) {
	if l == nil {
		return nil
	}
	for _, left := range l.Left {
		if _, err := todo.CheckText(left.Text); err == nil {
			texts = append(texts, left.Text)
		}
	}
	return texts
}

// NoneKept reports whether the list has entries, but none that can be kept. It must not count as an
// empty list, which would clear.
func (l *List) NoneKept() bool { return len(l.Items) == 0 && len(l.Left) > 0 }

// maxListText is how many bytes all texts of a list may have together. The lists of models have far fewer.
const maxListText = 2 << 20

var errFull = errors.New("the list is full")

// Read decodes the list in a call of a todo tool, and leaves out what is invalid.
// It returns nil if there is no list.
func Read(list jsontext.Value) *List {
	out := &List{Items: []todo.Item{}}
	text := 0
	return out.readEntries(list, func(e Entry) error {
		text += len(e.Content) + len(e.ActiveForm)
		switch {
		case e.Why != nil:
			return e.Why
		case text > maxListText:
			return errFull
		case !e.Gone:
			out.add(e)
		}
		return nil
	})
}

// Patch is Read for a call that names only the items that change, and the new ones. One that is there keeps its status where the call
// gives it a word that no agent uses.
func Patch(saved []todo.Item, list jsontext.Value) *List {
	out := &List{Items: append(make([]todo.Item, 0, len(saved)+1), saved...)}
	return out.readEntries(list, func(e Entry) error {
		i := slices.IndexFunc(out.Items, func(it todo.Item) bool { return it.ID != "" && it.ID == e.ID })
		var status unknownStatus
		var wrong invalid
		switch {
		case i < 0 && errors.As(e.Why, &status) || errors.As(e.Why, &wrong):
			return e.Why
		case i >= 0 && e.Gone:
			out.Items = slices.Delete(out.Items, i, i+1)
		case i >= 0:
			it := &out.Items[i]
			it.Content = cmp.Or(e.Content, it.Content)
			if e.Status != "" {
				it.Status, it.NativeStatus = e.Status, e.NativeStatus
			}
			if e.BlockedBy != nil {
				it.BlockedBy = e.BlockedBy
			}
		case e.Why != nil:
			return e.Why
		case len(out.Items) >= todo.MaxItems:
			return errFull
		case !e.Gone:
			out.add(e)
		}
		return nil
	})
}

// readEntries decodes the entries of a list one by one; take returns why one cannot be kept.
func (l *List) readEntries(list jsontext.Value, take func(Entry) error) *List {
	switch list.Kind() {
	case '"':
		text := object.Value(list).Text()
		if strings.HasPrefix(strings.TrimSpace(text), "[{") { // some models write the list as a string, and some agents accept that
			return l.readEntries(jsontext.Value(text), take)
		}
		return l.readLines(text, take)
	case '[':
	default:
		return nil
	}
	r := newReader(list, nil, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	n := 0
	r.Array(func() {
		if n++; n > todo.MaxItems {
			l.More++
			r.Skip()
			return
		}
		e := r.read()
		if why := take(e); why != nil {
			l.Left = append(l.Left, Skipped{n - 1, why, e.Content})
		}
	})
	if r.Err() != nil {
		return nil
	}
	return l
}

// readLines is read for a list that is a text, with a line "1. [pending] text" for each item, which more lines can follow.
// Any other text is not a list.
func (l *List) readLines(text string, take func(Entry) error) *List {
	var entries []Entry
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		number, rest, ok := strings.Cut(line, ". [")
		word, content, closed := strings.Cut(rest, "] ")
		if !ok || !closed || number == "" || strings.Trim(number, "0123456789") != "" {
			if len(entries) == 0 {
				return nil
			}
			entries[len(entries)-1].Content += "\n" + line
			continue
		}
		e := Entry{Item: todo.Item{Content: content}}
		var known bool
		if e.Status, e.NativeStatus, known = ParseStatus(word); !known {
			e.Why = unknownStatus(word)
		}
		entries = append(entries, e)
	}
	if entries == nil {
		return nil
	}
	l.More = max(0, len(entries)-todo.MaxItems)
	for i, e := range entries[:len(entries)-l.More] {
		var err error
		e.Content, err = todo.CheckText(e.Content)
		e.Why = cmp.Or(e.Why, err)
		if why := take(e); why != nil {
			l.Left = append(l.Left, Skipped{i, why, e.Content})
		}
	}
	return l
}

func (l *List) add(e Entry) {
	e.Status = cmp.Or(e.Status, todo.Pending)
	l.Items = append(l.Items, e.Item)
}

func newReader(data []byte, form *Form, options ...jsontext.Options) *reader {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), options...)
	r := &reader{dec: dec, data: data, form: form, Reader: object.NewReader(dec)}
	r.SetLenient(form == nil)
	return r
}
