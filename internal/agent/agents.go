package agent

import (
	"fmt"
	"slices"
	"strings"
)

// adapter is one row of the table of agents.
type adapter struct {
	format Format
	kind   Kind
	source string // Event.Source of its updates

	// lines are the types of lines that the agent writes.
	lines []lineType

	// more reports whether it writes lines of a type that has no row; nil where it writes no others.
	more func(typ []byte) bool

	// detect is asked for lines whose type alone does not identify the agent; nil if there are none.
	detect func(*line) bool

	// idle reports whether a line changes nothing, so that it need not be proven to be UTF-8, which
	// takes as long as reading it. Nil means that every line is proven.
	idle func(*Reader, *line) bool

	// open makes the parser; it is called once an input at most.
	open func() parser

	// as is the agent whose lines it writes, and whose parser finds out which of the two a session is of.
	as Format

	// alike means that its lines look like those of other agents but for the first one: the
	// session's id identifies the agent.
	alike bool

	// hint names the switch of the agent's todo tool, for a stream without a list.
	hint string

	// silent means that the stream does not report whether the tool is on, so that the hint is printed on suspicion.
	silent bool
}

// key names a session among all. One that an agent printed and that is in its file too is read as two,
// since neither knows how far the other is.
func (a *adapter) key(id, sub string) string {
	return string(a.format) + "\x00" + id + "\x00" + sub
}

// How the todo tool is switched on, for agents with more formats than one.
const (
	codexHint  = "Codex has its plan tool off since 0.152.0; start it with -c tools.update_plan.enabled=true"
	geminiHint = "Gemini CLI offers write_todos to Gemini 2 models only; choose one, such as gemini-2.5-pro, and leave experimental.taskTracker off"
	qwenHint   = "Qwen Code has its todo tool off in newer versions; set tools.todoWrite.enabled in its settings, and do not exclude todo_write"
)

// adapters is the table of agents. The order matters where two rows could claim the same line: the first one gets it.
func adapters() []adapter {
	return []adapter{
		{
			format: Codex, kind: OpenAICodex, source: "codex",
			lines: codexLines, open: func() parser { return new(codex) },
			hint:   codexHint,
			silent: true,
		},
		{
			format: CodexRollout, kind: OpenAICodex, source: "codex",
			lines: codexRolloutLines, more: isRolloutTool, detect: detectCodexRollout, open: func() parser { return new(codexRollout) },
			hint:   codexHint,
			silent: true,
		},
		{
			format: Claude, kind: ClaudeCode, source: "claude",
			lines: claudeLines, detect: detectClaude, idle: claudeIdle, open: func() parser { return new(claude) }, alike: true,
			hint: "Claude Code has its todo tools off for this model; set CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
		},
		{
			format: ClaudeTranscript, kind: ClaudeCode, source: "claude",
			lines: claudeTranscriptLines(), detect: detectClaudeTranscript, idle: claudeIdle, open: func() parser { return new(claudeTranscript) },
			hint:   "Claude Code has its todo tools off for newer models; set CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
			silent: true,
		},
		{
			format: Gemini, kind: GoogleGemini, source: "gemini",
			lines: geminiLines, open: func() parser { return new(gemini) },
			hint:   geminiHint,
			silent: true,
		},
		{
			format: GeminiChat, kind: GoogleGemini, source: "gemini",
			lines: geminiChatLines, detect: detectGeminiChat, open: func() parser { return new(geminiChat) },
			hint:   geminiHint,
			silent: true,
		},
		{
			format: Opencode, kind: OpencodeCLI, source: "opencode",
			lines: opencodeLines, open: func() parser { return new(opencode) },
			hint: "opencode has todowrite switched off; allow it under tools and permission in opencode.json",
		},
		{
			format: OpencodeExport, kind: OpencodeCLI, source: "opencode",
			detect: detectOpencodeExport, open: func() parser { return new(opencodeExport) },
		},
		{
			format: Qwen, kind: QwenCode, source: "qwen",
			lines: qwenLines, detect: detectQwen, open: func() parser { return new(claude) }, as: Claude,
			hint: qwenHint,
		},
		{
			format: QwenChat, kind: QwenCode, source: "qwen",
			lines: qwenChatLines, detect: detectQwenChat, open: func() parser { return new(qwenChat) },
			hint:   qwenHint,
			silent: true,
		},
		{
			// After Gemini CLI, whose stream it writes.
			format: LLxprt, kind: LLxprtCode, source: "llxprt",
			lines: geminiLines, open: func() parser { return new(gemini) }, as: Gemini,
		},
		{
			format: Cursor, kind: CursorAgent, source: "cursor",
			lines: cursorLines, detect: detectCursor, open: func() parser { return new(cursor) }, alike: true,
		},
		{
			format: Kimi, kind: KimiCLI, source: "kimi",
			lines: kimiLines, detect: detectKimi, open: func() parser { return new(kimi) },
		},
		{
			format: KimiWire, kind: KimiCLI, source: "kimi",
			lines: kimiWireLines, more: isKimiRecord, detect: isKimiMessage, open: func() parser { return new(kimiWire) },
		},
		{
			format: Copilot, kind: CopilotCLI, source: "copilot",
			lines: copilotLines, more: isCopilotEvent, detect: detectCopilot, open: func() parser { return new(copilot) },
		},
		{
			format: Droid, kind: FactoryDroid, source: "droid",
			lines: droidLines, open: func() parser { return new(droid) },
		},
		{
			format: ACP, kind: AgentClient, source: "acp",
			lines: acpLines, detect: detectACP, open: func() parser { return new(acp) },
		},
	}
}

// Formats lists the names that ParseFormat accepts.
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
	if slices.Contains(names, name) {
		return Format(name), nil
	}
	return "", fmt.Errorf("unknown format %q (one of %s)", name, strings.Join(names, ", "))
}

// Short returns the agent's short name, as in settings, flags and the owner of a list.
func (k Kind) Short() string {
	for _, a := range adapters() {
		if a.kind == k {
			return a.source
		}
	}
	return string(k)
}

// ClaudeTodoToolOn reports whether the environment switches on the todo tools of Claude Code, which newer models have off.
func ClaudeTodoToolOn(env func(string) string) bool {
	on := env("CLAUDE_CODE_ENABLE_TODO_TOOLS")
	return on != "" && on != "0" && on != "false"
}

// TodoToolHint names the switch of an agent's own todo tool, by the agent's short name;
// empty where none is known, or the environment has it on.
func TodoToolHint(short string, env func(string) string) string {
	if short == "claude" && ClaudeTodoToolOn(env) {
		return ""
	}
	for _, a := range adapters() {
		if a.source == short {
			return a.hint
		}
	}
	return ""
}

// KindOf returns the agent of a short name, as the owner of a list has it.
// A list that no agent wrote is onward's own.
func KindOf(short string) Kind {
	for _, a := range adapters() {
		if a.source == short {
			return a.kind
		}
	}
	return Onward
}

// Onward stands in for an agent, for a list that the user or a script wrote.
const Onward Kind = "onward"
