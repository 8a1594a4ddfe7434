package stream

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// whole joins the lines of an object that is printed over several lines, from the given one on.
// It returns nil if the lines are not such an object. They are then counted and left out, except for a line that is an
// object of its own.
//
// A recording of an agent may be one such object. Any other one is joined only if that was asked for:
// a single brace is much more often a piece of some program's output.
func (r *Reader) whole(first []byte) []byte {
	at := bytes.LastIndexByte(first, '{')
	r.logged(first[:at])
	r.sum.Lines++
	j := joined{r: r, piece: append(bytes.Clone(first[at:]), '\n'), printed: true}
	object := j.object()
	if object == nil {
		r.skip(&Skipped{NotJSON: 1 + j.lines, TooLong: j.tooLong})
	}
	return object
}

// joinCutObject joins the beginning of an object with its rest, which is on the following lines: a logger that takes the pieces of
// its input for lines writes them so. It returns nil if the line is not such a beginning, or if no rest follows.
func (r *Reader) joinCutObject(line []byte) []byte {
	d := jsontext.NewDecoder(bytes.NewReader(line), lax()...)
	if _, err := d.ReadValue(); !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	cut, _ := new(indexer).index(line)
	typ, piece := cut.Word("type"), bytes.TrimRight(r.lines.line, "\r\n")
	j := joined{r: r, piece: append(bytes.Clone(line), piece[len(bytes.TrimRight(piece, " \t")):]...)}
	object := j.object()
	if object == nil {
		r.skip(&Skipped{NotJSON: j.lines, TooLong: j.tooLong})
		if now := r.now; now != nil && len(typ) > 0 && now.agent().knows(typ) {
			r.sum.Cut++
			now.stream().Warn("line %d is cut, and no line that follows has its rest: what it said is lost", r.sum.Lines-j.lines)
		}
	}
	return object
}

// lax returns the options for a line. Lone surrogates are accepted, since programs truncate strings mid-character;
// so are duplicate names, since nothing compares them.
func lax() []jsontext.Options {
	return []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
}

// joined reads an object that is spread over lines, and reads no further than its end.
type joined struct {
	r       *Reader
	read    [][]byte
	piece   []byte // what is left of the line that is being read
	printed bool   // a printer broke the lines, so that a string ends on the line on which it begins
	lines   int    // after the first one
	blank   bool   // the last one is blank, and not counted
	tooLong int
	size    int
}

// errNoneOfIt says that a line does not belong to the object that is being read.
var errNoneOfIt = errors.New("none of the object's lines")

// object reads the object. Nil means that the lines are not an object; the line that shows so is put back.
func (j *joined) object() []byte {
	j.size = len(j.piece)
	d := jsontext.NewDecoder(j, lax()...)
	err := d.SkipValue()
	if err == nil {
		if isTrailing(d.UnreadBuffer()) && isTrailing(j.piece) {
			return j.r.lines.whole(j.read, j.size)[:d.InputOffset()]
		}
		err = errNotJSON
	}
	if !errors.Is(err, errNoneOfIt) && !errors.Is(err, io.ErrUnexpectedEOF) && j.lines > 0 && !j.blank {
		j.r.lines.unread()
		j.r.sum.Lines--
		j.lines--
	}
	return nil
}

func (j *joined) Read(b []byte) (int, error) {
	for len(j.piece) == 0 {
		if err := j.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, j.piece)
	j.piece, j.read = j.piece[n:], copyPart(j.read, b[:n])
	return n, nil
}

// next goes to the next line.
func (j *joined) next() error {
	r := j.r
	line, tooLong, err := r.lines.read(j.size)
	switch {
	case err != nil:
		return io.ErrUnexpectedEOF
	case tooLong:
		r.sum.Lines++
		j.tooLong = 1
		return errNoneOfIt
	case len(trim(line)) == 0:
		j.blank = true
		return nil
	}
	j.blank = false
	text := line
	if r.opt.Lenient {
		text = unprefixed(line, r.prefix)
	}
	switch whole := trim(text); {
	case len(whole) > 2 && text[0] == '{' && jsontext.Value(whole).IsValid(lax()...), // a complete object
		!j.printed && string(whole) == "{", // the first line of another one
		j.lines == 0 && !r.opt.Lenient && !beginsChat(whole):
		r.lines.unread()
		return errNoneOfIt
	}
	j.lines++
	j.size += len(line)
	r.sum.Lines++
	if j.piece = text; !j.printed {
		j.piece = bytes.TrimRight(text, "\r\n")
	}
	return nil
}

// beginsChat reports whether a line is the first member of a chat recording, which a program may have sorted,
// or of an exported session.
func beginsChat(text []byte) bool {
	for _, name := range [...]string{`"sessionId":`, `"projectHash":`, `"kind":`, `"lastUpdated":`, `"messages":`, `"startTime":`, `"info":`} {
		if bytes.HasPrefix(text, []byte(name)) {
			return true
		}
	}
	return false
}

// isTrailing reports whether an object is followed only by the comma of a list of objects, or by the escape sequence that
// ends a colour.
func isTrailing(rest []byte) bool {
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case isSpace(c) || c == ',':
		case c == '\x1b' && i+1 < len(rest) && rest[i+1] == '[':
			for i += 2; i < len(rest) && (rest[i] < '@' || rest[i] > '~'); i++ {
			}
		default:
			return false
		}
	}
	return true
}

// objectInLog returns the object in a line that a logger wrote: after "[time] [LEVEL] ", before what ends a colour.
// A cut object is repaired. It returns nil if there is none; a returned object may be invalid.
// Rest is what follows if the line has several objects: one after the other, or in an array.
func (r *Reader) objectInLog(line []byte) (object, rest []byte) {
	start := objectIn(line)
	if start < 0 {
		return nil, nil
	}
	r.logged(line[:start])
	line = line[start:]
	k := walker{b: line}
	if k.skip(); k.bad {
		return r.joinCutObject(line), nil
	}
	if next := objectIn(line[k.i:]); next >= 0 && isTrailing(line[k.i:k.i+next]) {
		return line[:k.i], line[k.i+next:]
	}
	return line[:bytes.LastIndexByte(line, '}')+1], nil
}

// objectIn finds the opening brace of an object, which the first member must follow. It returns its index, or -1.
func objectIn(line []byte) int {
	for start, c := range line {
		if k := (walker{b: line, i: start + 1}); c == '{' && k.peek() == '"' {
			return start
		}
	}
	return -1
}

// logged records the prefix of a logger's lines.
func (r *Reader) logged(prefix []byte) {
	if r.opt.Lenient && len(prefix) > 0 {
		r.prefix = append(r.prefix[:0], prefix...)
	}
}

// unprefixed removes the prefix of a logger from a line: the same as that of an earlier line, except for its numbers.
func unprefixed(line, prefix []byte) []byte {
	i := 0
	for k := 0; k < len(prefix); {
		if digits, same := leadingDigits(prefix[k:]), leadingDigits(line[i:]); digits > 0 && same > 0 {
			k, i = k+digits, i+same
			continue
		}
		if i == len(line) || line[i] != prefix[k] {
			return line
		}
		k, i = k+1, i+1
	}
	return line[i:]
}

func leadingDigits(text []byte) int { return len(text) - len(bytes.TrimLeft(text, "0123456789")) }
