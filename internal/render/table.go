package render

import "strings"

// table lays out rows in columns for a person: left-aligned, two spaces between, no lines, nothing behind the last cell.
//
// It is our own because package init of tablewriter, which compiles three regular expressions in every version,
// and of what it needs costs every hook and every turn of a loop a twelfth of its time.
func table(header []string, rows [][]string) string {
	if header != nil {
		rows = append([][]string{header}, rows...)
	}
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
