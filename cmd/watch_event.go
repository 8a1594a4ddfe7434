package cmd

import (
	"strconv"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/session"
)

// listEvent returns the list as a unified event with the gate's last result, one line.
func listEvent(name session.Name, doc *session.Document, member string) []byte {
	u := stream.Update{
		Whole: true, Kind: stream.Onward, Session: name.Session, SubAgent: name.Agent, TodoID: name.String(),
		Event: continuation.Event{Type: continuation.Todos},
	}
	rev := uint64(0)
	if doc != nil {
		u.Event.Items, u.At, u.Turn, rev = doc.Todos.Current(), doc.Todos.UpdatedAt, doc.Continuation.Turns, doc.Rev
		u.Kind = agents.KindOf(doc.Todos.Source)
		if doc.Owner != nil {
			u.Kind = agents.KindOf(doc.Owner.Agent)
		}
	}
	line := u.AppendJSON(nil, u.EventID(strconv.FormatUint(rev, 10)), member, u.At)
	if doc != nil && doc.Continuation.Gate != nil {
		line = append(append(line[:len(line)-1], `,"gate":`...), output.GateJSON(doc.Continuation.Gate, 0)...)
		line = append(line, '}')
	}
	return append(render.EscapeJSON(line), '\n')
}
