package agent

import (
	"cmp"
	"strings"
)

// opencodeExport reads what `opencode export` prints: one object with the messages of a session, over many lines.
// The parts of a message are those of the lines of `opencode run --format json`, under names of their own.
// A turn is what follows a user's message.
type opencodeExport struct{ opencode }

// partTypes are the names of the lines that `opencode run` prints for the types of parts.
var partTypes = [...]struct{ part, line string }{
	{"step-start", "step_start"},
	{"step-finish", "step_finish"},
	{"tool", "tool_use"},
	{"text", "text"},
}

func detectOpencodeExport(l *line) bool { return len(l.typ) == 0 && l.has("info", "messages") }

func (o *opencodeExport) read(l *line) error {
	id, messages := string(l.word("info", "id")), l.member("messages")
	if !strings.HasPrefix(id, "ses_") || messages.kind() != '[' {
		return errForeign
	}
	o.stop()
	o.s = o.r.session(o.a, id)
	for m := range messages.objects() {
		o.message(m)
	}
	o.stop() // nothing follows
	return nil
}

func (o *opencodeExport) message(m value) {
	info := m.member("info")
	at := cmp.Or(millis(info.word("time", "completed")), millis(info.word("time", "created")))
	if string(info.word("role")) == "user" {
		o.stop()
		o.s.begin(at)
		return
	}
	for p := range m.objects("parts") {
		for _, t := range partTypes {
			if t.part == string(p.word("type")) {
				o.event(t.line, partOf(p, o.s.id), at)
			}
		}
	}
	if failed := info.member("error"); failed != nil {
		o.fail(failed, at)
	}
}
