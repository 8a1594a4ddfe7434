package continuation

import "onward/internal/todo"

// untilText says until when something is waited for, by the machine's clock: `until 03:10, 2 h 14 min left`.
func untilText(at, now todo.Time) string {
	local, today, layout := at.Time().Local(), now.Time().Local(), "15:04"
	if local.YearDay() != today.YearDay() || local.Year() != today.Year() {
		layout = "Jan 2 15:04"
	}
	text := "until " + local.Format(layout)
	if left := now.Since(at); left > 0 {
		text += ", " + todo.Passing(left) + " left"
	}
	return text
}
