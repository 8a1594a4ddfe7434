package todo

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	const day = 24 * time.Hour
	for d, want := range map[time.Duration]string{
		0:                                 "0 ms",
		time.Second - 1:                   "999 ms",
		time.Second:                       "1 s",
		1290 * time.Millisecond:           "1.2 s",
		time.Minute - 1:                   "59.9 s",
		time.Minute:                       "1 min",
		99 * time.Second:                  "1 min 39 s",
		time.Hour - 1:                     "59 min 59 s",
		8 * time.Hour:                     "8 h",
		8*time.Hour + 59*time.Second:      "8 h",
		134 * time.Minute:                 "2 h 14 min",
		day - time.Minute:                 "23 h 59 min",
		day:                               "24 h",
		2*day - time.Minute:               "47 h 59 min",
		2 * day:                           "2 d",
		3*day + 2*time.Hour + time.Minute: "3 d 2 h",
		3*day + 59*time.Minute:            "3 d",
		400 * day:                         "400 d",
	} {
		if got := SpanText(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}

func TestPassing(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                       "0 s",
		1290 * time.Millisecond: "1 s",
		99 * time.Second:        "1 min",
		134*time.Minute + 59e9:  "2 h 14 min",
	} {
		if got := PassingText(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
