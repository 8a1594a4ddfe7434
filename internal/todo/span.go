package todo

import (
	"fmt"
	"strconv"
	"time"
)

// SpanText writes a span of time in its two largest units, without one that is zero: `2 h 14 min`, `8 h`, `1.2 s`.
func SpanText(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	if d < time.Minute {
		return strconv.FormatFloat(d.Truncate(time.Second/10).Seconds(), 'f', -1, 64) + " s"
	}
	units := []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}}
	for d < units[0].length || units[0].name == "d" && d < 48*time.Hour { // 36 h is plainer than 1 d 12 h
		units = units[1:]
	}
	text := fmt.Sprintf("%d %s", d/units[0].length, units[0].name)
	if rest := d % units[0].length / units[1].length; rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, units[1].name)
	}
	return text
}

// PassingText writes a span that passes while it is shown: without the seconds of one that is a minute long.
func PassingText(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return SpanText(d.Truncate(time.Minute))
}
