package exchange

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// The indentation from which a line belongs to an item, counted from its bullet. Renderers ask for more
// below a numbered item, but two spaces are commonly written.
const nested = 2

// mdReader reads a check list. If a file has a check box, every check box is an item, and the rest
// is prose or text of an item; if it has none, every bullet is one.
type mdReader struct {
	data   []byte
	boxes  bool
	legend bool        // the file says what its boxes mean
	dash   todo.Status // what [-] means
	list   List
	open   []*entry // the last item, and its last subtask, if more lines may belong to them
	depth  int      // the indentation of the item's subtasks
	gap    bool     // a blank line came before
}

// entry is an item or subtask whose text is being read.
type entry struct {
	item   *todo.Item
	sub    *todo.Subtask // nil for an item
	indent int
	at     int // offset of its text in the file
	status todo.Status
	sign   native.Span // between the brackets of its box
	text   []byte      // without the last line
	last   []byte      // as in the file, since its end may be a note
	lastAt int         // where that is in the file
	broken bool
	over   bool // the text is longer than any that is kept
}

func readMarkdown(s Source, data []byte) (List, error) {
	said := legendStatus(data)
	r := mdReader{data: data, boxes: hasBox(data), legend: said != "", dash: cmp.Or(s.Dash, said, s.dashByName(), todo.Cancelled)}
	r.list.Dash = r.dash
	for line := range mdLines(data) {
		if err := r.line(line); err != nil {
			return List{}, err
		}
	}
	err := r.close(0)
	return r.list, err
}

func (r *mdReader) line(l mdLine) error {
	if l.fenced {
		if e := r.owner(l.indent, !r.gap); e != nil {
			e.add("\n", l.dedented(e.indent+nested), -1)
		}
		return nil
	}
	if len(l.text) == 0 {
		r.gap = true
		return nil
	}
	b, isBullet := parseBullet(l.text)
	var err error
	strange := ""
	if isBullet && !b.box {
		strange = strangeBox(l.text[b.width:])
	}
	switch {
	case isBullet && b.box && r.legend && b.names(l.text):
		err = r.close(0)
	case isBullet && (b.box || !r.boxes):
		err = r.begin(l, b)
	case strange != "":
		// As prose, the item would be lost without a word.
		err = fmt.Errorf("%w: unknown box %s (one of [ ], [x], [~], [/], [-], [!])", todo.ErrData, strange)
		err = errorAt(r.data, l.at+b.width, err)
	case isBullet:
		// A bullet without a box below an item is a part of its text; elsewhere it is prose.
		if e := r.owner(l.indent, false); e != nil {
			e.add("\n", l.text, l.at)
			e.broken = l.broken
		} else {
			r.list.Boxless++
			err = r.close(0)
		}
	default:
		err = r.paragraph(l)
	}
	r.gap = false
	return err
}

// owner returns the entry that a line belongs to by its indentation; directly below an entry's text
// it belongs to that, however it is indented.
func (r *mdReader) owner(indent int, directly bool) *entry {
	for _, e := range slices.Backward(r.open) {
		if directly || indent >= e.indent+nested {
			return e
		}
	}
	return nil
}

// begin opens an item, or a subtask if it is indented below one.
func (r *mdReader) begin(l mdLine, b bullet) error {
	e := &entry{indent: l.indent, at: l.at + b.width, status: b.status, last: l.text[b.width:], lastAt: l.at + b.width, broken: l.broken}
	if b.box {
		open, closed := bytes.IndexByte(l.text, '['), bytes.IndexByte(l.text, ']')
		e.sign = native.Span{At: l.at + open + 1, End: l.at + closed, Word: true}
		if string(l.text[open+1:closed]) == "-" {
			e.status = r.dash
			r.list.Dashed++
		}
	}
	level := 0
	if len(r.open) > 0 && l.indent >= r.open[0].indent+nested {
		level = 1
	}
	if err := r.close(level); err != nil {
		return err
	}
	if level == 0 {
		if err := full(len(r.list.Items), "items"); err != nil {
			return errorAt(r.data, e.at, err)
		}
		r.list.Items = append(r.list.Items, todo.Item{})
		r.list.places = append(r.list.places, place{})
		e.item = &r.list.Items[len(r.list.Items)-1]
		r.open = append(r.open, e)
		return nil
	}
	e.item = r.open[0].item
	subs := e.item.Subtasks
	if err := full(len(subs), fmt.Sprintf("subtasks of item %d", len(r.list.Items))); err != nil {
		return errorAt(r.data, e.at, err)
	}
	if len(subs) == 0 || l.indent < r.depth {
		r.depth = l.indent
	}
	if l.indent >= r.depth+nested {
		r.list.Flattened++
	}
	e.item.Subtasks = append(subs, todo.Subtask{})
	r.list.places[len(r.list.places)-1].parts = append(r.list.places[len(r.list.places)-1].parts, mark{})
	e.sub = &e.item.Subtasks[len(subs)]
	r.open = append(r.open, e)
	return nil
}

