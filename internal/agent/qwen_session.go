package agent

import (
	"cmp"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// qwenSession is one session. Init begins a turn, and result ends it.
type qwenSession struct {
	*stream
	begun bool // the open turn has a message of the model
	subs  bool // the open turn has a sub-agent
}

// applyQwenResult applies a call whose result has come. A call that a hook of the user refused, or
// that could not be written, is not an error to Qwen Code; only the text shows it. The text of an
// accepted one holds the list as it was stored.
func (s *stream) applyQwenResult(call todoCall, failed bool, text string, at todo.Time) {
	if failed || native.IsRefusal(text) {
		// The tools of init come first: a call is validated before a missing tool is detected,
		// and a sub-agent may lack the tool where the main agent has it.
		missing := s.sum.TodoTool == TodoToolOff ||
			failed && call.sub == "" && isQwenMissing(text)
		s.rejected(call.named(), text, missing)
		return
	}
	list := native.ListSaid(text)
	if list == nil {
		list = native.ListIn(call.input)
	}
	s.accept(call, list, at)
}

// isQwenMissing reports whether a call was refused because the tool is missing or not allowed.
func isQwenMissing(text string) bool {
	return strings.Contains(text, "not found in registry") || strings.Contains(text, "disabled by default") || strings.Contains(text, "deny rule")
}

// result ends the turn. A sub-agent that fails prints one too, which does not name it:
// it is recognised by its duration, which no real turn with a sub-agent has.
// A failure of the API is a success to Qwen Code: only the message in brackets shows it.
func (s *qwenSession) result(l *claudeLine) {
	failed := l.fails()
	if failed && s.subs && string(l.word("duration_ms")) == "0" {
		return
	}
	t := s.current(0)
	says := string(l.text("result"))
	t.recordMessage([]byte(says))
	status := continuation.Done
	const apiError = "[API Error: "
	if failed || strings.HasPrefix(says, apiError) || strings.Contains(says, "\n"+apiError) {
		status = continuation.Failed
		kind := string(l.word("error", "type"))
		text := cmp.Or(l.member("error").message(), says)
		if strings.HasPrefix(text, "Operation cancelled") || kind == "FatalCancellationError" {
			status = continuation.Aborted
		}
		t.failure = failureOf(kind+" "+l.subtype(), text, nil)
	}
	t.usage = l.member("usage").usage("output_tokens", "input_tokens")
	s.close(status, 0)
	s.begun, s.subs = false, false
}

func (s *qwenSession) stop() {
	s.drop()
	s.endTurns()
}

// endTurns ends what is open as another session begins. Results may still come, should the two run side by side.
func (s *qwenSession) endTurns() {
	s.cut()
	s.begun, s.subs = false, false
}
