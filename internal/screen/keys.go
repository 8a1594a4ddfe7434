package screen

import (
	"os"
	"strings"
	"unicode/utf8"
)

// Key is a key that was typed: a character, or one of those below.
type Key rune

// The keys other than characters.
const (
	Enter Key = -1 - iota
	Escape
	Backspace
	Up
	Down
	PageUp
	PageDown
	Home
	End
)

// Keys returns the keys that are typed on a terminal while the screen is open, or none if another process reads the terminal.
func (s *Screen) Keys(in *os.File) <-chan Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.in = in
	s.readKeys()
	keys := make(chan Key)
	if s.restore == nil {
		return keys
	}
	go func() {
		var typed []byte
		chunk := make([]byte, 256)
		for {
			n, err := in.Read(chunk)
			if err != nil || n == 0 {
				return
			}
			var key Key
			for typed = append(typed, chunk[:n]...); len(typed) > 0; {
				if key, n = decode(typed); n == 0 {
					break // the rest of a character comes with the next read
				}
				if typed = typed[n:]; key == 0 {
					continue
				}
				select {
				case keys <- key:
				case <-s.done:
					return
				}
			}
		}
	}()
	return keys
}

// sequences are the bytes after ESC that keys other than characters send.
var sequences = [...]struct {
	text string
	key  Key
}{
	{"[A", Up},
	{"OA", Up},
	{"[B", Down},
	{"OB", Down},
	{"[5~", PageUp},
	{"[6~", PageDown},
	{"[H", Home},
	{"OH", Home},
	{"[1~", Home},
	{"[F", End},
	{"OF", End},
	{"[4~", End},
}

// decode returns the first key of the input, and its length in bytes; a key of 0 is ignored.
// No bytes are those of a character that is incomplete. A terminal sends the sequence of a key at once,
// so an ESC alone is the key.
func decode(typed []byte) (Key, int) {
	switch c := typed[0]; {
	case c == '\r' || c == '\n':
		return Enter, 1
	case c == 0x7f || c == '\b':
		return Backspace, 1
	case c == 0x1b:
		return escape(typed)
	case c < ' ':
		return 0, 1
	}
	if !utf8.FullRune(typed) {
		return 0, 0
	}
	r, n := utf8.DecodeRune(typed)
	if r == utf8.RuneError {
		return 0, n
	}
	return Key(r), n
}

// escape reads a key that begins with ESC.
func escape(typed []byte) (Key, int) {
	rest := string(typed[1:])
	for _, s := range sequences {
		if strings.HasPrefix(rest, s.text) {
			return s.key, 1 + len(s.text)
		}
	}
	if rest == "" || rest[0] != '[' && rest[0] != 'O' {
		return Escape, 1
	}
	// The sequence of another key ends with a letter or a tilde.
	for i := 1; i < len(rest); i++ {
		if rest[i] >= '@' && rest[i] <= '~' {
			return 0, 2 + i
		}
	}
	return 0, len(typed)
}

// readKeys changes the mode of the terminal, which restore changes back.
func (s *Screen) readKeys() {
	if s.in != nil && s.restore == nil {
		s.restore = enterKeyMode(s.in)
	}
}

// Bell rings the terminal's bell.
func (s *Screen) Bell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.away {
		s.write("\a")
	}
}
