package native

import (
	"strings"

	"onward/internal/todo"
)

// Status reads an agent's word for a status. Own is the word where it is not ours; it stands beside the status in the list.
// A word that no agent has is not ok.
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
