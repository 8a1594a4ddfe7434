package execute

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLongOutputIsCutByCharacters writes random bytes in pieces, and compares the captured output with that of the whole.
func TestLongOutputIsCutByCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const limit = 10
		piece := rapid.OneOf(rapid.Just("\x80"), rapid.Just("\xf0\x9f"), rapid.Just("\x98\x80"), rapid.Just("ä"), rapid.Just("😀"), rapid.StringN(0, 9, -1))
		c := newCapture(limit, func() (*os.File, error) { return nil, errors.New("no file") })
		whole := ""
		for _, p := range rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces") {
			if n, err := c.out.Write([]byte(p)); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
			whole += p
		}
		runes := []rune(whole)
		want := string(runes)
		if len(runes) > limit {
			want = fmt.Sprintf("%s\n[%d characters left out; the whole output is in file]\n%s", string(runes[:2]), len(runes)-limit, string(runes[len(runes)-8:]))
		}
		if got, _, cut := c.finish("file"); got != want || cut != (len(runes) > limit) {
			t.Fatalf("got %q\nwant %q", got, want)
		}
	})
}

func TestBinaryOutputIsCounted(t *testing.T) {
	c := newCapture(100, func() (*os.File, error) { return nil, errors.New("no file") })
	c.err.Write([]byte(strings.Repeat("\x80", 5000)))
	if _, got, _ := c.finish("file"); !strings.Contains(got, "[4900 characters left out;") {
		t.Errorf("got %q", got)
	}
}
