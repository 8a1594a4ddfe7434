package render

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
)

const (
	leastText  = 24 // columns that a text next to other cells needs
	belowAt    = 6  // columns that a text below its row is indented by
	belowLines = 3  // lines that a text below its row, or an item, may take
)

// aligned lays out rows in columns: left-aligned, each followed by two spaces,
// without borders. Each row is a line.
func aligned(rows [][]string) []string {
	// The width of a cell must not depend on the locale, as that of a line does not.
	runewidth.DefaultCondition.EastAsianWidth = false
	var b strings.Builder
	t := tablewriter.NewWriter(&b)
	t.SetBorder(false)
	t.SetHeaderLine(false)
	t.SetColumnSeparator("")
	t.SetNoWhiteSpace(true)
	t.SetTablePadding("  ")
	t.SetAlignment(tablewriter.ALIGN_LEFT)
	t.SetAutoWrapText(false)
	t.AppendBulk(filled(rows))
	t.Render()
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// filled leaves out the columns that are empty in every row.
func filled(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for column := range rows[0] {
		used := func(row []string) bool { return row[column] != "" }
		if slices.ContainsFunc(rows, used) {
			for i, row := range rows {
				out[i] = append(out[i], row[column])
			}
		}
	}
	return out
}

// trimmed is aligned without the blanks at the end of each line.
func trimmed(rows [][]string) []string {
	lines := aligned(rows)
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// widest returns the columns of the widest line.
func widest(lines []string) int {
	width := 0
	for _, line := range lines {
		width = max(width, columns(line))
	}
	return width
}

// split separates the first n cells of each row from the others.
func split(rows [][]string, n int) (first, others [][]string) {
	for _, row := range rows {
		first = append(first, row[:n:n])
		others = append(others, row[n:])
	}
	return first, others
}

// HasRoom reports whether there is room for a text after the first n cells of rows.
func (s Style) HasRoom(rows [][]string, n int) bool {
	heads, _ := split(rows, n)
	return s.Width == 0 || s.Width-widest(aligned(heads)) >= leastText
}

// Table shows rows of equally many cells. The first ones, so many, always stay
// in columns. The others follow in the same row where the screen is wide
// enough, if need be with the last of them shortened. Otherwise they are below.
func (s Style) Table(rows [][]string, first int) string {
	if len(rows) == 0 {
		return ""
	}
	short, last := split(rows, len(rows[0])-1)
	if room := s.Width - widest(aligned(short)); s.Width > 0 && room >= leastText {
		rows = short
		for i := range rows {
			rows[i] = append(rows[i], s.Cut(last[i][0], room))
		}
	}
	return s.whole(rows, first)
}

// Lines shows rows of equally many cells, each on one line, cut to the width. The selected
// row is reversed over the whole width.
func (s Style) Lines(rows [][]string, selected int) []string {
	lines := trimmed(rows)
	for i, line := range lines {
		line = s.Cut(line, s.Width)
		if i == selected && s.Color {
			line = s.Paint("7", line+strings.Repeat(" ", max(s.Width-columns(line), 0)))
		}
		lines[i] = line
	}
	return lines
}

// whole is Table, with no cell shortened except by the width of the screen.
func (s Style) whole(rows [][]string, first int) string {
	if all := trimmed(rows); s.Width == 0 || widest(all) <= s.Width {
		return strings.Join(all, "\n") + "\n"
	}
	heads, texts := split(rows, first)
	var b strings.Builder
	for i, line := range trimmed(heads) {
		b.WriteString(s.Cut(line, s.Width) + "\n")
		s.writeBelow(&b, texts[i])
	}
	return b.String()
}

// TableWithHeader shows rows below the names of their columns, with no cell shortened except by the width of the screen.
// Names that would be below their row are left out.
func (s Style) TableWithHeader(names []string, rows [][]string, first int) string {
	all := slices.Insert(slices.Clone(rows), 0, names)
	if s.Width > 0 && widest(trimmed(all)) > s.Width {
		all[0] = append(names[:first:first], make([]string, len(names)-first)...)
	}
	return s.whole(all, first)
}

// FoldColumn returns rows for a table that is wider than the screen: the texts of one column go on in further
// rows, if that leaves them the room of a text. Otherwise it returns the rows as they are.
func (s Style) FoldColumn(rows [][]string, column int) [][]string {
	if s.Width == 0 || len(rows) == 0 || widest(trimmed(rows)) <= s.Width {
		return rows
	}
	others := Map(rows, func(_ int, row *[]string) []string { return slices.Delete(slices.Clone(*row), column, column+1) })
	room := s.Width - widest(aligned(others)) - 2
	if room < leastText {
		return rows
	}
	var out [][]string
	for _, row := range rows {
		for i, text := range Wrap(row[column], room) {
			if i > 0 {
				row = make([]string, len(row))
			}
			next := slices.Clone(row)
			next[column] = text
			out = append(out, next)
		}
	}
	return out
}

// writeBelow writes the texts of the row above, as many on each line as fit.
func (s Style) writeBelow(b *strings.Builder, texts []string) {
	room := max(s.Width-belowAt, 1)
	line := ""
	for i, text := range texts {
		if line == "" {
			line = text
		} else if text != "" {
			line += "  " + text
		}
		if i+1 < len(texts) && columns(line+"  "+texts[i+1]) <= room {
			continue
		}
		for _, l := range s.folded(line, room) {
			if l != "" {
				b.WriteString(strings.Repeat(" ", belowAt) + s.Paint(Dim, l) + "\n")
			}
		}
		line = ""
	}
}

// folded breaks a text into as many lines as one in a table may take, if the screen has a width.
func (s Style) folded(text string, room int) []string {
	if s.Width == 0 {
		return []string{text}
	}
	lines := Wrap(text, room)
	if len(lines) > belowLines {
		rest := strings.Join(lines[belowLines-1:], " ")
		lines = append(lines[:belowLines-1], s.Cut(rest, room))
	}
	return lines
}

// Paragraphs shows rows whose last cell is a text, shown whole: it is wrapped
// within its column, or below its row on a screen too narrow for that. Each
// line of the text is a paragraph.
func (s Style) Paragraphs(rows [][]string) string {
	if len(rows) == 0 {
		return ""
	}
	heads, texts := split(rows, len(rows[0])-1)
	lines := aligned(heads)
	at := widest(lines)
	var b strings.Builder
	for i, head := range lines {
		for text := range strings.SplitSeq(texts[i][0], "\n") {
			s.WriteHanging(&b, head, at, text)
			head = strings.Repeat(" ", at)
		}
	}
	return b.String()
}
