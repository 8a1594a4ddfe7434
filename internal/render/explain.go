package render

import (
	"fmt"
	"strings"

	continuation "onward/internal/continue"
)

// Explain shows the checks in their order, one a line. The first that matches decides;
// those behind it were not asked.
func Explain(d continuation.Decision) string {
	var b strings.Builder
	for _, c := range d.AllChecks() {
		result := "no"
		switch {
		case c.Matched:
			result = "yes: " + d.Outcome.Action()
		case !c.Asked:
			result = "-"
		}
		fmt.Fprintf(&b, "%2d  %-20s  %s\n", c.Number, c.Name, result)
	}
	return b.String()
}
