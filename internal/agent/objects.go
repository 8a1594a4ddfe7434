package agent

import "bytes"

// whole joins the lines of an object that is printed over several of them, of which the given line is the first.
// It gives nil where they are no such object. They are then counted and left out, but for a line that is an object by itself.
//
// The old chat recordings of Gemini CLI are one such object. Any other one is joined only if that was asked for:
// a brace that stands alone is much more often a piece of some program's output.
func (r *Reader) whole(first []byte) []byte {
	logged := bytes.LastIndexByte(first, '{') // what a logger put before the object
	var depth nesting
	depth.add(first[logged:])
	r.sum.Lines++
	for n := 1; ; {
		all, line, tooLong, err := r.lines.join()
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
		if n == 1 && !r.opt.Lenient && !beginsChat(text) || len(text) > 2 && line[0] == '{' && text[len(text)-1] == '}' {
			r.lines.unread()
			r.skip(&Skipped{NotJSON: n})
			return nil
		}
		r.sum.Lines++
		n++
		if depth.add(text); depth.broken {
			r.skip(&Skipped{NotJSON: n})
			return nil
		}
		if depth.open == 0 {
			return all[logged:]
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

// nesting counts the brackets of an object that comes in lines. A string ends on the line on which it begins.
type nesting struct {
	open   int
	broken bool
}

func (n *nesting) add(line []byte) {
	for i := 0; i < len(line); i++ {
		if n.open == 0 && i > 0 {
			n.broken = true // something follows the object
			return
		}
		switch line[i] {
		case '{', '[':
			n.open++
		case '}', ']':
			n.open--
		case '"':
			k := walker{b: line, i: i}
			if _, ok := k.raw(); !ok {
				n.broken = true
				return
			}
			i = k.i - 1
		}
	}
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
