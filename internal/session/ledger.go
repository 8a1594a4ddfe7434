package session

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Ledger counts continuations, and records the reasons why the agent may have to stop.
type Ledger struct {
	PromptKey    string
	Turns        int
	Attempts     int // continuation prompts since the last reset
	Stagnation   int // continuations since the last forward move of an item
	TotalPrompt  int // continuations since the user's last prompt
	TotalSession int // continuations of this list
	SpentTokens  int // since the user's last prompt, as the agent reported it, in and out, without the next
	SpentCached  int // tokens that came from a cache
	SpentMicros  int // millionths of a US dollar
	AllTokens    int // as SpentTokens, since the session began
	AllMicros    int // as SpentMicros, since the session began
	ToolCalls    int // since the last continuation, todo tools not counted
	Refunds      int // continuations that cost nothing, since the last forward move of an item
	PendingCalls int
	HookBlocks   []string
	HighWater    map[string]todo.Status // the furthest status that items had before they were moved back
	Last         *LastDecision
	Paused       *Paused
	StoppedAt    todo.Time
	AbortedAt    todo.Time
	Error        *Failure
	RecoveringAt todo.Time
	CompactingAt todo.Time
	CompactedAt  todo.Time
	QuestionAt   todo.Time
	Background   []Task
	Threads      []Thread // the last that reported a running total, the newest at the end
	WaitingSince todo.Time
	CheckIns     int       // since the waiting began
	PromptAt     todo.Time // when the user last spoke
	Gate         *GateResult
	Delivering   *Delivery // messages that were sent, until something shows that they arrived
	Turn         *Turn     // that began and has not ended, as far as is known; nil is none
	MarkedBy     string    // the conversation whose marks these are, while there is no list that it could own
	Dropped      *Dropped  // open items that the agent's own list lacks
	ClearedAt    todo.Time // when the user cleared the list; a new list or prompt ends it
	RunEnd       *RunEnd   // how the last run ended, where the list did not show it
	RunGate      string    // that came with the last run, until it has passed, the run has ended, or the user speaks or clears the list
	Unknown      jsontext.Value
}

// counters lists the numbers of a ledger that only count, each with what resets it to 0.
// Single events may reset one at other times as well.
var counters = [...]struct {
	of   func(*Ledger) *int
	anew Anew
}{
	{func(l *Ledger) *int { return &l.Turns }, EveryTurn},
	{func(l *Ledger) *int { return &l.Attempts }, EveryTurn | ByUser | ByLoad},
	{func(l *Ledger) *int { return &l.Stagnation }, ByUser | ByLoad},
	{func(l *Ledger) *int { return &l.Refunds }, ByUser | ByLoad},
	{func(l *Ledger) *int { return &l.TotalPrompt }, ByUser},
	{func(l *Ledger) *int { return &l.SpentTokens }, ByUser},
	{func(l *Ledger) *int { return &l.SpentCached }, ByUser},
	{func(l *Ledger) *int { return &l.SpentMicros }, ByUser},
	{func(l *Ledger) *int { return &l.AllTokens }, 0},
	{func(l *Ledger) *int { return &l.AllMicros }, 0},
	{func(l *Ledger) *int { return &l.TotalSession }, ByArchive},
	{func(l *Ledger) *int { return &l.ToolCalls }, EveryTurn},
	{func(l *Ledger) *int { return &l.PendingCalls }, 0},
	{func(l *Ledger) *int { return &l.CheckIns }, ByArchive},
}

// Anew is a kind of counters: what resets them, or that every turn changes them.
type Anew uint8

// The kinds of counters; one can be of several.
const (
	EveryTurn Anew = 1 << iota // every turn changes it, so a change of it alone is not worth a commit
	ByUser                     // a prompt of the user, or a resume, resets it
	ByArchive                  // the end of its list resets it
	ByLoad                     // loading a list resets it
)

