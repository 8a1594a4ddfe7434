// Command picture makes an SVG of a terminal's screen,
// which it reads as text with the escape sequences of colours.
//
//	tmux capture-pane -e -p | go run ./docs/picture > docs/picture.svg
package main

import (
	"fmt"
	"html"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// The size of one column and one line, and the room around them.
const (
	column = 8.4
	line   = 20
	margin = 16
)

func main() {
	if err := draw(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// span is text of one look.
type span struct {
	text string
	look look
	at   int // the column where it begins
}

// look is how text is shown until a sequence changes it; a line begins as the one before it ended.
type look struct {
	bold, dim, struck bool
	fill              string // a colour; empty is the picture's own
}

// attributes returns the look as those of an SVG element.
func (l look) attributes() string {
	var b strings.Builder
	if l.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if l.dim {
		b.WriteString(` opacity="0.6"`)
	}
	if l.struck {
		b.WriteString(` text-decoration="line-through"`)
	}
	if l.fill != "" {
		fmt.Fprintf(&b, ` fill="%s"`, l.fill)
	}
	return b.String()
}

func draw(in io.Reader, out io.Writer) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	var rows [][]span
	wide := 0
	var now look
	for text := range strings.Lines(strings.TrimRight(string(data), "\n")) {
		row, width := spans(strings.TrimRight(text, "\n"), &now)
		rows = append(rows, row)
		wide = max(wide, width)
	}
	var w strings.Builder
	width, height := float64(wide)*column+2*margin, len(rows)*line+2*margin
	fmt.Fprintf(&w, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\" height=\"%d\">\n", width, height, width, height)
	fmt.Fprintf(&w, "<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#1c2128\"/>\n")
	fmt.Fprintf(&w, "<g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\" fill=\"#cdd9e5\">\n")
	for i, row := range rows {
		for _, s := range row {
			if strings.TrimSpace(s.text) == "" {
				continue
			}
			// Browsers keep runs of spaces only if the element itself has the attribute; that of
			// its group has no effect.
			fmt.Fprintf(&w, "<text xml:space=\"preserve\" x=\"%.1f\" y=\"%d\"%s>%s</text>\n", margin+float64(s.at)*column, margin+line*i+15, s.look.attributes(), html.EscapeString(s.text))
		}
	}
	fmt.Fprintf(&w, "</g>\n</svg>\n")
	_, err = io.WriteString(out, w.String())
	return err
}

// spans splits a line of the screen at its escape sequences, and returns its width.
func spans(text string, now *look) (row []span, width int) {
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			codes, after, found := strings.Cut(rest, "m")
			if !found {
				break
			}
			now.apply(codes)
			text = after
			continue
		}
		end := strings.Index(text, "\x1b")
		if end < 0 {
			end = len(text)
		}
		row = append(row, span{text[:end], *now, width})
		width += displaywidth.String(text[:end])
		text = text[end:]
	}
	return row, width
}

// apply reads a sequence of SGR codes: the sixteen colours, bold, dim and struck out.
func (l *look) apply(codes string) {
	for code := range strings.SplitSeq(codes, ";") {
		n, _ := strconv.Atoi(code)
		switch {
		case n == 0:
			*l = look{}
		case n == 1:
			l.bold = true
		case n == 2:
			l.dim = true
		case n == 9:
			l.struck = true
		case n == 22:
			l.bold, l.dim = false, false
		case n == 39:
			l.fill = ""
		case n >= 30 && n <= 37:
			l.fill = palette()[n-30]
		case n >= 90 && n <= 97:
			l.fill = palette()[n-90]
		}
	}
}

// palette returns the colours from black to white, readable on the picture's ground.
func palette() []string {
	return []string{"#768390", "#f47067", "#57ab5a", "#c69026", "#539bf5", "#b083f0", "#39c5cf", "#cdd9e5"}
}
