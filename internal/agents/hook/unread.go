package hook

import (
	"bytes"
	"slices"
	"strings"

	continuation "onward/internal/continue"
)

// ignored are events in the format that most agents have adopted, in lower case, that say nothing about a list or a turn.
// An event that is not here, not read and not in Protocol.Ignores is named as unread.
var ignored = []string{
	"notification", "permissiondenied", "posttoolbatch", "userpromptexpansion", "premodelswitch", "postmodelswitch",
	"setup", "teammateidle", "taskcreated", "taskcompleted", "elicitation", "elicitationresult", "configchange", "worktreecreate",
	"worktreeremove", "instructionsloaded", "cwdchanged", "filechanged", "directoryadded", "messagedisplay",
}

// maxEvent is how much of an unknown event's name is kept, in bytes.
const maxEvent = 60

// unread makes the call of an event that is not known the report of it.
func (p *Protocol) unread(c *Call) {
	name := strings.ToLower(c.Event)
	if slices.Contains(ignored, name) || slices.Contains(p.Ignores, name) {
		return
	}
	c.Unread = true
	c.Kind = Report
	c.notes(c.Event)
}

// notes adds the report that the agent sent something which is not understood.
func (c *Call) notes(name string) {
	c.Events = append(c.Events, continuation.Event{Type: continuation.Unread, ID: identifier(name), Source: c.Agent})
}

// identifier makes a text that should be an identifier one.
func identifier(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '_' || r == '-' || r == ':' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z') {
			return r
		}
		return '?'
	}, strings.ToValidUTF8(text[:min(len(text), maxEvent)], ""))
}

// NoteVersion notes the version of the agent that sent an event which is not known, by the end of the conversation's file.
func (c *Call) NoteVersion(tail []byte) {
	version := VersionIn(tail)
	for i := range c.Events {
		if c.Events[i].Type == continuation.Unread {
			c.Events[i].Version = version
		}
	}
}

// VersionIn returns the version of the agent that wrote the end of a conversation's file; empty if no line has it.
func VersionIn(tail []byte) string {
	for end := len(tail); end > 0; {
		start := bytes.LastIndexByte(tail[:end], '\n') + 1
		if line := tail[start:end]; bytes.Contains(line, []byte(`"version":"`)) {
			if p, err := readPayload(line); err == nil {
				if version := p.Text("version"); version != "" {
					return identifier(version)
				}
			}
		}
		end = max(0, start-1)
	}
	return ""
}
