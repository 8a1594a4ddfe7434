package hook

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
)

// Protocol is how an agent calls hooks, and how it is answered.
type Protocol struct {
	Name string // of `onward hook NAME`

	// GoAhead is the reply that lets the agent proceed, for any event.
	// It is the answer to everything that went wrong, so it depends on nothing.
	GoAhead string

	// Code is the exit code that continues the agent; any code other than this one and 0 is a failure of onward.
	Code int

	// ServesConversations means that a server of the agent's may run the hooks of several conversations.
	ServesConversations bool

	// WritesLate means that the agent writes what comes before an event into the conversation's file only
	// while its hooks run.
	WritesLate bool

	// Speaker is the word by which the conversation's file marks the agent's messages, if it is not a usual one.
	Speaker string

	// ShellFile is the variable that names, at a conversation's start, a file which the agent's
	// shell reads before each command.
	ShellFile string

	// ReadsDecision means that the agent reads the whole decision.
	ReadsDecision bool

	ByVersion            bool // the answer at a stop depends on the agent's version, which the conversation's file has
	ReportsBothEnds      bool // the beginning and the end of a turn are reported
	WorkResetsBlocks     bool // the host resets its count of blocks after a turn that ran tools
	ReportsCompactionEnd bool // the end of a compaction is reported
	RepeatsFailedEnd     bool // the end of a turn that failed is reported once more, as any other end
	RunsOthersHooks      bool // it runs the hooks of other agents as well, which leave its events alone
	CanRefusePrompt      bool // a prompt can be kept from the model

	BlockCap         int    // consecutive blocks after which the host ignores a hook; 0 is no cap
	BlockCapVariable string // by which the user sets another cap
	BlockCapOff      bool   // a value below 1 switches the cap off
	FolderVariable   string // names the project's folder

	// Exits reports whether the program ends with the turn, according to the beginning of the conversation's file.
	Exits func(conversation []byte) bool

	// LacksTodoTool reports whether the agent's own todo tool is off; nil if that is not known.
	LacksTodoTool func(c Call, env func(string) string) bool

	// Ignores are events that are left out on purpose, in lower case, and that other agents do not have. An event that is
	// neither read nor ignored is named as unread.
	Ignores []string

	// ParseLed reads an event of a conversation that another one leads, as the other one's event; false for any other event.
	// Nil for an agent without such conversations.
	ParseLed func(Payload, EventContext) (Call, bool)

	// Limit returns the exact end of a usage limit, which a line of the conversation's file names and the event does not.
	// Nil for an agent without such lines.
	Limit func(Payload) continuation.Reset

	Parse  func(Payload) Call       // reads an event
	Render func(Call, Answer) Reply // writes an answer
}

// SafeExitCode is the exit code that replaces Protocol.Code if the command line asks for it.
// Go ends with 2 on a crash, so an agent that reads 2 cannot distinguish a crash from an answer.
const SafeExitCode = 40

// IsAnswerCode reports whether an exit code of a hook is an answer to the agent, and not a failure of onward. The agent is nil if it is unknown.
func (p *Protocol) IsAnswerCode(code int) bool {
	return code == 0 || p != nil && p.Code != 0 && (code == p.Code || code == SafeExitCode)
}

// EventContext is what an event can be read with besides itself.
type EventContext struct {
	Env  func(name string) string
	Head func(path string) []byte // the beginning of a file, MaxHead bytes at most; nil if it cannot be read
	Tail func(path string) []byte // the end of a file, MaxTail bytes at most; nil if it cannot be read
	Glob func(pattern string) (paths []string)
}

// errUnnamed tells that an agent names its events in another way than this version knows, so that none of them would count.
var errUnnamed = errors.New("read the event: it does not say what happened")

// Read reads a single event. Only input that is not a JSON object, or has no name of an event, is an error;
// an event that is unknown, or lacks what we need, is a Call that asks for nothing.
// tools are those of all agents, since the server of one is used by another, and so are the texts about failures.
func (p *Protocol) Read(data []byte, tools native.Registry, texts stream.AllFailureTexts) (Call, error) {
	return p.ReadWith(EventContext{}, data, tools, texts)
}

