package report

import (
	"strconv"
	"time"

	"onward/internal/todo"
)

// scale places times between the left and the right end of a picture.
type scale struct {
	from, to todo.Time
	zone     *time.Location
}

// scaleOf is the scale of a session, which is at least a tenth of a second long.
func scaleOf(s *Session, zone *time.Location) scale {
	return scale{s.From, max(s.To, s.From+100), zone}
}

// share returns the position of a time on the scale, from 0 to 1.
func (s scale) share(at todo.Time) float64 {
	return float64(min(max(at, s.from), s.to)-s.from) / float64(s.to-s.from)
}

// percent is a length in a picture, in percent of its width.
func percent(share float64) markup {
	return markup(strconv.FormatFloat(100*share, 'f', 2, 64) + "%")
}

func (s scale) x(at todo.Time) markup { return percent(s.share(at)) }

// clock is a time of the day; with the date if the session lasted more than a day, and with milliseconds if it was short.
func (s scale) clock(at todo.Time) string {
	layout := "15:04:05"
	if s.days() {
		layout = "Jan 2 15:04:05"
	} else if s.to-s.from < 10_000 {
		layout = "15:04:05.000"
	}
	return at.Time().In(s.zone).Format(layout)
}

// days reports whether the times are on more than one day.
func (s scale) days() bool {
	return s.from.Time().In(s.zone).Format(time.DateOnly) != s.to.Time().In(s.zone).Format(time.DateOnly)
}

// tick is a mark of the axis.
type tick struct {
	at    todo.Time
	label string
}

// maxTicks is how many labels fit next to each other on the screen of a phone.
const maxTicks = 5

// ticks are the marks of the axis, at round times of the day.
func (s scale) ticks() []tick {
	const minute, hour, day = 60_000, 3_600_000, 86_400_000
	steps := []todo.Time{
		20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
		hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 30 * day,
	}
	for len(steps) > 1 && (s.to-s.from)/steps[0] >= maxTicks {
		steps = steps[1:]
	}
	step := steps[0]
	for (s.to-s.from)/step >= maxTicks {
		step *= 2
	}
	_, east := s.from.Time().In(s.zone).Zone()
	offset := todo.Time(east) * 1000
	var out []tick
	for at := (s.from+offset+step-1)/step*step - offset; at <= s.to; at += step {
		t := at.Time().In(s.zone)
		layout := "15:04"
		switch {
		case step < 1000:
			layout = "05.00s"
		case step < minute:
			layout = "15:04:05"
		case step >= day || s.days() && t.Hour() == 0 && t.Minute() == 0:
			layout = "Jan 2"
		}
		out = append(out, tick{at, t.Format(layout)})
	}
	return out
}
