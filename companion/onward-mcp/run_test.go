package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
)

// If the client disconnects, the server ends without an error, in whatever order the pipes are closed.
// Any other error of reading or writing is a failure.
func TestConversationEnds(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{io.EOF, exitOK},
		{io.ErrClosedPipe, exitOK},
		{syscall.EPIPE, exitOK},
		{errors.New("the disk is gone"), exitIO},
	} {
		in, from := io.Pipe()
		from.CloseWithError(c.err)
		var errs bytes.Buffer
		code := run(t.Context(), []string{"--session", "main"}, stdio{in, io.Discard}, io.Discard, &errs)
		if code != c.code || (code != exitOK) != strings.Contains(errs.String(), c.err.Error()) {
			t.Errorf("%v: exit %d: %s", c.err, code, errs.String())
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--version", exitOK, "onward-mcp dev"},
		{"--help", exitOK, "Usage: onward-mcp"},
		{"--nope", exitUsage, "hint: see `onward-mcp --help`"},
		{"serve", exitUsage, `unexpected argument "serve"`},
		{"--session", exitUsage, "session"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), strings.Fields(c.args), nil, &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: exit %d: %s", c.args, code, out.String())
		}
	}
}
