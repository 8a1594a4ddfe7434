package stream_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/test/streamtest"
)

func TestUnrecognised(t *testing.T) {
	var packed, wide bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(streamtest.CodexRun)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, u := range utf16.Encode([]rune(streamtest.CodexRun)) {
		wide.Write([]byte{byte(u), byte(u >> 8)})
	}
	pretty := "{\n  \"type\": \"thread.started\",\n  \"thread_id\": \"a\"\n}\n"
	for name, c := range map[string]struct{ input, want string }{
		"gzip":              {packed.String(), "compressed (gzip)"},
		"UTF-16 with a BOM": {"\xff\xfe" + wide.String(), "UTF-16"},
		"UTF-16 without":    {wide.String(), "UTF-16"},
		"pretty-printed":    {pretty, "--lenient"},
		"logged":            {`[12:00] {"type":"thread.started","thread_id":"a"}` + "\n", "--lenient"},
		"a server":          {"event: message\ndata: {\"type\":\"todo.updated\"}\n\n", "server-sent events"},
		"Amp":               {`{"type":"system","subtype":"init","session_id":"T-1","tools":[]}` + "\n", "Amp"},
		"another text":      {"hello\n", ""},
		"another object":    {`{"a":1}` + "\n", ""},
		"nothing":           {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := agents.NewReader(strings.NewReader(c.input), stream.Options{})
			for err := error(nil); !errors.Is(err, io.EOF); {
				_, err = r.Next()
			}
			if got := r.WhyUnrecognised(); r.Summary().Recognised() || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
