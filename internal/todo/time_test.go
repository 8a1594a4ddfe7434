package todo

import (
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	at := func(year int, month time.Month, day, hour int) Time {
		return TimeOf(time.Date(year, month, day, hour, 12, 0, 0, time.Local))
	}
	day := at(2026, 11, 26, 23)
	for want, at := range map[string]Time{
		"09:12":             at(2026, 11, 26, 9),
		"Nov 25 09:12":      at(2026, 11, 25, 9),
		"Nov 26 2025 09:12": at(2025, 11, 26, 9),
	} {
		if got := at.ClockText(day); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
