package todo

import "slices"

// Assertion says which items of a finished list may not be there: those with a status that counts as open.
type Assertion struct{ open []Status }

// ParseAssertion reads the statuses that count as open, by default those of an open item, and those that do not.
func ParseAssertion(open, allowed []string) (Assertion, error) {
	a := Assertion{openStatuses()}
	if len(open) > 0 {
		a.open = nil
	}
	for _, word := range open {
		s, err := StatusNamed(word)
		if err != nil {
			return a, err
		}
		a.open = append(a.open, s)
	}
	for _, word := range allowed {
		s, err := StatusNamed(word)
		if err != nil {
			return a, err
		}
		a.open = slices.DeleteFunc(a.open, func(o Status) bool { return o == s })
	}
	return a, nil
}

// Find returns the places that are open.
func (a Assertion) Find(items []Item) []Ref { return Select(items, a.open) }
