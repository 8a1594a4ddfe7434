package render

import "onward/internal/todo"

// Style describes what the reader's screen can show.
type Style struct {
	Color bool // escape sequences for colour are understood
	ASCII bool // symbols must be ASCII
	Width int  // columns; 0 is no limit, as in a pipe
}

// WithWidth returns the style for a number of columns.
func (s Style) WithWidth(width int) Style {
	s.Width = width
	return s
}

// The few colours in use, by what they mean. All are of the terminal's own sixteen,
// so that they follow its theme, dark or light.
const (
	plain = ""
	bold  = "1"
	Dim   = "2"
	Red   = "31"
	Green = "32"
	// What waits for its user is magenta: unlike yellow, it is readable on a light ground too.
	Magenta = "35"
	Strong  = "1;35"
	cyan    = "36"
)

// Paint colours a text if the screen has colours.
func (s Style) Paint(color, text string) string {
	if !s.Color || color == plain || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// Symbol returns the symbol, or its replacement if only ASCII can be shown.
func (s Style) Symbol(symbol, ascii string) string {
	if s.ASCII {
		return ascii
	}
	return symbol
}

// look is the colours of a tone.
type look struct {
	sign string // of the sign, if it is ASCII
	text string // of a text in a list
	line string // of a line in a live view
}

// looks are the colours of statuses, by tone. Most texts are in the terminal's own colour, which is
// readable on dark and light. What waits for its turn has a sign without one.
var looks = [todo.Tones]look{
	todo.Idle:   {plain, plain, plain},
	todo.Active: {cyan, bold, bold},
	todo.Good:   {Green, Dim, Green},
	todo.Off:    {Dim, Dim, Dim},
	todo.Bad:    {Red, plain, Magenta},
}

func lookOf(status todo.Status) look { return looks[status.Meaning().Tone] }

// sign is that of a status, the same in every view.
func (s Style) sign(status todo.Status) string {
	m := status.Meaning()
	return s.Symbol(m.Sign, m.Text)
}

// Cut shortens a text to a number of columns, with an ellipsis.
// Wide characters count as two, combining marks as none.
func (s Style) Cut(text string, limit int) string {
	if s.Width == 0 || limit <= 0 {
		return text
	}
	return cut(text, limit, s.Symbol("…", "..."))
}
