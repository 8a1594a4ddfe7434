package continuation

import "onward/internal/todo"

// untilText says until when something is waited for, by the machine's clock: `until 03:10, 2 h 14 min left`.
func untilText(at, now todo.Time) string {
	text := "until " + at.Clock(now)
	if left := now.Since(at); left > 0 {
		text += ", " + todo.Passing(left) + " left"
	}
	return text
}
