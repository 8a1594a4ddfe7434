package agent

import (
	"fmt"
	"strings"
)

// adapter is one row of the table of agents.
type adapter struct {
	format Format
	kind   Kind
	source string // Event.Source of its updates

	// detect reports whether a line can only be this agent's.
	// It is asked where no session is known yet, and for a line that the present agent does not write.
	detect func(*head) bool

	// open makes the parser; it is called once an input at most.
	open func(*Reader, *adapter) parser

	// alike says that its lines look like those of other agents but for the first one: the session's id tells whose they are.
	alike bool

	// hint names the switch of the agent's todo tool, for a stream without a list.
	hint string

	// silent says that the stream does not tell whether the tool is on, so that the hint is given on suspicion.
	silent bool
}

// key names a session among all. One that an agent printed and that stands in its file too is read as two,
// since neither knows how far the other is.
func (a *adapter) key(id, sub string) string {
	return string(a.format) + "\x00" + id + "\x00" + sub
}

// adapters is the table of agents. The order matters where two rows could claim the same line: the first one gets it.
func adapters() []adapter {
	return []adapter{
		{
			format: Codex, kind: OpenAICodex, source: "codex",
			detect: detectCodex, open: openCodex,
			hint:   "Codex has its plan tool off since 0.152.0; start it with -c tools.update_plan.enabled=true",
			silent: true,
		},
		{
			format: CodexRollout, kind: OpenAICodex, source: "codex",
			detect: detectCodexRollout, open: openCodexRollout,
			hint:   "Codex has its plan tool off since 0.152.0; start it with -c tools.update_plan.enabled=true",
			silent: true,
		},
		{
			format: Claude, kind: ClaudeCode, source: "claude",
			detect: detectClaude, open: openClaude, alike: true,
			hint: "Claude Code has its todo tools off for this model; set CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
		},
		{
			format: ClaudeTranscript, kind: ClaudeCode, source: "claude",
			detect: detectClaudeTranscript, open: openClaudeTranscript,
			hint:   "Claude Code has its todo tools off for newer models; set CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
			silent: true,
		},
		{
			format: Gemini, kind: GoogleGemini, source: "gemini",
			detect: detectGemini, open: openGemini,
			hint:   "Gemini CLI offers write_todos to Gemini 2 models only; choose one, such as gemini-2.5-pro, and leave experimental.taskTracker off",
			silent: true,
		},
		{
			format: GeminiChat, kind: GoogleGemini, source: "gemini",
			detect: detectGeminiChat, open: openGeminiChat,
			hint:   "Gemini CLI offers write_todos to Gemini 2 models only; choose one, such as gemini-2.5-pro, and leave experimental.taskTracker off",
			silent: true,
		},
		{
			format: Opencode, kind: OpencodeCLI, source: "opencode",
			detect: detectOpencode, open: openOpencode,
			hint: "opencode has todowrite switched off; allow it under tools and permission in opencode.json",
		},
		{
			format: Qwen, kind: QwenCode, source: "qwen",
			detect: detectQwen, open: openQwen, alike: true,
			hint: "Qwen Code has its todo tool off in newer versions; set tools.todoWrite.enabled in its settings, and do not exclude todo_write",
		},
		{
			// After Gemini CLI, whose stream it writes.
			format: LLxprt, kind: LLxprtCode, source: "llxprt",
			detect: detectGemini, open: openLLxprt,
		},
		{
			format: Cursor, kind: CursorAgent, source: "cursor",
			detect: detectCursor, open: openCursor, alike: true,
		},
		{
			format: Kimi, kind: KimiCLI, source: "kimi",
			detect: detectKimi, open: openKimi,
		},
		{
			format: ACP, kind: AgentClient, source: "acp",
			detect: detectACP, open: openACP,
		},
	}
}

// Formats lists the names that ParseFormat takes.
func Formats() []string {
	names := []string{string(Auto)}
	for _, a := range adapters() {
		names = append(names, string(a.format))
	}
	return names
}

// ParseFormat reads the name of a format; the empty string is auto.
func ParseFormat(name string) (Format, error) {
	if name == "" {
		return Auto, nil
	}
	names := Formats()
	for _, known := range names {
		if name == known {
			return Format(name), nil
		}
	}
	return "", fmt.Errorf("unknown format %q (one of %s)", name, strings.Join(names, ", "))
}

// parser turns one agent's lines into updates. It holds what must be remembered between lines.
type parser interface {
	// knows reports whether the agent writes lines of this type.
	knows(typ []byte) bool

	// read reads a line and does what it says. After an error nothing has changed.
	read(line []byte) error

	// stream is the session that the last line belonged to, nil before one was read.
	stream() *stream

	// stop is called when another agent's session begins and at the end of the input:
	// what is unfinished now stays so.
	stop()
}

// short gives the agent's short name, as in settings, flags and the owner of a list.
func (k Kind) short() string {
	for _, a := range adapters() {
		if a.kind == k {
			return a.source
		}
	}
	return string(k)
}

// TodoToolHint names the switch of an agent's own todo tool, by the agent's short name; empty where none is known.
func TodoToolHint(short string) string {
	for _, a := range adapters() {
		if a.source == short {
			return a.hint
		}
	}
	return ""
}

// KindOf gives the agent of a short name, as the owner of a list has it.
// A list that no agent wrote is onward's own.
func KindOf(short string) Kind {
	for _, a := range adapters() {
		if a.source == short {
			return a.kind
		}
	}
	return Onward
}

// Onward stands where the other kinds stand, for a list that a person or a script wrote.
const Onward Kind = "onward"
