package codex_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
)

// ending is the output of a program; over is set at its end.
type ending struct {
	io.Reader
	over *bool
}

func (e ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	*e.over = *e.over || errors.Is(err, io.EOF)
	return n, err
}

// TestDeniedAtTheEnd has Codex write to standard error what it denied, and why a turn failed, after the last line of its turn.
func TestDeniedAtTheEnd(t *testing.T) {
	for last, want := range map[string]continuation.Event{
		`{"type":"turn.completed","usage":{}}`:                  {Status: continuation.Done, DeniedToolCalls: 1},
		`{"type":"turn.failed","error":{"message":"it ended"}}`: {Status: continuation.Failed, DeniedToolCalls: 1, ErrorClass: continuation.ErrorBilling},
	} {
		over := false
		in := strings.NewReader(`{"type":"thread.started","thread_id":"a"}` + "\n" + `{"type":"turn.started"}` + "\n" + last + "\n")
		r := agents.NewReader(ending{in, &over}, stream.Options{Problems: func() string {
			if !over {
				return ""
			}
			return "ERROR codex_core::tools::router: error=approval policy is Never; reject command\nYour workspace is out of credits.\n"
		}})
		var got continuation.Event
		for {
			updates, err := r.Next()
			if err != nil {
				break
			}
			for _, u := range updates {
				if u.Event.Type == continuation.TurnEnd {
					got = u.Event
				}
			}
		}
		if got.Status != want.Status || got.DeniedToolCalls != want.DeniedToolCalls || got.ErrorClass != want.ErrorClass {
			t.Errorf("%s: %s, %d calls were denied, class %q", last, got.Status, got.DeniedToolCalls, got.ErrorClass)
		}
	}
}
