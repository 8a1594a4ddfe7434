package native

import (
	"strings"

	"onward/internal/todo"
)

// Status parses an agent's name of a status. Own is that name if it is not one of onward's; it is
// kept beside the status in the list. A name that no agent uses is not ok.
func Status(word string) (s todo.Status, own string, ok bool) {
	if s = todo.Status(word); s.Known() {
		return s, "", true
	}
	folded := strings.TrimPrefix(strings.ToLower(word), "todo_status_") // Cursor
	switch folded = strings.ReplaceAll(folded, "-", "_"); folded {
	case "todo", "open", "not_started": // many models; Gemini CLI's tracker; VS Code
		s = todo.Pending
	case "done", "closed": // Kimi CLI; Gemini CLI's tracker
		s = todo.Completed
	case "canceled":
		s = todo.Cancelled
	default:
		s = todo.Status(folded)
	}
	if !s.Known() {
		return "", "", false
	}
	return s, ID(word), true
}
