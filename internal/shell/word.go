package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Word is a word of a command, as far as it is the same whenever the command runs.
type Word struct {
	Text    string // without quotes and backslashes: all of it, or how it begins
	Known   bool   // Text is all of it
	Several bool   // it may become several words, or none
}

// word reads a word up to where it depends on something.
func word(parts []syntax.WordPart) Word {
	if len(parts) == 1 {
		// Alone, these are no patterns.
		if lit, ok := parts[0].(*syntax.Lit); ok && (lit.Value == "[" || lit.Value == "{}") {
			return Word{Text: lit.Value, Known: true}
		}
	}
	w := Word{Known: true}
	if namesFile(parts) {
		w.open(true)
	}
	w.read(parts, false)
	return w
}

// namesFile reports zsh's name for the file of a program: =rm is /bin/rm there, however the name is quoted.
func namesFile(parts []syntax.WordPart) bool {
	if len(parts) == 0 {
		return false
	}
	lit, ok := parts[0].(*syntax.Lit)
	return ok && strings.HasPrefix(lit.Value, "=") && !strings.HasPrefix(lit.Value, "==") && (len(lit.Value) > 1 || len(parts) > 1)
}

func (w *Word) read(parts []syntax.WordPart, quoted bool) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			w.literal(part.Value, quoted)
		case *syntax.SglQuoted:
			if part.Dollar {
				w.open(false)
			}
			w.add(part.Value)
		case *syntax.DblQuoted:
			if part.Dollar {
				w.open(false)
			}
			w.read(part.Parts, true)
		case *syntax.ParamExp:
			w.open(!quoted || part.Exp != nil || part.Param == nil || part.Param.Value == "@")
		default:
			w.open(!quoted)
		}
	}
}

// literal adds text from which a shell removes the backslashes.
func (w *Word) literal(s string, quoted bool) {
	if !quoted {
		// A dollar sign that is left over is a quote of another shell, such as $'…'.
		if at := strings.IndexAny(s, "*?[{~$"); at >= 0 {
			w.add(unescaped(s[:at], false))
			w.open(true)
		}
	}
	w.add(unescaped(s, quoted))
}

func (w *Word) add(s string) {
	if w.Known {
		w.Text += s
	}
}

// open notes that from here on the word is not known.
func (w *Word) open(several bool) {
	w.Known = false
	w.Several = w.Several || several
}

// unescaped removes the backslashes that the shell removes.
func unescaped(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		next := s[i+1]
		switch {
		case next == '\n':
			i++
		case quoted && !strings.ContainsRune("$`\"\\", rune(next)):
			b.WriteByte('\\')
		default:
			b.WriteByte(next)
			i++
		}
	}
	return b.String()
}
