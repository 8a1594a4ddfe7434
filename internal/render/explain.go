package render

import (
	"fmt"
	"strings"

	continuation "onward/internal/continue"
)

// Explain shows the checks of a decision in their order, one a line.
func Explain(d continuation.Decision) string {
	var b strings.Builder
	for _, c := range d.Checks {
		result := "no"
		if c.Matched {
			result = "yes: " + d.Outcome.Action()
		}
		fmt.Fprintf(&b, "%2d  %-20s  %s\n", c.Number, c.Name, result)
	}
	return b.String()
}
