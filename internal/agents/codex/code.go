package codex

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
)

// In code mode the model writes JavaScript that calls tools: `await
// tools.update_plan({plan:[{step:"…",status:"completed"}]})`. The plan is read where it is a plain
// literal, in any of the ways to write one.

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
	return literal(code[at+len(planCall):]), alone
}

// literal returns an object literal of JavaScript as JSON, and nil for one that has anything but literals in it.
func literal(code []byte) []byte {
	var out []byte
	depth := 0
	for i := 0; i < len(code); {
		switch c := code[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
			continue
		case '"', '\'', '`':
			n := len(out)
			if out, i = quoted(out, code, i); i < 0 || c == '`' && bytes.Contains(out[n:], []byte("${")) {
				return nil
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
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
			} else {
				return nil
			}
			i = end
			continue
		}
		out = append(out, code[i])
		if i++; depth == 0 {
			break
		}
	}
	if depth != 0 || len(out) == 0 || !jsontext.Value(out).IsValid() {
		return nil
	}
	return out
}

// quoted appends a string of JavaScript as JSON writes it, and returns the place behind it, or -1.
func quoted(out, code []byte, i int) ([]byte, int) {
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
