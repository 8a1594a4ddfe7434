package render

import (
	"fmt"

	continuation "onward/internal/continue"
)

// Explain shows the checks in their order, one a line. The first that matches decides;
// those behind it were not asked.
func Explain(d continuation.Decision, style Style) string {
	var rows [][]string
	for _, c := range d.AllChecks() {
		result := "no"
		switch {
		case c.Matched:
			result = "yes: " + d.Outcome.Action()
		case !c.Asked:
			result = "-"
		}
		rows = append(rows, []string{fmt.Sprintf("%2d", c.Number), c.Name, result})
	}
	return style.table(rows, 3)
}
