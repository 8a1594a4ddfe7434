package continuation

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
	"onward/internal/todo"
)

// spoken is an event as a line of JSON says it: the flags of `onward event` in snake case.
type spoken struct {
	Event
	Class      ErrorClass     `json:"class"`       // also error_class
	RetryAfter jsontext.Value `json:"retry_after"` // as text such as 90s, or a number of seconds; also retry_after_ms
	Items      jsontext.Value `json:"items"`       // in any form that `onward todo write` reads
}

// ReadEvent reads one event from a line of JSON. A key that no event has is an error,
// because a misspelt one would be silently without effect.
func ReadEvent(line []byte) (Event, error) {
	var s spoken
	if err := json.Unmarshal(line, &s, json.RejectUnknownMembers(true)); err != nil {
		return Event{}, unreadable("event", err)
	}
	e := s.Event
	if e.ErrorClass == "" {
		e.ErrorClass = s.Class
	}
	if s.RetryAfter != nil {
		d, err := spokenDuration(s.RetryAfter)
		if err != nil {
			return Event{}, fmt.Errorf("%w: event: retry_after: %w", ErrData, err)
		}
		e.RetryAfter = d.Milliseconds()
	}
	if s.Items != nil {
		var err error
		if e.Items, err = native.Decode(s.Items); err != nil {
			return Event{}, err
		}
		if e.Items == nil {
			e.Items = todo.ItemList{} // an empty list is said, unlike none
		}
	}
	return e, nil
}
