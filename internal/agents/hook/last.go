package hook

import (
	"bytes"
	"iter"

	continuation "onward/internal/continue"
)

// MaxTail is how much of a conversation's file is read, from its end, to find the last message, and the calls of a loop before it.
const MaxTail = 128 << 10

// LastMessage finds the agent's last message in the end of the file with the conversation, which has JSON lines.
// It does not read past the user's last message: anything earlier belongs to another turn.
// said is the length of the tail up to the last line of the agent, the user or the host on the user's behalf:
// notes of the host follow, which it may write while its hooks run.
func (a *Protocol) LastMessage(tail []byte) (message string, said int) {
	for p, at := range fromEnd(tail) {
		who := a.speaker(p)
		if who != "" && said == 0 {
			said = at
		}
		text := messageText(p)
		switch {
		case text == "" || p.Flag("is_meta"):
		case who == "assistant":
			return text, said
		case who == "user":
			return "", said
		}
	}
	return "", said
}

// limit returns the exact end of the limit that a turn met, if the last line in the end of the conversation's file that anyone
// said names it.
func (a *Protocol) limit(tail []byte) continuation.Reset {
	for p := range fromEnd(tail) {
		if a.speaker(p) != "" {
			return a.Limit(p)
		}
	}
	return continuation.Reset{}
}

// fromEnd yields the objects in the end of a conversation's file, the last one first, and where each of them ends.
func fromEnd(tail []byte) iter.Seq2[Payload, int] {
	return func(yield func(Payload, int) bool) {
		for end := len(tail); end > 0; {
			start := bytes.LastIndexByte(tail[:end], '\n') + 1
			p, err := readPayload(tail[start:end])
			at := end
			end = max(0, start-1)
			if err == nil && !yield(p, at) {
				return
			}
		}
	}
}

// ReachesTime reports whether the last line of a conversation's file is of a time or a later one.
// Both are as the agent writes them, in one form.
func ReachesTime(tail []byte, at string) bool {
	tail = bytes.TrimSpace(tail)
	p, err := readPayload(tail[bytes.LastIndexByte(tail, '\n')+1:])
	return err == nil && p.Text("timestamp") >= at
}

// parts returns where a line's message can be: in the line itself, or in a member.
func parts(p Payload) []Payload {
	all := []Payload{p}
	for _, name := range []string{"message", "payload", "data"} {
		if inner := p.Object(name); inner != nil {
			all = append(all, inner)
		}
	}
	return all
}

// speaker returns the role of a line's message: assistant, user, or empty.
func (a *Protocol) speaker(p Payload) string {
	if p.Flag("is_sidechain") {
		return ""
	}
	for _, m := range parts(p) {
		for _, name := range []string{"role", "type"} {
			switch word := m.Text(name); word {
			case "":
			case "assistant", "model", "agent_message", "assistant.message", a.Speaker:
				return "assistant"
			case "user", "user_message", "user.message":
				return "user"
			}
		}
	}
	return ""
}

// messageText returns the text of a line's message. Results of tools, which some agents write as the user's, have none.
func messageText(p Payload) string {
	for _, m := range parts(p) {
		for _, name := range []string{"content", "parts", "text", "message"} {
			v := m.Get(name)
			if text := v.Text(); text != "" {
				return text
			}
			if text := JoinParts(v.List()); text != "" {
				return text
			}
		}
	}
	return ""
}
