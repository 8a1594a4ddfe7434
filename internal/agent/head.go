package agent

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// head is what recognition looks at: the names of a line's members and the words that name its type.
type head struct {
	typ     string
	subtype string
	method  string
	names   [][]byte

	// fresh says that no turn of any agent is open, so that a line with few marks can be taken for a beginning.
	// Inside a turn it may be an agent's tool that prints such lines.
	fresh bool
}

// has reports whether the line has all these members.
func (h *head) has(names ...string) bool {
	for _, want := range names {
		found := false
		for _, name := range h.names {
			found = found || string(name) == want
		}
		if !found {
			return false
		}
	}
	return true
}

// look goes over the outermost level of a line without decoding it. It reports false where only readHead can tell,
// and does not prove that the line is JSON.
func (h *head) look(line []byte) bool {
	*h = head{names: h.names[:0]}
	k := walker{b: line}
	if k.peek() != '{' {
		return false
	}
	k.members(func(name []byte) {
		h.names = append(h.names, name)
		if k.peek() != '"' {
			k.skip()
			return
		}
		switch string(name) {
		case "type":
			h.typ = string(k.readWord())
		case "subtype":
			h.subtype = string(k.readWord())
		case "method":
			h.method = string(k.readWord())
		default:
			k.skip()
		}
	})
	return k.done()
}

// readHead decodes the outermost level of a line. An error means that the line is not one JSON object.
func readHead(line []byte) (*head, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(line))
	h := new(head)
	if d.PeekKind() != jsontext.KindBeginObject {
		return nil, errors.New("line is not a JSON object")
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() != jsontext.KindEndObject {
		t, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := t.String()
		h.names = append(h.names, []byte(name))
		if d.PeekKind() != jsontext.KindString || name != "type" && name != "subtype" && name != "method" {
			if err := d.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		if t, err = d.ReadToken(); err != nil {
			return nil, err
		}
		switch name {
		case "type":
			h.typ = t.String()
		case "subtype":
			h.subtype = t.String()
		default:
			h.method = t.String()
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows the JSON object")
	}
	return h, nil
}

// begins reports whether a line of this type can open a session of some agent,
// so that the agent must be recognised anew. A run that fails at once prints nothing but an error.
func begins(typ string) bool {
	switch typ {
	case "thread.started", "session_meta", "system", "init", "error":
		return true
	}
	return false
}
