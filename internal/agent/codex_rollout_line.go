package agent

import (
	"bytes"
)

// rolloutLine is an envelope, or an item without one.
type rolloutLine struct {
	timestamp  word
	recordType word
	enveloped  bool // there is a payload, which is an object
	older      bool // the payload is the event of a line that older versions printed
	payload    rolloutItem
	rolloutItem
}

type rolloutItem struct {
	typ word

	// session_meta, or the header of an older file
	id        word
	began     word // when the thread did
	sessionID word
	forkedOf  word
	parentID  word
	threadOf  word // who started it
	source    value

	// response_item
	role      word
	content   blocks
	name      word
	callID    word
	arguments value
	input     value
	output    value

	// event_msg, token_usage_record
	threadID    word
	message     word
	lastMessage value
	failed      value // why the turn failed
	plan        value
	dropped     word // how many turns the user rolled back
}

func (l *rolloutLine) members(m *members) {
	m.word("timestamp", &l.timestamp)
	l.rolloutItem.members(m)
	m.member("msg", func(k *walker) {
		l.older = k.peek() == '{'
		k.members(l.payload.members)
	})
	m.member("payload", func(k *walker) {
		l.enveloped = k.peek() == '{'
		k.members(func(m *members) {
			l.payload.members(m)
			m.word("timestamp", &l.payload.began)
		})
	})
	m.word("record_type", &l.recordType)
}

func (it *rolloutItem) members(m *members) {
	m.word("type", &it.typ)
	m.word("id", &it.id)
	m.word("role", &it.role)
	m.member("content", it.content.scan)
	m.word("name", &it.name)
	m.value("arguments", &it.arguments)
	m.value("input", &it.input)
	m.word("call_id", &it.callID)
	m.value("output", &it.output)
	m.text("message", &it.message)
	m.value("last_agent_message", &it.lastMessage)
	m.value("error", &it.failed)
	m.value("plan", &it.plan)
	m.word("num_turns", &it.dropped)
	m.word("thread_id", &it.threadID)
	m.word("session_id", &it.sessionID)
	m.word("forked_from_id", &it.forkedOf)
	m.word("parent_thread_id", &it.parentID)
	m.value("source", &it.source)
	m.word("thread_source", &it.threadOf)
}

// subAgent reports whether a thread is a sub-agent's, and the thread that started it if that is reported.
func (it *rolloutItem) subAgent() (parent word, sub bool) {
	src := it.source.member("subagent")
	if (len(src) == 0 || src[0] == 'n') && string(it.threadOf) != "subagent" {
		return nil, false
	}
	for _, of := range []word{src.member("thread_spawn", "parent_thread_id").word(), it.parentID, it.sessionID, it.forkedOf} {
		if len(of) > 0 && !bytes.Equal(of, it.id) {
			return of, true
		}
	}
	return nil, true
}

// outputText returns the text of an output: a string, blocks of text, or an object with one of them, itself perhaps within a string.
func outputText(v value, depth int) string {
	if depth == 0 || len(v) == 0 {
		return ""
	}
	switch v[0] {
	case '"':
		inner := v.unpacked()
		if len(inner) > 0 && inner[0] == '{' {
			if k := (&walker{b: inner}); k.value() != nil && k.done() {
				if said := outputText(inner, depth-1); said != "" {
					return said
				}
			}
		}
		return string(v.text())
	case '[':
		return v.contentText()
	case '{':
		out := v.member("output")
		if len(out) == 0 {
			out = v.member("content")
		}
		return outputText(out, depth-1)
	}
	return ""
}
