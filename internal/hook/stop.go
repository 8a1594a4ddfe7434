package hook

import (
	"fmt"
	"hash/fnv"
	"reflect"

	"onward/internal/agent"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// Question is an agent that wants to end its turn: may it, or is it sent on?
type Question struct {
	Call     Call
	Agent    *Agent
	Cap      int // of the host, in force
	Settings continuation.Settings
	Now      todo.Time
	Named    bool      // the session was named outright
	Calls    int       // tool calls that were reported one by one since the last turn's end
	Ends     bool      // the agent's program ends with the turn
	ActiveAt todo.Time // the last sign of life
	ReadRev  uint64    // the document's rev when it was first read
	Length   int64     // of the conversation's file, in bytes; 0 is unknown
}

// Verdict is the answer, and what became of the document with it.
type Verdict struct {
	Decision continuation.Decision
	Change   session.Change
	Matters  bool // there is something to commit; a turn's end alone is not
}

// Decide answers, and changes the document by what the call reports and by what is to be remembered.
// A missing document is nil.
func (q Question) Decide(doc *session.Document) (Verdict, error) {
	facts := q.facts()
	if doc == nil {
		d, _ := continuation.Decide(nil, facts, q.Settings, q.Now)
		return Verdict{Decision: d}, nil
	}
	before := doc.Continuation
	call := q.Call
	comes := call.mayTouch(doc, q.Settings.StaleAfter, q.Now) && !call.seen(doc.Owner, q.Settings.StaleAfter, q.Now)
	call.Events = q.events(doc)
	did, err := call.Take(doc, q.Settings.StaleAfter, q.Now)
	if err != nil {
		return Verdict{}, err
	}
	facts.Hook.Key = q.key(doc)
	if o := doc.Owner; o != nil && o.Session == call.Session {
		facts.Hook.Began = o.Since
	}
	d, ledger := continuation.Decide(doc, facts, q.Settings, q.Now)
	doc.Continuation = ledger
	v := Verdict{Decision: d, Change: did}
	v.Matters = d.Outcome == continuation.Continue || did.List || comes || changed(before, ledger)
	v.Change.What, v.Change.By = d.Reason, "hook"
	return v, nil
}

// facts joins what the agent knows to what only a hook knows.
func (q Question) facts() continuation.Facts {
	f := q.Call.Facts
	// The turn's end carries them.
	f.ToolCalls = nil
	f.Named, f.ReadRev, f.ActiveAt = q.Named, q.ReadRev, q.ActiveAt
	f.Hook = &continuation.Hook{Cap: q.Cap, Ends: q.Ends, WorkFrees: q.Agent.workFrees}
	if !q.Call.Anonymous {
		f.Owner = &continuation.Claim{Agent: q.Call.Agent, Session: q.Call.Session}
	}
	return f
}

// events says how the turn ended. A pause comes first, so that the decision knows of it.
func (q Question) events(doc *session.Document) []continuation.Event {
	var out []continuation.Event
	if reason, ok := agent.PauseReason(q.Call.Message); ok {
		out = append(out, continuation.Event{Type: continuation.Pause, Reason: reason, Source: q.Call.Agent})
	}
	// A model that ends its turn is not being compacted; where the host tells no end, this is it.
	if !q.Agent.compacted && doc.Continuation.CompactingAt != 0 {
		out = append(out, continuation.Event{Type: continuation.CompactionEnd})
	}
	if len(q.Call.Events) > 0 {
		// The agent said itself how it ended: interrupted, or with an error.
		return append(out, q.Call.Events...)
	}
	calls := q.Calls
	if n := q.Call.Facts.ToolCalls; n != nil {
		calls = *n
	}
	return append(out, continuation.Event{Type: continuation.TurnEnd, Status: continuation.Done, ToolCalls: calls})
}

// key names the question, so that a second hook that asks the same gets no second prompt.
// The host's id stays the same when the agent is sent on, so what has come of that belongs to the name:
// the statuses, the last message, and how long the conversation is, for an agent can give the same short answer again.
func (q Question) key(doc *session.Document) string {
	c := q.Call
	text := fmt.Appendf(nil, "%q %q %q %q %d", c.Session, c.Key, c.Again, c.Message, q.Length)
	if c.Key == "" && q.Length == 0 {
		text = fmt.Appendf(text, " %d", doc.Continuation.Turns)
	}
	for _, it := range doc.Todos.Current() {
		text = append(text, " "+it.ID+" "+string(it.Status)...)
	}
	h := fnv.New64a()
	_, _ = h.Write(text)
	return fmt.Sprintf("%016x", h.Sum64())
}

// changed reports whether a ledger holds more news than that a turn ended, which the next commit brings too.
func changed(before, after session.Ledger) bool {
	after.Turns, after.ToolCalls, after.Attempts = before.Turns, before.ToolCalls, before.Attempts
	return !reflect.DeepEqual(before, after)
}

// Notice says why a conversation stops although something is open, for agents that show the user a line.
// What is done, waits or is switched off needs no word.
func Notice(d continuation.Decision) string {
	switch d.Outcome {
	case continuation.NeedsHuman, continuation.Limit, continuation.HostError:
		return "onward: " + d.Message
	}
	return ""
}
