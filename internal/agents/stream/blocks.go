package stream

import (
	"iter"
	"strings"
)

// Block is a part of a message, in the form that most agents write: a text, a call or a result.
type Block struct {
	Value
	Type Word
}

// Blocks goes through the parts of a message. A content that is a bare string is one block of text.
func (v Value) Blocks(path ...string) iter.Seq[Block] {
	content := v.Member(path...)
	return func(yield func(Block) bool) {
		if content.IsString() {
			yield(Block{Value{{raw: []byte("{}"), size: 2}, {name: []byte("text"), raw: content.Raw(), size: 1}}, Word("text")})
			return
		}
		for one := range content.Values('[') {
			if one.Kind() == '{' && !yield(Block{one, one.Word("type")}) {
				return
			}
		}
	}
}

// Is reports whether the block is of a type.
func (b Block) Is(typ string) bool { return string(b.Type) == typ }

// HasText reports whether there is a text.
func (b Block) HasText() bool { return len(b.Text("text")) > 0 }

// Texts joins the texts of a content.
func (v Value) Texts() string {
	var text strings.Builder
	for b := range v.Blocks() {
		text.Write(b.Text("text"))
	}
	return text.String()
}

// ContentText joins the texts of the result of a call. More than a megabyte is not read: no tool whose text matters writes so
// much.
func (v Value) ContentText() string {
	const most = 1 << 20
	if len(v.Raw()) > most {
		return ""
	}
	return v.Texts()
}

// Results counts the results of calls in a content.
func (v Value) Results() int {
	n := 0
	for b := range v.Blocks() {
		if b.Is("tool_result") {
			n++
		}
	}
	return n
}
