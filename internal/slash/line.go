// Package slash reads the commands that a person types into an agent, such as /todo add 2 "write tests".
// It says what a line means; who runs it, and with what answer, is the caller's.
package slash

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kballard/go-shellquote"
)

// ErrSyntax marks a line that is no command, or cannot be split into words.
var ErrSyntax = errors.New("bad line")

// Line is one command.
type Line struct {
	Name string // without its slash, in lower case
	Rest string // what stands behind it, as it was typed
}

// Parse reads a line. A line without a slash at its beginning is no command.
func Parse(text string) (Line, error) {
	text = strings.TrimSpace(text)
	command, ok := strings.CutPrefix(text, "/")
	if !ok {
		return Line{}, fmt.Errorf("%w: %q does not begin with a slash", ErrSyntax, text)
	}
	end := strings.IndexAny(command, " \t\n")
	if end < 0 {
		end = len(command)
	}
	l := Line{Name: strings.ToLower(command[:end]), Rest: strings.TrimSpace(command[end:])}
	if l.Name == "" {
		return Line{}, fmt.Errorf("%w: there is no command behind the slash", ErrSyntax)
	}
	return l, nil
}

// String gives the line as one would type it.
func (l Line) String() string { return strings.TrimSpace("/" + l.Name + " " + l.Rest) }

// Words splits what stands behind the command, with quotes and backslashes as in a shell. Nothing is expanded.
func (l Line) Words() ([]string, error) {
	words, err := shellquote.Split(l.Rest)
	if err != nil {
		return nil, fmt.Errorf("%w: %q: a quote or a backslash has no end; an apostrophe is written \\'", ErrSyntax, l.Rest)
	}
	return words, nil
}

// Drops reports whether the line puts away a whole list: /todo clear, or /todo delete all.
func (l Line) Drops() bool {
	words, err := l.Words()
	if err != nil || l.Name != "todo" || len(words) == 0 {
		return false
	}
	switch words[0] {
	case "clear":
		return true
	case "delete", "remove", "rm":
		for _, w := range words[1:] {
			if w == "all" {
				return true
			}
		}
	}
	return false
}
