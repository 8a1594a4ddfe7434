// Package screen draws lines in place on a terminal: each frame replaces the previous one.
package screen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Control sequences for terminals. One that does not know a synchronised redraw leaves the two sequences out.
const (
	beginRedraw = "\x1b[?2026h\x1b[?7l" // a line that is wider than we think is cut off, and does not wrap
	endRedraw   = "\x1b[?7h\x1b[?2026l"
	hideCursor  = "\x1b[?25l"
	showCursor  = "\x1b[?25h"
	enterFull   = "\x1b[?1049h"
	leaveFull   = "\x1b[?1049l"
	clearAll    = "\x1b[2J"
	clearLine   = "\x1b[2K"
)

// painter remembers the lines on the screen, and makes the bytes that replace them by others.
// Between two drawings the cursor is at the start of the row below, so that no matter what ends the program,
// the next output is in the right place. On a screen of its own it does not matter where it is.
type painter struct {
	full   bool     // the whole screen is ours; else only the rows from where the cursor was at first
	lines  []string // on the screen
	width  int      // of the screen when they were drawn
	height int
}

// draw returns the bytes that replace what is drawn by lines, on a screen of so many columns and rows now.
// It holds the lines, and the row of the cursor below them.
func (p *painter) draw(lines []string, width, height int) string {
	resized := width != p.width || height != p.height
	if !resized && slices.Equal(p.lines, lines) {
		return "" // some terminals mark a window as active after any output
	}
	var b strings.Builder
	b.WriteString(beginRedraw)
	if p.full && resized {
		b.WriteString(clearAll)
		p.lines = nil
	}
	rows := p.rows(width, height)
	p.home(&b, rows)
	for i := range max(rows, len(lines)) {
		if i > 0 {
			b.WriteString("\r\n")
		}
		switch {
		case i >= len(lines):
			b.WriteString(clearLine)
		case resized || i >= len(p.lines) || p.lines[i] != lines[i]:
			b.WriteString(clearLine + lines[i])
		}
	}
	if !p.full && max(rows, len(lines)) > 0 {
		b.WriteString("\r\n")
		up(&b, rows-len(lines))
	}
	b.WriteString(endRedraw)
	p.lines, p.width, p.height = lines, width, height
	return b.String()
}

// home moves the cursor to the start of the first of so many rows.
func (p *painter) home(b *strings.Builder, rows int) {
	if p.full {
		b.WriteString("\x1b[H")
		return
	}
	b.WriteString("\r")
	up(b, rows)
}

func up(b *strings.Builder, rows int) {
	if rows > 0 {
		fmt.Fprintf(b, "\x1b[%dA", rows)
	}
}

// rows reports how many rows above the cursor the drawing takes now. When a screen becomes narrower,
// most terminals fold the lines that no longer fit. What has left the screen at its top is out of reach.
func (p *painter) rows(width, height int) int {
	rows := len(p.lines)
	if width < p.width {
		rows = 0
		for _, line := range p.lines {
			rows += folded(line, width)
		}
	}
	if !p.full {
		height--
	}
	return min(rows, height)
}

// folded reports how many rows a line takes. A wide sign that has only one column left goes to the next row.
func folded(line string, width int) int {
	rows, at := 1, 0
	measure := displaywidth.Options{ControlSequences: true} // those for colour have no width
	for g := measure.StringGraphemes(line); g.Next(); {
		if at += g.Width(); at > width {
			rows, at = rows+1, g.Width()
		}
	}
	return rows
}
