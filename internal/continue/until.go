package continuation

import (
	"time"

	"onward/internal/todo"
)

// UntilText says until when something is waited for, by the machine's clock, as the only number: `until 03:11`. It is rounded up
// to a minute, so that the wait is over then.
func UntilText(at, now todo.Time) string {
	minute := todo.Time(time.Minute.Milliseconds())
	return "until " + ((at + minute - 1) / minute * minute).ClockText(now)
}
