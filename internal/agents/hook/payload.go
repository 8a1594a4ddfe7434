package hook

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"onward/internal/object"
)

// MaxInput is how many bytes of an event are read; a longer one is no event for us.
const MaxInput = 1 << 20

// Payload is an object that an agent sent.
type Payload = object.Members

// Value is one in a payload.
type Value = object.Value

// readPayload reads the one object that an event is.
func readPayload(data []byte) (Payload, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("read the event: standard input is empty")
	}
	p, err := object.ReadMembers(data)
	if err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	return p, nil
}

// JoinParts returns the text of a message that comes in parts.
func JoinParts(parts []Value) string {
	var texts []string
	for _, v := range parts {
		if part := v.Object(); part.Text("text") != "" && !part.Flag("ignored") {
			texts = append(texts, part.Text("text"))
		}
	}
	return strings.Join(texts, "\n")
}
