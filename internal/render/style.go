package render

import (
	"strings"

	"onward/internal/todo"
)

// Style says what the reader's screen can do.
type Style struct {
	Color bool // escape sequences for colour are understood
	ASCII bool // symbols must be ASCII
	Width int  // columns; 0 is no limit, as in a pipe
}

// The few colours in use, by what they mean. All are of the terminal's own sixteen,
// so that they follow its theme, dark or light.
const (
	plain  = ""
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// paint colours a text, where the screen can.
func (s Style) paint(color, text string) string {
	if !s.Color || color == plain || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// symbol returns the sign of a status.
func (s Style) symbol(status todo.Status) string {
	switch status {
	case todo.InProgress:
		return s.either("▸", "[>]")
	case todo.Completed:
		return s.either("✓", "[x]")
	case todo.Cancelled:
		return s.either("✗", "[-]")
	case todo.Blocked:
		return s.either("⊘", "[!]")
	default:
		return s.either("○", "[ ]")
	}
}

func (s Style) either(symbol, ascii string) string {
	if s.ASCII {
		return ascii
	}
	return symbol
}

// textColor leaves most texts in the terminal's own colour, which is readable on dark and light.
func textColor(status todo.Status) string {
	switch status {
	case todo.InProgress:
		return bold
	case todo.Completed, todo.Cancelled:
		return dim
	default:
		return plain
	}
}

// statusColor is the colour of a status's sign. What waits for its turn has none: yellow is faint on a light ground.
func statusColor(status todo.Status) string {
	switch status {
	case todo.InProgress:
		return cyan
	case todo.Completed:
		return green
	case todo.Cancelled:
		return dim
	case todo.Blocked:
		return red
	default:
		return plain
	}
}

// cut shortens a text to a number of columns, with an ellipsis.
// Wide characters count as two, combining marks as none.
func (s Style) cut(text string, limit int) string {
	if s.Width == 0 || limit <= 0 {
		return text
	}
	return cut(text, limit, s.either("…", "..."))
}

// CutLines shortens every line of a text to the width of the screen.
func (s Style) CutLines(text string) string {
	if s.Width == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(s.cut(strings.TrimSuffix(line, "\n"), s.Width) + "\n")
	}
	return b.String()
}
