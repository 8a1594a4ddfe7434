package continuation

import (
	"fmt"
	"time"

	"onward/internal/todo"
)

// untilText says until when something is waited for, by the machine's clock: `until 03:10, 2 h 14 min left`.
func untilText(at, now todo.Time) string {
	local, today, layout := at.Time().Local(), now.Time().Local(), "15:04"
	if local.YearDay() != today.YearDay() || local.Year() != today.Year() {
		layout = "Jan 2 15:04"
	}
	text := "until " + local.Format(layout)
	left := now.Since(at)
	days, hours, minutes := int(left.Hours())/24, int(left.Hours())%24, int(left.Minutes())%60
	switch {
	case left <= 0:
		return text
	case left < time.Minute:
		return fmt.Sprintf("%s, %d s left", text, int(left.Seconds()))
	case left < time.Hour:
		return fmt.Sprintf("%s, %d min left", text, minutes)
	case days == 0:
		return fmt.Sprintf("%s, %d h %d min left", text, hours, minutes)
	}
	return fmt.Sprintf("%s, %d d %d h left", text, days, hours)
}
