package codex

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
)

// In code mode the model writes JavaScript that calls tools: `await
// tools.update_plan({plan:[{step:"…",status:"completed"}]})`. The plan is read where it is a plain
// literal, in any of the ways to write one, or is in a variable that got such a literal before.

func planTool() *native.Tool { return tools.Find("update_plan") }

// planCall opens a call that updates the plan.
const planCall = "tools.update_plan("

// planIn returns the argument of the last call in a piece of code that updates the plan, as JSON;
// nil if it is not a literal. Alone means that the code calls no other tool.
func planIn(code []byte) (plan []byte, alone bool) {
	alone = bytes.Count(code, []byte("tools.")) == bytes.Count(code, []byte(planCall))
	at := bytes.LastIndex(code, []byte(planCall))
	if at < 0 {
		return nil, alone
	}
	plan, _ = (&script{lookUps: maxLookUps}).literal(code[at+len(planCall):], code[:at])
	return plan, alone
}

// script is a piece of code in which literals are read.
type script struct{ lookUps int } // how many variables may still be looked up

// maxLookUps is more variables than a plan has. Without a limit, code of a few lines could mean a text of any length.
const maxLookUps = 8

// variableLiteral returns the literal that a variable got last in the code before, if nothing was done with the variable since.
func (s *script) variableLiteral(name, before []byte) []byte {
	for at := len(before); s.lookUps > 0 && len(name) > 0; {
		if at = bytes.LastIndex(before[:at], name); at < 0 {
			break
		}
		value, assigned := bytes.CutPrefix(bytes.TrimLeft(before[at+len(name):], " \t\r\n"), []byte("="))
		if !assigned || !isWord(before, at, len(name)) {
			continue
		}
		s.lookUps--
		literal, after := s.literal(value, before[:at])
		if !endsStatement(after) || hasName(after, name) {
			return nil
		}
		return literal
	}
	return nil
}

// endsStatement reports whether a statement or a declaration ends where a piece of code begins.
func endsStatement(code []byte) bool {
	next := bytes.TrimLeft(code, " \t\r\n")
	line := bytes.IndexByte(code[:len(code)-len(next)], '\n') >= 0
	return len(next) == 0 || next[0] == ';' || next[0] == ',' || line && (next[0] >= 'a' && next[0] <= 'z' || next[0] == '}' || next[0] == '/')
}

// hasName reports whether code has a name in it.
func hasName(code, name []byte) bool {
	for at := 0; ; at += len(name) {
		i := bytes.Index(code[at:], name)
		if i < 0 {
			return false
		}
		if at += i; isWord(code, at, len(name)) {
			return true
		}
	}
}

// isWord reports whether a part of the code is a whole word.
func isWord(code []byte, at, length int) bool {
	end := at + length
	return (at == 0 || !isWordByte(code[at-1])) && (end == len(code) || !isWordByte(code[end]) || code[end] == '.')
}

// literal returns a literal of JavaScript as JSON, and nil for one that has anything but literals in it, and variables
// that got a literal in the code before. It returns the code after it, too.
func (s *script) literal(code, before []byte) (json, after []byte) {
	var out, in []byte // in are the brackets that are open
	depth, i := 0, 0
	for i < len(code) && (depth > 0 || len(out) == 0) {
		switch c := code[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
			continue
		case '"', '\'', '`':
			n := len(out)
			if out, i = appendString(out, code, i); i < 0 || c == '`' && bytes.Contains(out[n:], []byte("${")) {
				return nil, nil
			}
			continue
		case '{', '[':
			in = append(in[:depth], c)
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return nil, nil
			}
			out = bytes.TrimSuffix(out, []byte(","))
		case ',', ':':
		default:
			end := i
			for end < len(code) && isWordByte(code[end]) {
				end++
			}
			word := code[i:end]
			if rest := bytes.TrimLeft(code[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
				out, _ = jsontext.AppendQuote(out, word) // the name of a member
			} else if jsontext.Value(word).IsValid() {
				out = append(out, word...)
			} else if value := s.variableLiteral(word, before); value != nil {
				if last := out[max(0, len(out)-1):]; depth > 0 && in[depth-1] == '{' && last[0] != ':' { // the member has the name of the variable
					out, _ = jsontext.AppendQuote(out, word)
					out = append(out, ':')
				}
				out = append(out, value...)
			} else {
				return nil, nil
			}
			i = end
			continue
		}
		out = append(out, code[i])
		i++
	}
	if depth != 0 || len(out) == 0 || !jsontext.Value(out).IsValid() {
		return nil, nil
	}
	return out, code[i:]
}

// appendString appends a string of JavaScript as JSON writes it, and returns the place behind it, or -1.
func appendString(out, code []byte, i int) ([]byte, int) {
	quote := code[i]
	out = append(out, '"')
	for i++; i < len(code); i++ {
		switch c := code[i]; {
		case c == quote:
			return append(out, '"'), i + 1
		case c == '"':
			out = append(out, '\\', '"')
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\\' && i+1 < len(code):
			if i++; code[i] == '\'' || code[i] == '`' || code[i] == '$' {
				out = append(out, code[i])
			} else {
				out = append(out, '\\', code[i])
			}
		default:
			out = append(out, c)
		}
	}
	return out, -1
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || bytes.IndexByte([]byte("_$.+-"), c) >= 0
}
