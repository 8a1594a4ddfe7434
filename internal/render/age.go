package render

import (
	"time"

	"onward/internal/todo"
)

// Age says how long ago something was, as people say it. A month is the twelfth part of a year of 365 days.
func Age(at todo.Time, now time.Time) string {
	const hour, day = time.Hour, 24 * time.Hour
	d := now.Sub(at.Time())
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{365 * day, "year"}, {730 * hour, "month"}, {day, "day"}, {hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / unit.length); n > 0 {
			return todo.Plural(n, unit.name) + " ago"
		}
	}
	return "just now"
}
