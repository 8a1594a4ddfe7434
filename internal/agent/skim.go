package agent

import "bytes"

// What a line is about can often be told without reading it to its end.

// firstType gives the type of a line that begins with it, and nil for any other one.
func firstType(line []byte) []byte {
	w := walker{b: line}
	if w.peek() != '{' {
		return nil
	}
	if name, _ := w.object(); string(name) != "type" {
		return nil
	}
	return w.plain()
}

// quickType finds the type of a line that stands there without escape sequences; nil for any other one.
func quickType(line []byte) []byte {
	w := walker{b: line}
	for name, more := w.object(); more; name, more = w.key() {
		if string(name) == "type" {
			return w.plain()
		}
		w.skip()
	}
	return nil
}

// mayHold looks for a text in strings that are not decoded. It errs towards true where an escape sequence
// for an ASCII character stands, since that could hide a letter of the text.
func mayHold(raw []byte, text string) bool {
	return bytes.Contains(raw, []byte(text)) || bytes.Contains(raw, []byte(`\u00`))
}
