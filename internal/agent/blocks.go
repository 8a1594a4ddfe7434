package agent

import (
	"bytes"
	"strings"
)

// blocks are what a message holds, as Claude Code writes it and others do: a list of texts, calls and results.
// A content that is a bare string is one block of text.
type blocks []block

type block struct {
	typ       word
	text      value
	id        word
	name      word
	input     value
	toolUseID word
	content   value
	isError   bool
}

// maxBlocks is how many blocks of a message are read. A message of a model has a few.
const maxBlocks = 4096

func (b *blocks) scan(k *walker) {
	*b = (*b)[:0]
	if k.peek() == '"' {
		*b = append(*b, block{typ: word("text"), text: k.value()})
		return
	}
	k.objects(maxBlocks, func() {
		*b = append(*b, block{})
		k.members((*b)[len(*b)-1].members)
	})
}

func (b *block) members(m *members) {
	m.word("type", &b.typ)
	m.value("text", &b.text)
	m.word("id", &b.id)
	m.word("name", &b.name)
	m.value("input", &b.input)
	m.word("tool_use_id", &b.toolUseID)
	m.value("content", &b.content)
	m.truth("is_error", &b.isError)
}

// is reports whether the block is of a type.
func (b *block) is(typ string) bool { return string(b.typ) == typ }

// begins reports whether the block's text begins with a mark.
func (b *block) begins(mark string) bool {
	if n := len(mark) + 1; len(b.text) > n && bytes.IndexByte(b.text[:n], '\\') < 0 {
		return string(b.text[1:n]) == mark
	}
	return strings.HasPrefix(string(b.text.text()), mark)
}

// speaks reports whether there is a text.
func (b *block) speaks() bool { return b.text.isString() && len(b.text) > 2 || len(b.text.text()) > 0 }

// text joins the texts of a content.
func (b blocks) text() string {
	var text strings.Builder
	for i := range b {
		if len(b[i].text) > 0 {
			text.Write(b[i].text.text())
		}
	}
	return text.String()
}

// mayPause reports whether a text can hold a pause.
func (b blocks) mayPause() bool {
	for i := range b {
		if mayHold(b[i].text, pauseMark) {
			return true
		}
	}
	return false
}

// resultText returns the text of a tool_result, a string or blocks of text. No tool whose text matters writes a megabyte.
func (b *block) resultText() string { return b.content.contentText() }

// contentText returns the text of a content by itself.
func (v value) contentText() string {
	const most = 1 << 20
	if len(v) == 0 || len(v) > most {
		return ""
	}
	if v.isString() {
		return string(v.text())
	}
	var content blocks
	k := walker{b: v}
	content.scan(&k)
	return content.text()
}

// hasResultFor reports whether one of them is the result of a call that waits for it.
func (b blocks) hasResultFor(w *waiting) bool {
	for i := range b {
		if b[i].is("tool_result") && w.awaited(b[i].toolUseID) {
			return true
		}
	}
	return false
}

// results counts the results of calls.
func (b blocks) results() int {
	n := 0
	for i := range b {
		if b[i].is("tool_result") {
			n++
		}
	}
	return n
}
