package hook

import (
	"bytes"
	"errors"
	"fmt"

	"onward/internal/object"
)

// MaxInput is how many bytes of an event are read; a longer one is no event for us.
const MaxInput = 1 << 20

// payload is an object that an agent sent, and value a value in it.
type (
	payload = object.Members
	value   = object.Value
)

// readPayload reads the one object that an event is.
func readPayload(data []byte) (payload, error) {
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
