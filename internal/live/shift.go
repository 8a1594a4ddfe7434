package live

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"onward/internal/todo"
)

// StatusLine is the line above the list of a run: what it has cost so far, and what it does or waits for.
type StatusLine struct {
	Agent  string
	Turn   int
	Began  time.Time
	Tokens int
	Micros int       // millionths of a US dollar
	Doing  string    // in a few words
	Until  time.Time // until when it waits; zero if it does not
}

// Line returns the shift as one line of at most width columns; 0 is no limit. What the agent does is the last part to be
// left out.
func (s StatusLine) Line(now time.Time, width int) string {
	doing := s.Doing
	if left := s.Until.Sub(now); !s.Until.IsZero() && left > 0 {
		doing += ", " + todo.PassingText(left) + " left"
	}
	parts := []string{s.Agent, fmt.Sprintf("turn %d", s.Turn), todo.PassingText(max(0, now.Sub(s.Began))), "", "", doing}
	if s.Tokens > 0 {
		parts[3] = todo.Plural(s.Tokens, "token")
	}
	if s.Micros > 0 {
		parts[4] = fmt.Sprintf("$%.2f", float64(s.Micros)/1e6)
	}
	for _, least := range []int{-1, 3, 0, 2, 4} {
		if least >= 0 {
			parts[least] = ""
		}
		if line := joined(parts); width <= 0 || utf8.RuneCountInString(line) <= width {
			return line
		}
	}
	return joined(parts)
}

func joined(parts []string) string {
	var text []string
	for _, p := range parts {
		if p != "" {
			text = append(text, p)
		}
	}
	return strings.Join(text, "  ")
}
