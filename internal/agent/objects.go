package agent

import "bytes"

// whole joins the lines of an object that is printed over several of them, of which the given line is the first.
// It gives nil where they are no such object. They are then counted and left out, but for a line that is an object by itself.
//
// The old chat recordings of Gemini CLI are one such object. Any other one is joined only if that was asked for:
// a brace that stands alone is much more often a piece of some program's output.
func (r *Reader) whole(first []byte) []byte {
	logged := bytes.LastIndexByte(first, '{') // what a logger put before the object
	var in nesting
	in.add(first[logged:])
	r.sum.Lines++
	for n := 1; ; {
		line, tooLong, err := r.lines.join()
		if err != nil {
			r.skip(&Skipped{NotJSON: n})
			return nil
		}
		if tooLong {
			r.sum.Lines++
			r.skip(&Skipped{NotJSON: n, TooLong: 1})
			return nil
		}
		text := trim(line)
		if len(text) == 0 {
			continue
		}
		object := len(text) > 2 && line[0] == '{' && text[len(text)-1] == '}' // by itself
		rest, ok := in.add(text)
		if !ok || object || n == 1 && !r.opt.Lenient && !beginsChat(text) {
			// The line is none of the object's, and may be an agent's by itself.
			r.lines.unread()
			r.skip(&Skipped{NotJSON: n})
			return nil
		}
		r.sum.Lines++
		n++
		if in.open == 0 {
			all := r.lines.joined()
			return all[logged : len(all)-len(rest)]
		}
	}
}

// beginsChat reports whether a line is the first member of a chat recording, which a program may have sorted.
func beginsChat(text []byte) bool {
	for _, name := range [...]string{`"sessionId":`, `"projectHash":`, `"kind":`, `"lastUpdated":`, `"messages":`, `"startTime":`} {
		if bytes.HasPrefix(text, []byte(name)) {
			return true
		}
	}
	return false
}

// nesting follows the structure of an object that comes in lines, far enough to tell a line that is none of its own:
// an object that never ends must not take what follows with it. A string ends on the line on which it begins.
type nesting struct {
	open int  // brackets
	last byte // of what stands before: a bracket, a comma, a colon, or 0 after a whole value
}

// add reads the next line. It gives what stands behind the object's end,
// and reports false for a line that does not go on with the object or that has more behind its end than printers write.
func (n *nesting) add(line []byte) (rest []byte, ok bool) {
	for i := 0; i < len(line); i++ {
		c := line[i]
		if isSpace(c) {
			continue
		}
		begun := n.last != 0 // a value can begin here
		switch c {
		case '}', ']':
			if n.last == ':' {
				return nil, false
			}
			n.last = 0
			if n.open--; n.open == 0 {
				return line[i+1:], isTrailing(line[i+1:])
			}
			continue
		case ',', ':':
			if begun {
				return nil, false
			}
			n.last = c
			continue
		case '{', '[':
			n.open++
			if !begun && n.open > 1 || n.last == '{' {
				return nil, false
			}
			n.last = c
			continue
		case '"':
			k := walker{b: line, i: i}
			if _, ok := k.raw(); !ok {
				return nil, false
			}
			i = k.i - 1
		default:
			end := i + 1
			for end < len(line) && !isSpace(line[end]) && bytes.IndexByte([]byte(",]}"), line[end]) < 0 {
				end++
			}
			if !isLiteral(line[i:end]) || n.last == '{' {
				return nil, false
			}
			i = end - 1
		}
		if !begun {
			return nil, false
		}
		n.last = 0
	}
	return nil, true
}

// isTrailing reports whether what follows an object is no more than the comma of a list of objects, and what ends a colour.
func isTrailing(rest []byte) bool {
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case isSpace(c) || c == ',':
		case c == '\x1b' && i+1 < len(rest) && rest[i+1] == '[':
			for i += 2; i < len(rest) && (rest[i] < '@' || rest[i] > '~'); i++ {
			}
		default:
			return false
		}
	}
	return true
}

// unlogged finds the object in a line that a logger wrote: after "[time] [LEVEL] ", before what ends a colour.
// It gives nil where there is none, and otherwise does not promise that it is valid.
func unlogged(line []byte) []byte {
	end := bytes.LastIndexByte(line, '}')
	for start := 0; start < end; start++ {
		n := bytes.IndexByte(line[start:end], '{')
		if n < 0 {
			return nil
		}
		start += n
		k := walker{b: line, i: start + 1}
		if k.peek() == '"' {
			return line[start : end+1]
		}
	}
	return nil
}
