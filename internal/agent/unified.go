package agent

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// AppendJSON appends a unified event as one line without its end.
// The seven keys that every consumer knows come first; a reader that knows no others can leave the rest out.
// Member names the agent as its team does; empty means the agent's own name, its session id.
// A sub-agent always goes by its own name. Now stands in for a time that the stream does not give.
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
	dst = append(dst, `{"type":`...)
	dst = appendString(dst, unifiedType(u.Event.Type))
	dst = appendMember(dst, "eventId", eventID)
	dst = appendMember(dst, "agentId", agentID)
	dst = appendMember(dst, "agentType", string(u.Kind))
	dst = append(dst, `,"timestamp":`...)
	dst = strconv.AppendInt(dst, int64(at), 10)
	switch u.Event.Type {
	case continuation.Todos:
		dst = appendMember(dst, "todoId", u.TodoID)
		dst = append(dst, `,"items":[`...)
		for i := range u.Event.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			it := &u.Event.Items[i]
			dst = append(dst, `{"text":`...)
			dst = appendString(dst, it.Content)
			dst = appendMember(dst, "status", string(it.Status))
			if u.Whole {
				dst = appendDetails(dst, it, i)
			}
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	case continuation.TurnEnd:
		dst = appendMember(dst, "finishReason", finishReason(u.Event.Status))
		if u.Event.ErrorClass != "" {
			dst = appendMember(dst, "errorClass", string(u.Event.ErrorClass))
		}
		dst = append(dst, `,"toolCalls":`...)
		dst = strconv.AppendInt(dst, int64(u.Event.ToolCalls), 10)
	case continuation.Pause:
		dst = appendMember(dst, "reason", u.Event.Reason)
	}
	dst = appendMember(dst, "session", u.Session)
	dst = append(dst, `,"turn":`...)
	dst = strconv.AppendInt(dst, int64(u.Turn), 10)
	if u.Parent != "" {
		dst = appendMember(dst, "parent", u.Parent)
	}
	for i, what := range u.Inferred {
		if i == 0 {
			dst = append(dst, `,"inferred":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendString(dst, what)
		if i == len(u.Inferred)-1 {
			dst = append(dst, ']')
		}
	}
	return append(dst, '}')
}

// unifiedType gives the name that consumers know the event by.
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

// finishReason gives a turn's end in the words that consumers know.
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

func appendMember(dst []byte, name, value string) []byte {
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return appendString(dst, value)
}

// appendString quotes a string; bytes that are not UTF-8 become U+FFFD, so the line is always valid.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// appendDetails appends what an item has beside its text and its status.
func appendDetails(dst []byte, it *todo.Item, index int) []byte {
	dst = appendMember(dst, "position", todo.Ref{Item: index, Sub: -1}.Label())
	dst = appendMember(dst, "id", it.ID)
	for _, m := range [][2]string{{"priority", string(it.Priority)}, {"reason", it.Reason}} {
		if m[1] != "" {
			dst = appendMember(dst, m[0], m[1])
		}
	}
	for i, id := range it.BlockedBy {
		dst = append(dst, [...]string{`,"after":[`, ","}[min(i, 1)]...)
		dst = appendString(dst, id)
	}
	if len(it.BlockedBy) > 0 {
		dst = append(dst, ']')
	}
	for j := range it.Subtasks {
		sub := todo.At([]todo.Item{*it}, todo.Ref{Sub: j})
		dst = append(dst, [...]string{`,"subtasks":[`, ","}[min(j, 1)]...)
		dst = append(dst, `{"text":`...)
		dst = appendString(dst, sub.Content)
		dst = appendMember(dst, "status", string(sub.Status))
		dst = appendMember(dst, "position", todo.Ref{Item: index, Sub: j}.Label())
		dst = appendMember(dst, "id", sub.ID)
		dst = append(dst, '}')
	}
	if len(it.Subtasks) > 0 {
		dst = append(dst, ']')
	}
	return dst
}
