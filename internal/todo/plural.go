package todo

import "strconv"

// Plural returns a number with its noun: `1 item`, `2 items`.
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