// StartAnew sets the counters of a kind to 0.
func (l *Ledger) StartAnew(kind Anew) {
	for _, c := range counters {
		if c.anew&kind != 0 {
			*c.of(l) = 0
		}
	}
}

// Counted reports whether a counter of a kind is not 0.
func (l *Ledger) Counted(kind Anew) bool {
	for _, c := range counters {
		if c.anew&kind != 0 && *c.of(l) != 0 {
			return true
		}
	}
	return false
}

// SetCounters copies the counters of a kind from another ledger.
func (l *Ledger) SetCounters(kind Anew, from *Ledger) {
	for _, c := range counters {
		if c.anew&kind != 0 {
			*c.of(l) = *c.of(from)
		}
	}
}

// Fields lists the members of a ledger.
func (l *Ledger) Fields(f *object.Fields) {
	object.Text(f.OmitEmpty(), "prompt_key", &l.PromptKey)
	object.Time(f.OmitEmpty(), "prompt_at", &l.PromptAt)
	f.Int("turns", &l.Turns)
	f.Int("attempts", &l.Attempts)
	f.Int("stagnation", &l.Stagnation)
	f.Int("total_prompt", &l.TotalPrompt)
	f.Int("total_session", &l.TotalSession)
	f.Int("tool_calls", &l.ToolCalls)
	f.OmitEmpty().Int("pending_tool_calls", &l.PendingCalls)
	f.OmitEmpty().Int("refunds", &l.Refunds)
	f.OmitEmpty().Int("spent_tokens", &l.SpentTokens)
	f.OmitEmpty().Int("spent_cached", &l.SpentCached)
	f.OmitEmpty().Int("spent_micros", &l.SpentMicros)
	f.OmitEmpty().Int("all_tokens", &l.AllTokens)
	f.OmitEmpty().Int("all_micros", &l.AllMicros)
	object.Strings(f.OmitEmpty(), "hook_blocks", &l.HookBlocks)
	object.Map(f.OmitEmpty(), "high_water", &l.HighWater)
	object.Pointer(f, "last", &l.Last)
	object.Pointer(f, "paused", &l.Paused)
	object.Time(f.OmitEmpty(), "stopped_at", &l.StoppedAt)
	object.Time(f.OmitEmpty(), "aborted_at", &l.AbortedAt)
	object.Pointer(f, "error", &l.Error)
	object.Time(f.OmitEmpty(), "recovering_at", &l.RecoveringAt)
	object.Time(f.OmitEmpty(), "compacting_at", &l.CompactingAt)
	object.Time(f.OmitEmpty(), "compacted_at", &l.CompactedAt)
	object.Time(f.OmitEmpty(), "question_at", &l.QuestionAt)
	object.List(f.OmitEmpty(), "background", &l.Background)
	object.List(f.OmitEmpty(), "threads", &l.Threads)
	object.Time(f.OmitEmpty(), "waiting_since", &l.WaitingSince)
	f.OmitEmpty().Int("check_ins", &l.CheckIns)
	object.Pointer(f, "gate", &l.Gate)
	object.Pointer(f, "delivering", &l.Delivering)
	object.Pointer(f, "turn", &l.Turn)
	object.Text(f.OmitEmpty(), "marked_by", &l.MarkedBy)
	object.Pointer(f, "dropped", &l.Dropped)
	object.Time(f.OmitEmpty(), "cleared_at", &l.ClearedAt)
	object.Pointer(f, "run_end", &l.RunEnd)
	object.Text(f.OmitEmpty(), "run_gate", &l.RunGate)
	f.Rest(&l.Unknown)
}

// DropMarks drops what is known of a conversation and its present turn, when it ends.
func (l *Ledger) DropMarks() {
	l.RecoveringAt, l.CompactingAt, l.CompactedAt, l.QuestionAt = 0, 0, 0, 0
	l.Background, l.WaitingSince, l.CheckIns, l.PendingCalls = nil, 0, 0, 0
	l.Turn, l.MarkedBy = nil, ""
}

