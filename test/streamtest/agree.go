package streamtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"onward/internal/agents"
	"onward/internal/agents/stream"

	"github.com/go-json-experiment/json/jsontext"
)

// tester is what a test, a fuzz run and a rapid check have in common.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// outcome contains all updates of an input. If spoil is set, a line's bytes are overwritten after it was read.
func outcome(t tester, input []byte, spoil bool) (updates []string, streams []stream.Counts, sum stream.Summary) {
	t.Helper()
	r := agents.NewReader(bytes.NewReader(input), stream.Options{OverwriteLines: spoil})
	for {
		us, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		for _, u := range us {
			updates = append(updates, fmt.Sprintf("%d %s %s", r.Summary().Lines, Text(u), u.EventID("")))
			if line := u.AppendJSON(nil, u.EventID(""), "", 1); !json.Valid(line) {
				t.Fatalf("not JSON: %s", line)
			}
		}
	}
	for _, s := range r.Summary().Streams {
		s := *s
		s.Skipped = stream.Skipped{}
		streams = append(streams, s)
	}
	return updates, streams, *r.Summary()
}

// Agree fails unless the updates of an input stay the same when its lines are written in another way,
// and when the bytes of each line are overwritten after it was read.
func Agree(t tester, input []byte) {
	t.Helper()
	fast, fastStreams, fastSum := outcome(t, input, true)
	full, fullStreams, fullSum := outcome(t, decoded(input), false)
	if !reflect.DeepEqual(fast, full) {
		t.Errorf("updates differ for\n%q\nfast:\n%s\nfull:\n%s", input, strings.Join(fast, "\n"), strings.Join(full, "\n"))
	}
	if !reflect.DeepEqual(fastStreams, fullStreams) {
		t.Errorf("totals differ for\n%q\nfast: %+v\nfull: %+v", input, fastStreams, fullStreams)
	}
	if !reflect.DeepEqual(fastSum.Warnings, fullSum.Warnings) {
		t.Errorf("warnings differ for\n%q\nfast: %q\nfull: %q", input, fastSum.Warnings, fullSum.Warnings)
	}
	if fastSum.Skipped != fullSum.Skipped {
		t.Errorf("the skipped lines differ for\n%q\nfast: %+v\nfull: %+v", input, fastSum.Skipped, fullSum.Skipped)
	}
}

// decoded returns the input with each line decoded and encoded again: without spaces, and with
// strings that have no needless escape sequences.
func decoded(input []byte) []byte {
	var out []byte
	for line := range bytes.Lines(input) {
		v := jsontext.Value(bytes.Clone(bytes.Trim(line, " \t\r\n")))
		if len(v) > 0 && v[0] == '{' && v.Format(jsontext.PreserveRawStrings(false)) == nil {
			line = append(v, '\n')
		}
		out = append(out, line...)
	}
	return out
}
