package stream

import (
	"math"
	"strconv"

	continuation "onward/internal/continue"
)

// maxCount is the limit from which a count of a stream is ignored.
const maxCount = 1 << 40

// ParseCount reads a count of a stream; an invalid one is 0.
func ParseCount(w Word) int {
	n, err := strconv.Atoi(string(w))
	if err != nil || n < 0 || n > maxCount {
		return 0
	}
	return n
}

// ParseMicros reads an amount of US dollars, as millionths of one; an invalid one is 0.
func ParseMicros(w Word) int {
	if len(w) == 0 {
		return 0 // most turns of some agents have none, and an error costs an allocation
	}
	dollars, err := strconv.ParseFloat(string(w), 64)
	if err != nil || !(dollars > 0 && dollars < maxCount/1e6) {
		return 0
	}
	return int(math.Round(dollars * 1e6))
}

// Usage reads counts of tokens. Input has the names of all members that are added up, since some programs count the tokens
// that came from a cache under a name of their own.
func (v Value) Usage(output string, input ...string) (u continuation.Usage) {
	for _, name := range input {
		u.Input += ParseCount(v.Word(name))
	}
	u.Output = ParseCount(v.Word(output))
	return u
}
