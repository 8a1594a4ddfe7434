package continuation

import "onward/internal/todo"

// DeniedCall begins a call of a turn that the agent's host denied.
const DeniedCall = "denied: "

// Event is something that happened to a session: the user spoke, a turn ended, a list was written.
// Commands, hooks and recorded streams all report events by this one type,
// and Apply is the one function that turns it into a change of the document.
// The JSON form is what `onward event -` reads, one object a line.
type Event struct {
	Type Type `json:"type"`

	At todo.Time `json:"-"` // by the agent's own stream; 0 is unknown

	// user-prompt
	PromptKey string `json:"prompt_key,omitzero"` // names the prompt, so that the same one is not counted twice
	Text      string `json:"text,omitzero"`       // the prompt's text; our own continuation prompt is recognised in it
	Gate      string `json:"-"`                   // the command that must pass for the list as it is; empty is none
	Inferred  bool   `json:"-"`                   // it was not reported, but a turn began after the user's interrupt
	Stays     bool   `json:"-"`                   // it asks for nothing new, so a finished list is not archived

	// turn-end
	ToolCalls        int        `json:"tool_calls,omitzero"`        // calls in the turn, todo tools not counted
	DeniedToolCalls  int        `json:"denied_tool_calls,omitzero"` // of these, those that the agent's host denied for lack of a permission
	DeniedTools      []string   `json:"denied_tools,omitempty"`     // the tools that were denied
	Acted            bool       `json:"-"`                          // one of them may have changed something
	RepeatedCall     string     `json:"-"`                          // the call that was repeated until the turn was ended
	Repeats          int        `json:"-"`                          // how often it was made in a row
	Background       bool       `json:"-"`                          // something that it started in the background is not known to have ended
	Said             string     `json:"-"`                          // the end of the model's last message
	Calls            []string   `json:"-"`                          // the first of its tool calls, in a few words
	PendingToolCalls int        `json:"pending_tool_calls,omitzero"`
	Status           TurnStatus `json:"status,omitzero"` // how the turn ended; none means done
	ThinkingOnly     bool       `json:"thinking_only,omitzero"`
	Usage            Usage      `json:"-"`
	HasSubAgent      bool       `json:"-"` // a sub-agent was at work in the turn
	SubAgents        Usage      `json:"-"` // what all sub-agents of its Thread have used so far, where Usage is without it; no thread if that is not known

	// error
	EndsTurn bool `json:"-"` // the turn is over with it

	// turn-end with status failed, and error
	ErrorClass ErrorClass `json:"error_class,omitzero"`
	RetryAfter int64      `json:"retry_after_ms,omitzero"` // milliseconds
	Reset      Reset      `json:"-"`                       // when the host can be asked again, as it says itself; in JSON it is retry_at

	// pause
	Reason string `json:"reason,omitzero"`
	InRun  bool   `json:"-"` // the agent that a run started pauses, so there is something to pause without a list

	Now bool `json:"-"` // stop: a turn of a run is interrupted

	// background-start, background-end
	ID   string `json:"id,omitzero"`
	Kind string `json:"kind,omitzero"` // shell or subagent

	State   string `json:"-"` // of a goal, in the agent's own word
	Version string `json:"-"` // of the agent, in the report of what is not read

	// todos: the whole list as it is now. An empty one clears the list.
	Items    []todo.Item    `json:"items,omitempty"`
	LeftOut  []string       `json:"-"`                  // the texts of items that the list has besides, and that cannot be kept
	Back     uint64         `json:"-"`                  // undone: the rev to which the list goes back
	Inactive bool           `json:"-"`                  // undone: the list was archived then
	Partial  bool           `json:"partial,omitzero"`   // there may be earlier items that the writer does not know
	OpenOnly bool           `json:"open_only,omitzero"` // the writer knows about an open item only that it is open
	Removes  bool           `json:"-"`                  // missing items were deleted by name, or with a part of the conversation
	Deletes  bool           `json:"-"`                  // the agent deleted the missing items by name; Removes is implied
	Source   string         `json:"source,omitzero"`    // who wrote it: cli, hook, or an agent's name
	By       string         `json:"-"`                  // todo.ByUser if the user changed the list, and not an agent
	Person   bool           `json:"-"`                  // cleared, loaded, pause: no agent's shell ran the command
	Own      bool           `json:"-"`                  // resume: an agent ends a pause of its own, and nothing else
	Here     bool           `json:"-"`                  // stop, resume: the user typed it in the agent's window
	Writer   todo.Authority `json:"-"`                  // todos: the agent that wrote the list, by what onward knows of it
	// RunBegan is when the run began in which an agent wrote the list, and Since when its conversation became the owner of the list; both
	// are 0 outside of a run. What was completed in between stays: the new conversation was told only what was left to do.
	RunBegan todo.Time      `json:"-"`
	Since    todo.Time      `json:"-"`
	Change   string         `json:"change,omitzero"` // what was done, in words, for the history
	Touched  []todo.Touched `json:"-"`               // the items that the command names
	Passed   []string       `json:"-"`               // edited: the ids of completed items whose gates have passed
	Gates    bool           `json:"-"`               // undone: gates go back as well, since a person undoes it
}

