package exchange

import (
	"bytes"
	"slices"
	"strings"

	"onward/internal/todo"
)

// A check box shows two statuses. The others, and other properties of an item, are in words
// after the text, so that every renderer shows a real box and a reader sees the words:
//
//	- [ ] fix the parser _(in progress)_
//	- [ ] sign the release _(high priority, blocked: the key is with Ada)_
//	- [x] port it to Plan 9 _(cancelled)_

// note is the meaning of such words.
type note struct {
	status   todo.Status
	priority todo.Priority
	reason   string
}

// writeNote writes the words for an item, or nothing if its box is enough.
func writeNote(b *strings.Builder, n note) {
	var words []string
	if n.priority != "" {
		words = append(words, string(n.priority)+" priority")
	}
	if word := n.status.Meaning().Note; word != "" {
		words = append(words, word)
	}
	if len(words) == 0 {
		return
	}
	b.WriteString(" _(" + strings.Join(words, ", "))
	if n.status.Waits() && n.reason != "" {
		b.WriteString(": ")
		writeReason(b, n.reason)
	}
	b.WriteString(")_")
}

// writeReason writes a reason on one line. What begins a note in it is written as a reference,
// so that a reader finds its only beginning from the end.
func writeReason(b *strings.Builder, s string) {
	for s != "" {
		at := strings.IndexAny(s, "\n_*")
		if at < 0 {
			break
		}
		writeLine(b, s[:at])
		if s[at] == '\n' || strings.HasPrefix(s[at+1:], "(") {
			writeReference(b, rune(s[at]))
		} else {
			b.WriteByte(s[at])
		}
		s = s[at+1:]
	}
	writeLine(b, s)
}

// cutNote takes the note from the end of a line, if it ends in one.
// A subtask has no priority, so a note with one is part of its text.
func cutNote(line []byte, subtask bool) (before []byte, n note, ok bool) {
	line = bytes.TrimRight(line, " \t")
	if len(line) < len("_(low)_") || line[len(line)-2] != ')' {
		return line, n, false
	}
	mark := line[len(line)-1]
	at := bytes.LastIndex(line, []byte{mark, '('})
	if mark != '_' && mark != '*' || at < 0 || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
		return line, n, false
	}
	if n, ok = parseNote(string(line[at+2 : len(line)-2])); !ok || subtask && n.priority != "" {
		return line, note{}, false
	}
	return bytes.TrimRight(line[:at], " \t"), n, true
}

func parseNote(words string) (n note, ok bool) {
	first, rest, more := strings.Cut(words, ", ")
	if word, is := strings.CutSuffix(strings.ToLower(first), " priority"); is {
		if p, err := todo.ParsePriority(word); err == nil && p != "" {
			n.priority = p
			if !more {
				return n, true
			}
			words = rest
		}
	}
	status, reason, has := strings.Cut(words, ":")
	status = strings.ToLower(status)
	n.status, ok = todo.StatusWhere(func(m *todo.Meaning) bool {
		return m.Note != "" && (m.Note == status || slices.Contains(m.Aliases, status))
	})
	if !ok || has && !n.status.Waits() {
		return note{}, false
	}
	if has {
		n.reason = string(appendDecoded(nil, []byte(strings.TrimPrefix(reason, " "))))
	}
	return n, true
}
