package continuation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
	"onward/internal/todo"
)

// eventLine is an event as a line of JSON: the flags of `onward event` in snake case.
type eventLine struct {
	Event
	Class      ErrorClass     `json:"class"`       // also error_class
	RetryAfter jsontext.Value `json:"retry_after"` // as text such as 90s, or a number of seconds; also retry_after_ms
	RetryAt    string         `json:"retry_at"`    // in any form that ParseReset reads
	Items      jsontext.Value `json:"items"`       // in any form that `onward todo write` reads
}

// ReadEvent reads one event from a line of JSON, and returns the members that
// the line has. A key that no event has is an error, because a misspelt one would
// be silently without effect.
func ReadEvent(line []byte) (e Event, said []string, err error) {
	var s eventLine
	if err := json.Unmarshal(line, &s, json.RejectUnknownMembers(true)); err != nil {
		return Event{}, nil, readError("event", err)
	}
	if said, err = memberNames(line); err != nil {
		return Event{}, nil, readError("event", err)
	}
	e = s.Event
	e.ErrorClass = cmp.Or(e.ErrorClass, s.Class)
	if s.RetryAfter != nil {
		d, err := parseDuration(s.RetryAfter)
		if err != nil {
			return Event{}, nil, fmt.Errorf("%w: event: retry_after: %w", ErrData, err)
		}
		e.RetryAfter = d.Milliseconds()
	}
	if s.RetryAt != "" {
		if e.Reset, err = ParseReset(s.RetryAt); err != nil {
			return Event{}, nil, fmt.Errorf("%w: event: retry_at: %w", ErrData, err)
		}
	}
	if s.Items != nil {
		if e.Items, err = native.Decode(s.Items); err != nil {
			return Event{}, nil, err
		}
		if e.Items == nil {
			e.Items = []todo.Item{} // an empty list is present, unlike a missing one
		}
	}
	return e, said, nil
}

// memberNames returns the names of the members of an event, in their order by
// name. Null counts as missing: programs write it for unknown values.
func memberNames(line []byte) ([]string, error) {
	var all map[string]jsontext.Value
	if err := json.Unmarshal(line, &all); err != nil {
		return nil, err
	}
	var names []string
	for name, value := range all {
		switch {
		case value.Kind() == 'n':
		case name == "class":
			names = append(names, "error_class")
		default:
			names = append(names, strings.TrimSuffix(name, "_ms"))
		}
	}
	slices.Sort(names)
	return names, nil
}
