package ask

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/hook"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Turn is a turn of an agent that is about to end, as its hook reports it.
type Turn struct {
	Call       hook.Call
	Agent      *hook.Protocol
	Cap        int // of the host, in force
	StaleAfter time.Duration
	Now        todo.Time
	Calls      int   // tool calls that were reported one by one since the last turn's end
	Ends       bool  // the agent's program ends with the turn
	Worked     bool  // a tool that may have changed something has run since the user's prompt
	Length     int64 // of the conversation's file up to its last message, in bytes; 0 is unknown

	// Changed reports whether a file of the project has changed since then; nil if nobody knows.
	Changed func(since time.Time) bool

	repeated *stream.RepeatedCall // the call that was repeated until the turn ended; nil if there is none
	comes    bool                 // the caller becomes the recorded owner
}

// ReadConversation completes the turn with what the end of the conversation's file says, which begins at an offset: how long the
// conversation is, the agent's last message if the event does not have it, which call was repeated until the turn ended, and whether the
// background work of its list ends with the turn.
// The function beginning returns the beginning of the file.
func (t *Turn) ReadConversation(doc *session.Document, from int64, tail []byte, beginning func() []byte) {
	message, said := t.Agent.LastMessage(tail)
	if t.Call.Message == "" {
		t.Call.Message = message
	}
	if t.Length = from + int64(len(tail)); said > 0 {
		t.Length = from + int64(said)
	}
	if t.Call.Kind != hook.Stop {
		return
	}
	if l := repeatedCall(tail); l != nil && doc.Todos.UpdatedAt < todo.TimeOf(l.Since) && t.Changed != nil && !t.Changed(l.Since) {
		t.repeated = l
	}
	if len(doc.Continuation.Background) > 0 {
		t.Ends = t.Agent.ExitsAfterTurn(beginning)
	}
}

// report applies the report of the call to the document, and adds the facts that only a hook knows.
// A missing document is nil.
func (t *Turn) report(doc *session.Document, f *continuation.Facts) (session.Change, error) {
	call := t.Call
	// The turn's end carries them.
	f.ToolCalls = nil
	f.Hook = &continuation.Hook{
		Cap: t.Cap, Ends: t.Ends, WorkFrees: t.Agent.WorkResetsBlocks, Worked: t.Worked, BothEnds: t.Agent.ReportsBothEnds && call.SubAgent == "",
	}
	if !t.Call.Anonymous {
		f.Owner = &t.Call.Session
	}
	if doc == nil {
		return session.Change{}, nil
	}
	from := conversationOf(call)
	t.comes = from.MayChange(doc, t.StaleAfter, t.Now) && !from.WasNotedRecently(doc.Owner, t.StaleAfter, t.Now)
	call.Events = t.events(doc)
	did, err := applyCall(call, doc, t.StaleAfter, t.Now)
	if err != nil {
		return did, err
	}
	f.Hook.Key = t.questionKey(doc)
	if o := doc.Owner; o != nil && o.Session == call.Session {
		f.Hook.Began = o.Since
	}
	return did, nil
}

// needsCommit reports whether there is something to commit; a turn's end alone is not.
func (t *Turn) needsCommit(d continuation.Decision, did session.Change, before, after session.Ledger) bool {
	return d.Outcome == continuation.Continue || did.List || t.comes || ledgerChanged(before, after)
}

// events reports how the turn ended. A pause comes first, so that the decision knows about it.
func (t *Turn) events(doc *session.Document) []continuation.Event {
	var out []continuation.Event
	if reason, ok := stream.PauseReason(t.Call.Message); ok {
		out = append(out, continuation.Event{Type: continuation.Pause, Reason: reason, Source: t.Call.Agent})
	}
	// A model that ends its turn is not being compacted; if the host reports no end, this is it.
	if !t.Agent.ReportsCompactionEnd && doc.Continuation.CompactingAt != 0 {
		out = append(out, continuation.Event{Type: continuation.CompactionEnd})
	}
	if len(t.Call.Events) > 0 {
		// The agent itself reported how it ended: interrupted, or with an error.
		for _, e := range t.Call.Events {
			e.EndsTurn = true
			out = append(out, e)
		}
		return out
	}
	if l := &doc.Continuation; t.Agent.RepeatsFailedEnd && l.Turn == nil && l.Error != nil {
		return out // it is the end of the turn that has failed, and was reported as such
	}
	calls := t.Calls
	if n := t.Call.Facts.ToolCalls; n != nil {
		calls = *n
	}
	end := continuation.Event{Type: continuation.TurnEnd, Status: continuation.Done, ToolCalls: calls}
	if l := t.repeated; l != nil {
		end.RepeatedCall, end.Repeats = l.Call, l.Count
	}
	return append(out, end)
}

// repeatedCall returns the call with which the last turn in the end of a conversation's file ended, again and again; nil if there is none.
func repeatedCall(tail []byte) *stream.RepeatedCall {
	if !stream.MayRepeat(tail) {
		return nil
	}
	lines := &timedLines{rest: tail}
	reader := agents.NewReader(lines, stream.Options{Clock: func() time.Time { return lines.at }})
	for {
		if _, err := reader.Next(); err != nil {
			return reader.LastRepeatedCall()
		}
	}
}

// timedLines reads lines one by one, each at the time that it names.
type timedLines struct {
	rest []byte
	at   time.Time // of the last line
}

// Read reads a line, or the next part of one that is too long.
func (l *timedLines) Read(into []byte) (int, error) {
	if len(l.rest) == 0 {
		return 0, io.EOF
	}
	line := l.rest[:bytes.IndexByte(l.rest, '\n')+1]
	if len(line) == 0 {
		line = l.rest
	}
	if _, text, found := bytes.Cut(line, []byte(`"timestamp":`)); found {
		text, _, _ = bytes.Cut(bytes.TrimLeft(text, ` "`), []byte{'"'})
		if at, err := time.Parse(time.RFC3339, string(text)); err == nil {
			l.at = at
		}
	}
	n := copy(into, line)
	l.rest = l.rest[n:]
	return n, nil
}

// questionKey names the question, so that a second hook that asks the same gets no second prompt.
// The host's id stays the same when the agent is prompted again, so the result of that is part of the name:
// the statuses, the last message, and the length of the conversation, because an agent can repeat a short answer.
func (t *Turn) questionKey(doc *session.Document) string {
	c := t.Call
	text := fmt.Appendf(nil, "%q %q %q %q %d", c.Session, c.Key, c.Again, c.Message, t.Length)
	if c.Key == "" && t.Length == 0 {
		text = fmt.Appendf(text, " %d", doc.Continuation.Turns)
	}
	for _, it := range doc.Todos.Current() {
		text = append(text, " "+it.ID+" "+string(it.Status)...)
	}
	return store.Checksum(text)
}

// ledgerChanged reports whether a ledger holds more news than that a turn ended, which the next commit brings too.
func ledgerChanged(before, after session.Ledger) bool {
	after.SetCounters(session.EveryTurn, &before)
	return !reflect.DeepEqual(before, after)
}

// StopNotice returns the line that explains to the user why a conversation stops although something is open,
// and the next step. For a list that is done by changes of files, it says what the gate shows. It is empty for one that waits or is switched off.
func StopNotice(a Answer) string {
	d := a.Decision
	switch d.Outcome {
	case continuation.Finished:
		if a.worked {
			return "onward: " + d.Message
		}
	case continuation.NeedsHuman, continuation.Limit, continuation.HostError:
		return "onward: " + d.Message + "; " + d.Hint
	}
	return ""
}
