package cli

import (
	"strings"

	"onward/internal/suggest"
)

// SuggestNames adds a hint to an error about an unknown name: the known names that are similar, else the command that
// lists them.
func SuggestNames(err error, word string, known []string, otherwise string) error {
	if names := suggest.Names(word, known); len(names) > 0 {
		otherwise = "did you mean " + strings.Join(names, " or ") + "?"
	}
	return WithHint(err, otherwise)
}
