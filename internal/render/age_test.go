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
		short  string
	}{
		{-time.Hour, "just now", "now"}, // the clock was set back
		{0, "just now", "now"},
		{59 * time.Second, "just now", "now"},
		{time.Minute, "1 minute ago", "1m"},
		{59*time.Minute + 59*time.Second, "59 minutes ago", "59m"},
		{time.Hour, "1 hour ago", "1h"},
		{day - time.Second, "23 hours ago", "23h"},
		{day, "1 day ago", "1d"},
		{2 * day, "2 days ago", "2d"},
		{30 * day, "30 days ago", "30d"},
		{31 * day, "1 month ago", "1mo"},
		{61 * day, "2 months ago", "2mo"},
		{92 * day, "3 months ago", "3mo"},
		{365*day - time.Second, "11 months ago", "11mo"},
		{365 * day, "1 year ago", "1y"},
		{729 * day, "1 year ago", "1y"},
		{730 * day, "2 years ago", "2y"},
		{20 * 365 * day, "20 years ago", "20y"},
	} {
		at := todo.TimeOf(now.Add(-c.before))
		if got, short := Age(at, now), ShortAge(at, now); got != c.want || short != c.short {
			t.Errorf("%v before: %q and %q, not %q and %q", c.before, got, short, c.want, c.short)
		}
	}
}
