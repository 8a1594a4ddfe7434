package exchange

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// UpdateResult is a file into which the statuses of a list were written.
type UpdateResult struct {
	Data    []byte
	Changed int // items and subtasks whose status is another one now
	Apart   int // items and subtasks of the file that the list does not have
	Extra   int // items of the list that the file does not have
	Untold  int // those whose status the file has no word for, which stay as they are
}

// Notes describes what was written into a file, and what was left as it was.
func (r *UpdateResult) Notes(file string) []string {
	notes := []string{fmt.Sprintf("wrote the status of %s into %q", todo.Plural(r.Changed, "item"), file)}
	if r.Changed == 0 {
		notes[0] = fmt.Sprintf("%q has these statuses already", file)
	}
	if r.Untold > 0 {
		notes = append(notes, todo.Plural(r.Untold, "item")+" left as before: the file has no way to say the status")
	}
	if r.Apart > 0 {
		notes = append(notes, todo.Plural(r.Apart, "item")+" of the file not in the list")
	}
	if r.Extra > 0 {
		notes = append(notes, todo.Plural(r.Extra, "item")+" of the list not in the file")
	}
	return notes
}

// ErrNotWritten marks a format into which no statuses are written.
var ErrNotWritten = errors.New("no statuses are written into it")

// ErrNoCommonItem marks a file none of whose items are in the list.
var ErrNoCommonItem = errors.New("none of its items is in the list")

// ConflictError says that the file closed an item that the list has not closed, or closed differently.
type ConflictError struct {
	Text     string
	File, In todo.Status
	at       *Error
}

func (e *ConflictError) Error() string {
	text, _, _ := strings.Cut(e.Text, "\n")
	return fmt.Sprintf("line %d: %q is %s there, and %s in the list", e.at.Line, text, e.File.Words(), e.In.Words())
}

// Update writes the statuses of a list into a file that was read from, or a later version of it. Every other byte stays as it is.
// An item is known by its text; ids only tell items with one text apart. With force, an item that the file has closed
// gets the status of the list, too; otherwise that is a ConflictError.
func (as Agents) Update(s Source, data []byte, items []todo.Item, force bool) (UpdateResult, error) {
	list, err := as.Decode(s, data)
	if err != nil {
		return UpdateResult{}, err
	}
	if list.places == nil || list.format == Beads {
		return UpdateResult{}, fmt.Errorf("%w: the format is %s", ErrNotWritten, list.format)
	}
	body := bytes.TrimPrefix(data, []byte("\uFEFF"))
	u := updater{data: body, list: &list, force: force, words: map[todo.Status]string{}}
	u.learnWords()
	if err := u.compareItems(items); err != nil {
		return UpdateResult{}, err
	}
	u.did.Data = append(data[:len(data)-len(body):len(data)-len(body)], u.apply()...)
	return u.did, nil
}

// updater collects the changes of a file.
type updater struct {
	data  []byte
	list  *List
	force bool
	words map[todo.Status]string // as the file writes them, else as its program does
	edits []edit
	did   UpdateResult
}

type edit struct {
	native.Span
	text string
}

// learnWords finds how the file writes each status, so that a new one looks like those that are there.
func (u *updater) learnWords() {
	see := func(m *mark) {
		for _, span := range m.Says {
			word := strings.Trim(string(u.data[span.At:span.End]), `"`)
			s, known := todo.Status(""), false
			if u.list.format != Markdown {
				s, _, known = native.ParseStatus(word)
			} else if s, _, known = todo.ParseBox([]byte("[" + word + "]")); word == "-" {
				s = u.list.Dash
			}
			if span.Word && known && u.words[s] == "" {
				u.words[s] = word
			}
		}
	}
	for i := range u.list.places {
		p := &u.list.places[i]
		see(&p.mark)
		for j := range p.parts {
			see(&p.parts[j])
		}
	}
	for _, s := range todo.Statuses() {
		u.words[s] = cmp.Or(u.words[s], u.usualWord(s))
	}
}

// usualWord returns how the program of a file writes a status; empty if it cannot.
func (u *updater) usualWord(s todo.Status) string {
	switch u.list.format {
	case Markdown:
		switch s {
		case u.list.Dash:
			return "-"
		case todo.Cancelled: // whose sign means something else in this file
			return ""
		}
		return s.Meaning().Boxes[:1]
	case TaskMaster:
		if s == todo.Completed {
			return "done"
		}
		return strings.ReplaceAll(string(s), "_", "-")
	}
	return string(s)
}

