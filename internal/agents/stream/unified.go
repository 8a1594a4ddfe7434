package stream

import (
	continuation "onward/internal/continue"
	"onward/internal/object"
	"onward/internal/todo"
)

// AppendJSON appends a unified event as one line without its end.
// The seven keys that every consumer knows come first; a reader that knows no others can leave the rest out.
// Member is the name of the agent in its team; if it is empty, the agent is named by its session's id.
// A sub-agent always has its own name. Now is the time of an event for which the stream has none.
func (u Update) AppendJSON(dst []byte, eventID, member string, now todo.Time) []byte {
	agentID := member
	switch {
	case u.SubAgent != "":
		agentID = u.SubAgent
	case agentID == "":
		agentID = u.Session
	}
	at := u.At
	if at == 0 {
		at = now
	}
	w := object.NewWriter(256)
	w.Open('{')
	w.String("type", unifiedType(u.Event.Type))
	w.String("eventId", eventID)
	w.String("agentId", agentID)
	w.String("agentType", string(u.Kind))
	w.Int("timestamp", int(at))
	switch u.Event.Type {
	case continuation.Todos:
		w.String("todoId", u.TodoID)
		w.Name("items")
		w.Open('[')
		for i := range u.Event.Items {
			u.writeItem(w, i)
		}
		w.Close(']')
	case continuation.TurnEnd:
		w.String("finishReason", finishReason(u.Event.Status))
		w.StringIfSet("errorClass", string(u.Event.ErrorClass))
		if until := u.Event.Reset.Instant(at.Time().Local()); until != 0 {
			w.Int("retryAt", int(until))
		}
		w.Int("toolCalls", u.Event.ToolCalls)
		if n := u.Event.DeniedToolCalls; n > 0 {
			w.Int("deniedToolCalls", n)
			w.StringsIfSet("deniedTools", u.Event.DeniedTools)
		}
		if u.Event.Repeats > 0 {
			w.String("repeatedCall", u.Event.RepeatedCall)
			w.Int("repeats", u.Event.Repeats)
		}
	case continuation.Pause:
		w.String("reason", u.Event.Reason)
	case continuation.Goal:
		w.String("goal", u.Event.Text)
		w.String("state", u.Event.State)
	}
	w.String("session", u.Session)
	w.Int("turn", u.Turn)
	w.StringIfSet("parent", u.Parent)
	w.StringsIfSet("inferred", u.Inferred)
	w.Close('}')
	return append(dst, w.Bytes()...)
}

// writeItem writes an item. If the event is whole, it includes the members besides the text and the status.
func (u *Update) writeItem(w *object.Writer, i int) {
	it := &u.Event.Items[i]
	w.Open('{')
	w.String("text", it.Content)
	w.String("status", string(it.Status))
	if u.Whole {
		w.String("position", todo.Ref{Item: i, Sub: -1}.Label())
		w.String("id", it.ID)
		w.StringIfSet("priority", string(it.Priority))
		w.StringIfSet("reason", it.Reason)
		w.StringsIfSet("after", it.BlockedBy)
		if len(it.Subtasks) > 0 {
			w.Name("subtasks")
			w.Open('[')
			for j := range it.Subtasks {
				sub := todo.TouchedAt([]todo.Item{*it}, todo.Ref{Sub: j})
				w.Open('{')
				w.String("text", sub.Content)
				w.String("status", string(sub.Status))
				w.String("position", todo.Ref{Item: i, Sub: j}.Label())
				w.String("id", sub.ID)
				w.StringIfSet("reason", it.Subtasks[j].Reason)
				w.Close('}')
			}
			w.Close(']')
		}
	}
	w.Close('}')
}

// unifiedType returns the name that consumers know the event by.
func unifiedType(t continuation.Type) string {
	switch t {
	case continuation.Todos:
		return "todo_list"
	case continuation.TurnStart:
		return "turn.started"
	case continuation.TurnEnd:
		return "turn.completed"
	case continuation.Pause:
		return "paused"
	}
	return string(t)
}

// finishReason returns a turn's end in the words that consumers know.
func finishReason(s continuation.TurnStatus) string {
	switch s {
	case continuation.Failed:
		return "error"
	case continuation.Aborted:
		return "cancelled"
	case continuation.CutOff:
		return "cut_off"
	}
	return "done"
}
