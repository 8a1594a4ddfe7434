package stream

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// A model that cannot run onward pauses itself by a line that begins with continuation.PauseLine.

// lastLine keeps the last line of a message that comes in pieces, up to what a pause needs.
type lastLine struct {
	done string // the last complete line that is not blank
	part string // the line being written
	tail []byte // the end of the message
	cut  bool   // the message is longer
}

// maxTail is how much of the end of a message is kept, in bytes: enough for its last questions.
const maxTail = 500

// longestWord is the length in bytes from which on the end of a message begins within a word, such as a path, or a text without spaces.
const longestWord = 60

// Reset forgets the message: a new one begins.
func (l *lastLine) Reset() { *l = lastLine{} }

// Add appends a piece of the message.
func (l *lastLine) Add(text []byte) {
	l.cut = l.cut || len(l.tail)+len(text) > maxTail
	l.tail = append(l.tail, text[max(0, len(text)-maxTail):]...)
	if over := len(l.tail) - maxTail; over > 0 {
		l.tail = append(l.tail[:0], l.tail[over:]...)
	}
	end := bytes.LastIndexByte(text, '\n')
	if end < 0 {
		l.part = joinStart(l.part, text)
		return
	}
	lines := bytes.TrimRightFunc(text[:end], unicode.IsSpace)
	start := bytes.LastIndexByte(lines, '\n') + 1
	before := ""
	if start == 0 {
		before = l.part // the piece continues with a line
	}
	if line := joinStart(before, lines[start:]); strings.TrimSpace(line) != "" {
		l.done = line
	}
	l.part = joinStart("", text[end+1:])
}

// lastWords returns the end of the message, from the beginning of a word on if that can be found.
func (l *lastLine) lastWords() string {
	text := strings.ToValidUTF8(string(l.tail), "")
	if !l.cut {
		return strings.TrimSpace(text)
	}
	if space := strings.IndexFunc(text, unicode.IsSpace); space >= 0 && space <= longestWord {
		text = text[space:]
	}
	return "…" + strings.TrimSpace(text)
}

// joinStart joins the pieces of a line, up to the length that the mark of a pause and a reason can have. So a message without
// line breaks takes no more memory. White space at the start of the line is dropped for the same reason.
func joinStart(line string, more []byte) string {
	const most = 4 * (todo.MaxReason + len(continuation.PauseLine) + 16) // bytes of that many characters, with some room
	if line == "" {
		more = bytes.TrimLeft(more, " \t\r")
	}
	if room := most - len(line); len(more) > room {
		more = more[:room]
	}
	return line + string(more)
}

// pause reads the message's last line that is not blank.
func (l *lastLine) pause() (reason string, ok bool) {
	line := l.part
	if strings.TrimSpace(line) == "" {
		line = l.done
	}
	reason, ok = strings.CutPrefix(strings.TrimSpace(line), continuation.PauseLine)
	if !ok {
		return "", false
	}
	reason = strings.TrimSpace(strings.ToValidUTF8(reason, ""))
	if reason == "" {
		return "no reason given", true
	}
	if utf8.RuneCountInString(reason) > todo.MaxReason {
		reason = string([]rune(reason)[:todo.MaxReason])
	}
	return reason, true
}

// A stream has the message in pieces, a hook has it whole; the rules are the same.

// PauseReason reads a message whose last line is a pause.
func PauseReason(message string) (reason string, paused bool) {
	var l lastLine
	l.Add([]byte(message))
	return l.pause()
}

// ToolPause returns the reason that was given to a pause tool. It may have several lines, which are joined.
func ToolPause(reason string) string {
	reason, _ = PauseReason(continuation.PauseLine + strings.ReplaceAll(reason, "\n", " "))
	return reason
}
