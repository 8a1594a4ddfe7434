package output

import (
	continuation "onward/internal/continue"
	"onward/internal/render"
)

// ChecksText shows the checks in their order, one a line. The first that matches decides;
// later checks did not run.
func ChecksText(d continuation.Decision, style render.Style) string {
	return style.Table(render.Map(d.CheckTrace(), func(_ int, c *continuation.CheckResult) []string {
		result := "no"
		switch {
		case c.Matched:
			result = "yes: " + d.Outcome.Action()
		case !c.Asked:
			result = "-"
		}
		return []string{c.Name, result}
	}), 2)
}
