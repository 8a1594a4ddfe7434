package opencode

import (
	"cmp"
	"strings"

	"onward/internal/agents/stream"
)

// export reads what `opencode export` prints: one object with the messages of a session, over many lines.
// The parts of a message are those of the lines of `opencode run --format json`, under names of their own.
// A turn is what follows a user's message.
type export struct{ parser }

// partTypes are the names of the lines that `opencode run` prints for the types of parts.
var partTypes = [...]struct{ part, line string }{
	{"step-start", "step_start"},
	{"step-finish", "step_finish"},
	{"tool", "tool_use"},
	{"text", "text"},
}

func detectExport(l *stream.Line) bool { return len(l.Type) == 0 && l.Has("info", "messages") }

func (o *export) Read(l *stream.Line) error {
	id, messages := string(l.Word("info", "id")), l.Member("messages")
	if !strings.HasPrefix(id, "ses_") || messages.Kind() != '[' {
		return stream.ErrOtherAgent
	}
	o.Stop()
	o.Session = o.Open(id)
	for m := range messages.Objects() {
		o.message(m)
	}
	o.Stop() // nothing follows
	return nil
}

func (o *export) message(m stream.Value) {
	info := m.Member("info")
	at := cmp.Or(stream.ParseMillis(info.Word("time", "completed")), stream.ParseMillis(info.Word("time", "created")))
	if string(info.Word("role")) == "user" {
		o.Stop()
		o.Session.BeginTurn(at)
		return
	}
	for p := range m.Objects("parts") {
		for _, t := range partTypes {
			if t.part == string(p.Word("type")) {
				o.event(t.line, partOf(p, o.Session.ID), at)
			}
		}
	}
	if failed := info.Member("error"); failed != nil {
		o.fail(failed, at)
	}
}
