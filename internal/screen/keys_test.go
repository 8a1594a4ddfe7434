package screen

import (
	"slices"
	"testing"
)

func TestKeys(t *testing.T) {
	for typed, want := range map[string][]Key{
		"q":                     {'q'},
		"\x1b":                  {Escape},
		"\x1b\x1b":              {Escape, Escape},
		"\x1bq":                 {Escape, 'q'},
		"\x1b[A\x1b[B\x1bOA":    {Up, Down, Up},
		"\x1b[5~\x1b[6~\x1b[H":  {PageUp, PageDown, Home},
		"\x1b[F\x1b[4~\x1b[1~":  {End, End, Home},
		"\x1b[15~x\x1b[1;5Cy":   {'x', 'y'}, // F5, Ctrl and an arrow
		"\x1b[1":                {},
		"\r\n\x7f\b":            {Enter, Enter, Backspace, Backspace},
		"/ü修\x01\xff!":          {'/', 'ü', '修', '!'},
		"a\xe4\xbf":             {'a'}, // the rest of the character has not arrived
		"\x1bOP\x1b[200~\x1b[Z": {},
	} {
		got := []Key{}
		for rest := []byte(typed); len(rest) > 0; {
			key, n := decode(rest)
			if n == 0 {
				break
			}
			if rest = rest[n:]; key != 0 {
				got = append(got, key)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", typed, got, want)
		}
	}
}

func FuzzKeys(f *testing.F) {
	f.Add([]byte("\x1b[A\x1b["))
	f.Fuzz(func(t *testing.T, typed []byte) {
		if len(typed) == 0 {
			return
		}
		if _, n := decode(typed); n > len(typed) || n == 0 && len(typed) > 3 {
			t.Errorf("%q: %d bytes", typed, n)
		}
	})
}
