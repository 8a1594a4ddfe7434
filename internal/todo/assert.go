package todo

import "slices"

// statusesNamed reads statuses as users enter them.
func statusesNamed(words []string) (statuses []Status, err error) {
	for _, word := range words {
		s, err := StatusNamed(word)
		if err != nil {
			return nil, err
		}
		statuses = append(statuses, s)
	}
	return statuses, nil
}

// ParseAssertion returns the statuses that no item of a finished list may have. The user names those that count as open,
// by default all open statuses, and those that are allowed anyway.
func ParseAssertion(open, allowed []string) ([]Status, error) {
	statuses, err := statusesNamed(open)
	if err != nil {
		return nil, err
	}
	if len(open) == 0 {
		statuses = openStatuses()
	}
	may, err := statusesNamed(allowed)
	return slices.DeleteFunc(statuses, func(s Status) bool { return slices.Contains(may, s) }), err
}