// ReadWith is Read with what is around the event, if that has functions.
func (p *Protocol) ReadWith(around EventContext, data []byte, tools native.Registry, texts stream.AllFailureTexts) (Call, error) {
	payload, err := readPayload(data)
	if err != nil {
		return Call{}, err
	}
	if !p.RunsOthersHooks && foreign(payload) {
		return Call{}, nil
	}
	c, led := Call{}, false
	if p.ParseLed != nil && around.Head != nil {
		c, led = p.ParseLed(payload, around)
	}
	if !led {
		c = p.Parse(payload)
	}
	if c.Agent == "" {
		c.Agent = p.Name
	}
	if c.tool != nil {
		c.applyToolCall(tools)
	}
	if c.cause != nil {
		c.explain(texts)
		if p.Limit != nil && around.Tail != nil {
			c.limited(p.limit(around.Tail(c.Transcript)))
		}
	}
	switch {
	case c.Kind != Nothing:
	case c.Event == "" && c.Session != "":
		return Call{}, errUnnamed
	case c.Event == "": // it is not an event of this agent
	default:
		p.unread(&c)
	}
	if p.ReportsBothEnds && c.Begins && c.SubAgent == "" {
		c.Events = append(c.Events, continuation.Event{Type: continuation.TurnStart})
	}
	return c, nil
}

// Write writes an answer in the agent's own words. No agent takes context but at the beginning of a conversation;
// if there is nothing to report, it is let proceed.
func (p *Protocol) Write(c Call, answer Answer) Reply {
	if c.Kind != Start {
		answer.Context = ""
	}
	r := p.Render(c, answer)
	if r == (Reply{}) {
		r.Stdout = p.GoAhead
	}
	return r
}

// BlockLimit returns how many blocks in a row the host takes; 0 is any number.
// env looks up an environment variable.
func (p *Protocol) BlockLimit(env func(string) string) int {
	if p.BlockCapVariable == "" {
		return p.BlockCap
	}
	n, err := strconv.Atoi(env(p.BlockCapVariable))
	switch {
	case err != nil:
		return p.BlockCap
	case n >= 1:
		return n
	case p.BlockCapOff:
		return 0
	}
	return p.BlockCap
}

// FolderOf returns the folder of the project that an event is about: the one that the host names, else the agent's working
// folder, else empty, for the folder that the hook was started in. The function isFolder reports whether there is a folder.
func (p *Protocol) FolderOf(c Call, env func(string) string, isFolder func(string) bool) string {
	for _, dir := range []string{p.ProjectFolder(env), c.Dir} {
		if filepath.IsAbs(dir) && isFolder(dir) {
			return dir
		}
	}
	return ""
}

// ProjectFolder returns the project's folder as the host names it, or nothing.
func (p *Protocol) ProjectFolder(env func(string) string) string { return env(p.FolderVariable) }

// MaxHead is how much of the beginning of a conversation's file is looked at, in bytes.
const MaxHead = 64 << 10

// ExitsAfterTurn reports whether the agent's program ends with the turn, though something still runs next to it.
// It is asked with the beginning of the conversation's file.
func (p *Protocol) ExitsAfterTurn(conversation func() []byte) bool {
	return p.Exits != nil && p.Exits(conversation())
}

// InterruptsItself reports whether an interrupt outside of any turn is not the user's: a program that ends with the turn
// that it was asked for interrupts one that it began on its own.
func (p *Protocol) InterruptsItself(c Call, conversation func() []byte) bool {
	aborts := slices.ContainsFunc(c.Events, func(e continuation.Event) bool { return e.Type == continuation.Abort })
	return aborts && p.ExitsAfterTurn(conversation)
}

// Always is for an agent whose model may lack a todo tool in any conversation.
func Always(Call, func(string) string) bool { return true }
