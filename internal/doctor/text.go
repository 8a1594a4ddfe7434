package doctor

import (
	"onward/internal/render"
)

// Text shows each finding in a line, with what the user can do below it.
func Text(findings []Finding, style render.Style) string {
	var rows [][]string
	for i, f := range findings {
		hint := ""
		if f.Hint != "" {
			hint = "\nhint: " + render.Text(f.Hint)
		}
		if i > 0 && (Finding{Name: f.Name, State: f.State, Detail: f.Detail, Hint: findings[i-1].Hint}) == findings[i-1] {
			rows[len(rows)-1][2] += hint // one finding with a second thing to do
			continue
		}
		sign, color := style.Symbol("✓", "ok"), render.Green
		switch f.State {
		case Note:
			sign, color = style.Symbol("•", "--"), render.Magenta
		case Bad:
			sign, color = style.Symbol("✗", "!!"), render.Red
		}
		rows = append(rows, []string{style.Paint(color, sign), f.Name, render.Text(f.Detail) + hint})
	}
	return style.Paragraphs(rows)
}
