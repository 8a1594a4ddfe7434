package render

import (
	"strings"

	"onward/internal/todo"
)

// Style describes what the reader's screen can show.
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
	Dim    = "2"
	Red    = "31"
	Green  = "32"
	Yellow = "33"
	// Unlike yellow, these are readable on a light ground too.
	Magenta = "35"
	Strong  = "1;35"
	cyan    = "36"
)

// Paint colours a text, where the screen can.
func (s Style) Paint(color, text string) string {
	if !s.Color || color == plain || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// symbol returns the sign of a status.
func (s Style) symbol(status todo.Status) string {
	switch status {
	case todo.InProgress:
		return s.Either("▸", "[>]")
	case todo.Completed:
		return s.Either("✓", "[x]")
	case todo.Cancelled:
		return s.Either("✗", "[-]")
	case todo.Blocked:
		return s.Either("⊘", "[!]")
	default:
		return s.Either("○", "[ ]")
	}
}

// Either returns the symbol, or its replacement if only ASCII can be shown.
func (s Style) Either(symbol, ascii string) string {
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
		return Dim
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
		return Green
	case todo.Cancelled:
		return Dim
	case todo.Blocked:
		return Red
	default:
		return plain
	}
}

// Cut shortens a text to a number of columns, with an ellipsis.
// Wide characters count as two, combining marks as none.
func (s Style) Cut(text string, limit int) string {
	if s.Width == 0 || limit <= 0 {
		return text
	}
	return cut(text, limit, s.Either("…", "..."))
}

// CutLines shortens every line of a text to the width of the screen.
func (s Style) CutLines(text string) string {
	if s.Width == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(s.Cut(strings.TrimSuffix(line, "\n"), s.Width) + "\n")
	}
	return b.String()
}
