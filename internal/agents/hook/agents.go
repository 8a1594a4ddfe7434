package hook

import (
	"strconv"

	continuation "onward/internal/continue"
)

// Agent is one row of the table of agents.
type Agent struct {
	Name string // of `onward hook NAME`

	// GoAhead is the reply that lets the agent proceed, for any event.
	// It is the answer to everything that went wrong, so it depends on nothing.
	GoAhead string

	// Code is the exit code that continues the agent; any code other than this one and 0 is a failure of onward.
	Code int

	// Serves means that a server of the agent's may run the hooks of several conversations.
	Serves bool

	// Late means that the agent writes what comes before an event into the conversation's file only
	// while its hooks run.
	Late bool

	// ShellFile is the variable that names, at a conversation's start, a file which the agent's
	// shell reads before each command.
	ShellFile string

	// Decides means that the agent reads the whole decision.
	Decides bool

	BothEnds  bool // the beginning and the end of a turn are reported
	WorkFrees bool // the host resets its count of blocks after a turn that ran tools
	Compacted bool // the end of a compaction is reported
	Idles     bool // the end of a turn that failed is reported once more, as any other end
	Refuses   bool // a prompt can be kept from the model

	cap         int    // consecutive blocks after which the host ignores a hook; 0 is no cap
	capVariable string // by which the user sets another cap
	capOff      bool   // a value below 1 switches the cap off
	folder      string // the variable that names the project's folder

	ends        func(conversation []byte) bool // the program ends with the turn, according to the beginning of the conversation's file
	todoToolOff func(c Call, env func(string) string) bool
	read        func(payload) Call
	write       func(Call, Answer) Reply
}

// OwnCode is the exit code that replaces Agent.Code if the command line asks for it.
// Go ends with 2 on a crash, so an agent that reads 2 cannot distinguish a crash from an answer.
const OwnCode = 40

// Agents is the table of agents.
func Agents() []Agent {
	return []Agent{
		{
			Name: "claude", BothEnds: true,
			cap: 8, capVariable: "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", capOff: true, WorkFrees: true,
			folder: "CLAUDE_PROJECT_DIR", ShellFile: "CLAUDE_ENV_FILE", Refuses: true, Compacted: true,
			todoToolOff: claudeTodoToolOff, read: readClaude, write: writeClaude,
		},
		{
			Name: "codex", BothEnds: true, GoAhead: "{}\n", Serves: true,
			Refuses: true, Compacted: true, todoToolOff: always, ends: codexExec, read: readNamed, write: writeClaude,
		},
		{
			Name: "gemini", BothEnds: true, GoAhead: "{}\n",
			folder: "GEMINI_PROJECT_DIR", Refuses: true, todoToolOff: always, read: readGemini, write: writeGemini,
		},
		{
			Name: "qwen", BothEnds: true, GoAhead: "{}\n",
			cap: 8, capVariable: "QWEN_CODE_STOP_HOOK_BLOCK_CAP", folder: "QWEN_PROJECT_DIR",
			Refuses: true, todoToolOff: always, read: readQwen, write: writeClaude,
		},
		{
			// It has its own todo tools, and continues by itself.
			Name: "llxprt", GoAhead: "{}\n",
			folder: "LLXPRT_PROJECT_DIR", Refuses: true, read: readLLxprt, write: writeGemini,
		},
		{Name: "opencode", BothEnds: true, Idles: true, GoAhead: "{}\n", Decides: true, Refuses: true, Compacted: true, todoToolOff: always, read: readOpencode, write: writeDecision},
		{
			Name: "cursor", BothEnds: true, GoAhead: "{}\n",
			cap: 5, Refuses: true, todoToolOff: always, read: readCursor, write: writeCursor,
		},
		{
			Name: "copilot", BothEnds: true, GoAhead: "{}\n", Late: true,
			cap: 8, todoToolOff: always, read: readCopilot, write: writeCopilot,
		},
		{
			Name: "vscode", BothEnds: true, GoAhead: "{}\n",
			cap: 8, Refuses: true, todoToolOff: always, read: readNamed, write: writeVSCode,
		},
		{Name: "kimi", BothEnds: true, Code: 2, cap: 1, Refuses: true, Compacted: true, todoToolOff: always, read: readKimi, write: writeKimi},
		{
			Name: "generic", GoAhead: "{}\n", Decides: true,
			Refuses: true, Compacted: true, todoToolOff: genericTodoToolOff, read: readGeneric, write: writeDecision,
		},
	}
}

// Find returns the agent of a name, or nil.
func Find(name string) *Agent {
	table := Agents()
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

// Read reads an event. Only input that is not a JSON object is an error;
// an event that is unknown, or lacks what we need, is a Call that asks for nothing.
func (a *Agent) Read(data []byte) (Call, error) {
	p, err := readPayload(data)
	if err != nil {
		return Call{}, err
	}
	c := a.read(p)
	if c.Agent == "" {
		c.Agent = a.Name
	}
	if a.BothEnds && c.Begins && c.SubAgent == "" {
		c.Events = append(c.Events, continuation.Event{Type: continuation.TurnStart})
	}
	return c, nil
}

// Write writes an answer in the agent's own words. No agent takes context but at the beginning of a conversation;
// where there is nothing to report, it is let proceed.
func (a *Agent) Write(c Call, answer Answer) Reply {
	if c.Kind != Start {
		answer.Context = ""
	}
	r := a.write(c, answer)
	if r == (Reply{}) {
		r.Stdout = a.GoAhead
	}
	return r
}

// Cap returns how many blocks in a row the host takes; 0 is any number.
// env looks up an environment variable.
func (a *Agent) Cap(env func(string) string) int {
	if a.capVariable == "" {
		return a.cap
	}
	n, err := strconv.Atoi(env(a.capVariable))
	switch {
	case err != nil:
		return a.cap
	case n >= 1:
		return n
	case a.capOff:
		return 0
	}
	return a.cap
}

// Folder returns the project's folder as the host names it, or nothing.
func (a *Agent) Folder(env func(string) string) string { return env(a.folder) }

// TodoToolOff reports whether the agent's own todo tool is off, as far as that is known,
// so that its model needs instructions how to keep a list.
func (a *Agent) TodoToolOff(c Call, env func(string) string) bool {
	return a.todoToolOff != nil && a.todoToolOff(c, env)
}

// MaxHead is how much of the beginning of a conversation's file is looked at, in bytes.
const MaxHead = 64 << 10

// EndsWithTurn reports whether the agent's program ends with the turn, though something still runs next to it.
// It is asked with the beginning of the conversation's file.
func (a *Agent) EndsWithTurn(conversation func() []byte) bool {
	return a.ends != nil && a.ends(conversation())
}

func always(Call, func(string) string) bool { return true }
