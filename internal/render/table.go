package render

import "strings"

// table lays out rows in columns for a person: left-aligned, two spaces between, no lines, nothing behind the last cell.
//
// It is our own because package init of tablewriter, which compiles three regular expressions in every version,
// and of what it needs costs every hook and every turn of a loop a twelfth of its time.
func table(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-columns(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// tableLines gives the lines of a table, and the columns of the widest.
func tableLines(rows [][]string) (lines []string, width int) {
	if len(rows) == 0 {
		return nil, 0
	}
	lines = strings.Split(strings.TrimSuffix(table(rows), "\n"), "\n")
	for _, l := range lines {
		width = max(width, columns(l))
	}
	return lines, width
}

// layOut puts a text beside each row of a table, or where the screen is too narrow for it, below:
// there each of the texts has a line.
func (s Style) layOut(rows [][]string, rests []string) string {
	const least = 24 // columns for what stands beside
	lines, width := tableLines(rows)
	room := s.Width - width - 2
	var b strings.Builder
	for i, l := range lines {
		switch {
		case rests[i] == "":
			b.WriteString(s.cut(l, s.Width) + "\n")
		case s.Width == 0 || room >= least:
			b.WriteString(l + strings.Repeat(" ", width-columns(l)) + "  " + s.cut(rests[i], room) + "\n")
		default:
			b.WriteString(s.cut(l, s.Width) + "\n")
			s.below(&b, s.cut(rests[i], s.Width-belowIndent))
		}
	}
	return b.String()
}

const belowIndent = 6

// below writes a line that belongs to the row above it.
func (s Style) below(b *strings.Builder, line string) {
	b.WriteString(strings.Repeat(" ", belowIndent) + s.paint(dim, line) + "\n")
}

// fit cuts the texts of one column so that the table is no wider than the screen.
func (s Style) fit(rows [][]string, column int) {
	_, width := tableLines(rows)
	widest := 0
	for _, r := range rows {
		widest = max(widest, columns(r[column]))
	}
	const least = 12
	if room := max(s.Width-(width-widest), least); s.Width > 0 && room < widest {
		for _, r := range rows {
			r[column] = s.cut(r[column], room)
		}
	}
}
