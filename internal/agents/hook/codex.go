package hook

import "bytes"

// codexExec recognises a rollout of `codex exec` by its first line. That program does not wait for its sub-agents.
func codexExec(rollout []byte) bool {
	first, _, _ := bytes.Cut(rollout, []byte("\n"))
	return bytes.Contains(first, []byte(`"type":"session_meta"`)) && bytes.Contains(first, []byte(`"originator":"codex_exec"`))
}
