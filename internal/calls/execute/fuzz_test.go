package execute

import (
	"errors"
	"os"
	"testing"
	"unicode/utf8"
)

// FuzzOutput looks for output of a tool that is stored with more than its maximal length, or not as valid text.
func FuzzOutput(f *testing.F) {
	f.Add([]byte("\x1b[2J\xf0\x9f\x98\x80\xf0\x9f"), 1, 10)
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaa\x80"), 7, 5)
	f.Add([]byte{}, 0, 0)
	f.Fuzz(func(t *testing.T, out []byte, piece, limit int) {
		piece, limit = max(1, piece), 5+max(0, limit)%1000
		c := newCapture(limit, func() (*os.File, error) { return nil, errors.New("no file") })
		for rest := out; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
			_, _ = c.out.Write(rest[:min(piece, len(rest))])
		}
		text, none, cut := c.finish("file")
		const note = 100 // the length of the note about omitted output, in characters
		if n := utf8.RuneCountInString(text); n > limit+note || !cut && n > limit || !utf8.ValidString(text) || none != "" {
			t.Fatalf("%d characters of at most %d: %q", n, limit, text)
		}
		if !cut && utf8.Valid(out) && text != string(out) {
			t.Fatalf("%q became %q", out, text)
		}
	})
}
