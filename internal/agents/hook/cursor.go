package hook

import (
	"cmp"

	continuation "onward/internal/continue"
)

// readCursor reads an event of Cursor. A stop can be the user's interrupt or an error:
// only the status distinguishes them, and neither may be continued.
func readCursor(p payload) Call {
	c := readNamed(p)
	c.Session, c.Again = p.Text("conversation_id", "session_id"), p.Text("loop_count")
	if roots := p.List("workspace_roots"); len(roots) > 0 {
		c.Dir = cmp.Or(roots[0].Text(), c.Dir)
	}
	if c.Kind == Stop || c.Kind == SubagentStop {
		switch p.Text("status") {
		case "aborted":
			c.Events = append(c.Events, continuation.Event{Type: continuation.Abort})
		case "error":
			c.Events = append(c.Events, because(continuation.Event{Type: continuation.Error}, "", p.Text("error_message", "error")))
		}
	}
	return c
}

// writeCursor answers Cursor, which knows no decisions at a stop: it is given the next message.
func writeCursor(_ Call, a Answer) Reply {
	switch {
	case a.Refused != "":
		return Reply{Stdout: `{"continue":false,` + line("", pair{"user_message", a.Refused})[1:]}
	case a.Prompt != "":
		return Reply{Stdout: line("", pair{"followup_message", a.Prompt})}
	case a.Context != "":
		return Reply{Stdout: line("", pair{"additional_context", a.Context})}
	}
	return Reply{}
}