// compareItems compares the items of the file with those of the list.
func (u *updater) compareItems(items []todo.Item) error {
	have, want := make([]todo.Subtask, len(u.list.Items)), make([]todo.Subtask, len(items))
	for i, it := range u.list.Items {
		have[i] = todo.Subtask{ID: it.ID, Content: it.Content, Status: it.Status}
	}
	for i, it := range items {
		want[i] = todo.Subtask{ID: it.ID, Content: it.Content, Status: it.Status}
	}
	from, err := u.match(have, want, func(i int) int { return u.list.places[i].At })
	if err != nil {
		return err
	}
	if len(from) == 0 || u.did.Apart == len(from) {
		return fmt.Errorf("%w: %w", todo.ErrData, ErrNoCommonItem)
	}
	u.did.Extra = len(items)
	for i, at := range from {
		if at < 0 {
			continue
		}
		u.did.Extra--
		p := &u.list.places[i]
		if err := u.updateStatus(&p.mark, &have[i], want[at].Status); err != nil {
			return err
		}
		if !have[i].Status.Open() && !want[at].Status.Open() {
			continue // what was open below it was closed by the import, and by nobody's work
		}
		subs := u.list.Items[i].Subtasks
		parts, err := u.match(subs, items[at].Subtasks, func(j int) int { return p.parts[j].At })
		if err != nil {
			return err
		}
		for j, at := range parts {
			if at < 0 {
				continue
			}
			if err := u.updateStatus(&p.parts[j], &subs[j], items[from[i]].Subtasks[at].Status); err != nil {
				return err
			}
		}
	}
	return nil
}

// match finds for each entry of the file the one of the list that has its text; -1 if there is none. Of several with one text, those
// with the same id belong together, and the others by their order.
func (u *updater) match(have, want []todo.Subtask, place func(int) int) ([]int, error) {
	byText := map[string][]int{}
	for i := range want {
		byText[want[i].Content] = append(byText[want[i].Content], i)
	}
	same := map[string][]int{} // the entries of the file with a text
	from := make([]int, len(have))
	for i := range have {
		from[i] = -1
		text, id := have[i].Content, have[i].ID
		if at := slices.IndexFunc(byText[text], func(j int) bool { return id != "" && want[j].ID == id }); at >= 0 {
			from[i] = byText[text][at]
			byText[text] = slices.Delete(byText[text], at, at+1)
			continue
		}
		same[text] = append(same[text], i)
	}
	for i := range have {
		text := have[i].Content
		left, there := byText[text], same[text]
		alike := !slices.ContainsFunc(left, func(j int) bool { return want[j].Status != want[left[0]].Status })
		switch {
		case from[i] >= 0:
		case len(left) == 0:
			u.did.Apart++
		case len(left) == len(there) || len(left) > len(there) && alike:
			from[i] = left[slices.Index(there, i)]
		default:
			err := fmt.Errorf("%w: %q is there %s, and %s in the list; give each a text of its own", todo.ErrData, text, todo.Plural(len(there), "time"), todo.Plural(len(left), "time"))
			return nil, errorAt(u.data, place(i), err)
		}
	}
	return from, nil
}

// updateStatus lets the file say the status that an item or a subtask has in the list.
func (u *updater) updateStatus(m *mark, e *todo.Subtask, status todo.Status) error {
	was, status := cmp.Or(e.Status, todo.Pending), cmp.Or(status, todo.Pending)
	if was == status {
		return nil
	}
	if !was.Open() && !u.force {
		return &ConflictError{Text: e.Content, File: was, In: status, at: errorAt(u.data, m.At, nil)}
	}
	says, before := m.Says, len(u.edits)
	if len(says) == 0 {
		if u.list.format == Markdown {
			return errorAt(u.data, m.At, fmt.Errorf("%w: no box before %q to write the status into; write - [ ] before each item", todo.ErrData, e.Content))
		}
		u.insertStatus(m, status)
	}
	for _, span := range says {
		text, known := u.words[status], true
		switch {
		case !span.Word:
			text, known = fmt.Sprint(status == todo.Completed), status != todo.Cancelled
		case text == "":
			known = false
		case u.list.format != Markdown:
			text = `"` + text + `"`
		}
		if !known {
			u.edits = u.edits[:before]
			u.did.Untold++
			return nil
		}
		if string(u.data[span.At:span.End]) != text {
			u.edits = append(u.edits, edit{span, text})
		}
	}
	if m.note != nil {
		u.edits = append(u.edits, edit{m.note.Span, m.note.keep})
	}
	if len(u.edits) > before {
		u.did.Changed++
	}
	return nil
}

// insertStatus adds the member that an object lacks to tell a status, in the way in which its other members are written.
func (u *updater) insertStatus(m *mark, status todo.Status) {
	object := u.data[m.At:m.End]
	first := bytes.IndexByte(object, '"')
	colon := first + 1 + bytes.IndexByte(object[first+1:], '"') + 1
	space := ""
	if bytes.HasPrefix(object[colon:], []byte(": ")) {
		space = " "
	}
	member, value := `"passes":`, fmt.Sprint(status == todo.Completed)
	if u.list.format == TaskMaster {
		member, value = `"status":`, `"`+u.words[status]+`"`
	} else if value == "false" {
		return // it does not pass now either
	}
	before := string(object[1:first])
	if before == "" && bytes.Contains(object, []byte(`, "`)) {
		before = " "
	}
	end := m.At + len(bytes.TrimRight(object[:len(object)-1], " \t\r\n"))
	u.edits = append(u.edits, edit{native.Span{At: end, End: end}, "," + before + member + space + value})
}

// apply returns the file with the changes.
func (u *updater) apply() []byte {
	slices.SortFunc(u.edits, func(a, b edit) int { return cmp.Compare(a.At, b.At) })
	var out []byte
	done := 0
	for _, e := range u.edits {
		out = append(append(out, u.data[done:e.At]...), e.text...)
		done = e.End
	}
	return append(out, u.data[done:]...)
}
