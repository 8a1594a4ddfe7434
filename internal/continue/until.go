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
	if left := now.Since(at); left > 0 {
		text += ", " + SpanText(left) + " left"
	}
	return text
}

// SpanText writes a span of time in its two largest units: `2 h 14 min`.
func SpanText(d time.Duration) string {
	days, hours, minutes := int(d.Hours())/24, int(d.Hours())%24, int(d.Minutes())%60
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", minutes)
	case days == 0:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	}
	return fmt.Sprintf("%d d %d h", days, hours)
}
