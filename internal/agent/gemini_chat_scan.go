package agent

import (
	"github.com/go-json-experiment/json"
)

// skim leaves out warnings. A message with calls is read, since calls are told from each other by ids that may have been there before.
func (c *geminiChat) skim(line []byte) bool {
	typ, _ := quickType(line)
	return string(typ) == "warning"
}

// scan reads a line as the decoder does. It reports false where only the decoder can tell.
func (l *chatLine) scan(line []byte) bool {
	k := walker{b: line}
	k.members(func(name string) {
		switch name {
		case "sessionId":
			l.Session = k.readWord()
		case "projectHash":
			l.ProjectHash = k.readWord()
		case "kind":
			l.Kind = k.readWord()
		case "$rewindTo":
			l.RewindTo = k.readWord()
		case "$set":
			l.Set = k.value()
		case "uuid":
			l.UUID = k.readWord()
		case "messages":
			// The whole conversation, of which there is one in a file.
			v := k.value()
			k.bad = k.bad || json.Unmarshal(v, &l.Messages) != nil
		default:
			l.member(name, &k)
		}
	})
	return k.done()
}

// member reads one member of a message.
func (m *chatMessage) member(name string, k *walker) {
	switch name {
	case "id":
		m.ID = k.readWord()
	case "type":
		m.Type = k.readWord()
	case "timestamp":
		m.Timestamp = k.readWord()
	case "content":
		m.Content.scan(k)
	case "toolCalls":
		m.ToolCalls.scan(k)
	default:
		k.skip()
	}
}

func (c *chatCalled) scan(k *walker) {
	*c = nil
	if !k.enter('[') {
		k.skip()
		return
	}
	for k.element() {
		if k.peek() != '{' {
			k.skip()
			continue
		}
		var call chatCall
		k.members(func(name string) {
			switch name {
			case "id":
				call.ID = k.readWord()
			case "name":
				call.Name = k.readWord()
			case "args":
				call.Args = k.value()
			case "status":
				call.Status = k.readWord()
			case "result":
				call.Result = k.value()
			case "resultDisplay":
				call.ResultDisplay = k.value()
			default:
				k.skip()
			}
		})
		*c = append(*c, call)
	}
}
