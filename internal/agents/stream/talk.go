package stream

import (
	"strings"
	"unicode/utf8"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/object"
)

// Talk is what the model says or does within a turn: a message, or a call of a tool in a few words.
type Talk struct {
	Said     string
	Call     string
	SubAgent string // whose call it is; empty for the main agent
}

const (
	maxModel = 100  // bytes of the name of a model
	maxSaid  = 2000 // bytes of a message that are told
	maxCalls = 40   // calls of a turn that are named at its end
)

// subjects are the members of a call's input that tell what it is about; the first that it has is shown.
var subjects = []string{"file_path", "filePath", "absolute_path", "notebook_path", "path", "pattern", "query", "url", "description", "name"}

// callText describes a call in a few words: the line of a shell, else the tool with what it is about.
func callText(known native.Registry, tool string, input object.Value) string {
	if line, shell := native.CommandLine(known, tool, input); shell && line != "" {
		return "$ " + cutText(withoutSecrets(line))
	}
	if len(input) > 0 && len(input) <= maxInput && input[0] == '{' {
		members := input.Object()
		for _, name := range subjects {
			if about := members.Get(name).Text(); about != "" {
				return tool + " " + cutText(withoutSecrets(about))
			}
		}
	}
	return tool
}

// cutText returns the start of a text, as long as a line may show of a call.
func cutText(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if cut := maxCallText; len(text) > cut {
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return text
}

// tellCall tells of a call, once, and keeps it for the end of the turn. Where nobody listens, as in the reading of a file, nothing is kept.
func (s *Session) tellCall(t *OpenTurn, agent string, id Word, tool string, input object.Value) {
	if s.r.opt.OnTalk == nil || len(id) > 0 && !t.named.Add(id) {
		return
	}
	s.speak(t)
	call := callText(s.r.tools, tool, input)
	if len(t.calls) < maxCalls {
		if t.callIDs = append(t.callIDs, string(id)); t.denied.Has(id) {
			call = continuation.DeniedCall + call
		}
		t.calls = append(t.calls, call)
	}
	s.r.opt.OnTalk(Talk{Call: call, SubAgent: agent})
}

// NoteModel records the model that the stream names. It ignores an empty name, and one of more than maxModel bytes.
func (s *Session) NoteModel(name Word) {
	if len(name) > 0 && len(name) <= maxModel && s.Counts.Model != string(name) {
		s.Counts.Model = string(name)
	}
}

// speak tells the model's last message, unless it was told before.
func (s *Session) speak(t *OpenTurn) {
	if s.r.opt.OnTalk == nil {
		return
	}
	said := t.lastMessage()
	if t.whole != "" {
		said = t.whole
	}
	if t.whole = ""; said != "" && said != t.spoken {
		t.spoken = said
		s.r.opt.OnTalk(Talk{Said: said})
	}
}

// speaks tells of messages that the last line has completed. A message that comes in pieces is told when a call follows it, or at the
// end of its turn.
func (r *Reader) speaks() {
	if r.opt.OnTalk == nil {
		return
	}
	for _, s := range r.streams {
		for _, t := range s.open {
			if t.whole != "" {
				s.speak(t)
			}
		}
	}
}
