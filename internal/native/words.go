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

// TextMembers are the members of an item that can hold its text, the one that counts first.
// Where an item has a description beside another text, it is the longer one, which no agent lists.
var TextMembers = [...]string{"content", "text", "subject", "title", "step", "description"}
