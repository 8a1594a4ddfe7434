package agent

import (
	"bytes"
	"cmp"
	"math"

	"onward/internal/todo"
)

// opencodeExport reads what `opencode export` prints: one object with the messages of a session, over many lines.
// The parts of a message are those of the lines of `opencode run --format json`, under names of their own.
// A turn is what follows a user's message.
type opencodeExport struct{ opencode }

// exportLine is what we need of the object.
type exportLine struct {
	id       word
	messages value
}

// exportMessage is a message with its parts.
type exportMessage struct {
	role    word
	created word
	ended   word
	failed  value
	parts   value
}

func (l *exportLine) members(m *members) {
	m.object("info", func(m *members) { m.word("id", &l.id) })
	m.value("messages", &l.messages)
}

func (e *exportMessage) members(m *members) {
	m.object("info", func(m *members) {
		m.word("role", &e.role)
		m.object("time", func(m *members) {
			m.word("created", &e.created)
			m.word("completed", &e.ended)
		})
		m.value("error", &e.failed)
	})
	m.value("parts", &e.parts)
}

// partTypes are the names of the lines that `opencode run` prints for the types of parts.
var partTypes = [...]struct{ part, line string }{
	{"step-start", "step_start"},
	{"step-finish", "step_finish"},
	{"tool", "tool_use"},
	{"text", "text"},
}

func detectOpencodeExport(h *head) bool { return len(h.typ) == 0 && h.has("info", "messages") }

func (o *opencodeExport) read(line []byte) error {
	var l exportLine
	if err := readLine(line, l.members); err != nil {
		return err
	}
	if !bytes.HasPrefix(l.id, []byte("ses_")) || len(l.messages) == 0 || l.messages[0] != '[' {
		return errForeign
	}
	o.stop()
	o.s = o.r.session(o.a, string(l.id))
	k := walker{b: l.messages}
	k.objects(math.MaxInt, func() {
		var e exportMessage
		k.members(e.members)
		o.message(&e)
	})
	o.stop() // nothing follows
	return nil
}

func (o *opencodeExport) message(e *exportMessage) {
	at := cmp.Or(millis(e.ended), millis(e.created))
	if string(e.role) == "user" {
		o.stop()
		o.s.begin(at)
		return
	}
	k := walker{b: e.parts}
	k.objects(maxBlocks, func() { o.part(&k, at) })
	if len(e.failed) > 0 {
		o.fail(e.failed, at)
	}
}

// part reads a part as the line that it was.
func (o *opencodeExport) part(k *walker, at todo.Time) {
	var typ word
	l := opencodeLine{sessionID: word(o.s.id)}
	k.members(func(m *members) {
		m.word("type", &typ)
		l.part.members(m)
	})
	for _, t := range partTypes {
		if t.part == string(typ) {
			l.typ = word(t.line)
			o.event(&l, at)
		}
	}
}
