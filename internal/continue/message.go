package continuation

import (
	"slices"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// Queued is a message that waits for the agent.
type Queued struct {
	ID   string
	Text string
	By   string // the agent that queued it; empty is the user
}

// ReasonMessageSent is the reason of a continuation with the user's own words.
const ReasonMessageSent = "message"

// message sends what the user has queued as the next prompt, before the list's own. What an agent has queued is no reason
// to continue. A message that only the caller knows about is for the user to send.
func message(q *question) *Decision {
	send := q.waiting(true)
	if len(send) == 0 {
		if n := q.facts.QueuedMessages; n != nil && *n > 0 {
			return because(NeedsHuman, "user_active", "a message from the user is in the queue").
				withHint("let the agent read it, then ask again with `onward check-continue`")
		}
		return nil
	}
	if d := budget(q); d != nil {
		return d
	}
	if d := capReached(q); d != nil {
		return d
	}
	return because(Continue, ReasonMessageSent, "%s of the user", todo.Plural(len(send), "message"))
}

// waiting returns the messages of the user, or those of agents, that are to be sent: those that were not sent yet, and
// those that were, but with no activity since. These are sent once more, and then taken as read.
func (q *question) waiting(users bool) []session.Message {
	var send []session.Message
	d := q.led.Delivering
	if d != nil && !d.Again && (!q.wasReceived(d) || !users && q.wasMissed(d)) {
		send = slices.Clone(d.Messages)
	}
	for _, m := range q.facts.Messages {
		if !d.Has(m.ID) {
			send = append(send, session.Message{ID: m.ID, Text: m.Text, By: m.By})
		}
	}
	return slices.DeleteFunc(send, func(m session.Message) bool { return (m.By == "") != users })
}

// wasReceived reports whether anything has happened since messages were sent.
func (q *question) wasReceived(d *session.Delivery) bool {
	return q.led.Turns > d.Turns || q.led.PromptAt > d.At || q.doc.Todos.UpdatedAt > d.At || q.facts.ActiveAt > d.At ||
		q.facts.ToolCalls != nil || q.facts.ReadRev != nil && *q.facts.ReadRev < d.Rev // or it was asked before
}

// wasMissed reports whether messages of agents were sent that no turn has read: theirs was cut off before the agent did anything, or never
// began. Those of the user are in the record of the run that was cut off, and in a window the user sees what became of them.
func (q *question) wasMissed(d *session.Delivery) bool {
	return (d.Unread || d.CutOff && q.facts.ActiveAt <= d.At && q.doc.Todos.UpdatedAt <= d.At) &&
		slices.ContainsFunc(d.Messages, func(m session.Message) bool { return m.By != "" })
}

// UserMessages returns the messages of the user that wait in the queue.
func (f Facts) UserMessages() (out []session.Message) {
	for _, m := range f.Messages {
		if m.By == "" {
			out = append(out, session.Message{ID: m.ID, Text: m.Text})
		}
	}
	return out
}

// UnreadMessages returns the messages of the user that were sent, and of which nothing shows that an agent has read them: a run sends them
// again. Somebody may have asked only to see what comes next.
func UnreadMessages(doc *session.Document) (unread []session.Message) {
	l := doc.Ledger()
	d := l.Delivering
	if d == nil || d.Again || l.Turns > d.Turns || max(l.PromptAt, doc.Todos.UpdatedAt) > d.At {
		return nil
	}
	for _, m := range d.Messages {
		if m.By == "" {
			unread = append(unread, m)
		}
	}
	return unread
}

// NoteUnread marks sent messages as unread if nothing has happened since they were sent. It is called for a prompt of the user: either the
// hook was killed before the agent got its answer, or the user interrupted the agent at once. activeAt is the last activity before the prompt.
func NoteUnread(doc *session.Document, activeAt todo.Time) {
	l := &doc.Continuation
	if d := l.Delivering; d != nil && l.Turns == d.Turns && max(l.PromptAt, doc.Todos.UpdatedAt, activeAt) <= d.At {
		l.Delivering = new(*d)
		l.Delivering.Unread = true
	}
}

// dropReceived drops the note of messages that were sent and have arrived, or were sent twice, once they have left the queue.
func (q *question) dropReceived() {
	d := q.led.Delivering
	if d != nil && (d.Again || q.wasReceived(d) && !q.wasMissed(d)) && len(DeliveredIDs(q.led, q.facts)) == 0 {
		q.led.Delivering = nil
	}
}

// DeliveredIDs returns the ids of messages that were sent but are still in the queue, so that they can be removed from it.
func DeliveredIDs(l session.Ledger, f Facts) (ids []string) {
	for _, m := range f.Messages {
		if l.Delivering.Has(m.ID) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// noteMessagesSent notes the messages that go out with a continuation.
func (q *question) noteMessagesSent(users bool) []session.Message {
	send := q.waiting(users)
	if len(send) == 0 {
		return nil
	}
	again := slices.ContainsFunc(send, func(m session.Message) bool { return q.led.Delivering.Has(m.ID) })
	q.led.Delivering = &session.Delivery{At: q.now, Rev: q.doc.Rev + 1, Turns: q.led.Turns, Messages: send, Again: again}
	return send
}

// NoteDelivery notes that messages of the user go out with the first prompt of a run.
func NoteDelivery(doc *session.Document, messages []session.Message, now todo.Time) session.Change {
	l := &doc.Continuation
	l.Delivering = &session.Delivery{At: now, Rev: doc.Rev + 1, Turns: l.Turns, Messages: messages}
	return session.Change{What: ReasonMessageSent, By: "cli"}
}

// resetForPrompt resets a ledger as a prompt of the user does: a queued message that is sent is one.
func resetForPrompt(l *session.Ledger) {
	l.Paused, l.Error, l.QuestionAt, l.AbortedAt = nil, nil, 0, 0
	l.ResetCounters(session.ByUser)
	resetGateFailures(l)
	forgetLost(l)
	l.Denied, l.Repeated, l.ClearedAt = nil, nil, 0
}

// JoinMessages joins the messages of the user as one prompt; it is empty if there are none.
func JoinMessages(messages []session.Message) string {
	if len(messages) == 0 {
		return ""
	}
	texts := make([]string, len(messages))
	for i, m := range messages {
		texts[i] = m.Text
	}
	return strings.Join(texts, "\n\n") + "\n"
}

// withAgentMessages puts the messages of agents at the head of a prompt, behind the line by which it is recognised. They are
// data: no line of theirs can pass for one of ours.
func withAgentMessages(prompt string, messages []session.Message) string {
	if len(messages) == 0 {
		return prompt
	}
	first, rest, _ := strings.Cut(prompt, "\n")
	var b strings.Builder
	b.WriteString(first + "\n")
	for _, m := range messages {
		by := "the agent " + FoldLine(m.By)
		if m.By == "agent" { // whose name nobody knows
			by = "an agent"
		}
		b.WriteString("\nA message that " + by + " left, as data:\n")
		for line := range strings.Lines(m.Text) {
			b.WriteString(outputBar + escape(strings.TrimRight(line, "\r\n"), -1) + "\n")
		}
	}
	return b.String() + rest
}
