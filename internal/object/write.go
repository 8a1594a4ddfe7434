package object

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Writer builds one JSON text. The methods with Some in their names leave out a member that is empty.
type Writer struct {
	buf    []byte
	fields Fields // of the object that is being written; objects within it share them
	millis int64  // the last time that was written: the times of an item are mostly the same
	time   []byte // how that time was written; nil before the first
}

// NewWriter starts a text for which about size bytes are needed.
func NewWriter(size int) *Writer { return &Writer{buf: make([]byte, 0, size)} }

// Bytes returns the text.
func (w *Writer) Bytes() []byte { return w.buf }

// Open begins an object or array, as a value.
func (w *Writer) Open(bracket byte) {
	w.comma()
	w.buf = append(w.buf, bracket)
}

// Close ends an object or array.
func (w *Writer) Close(bracket byte) { w.buf = append(w.buf, bracket) }

// comma separates a value from the one before it.
func (w *Writer) comma() {
	if n := len(w.buf); n > 0 {
		switch w.buf[n-1] {
		case '{', '[', ':', '\n':
		default:
			w.buf = append(w.buf, ',')
		}
	}
}

// Name begins a member; its value follows. Names are ours and need no escaping.
func (w *Writer) Name(name string) {
	w.comma()
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, '"', ':')
}

// key begins a member whose name comes from outside.
func (w *Writer) key(name string) {
	w.value(name)
	w.buf = append(w.buf, ':')
}

// value writes a string as a value. Invalid UTF-8 becomes U+FFFD, because a document with it could not be read again.
// Only texts that nobody has checked, such as the path of a folder, have any.
func (w *Writer) value(s string) {
	w.comma()
	quoted, err := jsontext.AppendQuote(w.buf, s)
	if err != nil {
		quoted, _ = jsontext.AppendQuote(w.buf, strings.ToValidUTF8(s, "\uFFFD"))
	}
	w.buf = quoted
}

// String writes a member.
func (w *Writer) String(name, s string) {
	w.Name(name)
	w.value(s)
}

// StringIfSet writes a member, unless it is empty.
func (w *Writer) StringIfSet(name, s string) {
	if s != "" {
		w.String(name, s)
	}
}

// StringsIfSet writes an array of strings, unless it is empty.
func (w *Writer) StringsIfSet(name string, list []string) {
	if len(list) == 0 {
		return
	}
	w.Name(name)
	w.Open('[')
	for _, s := range list {
		w.value(s)
	}
	w.Close(']')
}

// Uint writes a number.
func (w *Writer) Uint(name string, n uint64) {
	w.Name(name)
	w.buf = strconv.AppendUint(w.buf, n, 10)
}

// Int writes a number.
func (w *Writer) Int(name string, n int) {
	w.Name(name)
	w.buf = strconv.AppendInt(w.buf, int64(n), 10)
}

// Bool writes true or false.
func (w *Writer) Bool(name string, b bool) {
	w.Name(name)
	w.buf = strconv.AppendBool(w.buf, b)
}

// AppendMillis appends a time in the one form of every file and output, 2006-01-02T15:04:05.000Z.
// A long list has tens of thousands of times, and the time package is fast only for the layouts that it defines.
func AppendMillis(b []byte, ms int64) []byte {
	at := time.UnixMilli(ms).UTC()
	b = at.AppendFormat(b, time.RFC3339)
	thousandths := at.Nanosecond() / int(time.Millisecond)
	return append(b[:len(b)-len("Z")], '.', byte('0'+thousandths/100), byte('0'+thousandths/10%10), byte('0'+thousandths%10), 'Z')
}

// TimeMillis writes milliseconds since the Unix epoch as an RFC 3339 time in UTC with three decimals.
func (w *Writer) TimeMillis(name string, ms int64) {
	w.Name(name)
	if w.time == nil || ms != w.millis {
		w.millis, w.time = ms, AppendMillis(w.time[:0], ms)
	}
	w.buf = append(append(append(w.buf, '"'), w.time...), '"')
}

// unknown writes the members that a reader did not know.
func (w *Writer) unknown(members jsontext.Value) {
	if len(members) > 2 {
		w.comma()
		w.buf = append(w.buf, members[1:len(members)-1]...)
	}
}

// Raw writes a value that is JSON already.
func (w *Writer) Raw(value []byte) {
	w.comma()
	w.buf = append(w.buf, value...)
}

// EndLine ends a line of a text that has one value a line.
func (w *Writer) EndLine() { w.buf = append(w.buf, '\n') }
