package schedule

import (
	"fmt"
	"slices"
	"strings"

	"onward/internal/todo"
)

// PushMessage appends a message to the queue. A blank one is dropped.
// By names the agent that queues it; empty is the user.
func PushMessage(d *Document, text, by string, now todo.Time) (Change, error) {
	text, err := checkText(text)
	switch {
	case text == "" || err != nil:
		return Change{}, err
	case len(d.Messages) >= maxMessages:
		return Change{}, fmt.Errorf("%w: %d messages wait already", ErrFull, maxMessages)
	}
	m := Message{Text: text, By: by, At: now}
	for salt := int64(0); m.ID == "" || d.message(m.ID) >= 0; salt++ {
		m.ID = todo.ShortID("m", text, int64(now), salt)
	}
	d.Messages = append(d.Messages, m)
	return Change{What: "queued a message"}, nil
}

// checkText trims the text of a message, and refuses one that is too long.
func checkText(text string) (string, error) {
	if text = strings.TrimSpace(text); len(text) > maxMessage {
		return text, fmt.Errorf("%w: the message has %d bytes, at most %d are taken", ErrFull, len(text), maxMessage)
	}
	return text, nil
}

// EditMessage replaces the text of the n-th message; a blank text removes the message.
func EditMessage(d *Document, n int, text string) (Change, error) {
	if err := d.checkMessage(n); err != nil {
		return Change{}, err
	}
	text, err := checkText(text)
	switch {
	case err != nil:
		return Change{}, err
	case text == "":
		return DropMessage(d, n)
	case text == d.Messages[n-1].Text:
		return Change{}, nil
	}
	d.Messages[n-1].Text = text
	return Change{What: fmt.Sprintf("edited message %d", n)}, nil
}

// DropMessage removes the n-th message from the queue; 0 removes all.
func DropMessage(d *Document, n int) (Change, error) {
	if n == 0 {
		if len(d.Messages) == 0 {
			return Change{}, nil
		}
		what := "dropped " + todo.Plural(len(d.Messages), "message")
		d.Messages = nil
		return Change{What: what}, nil
	}
	if err := d.checkMessage(n); err != nil {
		return Change{}, err
	}
	d.Messages = append(d.Messages[:n-1], d.Messages[n:]...)
	return Change{What: fmt.Sprintf("dropped message %d", n)}, nil
}

func (d *Document) checkMessage(n int) error {
	switch {
	case n >= 1 && n <= len(d.Messages):
		return nil
	case len(d.Messages) == 0:
		return fmt.Errorf("%w: message %d: the queue is empty", ErrNotFound, n)
	default:
		return fmt.Errorf("%w: message %d: the queue has %d", ErrNotFound, n, len(d.Messages))
	}
}

// PopMessages removes all messages from the queue and returns them, joined by empty lines. As long as a call has not ended it
// does nothing, unless despiteOpenCalls is set. Messages that were already sent to the agent are removed and not returned.
func PopMessages(d *Document, despiteOpenCalls bool, sentIDs ...string) Change {
	left := deliver(d, sentIDs)
	if len(d.Messages) == 0 || !despiteOpenCalls && d.Open() > 0 {
		return left
	}
	texts := make([]string, len(d.Messages))
	for i, m := range d.Messages {
		texts[i] = m.Text
	}
	did := Change{What: "popped " + todo.Plural(len(texts), "message"), Text: strings.Join(texts, "\n\n"), Messages: d.Messages}
	d.Messages = nil
	return did
}

// PutBackMessages puts messages back at the head of the queue that were popped but could not be printed.
func PutBackMessages(d *Document, messages []Message) Change {
	d.Messages = append(slices.Clone(messages), d.Messages...)
	return Change{What: "put back " + todo.Plural(len(messages), "message")}
}

// deliver removes messages from the queue that were sent to the agent.
func deliver(d *Document, ids []string) Change {
	before := len(d.Messages)
	d.Messages = slices.DeleteFunc(d.Messages, func(m Message) bool { return slices.Contains(ids, m.Name()) })
	if n := before - len(d.Messages); n > 0 {
		return Change{What: "sent " + todo.Plural(n, "message")}
	}
	return Change{}
}

// Name returns the id of a message, which messages of older versions do not have.
func (m *Message) Name() string {
	if m.ID != "" {
		return m.ID
	}
	return todo.ShortID("m", m.Text, int64(m.At))
}

// message returns the index of a message in the queue, or -1.
func (d *Document) message(id string) int {
	return slices.IndexFunc(d.Messages, func(m Message) bool { return m.ID == id })
}
