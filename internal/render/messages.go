package render

import (
	"strconv"

	"onward/internal/schedule"
	"onward/internal/session"
)

// Messages shows messages, numbered.
func Messages(messages []schedule.Message, style Style) string {
	rows := make([][]string, len(messages))
	for i, m := range messages {
		rows[i] = []string{strconv.Itoa(i + 1), Text(m.Text)}
	}
	return style.paragraphs(rows)
}

// MessagesJSON is onward/messages/v1: the queue, and what a command did with it.
func MessagesJSON(name session.Name, doc *schedule.Document, did *schedule.Change, held bool) []byte {
	w := start("onward/messages/v1", name, 1024)
	if did != nil {
		w.String("change", did.What)
		w.String("text", did.Text)
		w.Bool("held", held)
	}
	w.Name("messages")
	w.Open('[')
	if doc != nil {
		for i, m := range doc.Messages {
			w.Open('{')
			w.Int("number", i+1)
			w.String("text", m.Text)
			w.Millis("at", int64(m.At))
			w.Close('}')
		}
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}
