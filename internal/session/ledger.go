package session

import (
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
	Resets       int // how often the user has restarted the counts
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
	StoppedHere  bool // the stop was typed in the agent's window, and can be ended there
	StoppedNow   bool // the user stopped the turn as well, and not only what follows it
	AbortedAt    todo.Time
	Error        *Failure
	RecoveringAt todo.Time
	CompactingAt todo.Time
	CompactedAt  todo.Time
	QuestionAt   todo.Time
	Background   []BackgroundTask
	Threads      []Thread // the last that reported a running total, the newest at the end
	WaitingSince todo.Time
	CheckIns     int       // since the waiting began
	PromptAt     todo.Time // when the user last spoke
	Gate         *GateResult
	Delivering   *Delivery     // messages that were sent, until something shows that they arrived
	Turn         *Turn         // that began and is not known to have ended; nil if there is none
	MarkedBy     string        // the conversation that set these marks, until there is a list for it to own
	Dropped      *Dropped      // open items that the agent's own list lacks
	Deleted      *Dropped      // open items that the agent deleted by name, since the list or the run began
	Cancelled    *Dropped      // open items that the agent cancelled since then, and that are cancelled still
	Denied       *DeniedCalls  // calls that the agent's host denied, in the last turns
	Repeated     *RepeatedCall // the call for which the last turn was ended
	ClearedAt    todo.Time     // when the user cleared the list; a new list or prompt ends it
	RunEnd       *RunEnd       // how the last run ended, where the list did not show it
	RunGate      string        // that came with the last run, until it has passed, the run has ended, or the user speaks or clears the list
	LostGate     *ChosenGate   // that the last run began with, and that was gone at its end, though no person had changed it
	Unknown      jsontext.Value
}

// counters lists the numbers of a ledger that only count, each with what resets it to 0. A comment names the single event that resets
// it as well.
var counters = [...]struct {
	of   func(*Ledger) *int
	anew ResetBy
}{
	{func(l *Ledger) *int { return &l.Turns }, EveryTurn},
	{func(l *Ledger) *int { return &l.Attempts }, EveryTurn | ByUser | ByLoad}, // a tool call, or a forward move of an item
	{func(l *Ledger) *int { return &l.Stagnation }, ByUser | ByLoad},           // a forward move of an item
	{func(l *Ledger) *int { return &l.Refunds }, ByUser | ByLoad},              // a forward move of an item
	{func(l *Ledger) *int { return &l.TotalPrompt }, ByUser},
	{func(l *Ledger) *int { return &l.Resets }, 0},
	{func(l *Ledger) *int { return &l.SpentTokens }, ByUser},
	{func(l *Ledger) *int { return &l.SpentCached }, ByUser},
	{func(l *Ledger) *int { return &l.SpentMicros }, ByUser},
	{func(l *Ledger) *int { return &l.AllTokens }, 0},
	{func(l *Ledger) *int { return &l.AllMicros }, 0},
	{func(l *Ledger) *int { return &l.TotalSession }, ByArchive},
	{func(l *Ledger) *int { return &l.ToolCalls }, EveryTurn}, // a continuation
	{func(l *Ledger) *int { return &l.PendingCalls }, 0},      // the start of a turn, the end of a conversation; the end of a turn sets it
	{func(l *Ledger) *int { return &l.CheckIns }, ByArchive},  // the end of the last background work, or of the conversation
}

// ResetBy is a kind of counters: what resets them, or that every turn changes them.
type ResetBy uint8

// The kinds of counters; one can be of several.
const (
	EveryTurn ResetBy = 1 << iota // every turn changes it, so a change of it alone is not worth a commit
	ByUser                        // a prompt of the user, or a resume, resets it
	ByArchive                     // the end of its list resets it
	ByLoad                        // loading a list resets it
)

// Stopped reports whether the user has stopped the session, and not resumed it.
func (l *Ledger) Stopped() bool { return l.StoppedAt != 0 }

// ResetCounters sets the counters of a kind to 0, and counts how often the user does that.
func (l *Ledger) ResetCounters(kind ResetBy) {
	if kind&ByUser != 0 {
		l.Resets++
	}
	for _, c := range counters {
		if c.anew&kind != 0 {
			*c.of(l) = 0
		}
	}
}

// HasCounters reports whether a counter of a kind is not 0.
func (l *Ledger) HasCounters(kind ResetBy) bool {
	for _, c := range counters {
		if c.anew&kind != 0 && *c.of(l) != 0 {
			return true
		}
	}
	return false
}

// SetCounters copies the counters of a kind from another ledger.
func (l *Ledger) SetCounters(kind ResetBy, from *Ledger) {
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
	f.OmitEmpty().Int("resets", &l.Resets)
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
	f.OmitEmpty().Bool("stopped_here", &l.StoppedHere)
	f.OmitEmpty().Bool("stopped_now", &l.StoppedNow)
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
	object.Pointer(f, "deleted", &l.Deleted)
	object.Pointer(f, "cancelled", &l.Cancelled)
	object.Pointer(f, "denied", &l.Denied)
	object.Pointer(f, "repeated", &l.Repeated)
	object.Time(f.OmitEmpty(), "cleared_at", &l.ClearedAt)
	object.Pointer(f, "run_end", &l.RunEnd)
	object.Text(f.OmitEmpty(), "run_gate", &l.RunGate)
	object.Pointer(f, "lost_gate", &l.LostGate)
	f.Unknown(&l.Unknown)
}

// DropMarks drops what is known about a conversation and its present turn, when it ends.
func (l *Ledger) DropMarks() {
	l.RecoveringAt, l.CompactingAt, l.CompactedAt, l.QuestionAt = 0, 0, 0, 0
	l.Background, l.WaitingSince, l.CheckIns, l.PendingCalls = nil, 0, 0, 0
	l.Turn, l.MarkedBy = nil, ""
}
