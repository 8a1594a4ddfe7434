// Package slash reads the commands that the user types into an agent, such as /todo add 2 "write tests".
// It only parses a line; the caller runs it and answers.
package slash

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/todo"
)

// ErrSyntax marks a line that is not a command, or cannot be split into words.
var ErrSyntax = errors.New("bad line")

// Line is a line that was typed, split into the name of its command and the rest.
type Line struct {
	Name string // without its slash, in lower case
	Rest string // the text after it, as it was typed
}

// Parse reads a line. A line without a slash at its beginning is not a command.
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

// String returns the line as it would be typed.
func (l Line) String() string { return strings.TrimSpace("/" + l.Name + " " + l.Rest) }

// Words splits the text after the command, with quotes and backslashes as in a shell. Nothing is expanded.
func (l Line) Words() ([]string, error) {
	words, err := shellquote.Split(l.Rest)
	if err != nil {
		return nil, fmt.Errorf("%w: %q: a quote or a backslash has no end; an apostrophe is written \\'", ErrSyntax, l.Rest)
	}
	return words, nil
}

// Args splits the text after the command into the arguments of `onward NAME …`.
// If the last argument is a text, as in /todo add, it is the rest of the line unchanged,
// with its apostrophes and backslashes. Quotes are removed only if they enclose all of it.
func (l Line) Args() ([]string, error) {
	verb, rest := cut(l.Rest)
	switch l.Name + " " + verb {
	case "todo add", "message push":
	case "todo edit", "message edit":
		// The item or the message comes before its text.
		at, text := cut(rest)
		if at == "" || text == "" || strings.HasPrefix(at, "-") {
			return l.Words()
		}
		return append([]string{verb, at}, asTextArgument(text)...), nil
	default:
		if l.Name != "pause" {
			return l.Words()
		}
		return asTextArgument(l.Rest), nil
	}
	args := []string{verb}
	for {
		word, behind := cut(rest)
		switch {
		case word == "-", word == "" && behind == "":
			return l.Words()
		case word == "--":
			return append(args, "--", behind), nil
		case !strings.HasPrefix(word, "-"):
			if behind != "" && isPosition(word) {
				args, rest = append(args, word), behind
			}
			return append(args, asTextArgument(rest)...), nil
		}
		args, rest = append(args, word), behind
		if !strings.Contains(word, "=") && !slices.Contains([]string{"--json", "--quiet", "-q"}, word) {
			word, rest = cut(rest)
			args = append(args, word)
		}
	}
}

// cut splits the first word off a text.
func cut(text string) (word, rest string) {
	end := strings.IndexAny(text, " \t\n")
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// isPosition reports whether `add` would read a word as a position, even if it is malformed as such.
func isPosition(word string) bool {
	_, text, err := todo.SplitPosition("", []string{word, "text"}, 0)
	return err != nil || len(text) == 1
}

// asTextArgument returns a text as an argument. It puts `--` before a text that could be mistaken for a flag, and before a
// quoted one that could be mistaken for a position.
func asTextArgument(text string) []string {
	if text == "" {
		return nil
	}
	if first := text[0]; (first == '"' || first == '\'') && text[len(text)-1] == first {
		if words, err := shellquote.Split(text); err == nil && len(words) == 1 {
			text = words[0]
			if isPosition(text) {
				return []string{"--", text}
			}
		}
	}
	if strings.HasPrefix(text, "-") {
		return []string{"--", text}
	}
	return []string{text}
}

// Question returns the question to confirm a line that removes a whole list, /todo clear or /todo delete all, while items are open;
// empty for any other line.
func (l Line) Question(open int) string {
	question := l.drops()
	switch {
	case question == "" || open == 0:
		return ""
	case open == 1:
		return question + " 1 item is open."
	}
	return question + fmt.Sprintf(" %d items are open.", open)
}

// ReplacesList reports whether the list is another one after the line.
func (l Line) ReplacesList() bool { return l.drops() != "" || l.LoadsList() }

// LoadsList reports whether a line loads a list, whose items are then shown.
func (l Line) LoadsList() bool {
	verb, _ := cut(l.Rest)
	return l.Name == "todo" && verb == "load"
}

func (l Line) drops() (question string) {
	words, err := l.Words()
	if err != nil || l.Name != "todo" || len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "clear":
		return "Archive the whole list?"
	case "delete", "remove", "rm":
		if slices.Contains(words[1:], "all") {
			return "Delete all items?"
		}
	}
	return ""
}
