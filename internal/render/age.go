package render

import (
	"strconv"
	"time"

	"onward/internal/todo"
)

// Age formats an age in words.
func Age(at todo.Time, now time.Time) string {
	n, unit := age(at, now)
	if n == 0 {
		return "just now"
	}
	return todo.Plural(n, unit) + " ago"
}

// ShortAge formats an age for a column of four: `now`, `5m`, `12mo`.
func ShortAge(at todo.Time, now time.Time) string {
	n, unit := age(at, now)
	switch {
	case n == 0:
		return "now"
	case unit == "month":
		return strconv.Itoa(n) + "mo"
	}
	return strconv.Itoa(n) + unit[:1]
}

// age returns an age in its largest unit. A month is the twelfth part of a year of 365 days.
func age(at todo.Time, now time.Time) (n int, unit string) {
	const hour, day = time.Hour, 24 * time.Hour
	d := now.Sub(at.Time())
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{365 * day, "year"}, {730 * hour, "month"}, {day, "day"}, {hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / unit.length); n > 0 {
			return n, unit.name
		}
	}
	return 0, ""
}
