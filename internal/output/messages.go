package output

import (
	"strconv"

	"onward/internal/calls/schedule"
	"onward/internal/render"
	"onward/internal/session"
)

// MessagesText shows the queue, numbered; doc is nil if there is none.
func MessagesText(doc *schedule.Document, style render.Style) string {
	if doc == nil || len(doc.Messages) == 0 {
		return "no messages\n"
	}
	return style.Paragraphs(render.Map(doc.Messages, func(i int, m *schedule.Message) []string {
		text := render.Text(m.Text)
		if m.By != "" {
			text += " (" + render.Text(m.By) + ")"
		}
		return []string{strconv.Itoa(i + 1), text}
	}))
}

// MessagesJSON is onward/messages/v1: the queue, and the change that a command made.
func MessagesJSON(name session.Name, doc *schedule.Document, did *schedule.Change, held bool) any {
	out := Document("onward/messages/v1", name)
	if did != nil {
		out = append(out, "change", did.What, "text", did.Text, "held", held)
	}
	var queued []schedule.Message
	if doc != nil {
		queued = doc.Messages
	}
	return append(out, "messages", render.Map(queued, func(i int, m *schedule.Message) Members {
		return Members{"number", i + 1, "id", m.Name(), "text", m.Text, "at", m.At}.AddIfSet("by", m.By)
	}))
}
