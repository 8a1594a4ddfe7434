package native

import (
	"slices"
	"strings"

	"onward/internal/todo"
)

// ParseStatus parses an agent's name of a status. Own is that name if it is not one of onward's; it is
// kept next to the status in the list. A name that no agent uses is not ok.
func ParseStatus(word string) (s todo.Status, own string, ok bool) {
	if s = todo.Status(word); s.Known() {
		return s, "", true
	}
	folded := strings.TrimPrefix(strings.ToLower(word), "todo_status_") // as a protocol buffer names its values
	folded = strings.ReplaceAll(strings.ReplaceAll(folded, "-", "_"), " ", "_")
	s, ok = todo.StatusWhere(func(m *todo.Meaning) bool {
		return folded == string(m.Status) || slices.Contains(m.Agents, folded) || slices.Contains(m.Aliases, folded)
	})
	if !ok {
		return "", "", false
	}
	return s, ShortenID(word), true
}
