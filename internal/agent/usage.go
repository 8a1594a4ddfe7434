package agent

import (
	"math"
	"strconv"

	continuation "onward/internal/continue"
)

// maxCount is the limit from which a count of a stream is ignored.
const maxCount = 1 << 40

// count reads a count of a stream; an invalid one is 0.
func count(w word) int {
	n, err := strconv.Atoi(string(w))
	if err != nil || n < 0 || n > maxCount {
		return 0
	}
	return n
}

// micros reads an amount of US dollars, as millionths of one; an invalid one is 0.
func micros(w word) int {
	dollars, err := strconv.ParseFloat(string(w), 64)
	if err != nil || !(dollars > 0 && dollars < maxCount/1e6) {
		return 0
	}
	return int(math.Round(dollars * 1e6))
}

// usage reads counts of tokens. What a program takes from a cache is counted as read,
// under a name of its own where the program does not count it in.
func (v value) usage(output string, input ...string) (u continuation.Usage) {
	for _, name := range input {
		u.Input += count(v.word(name))
	}
	u.Output = count(v.word(output))
	return u
}

// ReportsCost reports whether an agent's stream has what its turns cost, by the agent's short name.
func ReportsCost(agent string) bool {
	return agent == ClaudeCode.Short() || agent == OpencodeCLI.Short()
}
