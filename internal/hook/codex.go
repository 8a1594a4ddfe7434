package hook

import "bytes"

// writeCodex answers Codex, which treats an answer with an unknown key as a failure of the hook,
// and one without a reason too. Only a conversation's beginning knows additional context.
func writeCodex(c Call, a Answer) Reply {
	if c.Kind != Start {
		a.Context = ""
	}
	return claudeReply(c, a, "block", "{}\n")
}

// codexExec recognises a rollout of `codex exec` by its first line. That program does not wait for its sub-agents.
func codexExec(rollout []byte) bool {
	first, _, _ := bytes.Cut(rollout, []byte("\n"))
	return bytes.Contains(first, []byte(`"type":"session_meta"`)) && bytes.Contains(first, []byte(`"originator":"codex_exec"`))
}
