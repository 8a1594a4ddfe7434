package render

import (
	"testing"
	"time"

	"onward/internal/todo"
)

func TestAge(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		before time.Duration
		want   string
	}{
		{-time.Hour, "just now"}, // the clock was set back since
		{0, "just now"},
		{59 * time.Second, "just now"},
		{time.Minute, "1 minute ago"},
		{59*time.Minute + 59*time.Second, "59 minutes ago"},
		{time.Hour, "1 hour ago"},
		{day - time.Second, "23 hours ago"},
		{day, "1 day ago"},
		{2 * day, "2 days ago"},
		{30 * day, "30 days ago"},
		{31 * day, "1 month ago"},
		{61 * day, "2 months ago"},
		{92 * day, "3 months ago"},
		{365*day - time.Second, "11 months ago"},
		{365 * day, "1 year ago"},
		{729 * day, "1 year ago"},
		{730 * day, "2 years ago"},
		{20 * 365 * day, "20 years ago"},
	} {
		if got := Age(todo.TimeOf(now.Add(-c.before)), now); got != c.want {
			t.Errorf("%v before: %q, not %q", c.before, got, c.want)
		}
	}
}