// Usage is what a turn used of a model, as the agent's stream reports it.
type Usage struct {
	Input  int // tokens, those of a cache among them
	Output int // tokens
	Cached int // tokens of the input that came from a cache
	Cost   int // in millionths of a US dollar

	// Thread is set if it is that of all turns of this thread so far, and not of the turn.
	Thread string
}

// Since returns the usage after an earlier total. A total never falls, so a lower one is an old line that is read again.
func (u Usage) Since(before Usage) Usage {
	u.Input, u.Output = max(0, u.Input-before.Input), max(0, u.Output-before.Output)
	u.Cached, u.Cost = max(0, u.Cached-before.Cached), max(0, u.Cost-before.Cost)
	return u
}

// Tokens counts tokens in and out, without those that came from a cache.
func (u Usage) Tokens() int { return max(0, u.Input-u.Cached) + u.Output }

// TokensWithCached counts tokens in and out, those from a cache included.
func (u Usage) TokensWithCached() int { return u.Input + u.Output }

// Add counts more.
func (u *Usage) Add(more Usage) {
	u.Input += more.Input
	u.Output += more.Output
	u.Cached += more.Cached
	u.Cost += more.Cost
}

// Type names an event.
type Type string

// The events, by the names of `onward event TYPE`.
const (
	UserPrompt       Type = "user-prompt"
	TurnStart        Type = "turn-start"
	TurnEnd          Type = "turn-end"
	AssistantMessage Type = "assistant-message"
	ToolStart        Type = "tool-start"
	ToolEnd          Type = "tool-end"
	Todos            Type = "todos"
	Pause            Type = "pause"
	Stop             Type = "stop"
	Resume           Type = "resume"
	Abort            Type = "abort"
	Error            Type = "error"
	BackgroundStart  Type = "background-start"
	BackgroundEnd    Type = "background-end"
	RecoveryStart    Type = "recovery-start"
	RecoveryEnd      Type = "recovery-end"
	CompactionStart  Type = "compaction-start"
	CompactionEnd    Type = "compaction-end"
	QuestionAsked    Type = "question-asked"
	QuestionAnswered Type = "question-answered"
	SessionEnd       Type = "session-end"
)

// Changes that only the user makes. They come from the todo commands, not from `onward event`.
const (
	Edited  Type = "edited"  // items changed in place, added or removed; Items is the new list
	Cleared Type = "cleared" // the list is archived
	Loaded  Type = "loaded"  // Items replace the list
	Undone  Type = "undone"  // Items are the list as it was before
)

// NeedsUser is activity of an agent that waits for its user, such as for a permission. The next activity ends that.
const NeedsUser Type = "needs-user"

// Goal is the report of a goal that an agent follows on its own: Text is the goal, and State what became of it.
const Goal Type = "goal"

// Unread is the report of something that an agent sent and onward does not know: ID names its kind.
const Unread Type = "unread"

// TurnStatus describes how a model's turn ended.
type TurnStatus string

// The ends of a turn. Aborted needs evidence of the user's own interrupt;
// a stream that simply stops is cut off.
const (
	Done    TurnStatus = "done"
	Failed  TurnStatus = "failed"
	Aborted TurnStatus = "aborted"
	CutOff  TurnStatus = "cut_off"
)

// ErrorClass is the kind of failure that ended a turn.
type ErrorClass string

// The classes of failure that the decision distinguishes.
const (
	ErrorAuth           ErrorClass = "auth"
	ErrorBilling        ErrorClass = "billing"
	ErrorRateLimit      ErrorClass = "rate_limit"
	ErrorContext        ErrorClass = "context"
	ErrorInvalidRequest ErrorClass = "invalid_request"
	ErrorServer         ErrorClass = "server"
	ErrorUnknown        ErrorClass = "unknown"
	ErrorTurnCutOff     ErrorClass = "cut_off"
)

// ReportedBy completes the events that do not mean the same from a person and from an agent. Which it is, is asked only for those.
func ReportedBy(person func() bool, events []Event) []Event {
	for i := range events {
		switch e := &events[i]; e.Type {
		case Pause:
			e.Person = person()
		case Resume:
			e.Own = !person()
		}
	}
	return events
}
