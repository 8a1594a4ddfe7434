package agent

import (
	"github.com/go-json-experiment/json"
)

// skim leaves out warnings. A message with calls is read, since calls are told from each other by ids that may have been there before.
func (c *geminiChat) skim(line []byte) bool {
	typ, _ := quickType(line)
	return string(typ) == "warning"
}

func (l *chatLine) member(name []byte, k *walker) {
	switch string(name) {
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
		l.chatMessage.member(name, k)
	}
}

// member reads one member of a message.
func (m *chatMessage) member(name []byte, k *walker) {
	switch string(name) {
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
		k.members(func(name []byte) {
			switch string(name) {
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