// paragraph is text that continues, begins a new paragraph of an item, or ends the list.
func (r *mdReader) paragraph(l mdLine) error {
	e := r.owner(l.indent, false)
	if e == nil && !r.gap && !endsParagraph(l.text) {
		e = r.owner(l.indent, true)
	}
	switch {
	case e == nil:
		return r.close(0)
	case r.gap:
		e.add("\n\n", l.text, l.at)
	default:
		e.add(" ", l.text, l.at)
	}
	e.broken = l.broken
	return nil
}

// endsParagraph reports the lines that are never a part of the paragraph above: a heading, a quotation, a rule.
func endsParagraph(s []byte) bool {
	hashes := len(s) - len(bytes.TrimLeft(s, "#"))
	return hashes > 0 && hashes <= 6 && (hashes == len(s) || s[hashes] == ' ') ||
		s[0] == '>' || s[0] == '|' || isRule(s)
}

// add appends a line to the text; between is the separator, unless the line before was broken.
func (e *entry) add(between string, line []byte, at int) {
	if before, ok := bytes.CutSuffix(e.last, []byte(`\`)); ok && between == " " {
		e.last, between = before, "\n"
	}
	if e.broken && between == " " {
		between = "\n"
	}
	e.broken = false
	e.decode(e.last)
	if !e.over {
		e.text = append(e.text, between...)
	}
	e.last, e.lastAt = line, at
}

// decode appends a line to the text. A text that is over the limit in any case is not kept;
// a reference is at most ten bytes for one.
func (e *entry) decode(line []byte) {
	if e.over = e.over || len(line) > 10*todo.MaxText || len(e.text) > 2*todo.MaxText; !e.over {
		e.text = appendDecoded(e.text, line)
	}
}

// finish returns the text and the note at its end.
func (e *entry) finish() (string, note, mark, error) {
	last, n, noted := cutNote(e.last, e.sub != nil)
	m := mark{Place: &native.Place{At: e.at}}
	if e.sign != (native.Span{}) {
		m.Says = []native.Span{e.sign}
	}
	if n.status != "" && e.lastAt >= 0 {
		m.note = &statusNote{Span: native.Span{At: e.lastAt + len(last), End: e.lastAt + len(bytes.TrimRight(e.last, " \t"))}}
		if n.priority != "" {
			var b strings.Builder
			writeNote(&b, note{priority: n.priority})
			if m.note.keep = b.String(); len(last) == 0 {
				m.note.keep = m.note.keep[1:] // the note has a line of its own
			}
		}
	}
	if !noted || e.status == todo.Completed && n.status.Open() {
		// A ticked box takes precedence over the words of the note.
		n.status, n.reason = e.status, ""
	} else if n.status == "" {
		n.status = e.status
	}
	if e.decode(last); e.over {
		return "", n, m, fmt.Errorf("%w: the text has more than %d bytes", todo.ErrLimit, todo.MaxText)
	}
	text, err := checkText(string(e.text))
	return text, n, m, err
}

// close ends the entries from a level on, items being the first one.
func (r *mdReader) close(level int) error {
	for len(r.open) > level {
		e := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		text, n, m, err := e.finish()
		at := &r.list.places[len(r.list.places)-1]
		if err == nil && n.reason != "" {
			_, err = checkText(n.reason)
		}
		switch {
		case err != nil:
			return r.errorIn(e, err)
		case e.sub != nil:
			e.sub.Content, e.sub.Status, e.sub.Reason = text, n.status, n.reason
			at.parts[len(at.parts)-1] = m
		default:
			e.item.Content, e.item.Status, e.item.Priority, e.item.Reason = text, n.status, n.priority, n.reason
			at.mark = m
		}
	}
	return nil
}

// errorIn makes an error at the text of an entry. Behind a box at the end of its line, that is where the text would be.
func (r *mdReader) errorIn(e *entry, err error) error {
	at := errorAt(r.data, e.at, err)
	if e.at > 0 && r.data[e.at-1] == ']' {
		at.Column++
	}
	return at
}
