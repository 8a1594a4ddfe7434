package agent

import (
	"iter"
	"strings"
)

// block is a part of a message, as Claude Code writes it and others do: a text, a call or a result.
type block struct {
	value
	typ word
}

// blocks goes through the parts of a message. A content that is a bare string is one block of text.
func (v value) blocks(path ...string) iter.Seq[block] {
	content := v.member(path...)
	return func(yield func(block) bool) {
		if content.isString() {
			yield(block{value{{raw: []byte("{}"), size: 2}, {name: []byte("text"), raw: content.raw(), size: 1}}, word("text")})
			return
		}
		for one := range content.values('[') {
			if one.kind() == '{' && !yield(block{one, one.word("type")}) {
				return
			}
		}
	}
}

// is reports whether the block is of a type.
func (b block) is(typ string) bool { return string(b.typ) == typ }

// speaks reports whether there is a text.
func (b block) speaks() bool { return len(b.text("text")) > 0 }

// texts joins the texts of a content.
func (v value) texts() string {
	var text strings.Builder
	for b := range v.blocks() {
		text.Write(b.text("text"))
	}
	return text.String()
}

// contentText is texts for the result of a call. No tool whose text matters writes a megabyte.
func (v value) contentText() string {
	const most = 1 << 20
	if len(v.raw()) > most {
		return ""
	}
	return v.texts()
}

// results counts the results of calls in a content.
func (v value) results() int {
	n := 0
	for b := range v.blocks() {
		if b.is("tool_result") {
			n++
		}
	}
	return n
}
