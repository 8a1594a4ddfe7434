package session

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/store"
	"onward/internal/todo"
)

// Schema is the kind and version of the documents that this program writes.
const Schema = "onward/session/v1"

// Primary is the agent id of a session's main list.
const Primary = "primary"

// Document is one list with everything that decides about its continuation.
// One file holds one document.
type Document struct {
	Schema       string
	MinReader    int
	Rev          uint64   // grows by one with every commit; 0 is a document that was never saved
	Op           string   // of the commit that wrote it
	Ops          []string // of the last commits, newest last
	Applied      []Applied
	Session      string
	Agent        string
	Project      string
	CreatedAt    todo.Time
	UpdatedAt    todo.Time
	Owner        *Owner
	Moved        string // the store that it was moved to; this copy is void
	Todos        Todos
	Continuation Ledger
	Settings     map[string]string // the user's choices for this session, by the keys of `onward set`
	Unknown      jsontext.Value    // written by a newer onward; kept
}

// Applied is the result of an operation whose id a caller supplied. It answers a retry, and is kept as long as the id.
type Applied struct {
	Op      string
	Rev     uint64
	Change  string
	Unknown jsontext.Value
}

// Owner is the agent that a list belongs to.
type Owner struct {
	Agent   string
	Session string    // the agent's own id, with which its own resume works
	Since   todo.Time // when it became the owner
	SeenAt  todo.Time
	EndedAt todo.Time // when its process ended; the id is kept so that it can be resumed
	Process *Process  // that runs the conversation; nil is unknown
	Unknown jsontext.Value
}

// Process identifies a process among all machines that share a store.
type Process struct {
	Host      string
	Boot      string // of the machine
	Namespace string // of the process id
	PID       int
	Start     string // when it started, in the system's own units
	Unknown   jsontext.Value
}

// Todos is the list itself. One that is not active is kept as history:
// it is not shown, and nothing in it is continued.
type Todos struct {
	Active    bool
	Emptied   bool   // by the agent itself, which may continue with it; not archived by the user
	Source    string // who wrote it last: cli, hook, or an agent
	Rev       uint64 // of the commit that last changed the list
	UpdatedAt todo.Time
	Items     []todo.Item
	Unknown   jsontext.Value

	written []byte // the items as JSON, while the document is written
}

// Current returns the items that are to be worked on: none where the list is not active.
func (t *Todos) Current() []todo.Item {
	if !t.Active {
		return nil
	}
	return t.Items
}

// Current returns the items that are to be worked on. A document that is nil has none.
func (d *Document) Current() []todo.Item {
	if d == nil {
		return nil
	}
	return d.Todos.Current()
}

// Ledger counts continuations, and records the reasons why the agent may have to stop.
type Ledger struct {
	PromptKey    string
	Turns        int
	Attempts     int // continuation prompts since the last reset
	Stagnation   int // continuations since the last forward move of an item
	TotalPrompt  int // continuations since the user's last prompt
	TotalSession int // continuations of this list
	ToolCalls    int // since the last continuation, todo tools not counted
	PendingCalls int
	HookBlocks   []string
	HighWater    map[string]todo.Status // the furthest status of items that were moved back since
	Last         *Answer
	Paused       *Paused
	StoppedAt    todo.Time
	AbortedAt    todo.Time
	Error        *Failure
	RecoveringAt todo.Time
	CompactingAt todo.Time
	CompactedAt  todo.Time
	QuestionAt   todo.Time
	Background   []Task
	WaitingSince todo.Time
	CheckIns     int       // since the waiting began
	PromptAt     todo.Time // when the user last spoke
	Gate         *Proof
	Unknown      jsontext.Value
}

// Answer is the last decision that was committed.
type Answer struct {
	At      todo.Time
	Rev     uint64 // of the commit
	Action  string
	Reason  string
	Key     string
	Op      string // given by the caller, so that a retry gets the same answer; else the next two are empty
	Tier    string // of the prompt
	Allowed int    // the limit of stagnation then
	Unknown jsontext.Value
}

// Proof is the last result of the gate, the command that must pass before a finished list is done.
type Proof struct {
	Command   string
	Code      int    // its exit code
	Problem   string // why there is none
	At        todo.Time
	Rev       uint64 // of the commit that entered it
	Failures  int    // in a row, without a change of the list or a tool call in between
	Told      bool   // the agent was continued because of it
	Items     string // the digest of the list that it was run for
	ToolCalls int    // in the ledger then
	Output    string // its end
	Unknown   jsontext.Value
}

// Failed reports whether the gate ran and did not pass.
func (p *Proof) Failed() bool { return p.Problem == "" && p.Code != 0 }

// Passed reports whether the gate ran and passed.
func (p *Proof) Passed() bool { return p.Problem == "" && p.Code == 0 }

// Paused records that the model itself reported that it cannot continue.
type Paused struct {
	Reason  string
	At      todo.Time
	Unknown jsontext.Value
}

// Failure is the error that ended the last turns.
type Failure struct {
	Class   string
	At      todo.Time
	Count   int // in a row
	RetryAt todo.Time
	Unknown jsontext.Value
}

// Task is work that continues beside the conversation.
type Task struct {
	ID      string
	Kind    string // shell or subagent
	Since   todo.Time
	Unknown jsontext.Value
}

// Name is a list's address in the store: a session, and within it a sub-agent or the main list.
type Name struct {
	Session string
	Agent   string // empty or Primary is the main list
}

// String returns the name of the list's file, without its ending.
func (n Name) String() string {
	if n.IsMain() {
		return n.Session
	}
	return n.Session + "+" + n.Agent
}

// AgentID returns the id of the agent whose list it is: Primary for the main list.
func (n Name) AgentID() string { return cmp.Or(n.Agent, Primary) }

// IsMain reports the main list of a session.
func (n Name) IsMain() bool { return n.Agent == "" || n.Agent == Primary }

// newDocument returns a document before its first commit.
func newDocument(name Name, now todo.Time) *Document {
	return &Document{
		Schema: Schema, MinReader: store.Reader, Session: name.Session, Agent: name.AgentID(),
		CreatedAt: now, UpdatedAt: now,
	}
}
