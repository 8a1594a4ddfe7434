package agent

import continuation "onward/internal/continue"

// What a stream says in pieces, a hook is told whole; the rules are the same.

// PauseReason reads a message whose last line is a pause.
func PauseReason(message string) (reason string, paused bool) {
	var l lastLine
	l.add([]byte(message))
	return l.pause()
}

// ErrorClassOf sorts a failure by the host's word for it and its message.
func ErrorClassOf(word, message string) continuation.ErrorClass {
	return failure{code: spokenStatus(message), kind: word, text: message}.class()
}
