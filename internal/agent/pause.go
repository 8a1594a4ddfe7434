package agent

import (
	"strings"
	"unicode/utf8"
)

// pauseMark opens the line by which a model pauses itself where it cannot run onward.
const pauseMark = "ONWARD-PAUSE:"

// maxReason is the length to which a reason is cut, in characters.
const maxReason = 500

// lastLine keeps the last line of a message that comes in pieces, as far as a pause needs it.
type lastLine struct {
	done string // the last complete line that is not blank
	part string // the line being written
}

// reset forgets the message: a new one begins.
func (l *lastLine) reset() { *l = lastLine{} }

// add appends a piece of the message.
func (l *lastLine) add(text string) {
	for {
		line, rest, ended := strings.Cut(text, "\n")
		l.part = keepStart(l.part, line)
		if !ended {
			return
		}
		if strings.TrimSpace(l.part) != "" {
			l.done = l.part
		}
		l.part, text = "", rest
	}
}

// keepStart joins a line's pieces up to what a mark and a reason can need,
// so that a message without line breaks costs no memory.
// White space at the start of the line is dropped for the same reason.
func keepStart(line, more string) string {
	const most = 4 * (maxReason + len(pauseMark) + 16) // bytes of that many characters, with some room
	if line == "" {
		more = strings.TrimLeft(more, " \t\r")
	}
	if room := most - len(line); len(more) > room {
		more = more[:room]
	}
	return line + more
}

// pause reads the message's last line that is not blank.
func (l *lastLine) pause() (reason string, ok bool) {
	line := l.part
	if strings.TrimSpace(line) == "" {
		line = l.done
	}
	reason, ok = strings.CutPrefix(strings.TrimSpace(line), pauseMark)
	if !ok {
		return "", false
	}
	reason = strings.TrimSpace(strings.ToValidUTF8(reason, ""))
	if reason == "" {
		return "no reason given", true
	}
	if utf8.RuneCountInString(reason) > maxReason {
		reason = string([]rune(reason)[:maxReason])
	}
	return reason, true
}
