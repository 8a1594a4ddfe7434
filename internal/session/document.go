package session

import (
	"cmp"
	"slices"

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
	OperationIDs []string // of the last commits, newest last
	Operations   []Operation
	Session      string
	Agent        string
	Project      string
	Place        string // identifies git's folder of the project, also after the project was moved; empty is unknown
	Repository   string // the folder whose settings hold for the project, if that is a linked worktree, which may be removed
	HadSettings  string // the name of the settings that its project had; empty if it is not known to have had any
	CreatedAt    todo.Time
	UpdatedAt    todo.Time
	Owner        *Owner
	MovedTo      string // the store that it was moved to; this copy is void
	Arriving     bool   // the move to this store is not complete; MovedTo is the store that it comes from
	Deleting     bool   // its deletion was begun, and the list is not to be used any more
	Todos        Todos
	Continuation Ledger
	Settings     map[string]string // the user's choices for this session, by the keys of `onward set`
	ChosenGate   *ChosenGate       // what a person last chose as its gate; nil is nothing
	Work         *QueueItem        // the item of a queue that the session is about; nil if it has a list of its own
	Goal         *Goal             // a goal that its agent follows on its own; nil if there is none
	Unread       []Unread          // kinds of what its agents sent that onward did not know
	Unknown      jsontext.Value    // written by a newer onward; kept

	foreign bool                   // another user, whom this one does not trust, may have written it
	readLog func() ([]byte, error) // as it was when the document was read; nil if it was not read from a store
}

// IsUntrusted reports whether another user, whom this one does not trust, may have written the document: it is read, and nothing in it
// runs or speaks as this user.
func (d *Document) IsUntrusted() bool { return d.foreign }

// Revision returns the document's revision. A document that is nil has 0.
func (d *Document) Revision() uint64 {
	if d == nil {
		return 0
	}
	return d.Rev
}

// Ledger returns the document's ledger. A document that is nil has an empty one.
func (d *Document) Ledger() *Ledger {
	if d == nil {
		return new(Ledger)
	}
	return &d.Continuation
}

// Operation is the result of an operation whose id a caller supplied. It answers a retry.
type Operation struct {
	ID      string
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
type Process = todo.Process

// Todos is the list itself. One that is not active is kept as history:
// it is not shown, and no agent is kept going for it.
type Todos struct {
	Active    bool
	Emptied   bool   // the agent emptied it, and may continue with it; the user did not archive it
	Source    string // who wrote it last: cli, hook, or an agent
	Rev       uint64 // of the commit that last changed the list
	UpdatedAt todo.Time
	Items     []todo.Item
	Unknown   jsontext.Value

	from, to int // where the items begin and end in the document, while it is written
}

// Current returns the items that are to be worked on: none if the list is not active.
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

// IsActive reports whether the document has a list that is to be worked on; it may be empty. A document that is nil has none.
func (d *Document) IsActive() bool { return d != nil && d.Todos.Active }

// HasList reports whether a list was ever saved, or is about to be.
func (d *Document) HasList() bool { return d.Todos.UpdatedAt != 0 || len(d.Todos.Items) > 0 }

// IsMain reports the main list of a session.
func (n Name) IsMain() bool { return n.Agent == "" || n.Agent == Primary }

// Member returns the name that the sub-agent whose list it is has in its team, to which all of its items are assigned; empty
// if it is in none.
func (d *Document) Member() string {
	if d.Agent == Primary || len(d.Todos.Items) == 0 {
		return ""
	}
	name := d.Todos.Items[0].Assignee
	if slices.ContainsFunc(d.Todos.Items, func(it todo.Item) bool { return it.Assignee != name }) {
		return ""
	}
	return name
}

// newDocument returns a document before its first commit.
func newDocument(name Name, now todo.Time) *Document {
	return &Document{
		Schema: Schema, MinReader: store.ReaderVersion, Session: name.Session, Agent: name.AgentID(),
		CreatedAt: now, UpdatedAt: now,
	}
}