// Delivery is what was sent to the agent from the queue of messages.
type Delivery struct {
	At       todo.Time
	Rev      uint64 // of the commit
	Turns    int    // that had ended by then
	Messages []Message
	Again    bool // it was sent for the second time
	Unknown  jsontext.Value
}

// Has reports whether a message was sent with a delivery; nil is none.
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
	Tier    string // of the prompt
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
}

// Failed reports whether the gate ran and did not pass.
func (p *GateResult) Failed() bool { return p.Problem == "" && p.Code != 0 }

// Passed reports whether the gate ran and passed.
func (p *GateResult) Passed() bool { return p.Problem == "" && p.Code == 0 }

// Paused records that the model itself reported that it cannot continue.
type Paused struct {
	Reason  string
	At      todo.Time
	Unknown jsontext.Value
}

// Dropped is what an agent's list lost: items that were open, and that the agent neither closed nor kept.
type Dropped struct {
	At      todo.Time
	Items   []Lost // the first of them
	More    int    // how many more there are
	Told    bool   // the agent was asked what became of them
	Unknown jsontext.Value
}

// Lost is an item that is missing from a list.
type Lost struct {
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

// Task is work that continues next to the conversation.
type Task struct {
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
	f.Rest(&d.Unknown)
}

// Fields lists the members of a message.
func (m *Message) Fields(f *object.Fields) {
	object.Text(f, "id", &m.ID)
	object.Text(f, "text", &m.Text)
	object.Text(f.OmitEmpty(), "by", &m.By)
	f.Rest(&m.Unknown)
}

// Fields lists the members of a turn.
func (t *Turn) Fields(f *object.Fields) {
	object.Time(f, "at", &t.At)
	object.Pointer(f, "process", &t.Process)
	f.Rest(&t.Unknown)
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
	f.Rest(&a.Unknown)
}

// Fields lists the members of the end of a run.
func (e *RunEnd) Fields(f *object.Fields) {
	object.Time(f, "at", &e.At)
	f.Uint("rev", &e.Rev)
	object.Text(f, "state", &e.State)
	object.Text(f, "reason", &e.Reason)
	object.Text(f, "message", &e.Message)
	f.Rest(&e.Unknown)
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
	f.Rest(&p.Unknown)
}

// Fields lists the members of a pause.
func (p *Paused) Fields(f *object.Fields) {
	object.Text(f, "reason", &p.Reason)
	object.Time(f, "at", &p.At)
	f.Rest(&p.Unknown)
}

// Fields lists the members of what a list lost.
func (d *Dropped) Fields(f *object.Fields) {
	object.Time(f, "at", &d.At)
	object.List(f, "items", &d.Items)
	f.OmitEmpty().Int("more", &d.More)
	f.OmitEmpty().Bool("told", &d.Told)
	f.Rest(&d.Unknown)
}

// Fields lists the members of an item that is lost.
func (l *Lost) Fields(f *object.Fields) {
	object.Text(f, "id", &l.ID)
	object.Text(f, "content", &l.Content)
	f.Rest(&l.Unknown)
}

// Fields lists the members of a failure.
func (e *Failure) Fields(f *object.Fields) {
	object.Text(f, "class", &e.Class)
	object.Time(f, "at", &e.At)
	f.Int("count", &e.Count)
	object.Time(f.OmitEmpty(), "since", &e.Since)
	object.Time(f.OmitEmpty(), "retry_at", &e.RetryAt)
	f.Rest(&e.Unknown)
}

// Fields lists the members of a task.
func (t *Task) Fields(f *object.Fields) {
	object.Text(f, "id", &t.ID)
	object.Text(f, "kind", &t.Kind)
	object.Time(f, "since", &t.Since)
	f.Rest(&t.Unknown)
}
