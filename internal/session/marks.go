package session

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Delivery is what was sent to the agent from the queue of messages.
type Delivery struct {
	At       todo.Time
	Rev      uint64 // of the commit
	Turns    int    // that had ended by then
	Messages []Message
	Again    bool // it was sent for the second time
	CutOff   bool // the turn that it was for was cut off with its run
	Unread   bool // the user's prompt came first: the hook that sent it was killed before its answer
	Unknown  jsontext.Value
}

// Has reports whether a message was sent with a delivery; nil if there is none.
func (d *Delivery) Has(id string) bool {
	return d != nil && slices.ContainsFunc(d.Messages, func(m Message) bool { return m.ID == id })
}

// IDs returns the ids of the messages.
func (d *Delivery) IDs() (ids []string) {
	if d != nil {
		for _, m := range d.Messages {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Message is a message that was sent.
type Message struct {
	ID      string
	Text    string
	By      string // the agent that queued it; empty is the user
	Unknown jsontext.Value
}

// Turn is a turn of the agent that has begun.
type Turn struct {
	At      todo.Time
	Process *Process // with which it ends at the latest: the agent's, or the one that reads its stream; nil is unknown
	Unknown jsontext.Value
}

// LastDecision is the last decision that was committed.
type LastDecision struct {
	At      todo.Time
	Rev     uint64 // of the commit
	Action  string
	Reason  string
	Key     string
	Op      string // given by the caller, so that a retry gets the same answer; else the next two are empty
	Tier    string // of the prompt; always there where that asks after what a list lost
	Allowed int    // the limit of stagnation then
	Turns   int    // that had ended by then
	Unknown jsontext.Value
}

// RunEnd is how an `onward run` ended. It counts until the next commit.
type RunEnd struct {
	At      todo.Time
	Rev     uint64 // of the commit
	State   string // in one word
	Reason  string
	Message string // for the user
	Next    string // the step that the user takes, where the run's own command line would end in the same way; else empty
	Tree    string // of the files that it left, where a run may continue it; empty if it is not known
	Unknown jsontext.Value
}

// GateResult is the last result of the gate, the command that must pass before a finished list is done.
type GateResult struct {
	Command   string
	Code      int    // its exit code
	Problem   string // why there is none
	At        todo.Time
	Rev       uint64 // of the commit that entered it
	Failures  int    // in a row, without a change of the list or a tool call in between
	Told      bool   // the agent was sent back to work because of it
	Items     string // the digest of the list that it was run for
	ToolCalls int    // in the ledger then
	Output    string // its end
	Given     bool   // it came with one command, such as `onward run --gate`, and no setting has it
	Unknown   jsontext.Value

	files *GateFiles // not saved
}

// Files returns what is known about the files, where the gate has just run.
func (p *GateResult) Files() GateFiles {
	if p == nil || p.files == nil {
		return GateFiles{}
	}
	return *p.files
}

// WithFiles returns the result with what is known about the files.
func (p GateResult) WithFiles(f GateFiles) *GateResult {
	p.files = &f
	return &p
}

// GateFiles is what is known about the files of the checkout in which a gate has run.
type GateFiles struct {
	Before string    // their state before it began; empty if it cannot be told
	After  string    // their state once it had ended
	NoTree string    // why one of them is not known
	Known  todo.Time // when it ran on the same files, since it has not run again; 0 if it has
	Flaky  bool      // it has failed and passed on the same files
	Since  []string  // files that had changed since its last result, by then
	Writes []string  // files that it wrote, the first of them
	Took   int       // milliseconds
	Sum    string    // the id that git gives to the end of its output as a file; empty if it is not known

	ByAgent bool // it ran in an agent's shell, where the agent chooses the variables, the PATH and the folder
}

// TreeOf returns the part of the state of a checkout that is about the contents of its files, and not about what branches and tags
// name.
func TreeOf(state string) string {
	tree, _, _ := strings.Cut(state, "@")
	return tree
}

// Failed reports whether the gate ran and did not pass.
func (p *GateResult) Failed() bool { return p.Problem == "" && p.Code != 0 }

// Passed reports whether the gate ran and passed.
func (p *GateResult) Passed() bool { return p.Problem == "" && p.Code == 0 }

// PassedFor reports whether the gate passed when a list was as it is now; nil did not run.
func (p *GateResult) PassedFor(items []todo.Item) bool {
	return p != nil && p.Passed() && p.Items == todo.Digest(items)
}

// Paused records that the agent reported that it cannot continue, or that the user paused it.
type Paused struct {
	Reason  string
	At      todo.Time
	By      string // todo.ByUser where the user paused the agent, which may not end that; empty is the agent
	Unknown jsontext.Value
}

// ByUser reports whether the user made the pause. No pause (nil) is nobody's.
func (p *Paused) ByUser() bool { return p != nil && p.By == todo.ByUser }

// ReasonFor returns the reason that holds after somebody asked for a pause: the user's own stays where that changed nothing.
func (p *Paused) ReasonFor(asked string, changed bool) string {
	if p.ByUser() && !changed {
		return p.Reason
	}
	return asked
}

// Dropped is what an agent took off its list: items that were open, and that it neither closed nor kept.
type Dropped struct {
	At      todo.Time
	Items   []LostItem // the first of them
	More    int        // how many more there are
	Told    bool       // the agent was asked what became of them
	Failed  int        // turns with that question that failed, except where the host failed
	Unknown jsontext.Value
}

// DeniedCalls is what the agent was not allowed to do, in the last turns in a row in which its host denied most calls.
type DeniedCalls struct {
	At      todo.Time // of the first of these turns
	Turns   int
	Calls   int      // that were denied in them
	Tools   []string // that were denied, the first of them
	Unknown jsontext.Value
}

// RepeatedCall is a call that the agent made again and again, with the same result each time, until its turn was ended.
type RepeatedCall struct {
	Call    string // its beginning
	Count   int
	Unknown jsontext.Value
}

// LostItem is an item that is missing from a list.
type LostItem struct {
	ID      string
	Content string // its beginning
	Unknown jsontext.Value
}

// Count returns how many items are lost; nil has none.
func (d *Dropped) Count() int {
	if d == nil {
		return 0
	}
	return len(d.Items) + d.More
}

// Failure is the error that ended the last turns.
type Failure struct {
	Class   string
	At      todo.Time
	Count   int       // of its kind in a row
	Since   todo.Time // when the row began, of failures that are retried
	RetryAt todo.Time // when the host can be asked again, as it said itself; 0 is unknown
	Unknown jsontext.Value
}

// BackgroundTask is work that continues next to the conversation.
type BackgroundTask struct {
	ID      string
	Kind    string // shell or subagent
	Since   todo.Time
	Unknown jsontext.Value
}

// Fields lists the members of a delivery.
func (d *Delivery) Fields(f *object.Fields) {
	object.Time(f, "at", &d.At)
	f.Uint("rev", &d.Rev)
	f.Int("turns", &d.Turns)
	object.List(f, "messages", &d.Messages)
	f.OmitEmpty().Bool("again", &d.Again)
	f.OmitEmpty().Bool("cut_off", &d.CutOff)
	f.OmitEmpty().Bool("unread", &d.Unread)
	f.Unknown(&d.Unknown)
}

// Fields lists the members of a message.
func (m *Message) Fields(f *object.Fields) {
	object.Text(f, "id", &m.ID)
	object.Text(f, "text", &m.Text)
	object.Text(f.OmitEmpty(), "by", &m.By)
	f.Unknown(&m.Unknown)
}

// Fields lists the members of a turn.
func (t *Turn) Fields(f *object.Fields) {
	object.Time(f, "at", &t.At)
	object.Pointer(f, "process", &t.Process)
	f.Unknown(&t.Unknown)
}

// Fields lists the members of an answer.
func (a *LastDecision) Fields(f *object.Fields) {
	object.Time(f, "at", &a.At)
	f.Uint("rev", &a.Rev)
	object.Text(f, "action", &a.Action)
	object.Text(f, "reason", &a.Reason)
	object.Text(f.OmitEmpty(), "key", &a.Key)
	object.Text(f.OmitEmpty(), "op", &a.Op)
	object.Interned(f.OmitEmpty(), "tier", &a.Tier)
	f.OmitEmpty().Int("allowed", &a.Allowed)
	f.OmitEmpty().Int("turns", &a.Turns)
	f.Unknown(&a.Unknown)
}

// Fields lists the members of the end of a run.
func (e *RunEnd) Fields(f *object.Fields) {
	object.Time(f, "at", &e.At)
	f.Uint("rev", &e.Rev)
	object.Text(f, "state", &e.State)
	object.Text(f, "reason", &e.Reason)
	object.Text(f, "message", &e.Message)
	object.Text(f.OmitEmpty(), "next", &e.Next)
	object.Text(f.OmitEmpty(), "tree", &e.Tree)
	f.Unknown(&e.Unknown)
}

// Fields lists the members of a result of the gate.
func (p *GateResult) Fields(f *object.Fields) {
	object.Text(f, "command", &p.Command)
	f.Int("code", &p.Code)
	object.Text(f.OmitEmpty(), "problem", &p.Problem)
	object.Time(f, "at", &p.At)
	f.Uint("rev", &p.Rev)
	f.OmitEmpty().Int("failures", &p.Failures)
	f.OmitEmpty().Bool("told", &p.Told)
	object.Text(f.OmitEmpty(), "items", &p.Items)
	f.OmitEmpty().Int("tool_calls", &p.ToolCalls)
	object.Text(f.OmitEmpty(), "output", &p.Output)
	f.OmitEmpty().Bool("given", &p.Given)
	f.Unknown(&p.Unknown)
}

// Fields lists the members of what was denied.
func (d *DeniedCalls) Fields(f *object.Fields) {
	object.Time(f, "at", &d.At)
	f.Int("turns", &d.Turns)
	f.Int("calls", &d.Calls)
	object.Strings(f.OmitEmpty(), "tools", &d.Tools)
	f.Unknown(&d.Unknown)
}

// Fields lists the members of a call that was made again and again.
func (r *RepeatedCall) Fields(f *object.Fields) {
	object.Text(f, "call", &r.Call)
	f.Int("count", &r.Count)
	f.Unknown(&r.Unknown)
}

// Fields lists the members of a pause.
func (p *Paused) Fields(f *object.Fields) {
	object.Text(f, "reason", &p.Reason)
	object.Time(f, "at", &p.At)
	object.Text(f.OmitEmpty(), "by", &p.By)
	f.Unknown(&p.Unknown)
}

// Fields lists the members of what a list lost.
func (d *Dropped) Fields(f *object.Fields) {
	object.Time(f, "at", &d.At)
	object.List(f, "items", &d.Items)
	f.OmitEmpty().Int("more", &d.More)
	f.OmitEmpty().Bool("told", &d.Told)
	f.OmitEmpty().Int("failed", &d.Failed)
	f.Unknown(&d.Unknown)
}

// Fields lists the members of an item that is lost.
func (l *LostItem) Fields(f *object.Fields) {
	object.Text(f, "id", &l.ID)
	object.Text(f, "content", &l.Content)
	f.Unknown(&l.Unknown)
}

// Fields lists the members of a failure.
func (e *Failure) Fields(f *object.Fields) {
	object.Text(f, "class", &e.Class)
	object.Time(f, "at", &e.At)
	f.Int("count", &e.Count)
	object.Time(f.OmitEmpty(), "since", &e.Since)
	object.Time(f.OmitEmpty(), "retry_at", &e.RetryAt)
	f.Unknown(&e.Unknown)
}

// Fields lists the members of a task.
func (t *BackgroundTask) Fields(f *object.Fields) {
	object.Text(f, "id", &t.ID)
	object.Text(f, "kind", &t.Kind)
	object.Time(f, "since", &t.Since)
	f.Unknown(&t.Unknown)
}
