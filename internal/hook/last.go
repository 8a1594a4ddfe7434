package hook

import "bytes"

// MaxTail is how much of a conversation's file is read, from its end, to find the last message.
const MaxTail = 64 << 10

// LastMessage finds the agent's last message in the end of the file with the conversation, JSON lines of any agent.
// It looks back no further than the user's last message: what was said before that belongs to another turn.
func LastMessage(tail []byte) string {
	for len(tail) > 0 {
		line := tail
		if i := bytes.LastIndexByte(tail, '\n'); i >= 0 {
			line, tail = tail[i+1:], tail[:i]
		} else {
			tail = nil // its beginning may be missing
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '{' {
			continue
		}
		p, err := readPayload(line)
		if err != nil {
			continue
		}
		switch text := spoken(p); speaker(p) {
		case "assistant":
			if text != "" {
				return text
			}
		case "user":
			if text != "" {
				return ""
			}
		}
	}
	return ""
}

// parts gives where a line's message can stand: in the line itself, or in a member.
func parts(p payload) []payload {
	all := []payload{p}
	for _, name := range []string{"message", "payload", "data"} {
		if inner := p.object(name); inner != nil {
			all = append(all, inner)
		}
	}
	return all
}

// speaker says whose message a line is: assistant, user, or nobody's.
func speaker(p payload) string {
	if p.flag("is_sidechain") || p.flag("is_meta") {
		return ""
	}
	for _, m := range parts(p) {
		for _, name := range []string{"role", "type"} {
			switch m.text(name) {
			case "assistant", "model", "gemini", "agent_message", "assistant.message":
				return "assistant"
			case "user", "user_message", "user.message":
				return "user"
			}
		}
	}
	return ""
}

// spoken gives the text of a line's message. Results of tools, which some agents write as the user's, have none.
func spoken(p payload) string {
	for _, m := range parts(p) {
		for _, name := range []string{"content", "parts", "text", "message"} {
			v := m.get(name)
			if text := v.text(); text != "" {
				return text
			}
			if text := joinParts(v.list()); text != "" {
				return text
			}
		}
	}
	return ""
}
