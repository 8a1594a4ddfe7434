package cli

import "onward/internal/suggest"

// SuggestNames adds a hint to an error about an unknown name: the known names that are similar, else the command that
// lists them.
func SuggestNames(err error, word string, known []string, otherwise string) error {
	names := suggest.Names(word, known)
	if len(names) > 0 {
		otherwise = "did you mean " + JoinOr(names) + "?"
	}
	return &Error{Cause: err, Next: otherwise, Word: word, Near: names}
}
