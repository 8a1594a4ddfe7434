package render

import "onward/internal/todo"

// Style describes what the reader's screen can show.
type Style struct {
	Color bool // escape sequences for colour are understood
	ASCII bool // symbols must be ASCII
	Width int  // columns; 0 is no limit, as in a pipe
}

// Wide returns the style for so many columns.
func (s Style) Wide(width int) Style {
	s.Width = width
	return s
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

// Either returns the symbol, or its replacement if only ASCII can be shown.
func (s Style) Either(symbol, ascii string) string {
	if s.ASCII {
		return ascii
	}
	return symbol
}

// look is how a status is shown.
type look struct {
	emoji         string // in live views and in reports
	symbol, ascii string // in lists
	sign          string // the colour of the symbol
	text          string // the colour of a text in a list
	line          string // the colour of a line in a live view
	current       int    // how much an item of the status is the current one
}

// lookOf returns the look of a status. Most texts are in the terminal's own colour, which is
// readable on dark and light. What waits for its turn has a sign without one: yellow is faint on a
// light ground.
func lookOf(status todo.Status) look {
	switch status {
	case todo.InProgress:
		return look{"⏳", "▸", "[>]", cyan, bold, bold, 3}
	case todo.Completed:
		return look{"✅", "✓", "[x]", Green, Dim, Green, 0}
	case todo.Cancelled:
		return look{"❌", "✗", "[-]", Dim, Dim, Dim, 0}
	case todo.Blocked:
		return look{"⛔", "⊘", "[!]", Red, plain, Yellow, 1}
	}
	return look{"⭕", "○", "[ ]", plain, plain, plain, 2}
}

// Emoji is the sign of a status in live views and in reports, which distinguishes each without colour.
func Emoji(status todo.Status) string { return lookOf(status).emoji }

// symbol returns the sign of a status in a list.
func (s Style) symbol(status todo.Status) string {
	l := lookOf(status)
	return s.Either(l.symbol, l.ascii)
}

// Cut shortens a text to a number of columns, with an ellipsis.
// Wide characters count as two, combining marks as none.
func (s Style) Cut(text string, limit int) string {
	if s.Width == 0 || limit <= 0 {
		return text
	}
	return cut(text, limit, s.Either("…", "..."))
}
