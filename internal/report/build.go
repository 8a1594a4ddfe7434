package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"onward/internal/calls"
	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// Source is the data of one list from the store, from which its report is made.
type Source struct {
	Name     session.Name
	Doc      *session.Document // nil if there is no list
	Entries  []session.Entry   // of the history, oldest first
	Calls    []calls.Record
	Run      *session.Run     // the record of the last run; nil if that is done, or if there was none
	Receipt  *session.Receipt // of the last run that has ended; nil if there is none
	Decision continuation.Decision
	Standing continuation.Standing // with the decision
}

// Build builds the report on one list.
func Build(src Source) Session {
	s := Session{
		Session: src.Name.Session, Agent: src.Name.AgentID(),
		State: src.Standing.State, Attention: src.Standing.Attention, Reason: src.Standing.Reason, Message: cmp.Or(src.Standing.Why, src.Decision.Message),
		Items: []Item{}, Open: []Point{}, Events: []Event{},
	}
	s.Run = runOf(src)
	s.gate = lastResult(src.Run)
	b := builder{Session: &s, at: map[string]int{}}
	for i := range src.Entries {
		b.addEntry(&src.Entries[i])
	}
	if doc := src.Doc; doc != nil {
		s.Project, s.Counts, s.Deleted = doc.Project, todo.Count(doc.Todos.Current()), doc.Continuation.Deleted.Count()
		if doc.Owner != nil {
			s.Owner = &Owner{doc.Owner.Agent, doc.Owner.Session}
		}
		b.addList(doc.Todos.Current(), doc.Todos.UpdatedAt, nil)
		s.Partial = !slices.ContainsFunc(src.Entries, func(e session.Entry) bool { return e.Rev > 0 && e.Previous == 0 }) && doc.Todos.Rev > 0
	}
	for i := range src.Calls {
		b.call(&src.Calls[i])
	}
	if run := src.Run; run != nil && src.Standing.State == continuation.IsCutOff {
		cut := run.CutOffEvent(src.Doc.Ledger())
		b.addEvent(&cut, cut.At, "cli")
	}
	slices.SortStableFunc(s.Events, func(x, y Event) int { return cmp.Compare(x.At, y.At) })
	b.addWaits()
	b.setPeriod(src.Doc)
	b.finish()
	return s
}

// runOf returns what the record and the receipt of the last run tell of it; nil if there are none.
func runOf(src Source) *Run {
	record, receipt := src.Run, src.Receipt
	ended := receipt != nil && (record == nil || record.HasEnded())
	switch {
	case record == nil && receipt == nil:
		return nil
	case !ended:
		return &Run{Agent: record.Agent, Model: record.Model(), Task: record.Task, Said: record.Said, Turns: record.Turns, Relay: relayOf(record.Relay), spent: record.SpentText(cmp.Or(record.Seen, src.Standing.Since), src.Standing.State == continuation.IsCutOff), first: firstResult(record.ProvingGate(), record.Results)}
	}
	r := &Run{Agent: receipt.LastAgent(), Model: receipt.Model, Task: wholeTask(receipt.Task, src.Entries), Outcome: receipt.Outcome, Message: receipt.Message, Proof: receipt.Grade, Turns: receipt.Turns, Relay: relayOf(receipt.Relay), spent: receipt.Spent(), first: firstResult(receipt.Gate, receipt.Results)}
	if record != nil {
		r.next = commandIn(record.Next())
		r.Task, r.Said, r.Message = cmp.Or(record.Task, r.Task), record.Said, cmp.Or(record.Ended.Message, r.Message)
	}
	if r.next == "" && src.Standing.State == continuation.NeedsYou && receipt.Outcome == string(continuation.NeedsYou) {
		r.reply = "onward reply --session " + src.Name.String() + " 'ANSWER'"
	}
	if r.next == "" && r.reply == "" && record.HasEnded() {
		r.next = "onward run --session " + src.Name.String()
	}
	if receipt.Code != 0 || receipt.Outcome == string(continuation.IsDone) {
		r.Code = &receipt.Code
	}
	c := receipt.Changed
	if c.Count > 0 || c.Unknown != "" || receipt.End.Tree != "" && receipt.End.Tree == receipt.Start.Tree {
		r.Files = &Changes{Count: c.Count, Added: c.Added, Removed: c.Removed, Unknown: c.Unknown, Names: []string{}}
		for _, f := range c.Files {
			r.Files.Names = append(r.Files.Names, f.Path)
		}
	}
	return r
}

// commandIn returns the command that a hint begins with, for a reader to copy; else the hint.
func commandIn(hint string) string {
	if words := strings.Split(hint, "`"); len(words) > 2 && words[0] == "" {
		return words[1]
	}
	return strings.ReplaceAll(hint, "`", "")
}

// wholeTask returns the whole task of a run; the receipt has only its beginning. The history has it as the last prompt that begins so.
func wholeTask(task string, entries []session.Entry) string {
	begins := strings.TrimSuffix(task, "…")
	for i := len(entries) - 1; i >= 0 && begins != ""; i-- {
		for _, e := range entries[i].Events {
			if e.Type == string(continuation.UserPrompt) && strings.HasPrefix(render.Text(e.Text), begins) {
				return e.Text
			}
		}
	}
	return task
}

// firstResult says what the gate did first, which is before the work unless it did not run then; empty if it has no result.
func firstResult(gate string, results []session.ProofResult) string {
	if len(results) == 0 {
		return ""
	}
	return resultEvent(results[0]).gated() + ": " + gate
}

// lastResult returns what the gate did last in a run that has not ended, as an event; nil if it did nothing. Not all that it does is in
// the history, such as a run before the first turn.
func lastResult(record *session.Run) *Event {
	if !record.IsUnended() || len(record.Results) == 0 {
		return nil
	}
	return resultEvent(record.Results[len(record.Results)-1])
}

// resultEvent returns a result of the gate as an event.
func resultEvent(of session.ProofResult) *Event {
	is := &Event{At: of.At, Code: &of.Code}
	if of.Code < 0 {
		is.Code, is.Problem = nil, "it took too long or could not be started"
	}
	return is
}

// relayOf returns what each agent of a run has spent; nil if there was only one.
func relayOf(agents []session.RunAgent) (out []Relay) {
	for _, of := range agents {
		out = append(out, Relay{of.Name, of.Turns, of.Tokens, of.Micros, of.Spent()})
	}
	return out
}

// textLines returns the lines of a text; none if it is empty.
func textLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// builder builds the report on a session, from one line of its history after the other.
type builder struct {
	*Session
	at map[string]int // where items are, by id
}

// addEntry adds a line of the history. The agent's own stream may contain the time of an event;
// else it was when the line was written.
func (b *builder) addEntry(e *session.Entry) {
	at := e.At
	for i := range e.Events {
		if own := e.Events[i].At; own != 0 && (at == e.At || own > at) {
			at = own
		}
	}
	moved := map[string]todo.Time{}
	for i := range e.Events {
		ev := &e.Events[i]
		when := cmp.Or(ev.At, at)
		if ev.Type == session.ItemChanged {
			moved[ev.Item] = when
			b.move(ev, when, e.By)
		} else {
			b.addEvent(ev, when, e.By)
		}
	}
	if e.Rev == 0 {
		return // the list did not change
	}
	settled := slices.ContainsFunc(e.Events, func(ev session.Event) bool { return ev.Type == session.Ran })
	items := e.Items
	if !e.Active {
		items = nil
	}
	did := b.addList(items, at, moved)
	out := Event{At: at, Type: EventListChanged, By: e.By, Text: e.Change, did: e.Change}
	switch {
	case settled:
		return // the run on the item reports it
	case e.By == session.Gated:
		return // the event of the gate reports it
	case len(e.Touched) == 1:
		out.item = e.Touched[0].Content
		out.Text += ": " + out.item
	case len(moved) > 0 && did.texts["removed"] == nil:
		return // the changes were reported one by one
	case len(moved) > 0:
		removed := changes{[]string{"removed"}, did.texts}
		out.Text, out.did = removed.String(), removed.clause()
	case len(e.Touched) == 0 && e.Active && len(did.verbs) > 0:
		out.Text += ": " + did.String()
		if e.By != "cli" {
			out.did = did.clause()
		}
	}
	b.Events = append(b.Events, out)
}

// addEvent adds an event that is not a change of the list.
func (b *builder) addEvent(ev *session.Event, at todo.Time, by string) {
	out := Event{
		At: at, Type: ev.Type, By: by, Text: ev.Text, Status: ev.Status, Class: ev.Class, Tier: ev.Tier,
		Problem: ev.Problem, Output: ev.Output, Calls: ev.Calls, Input: ev.Input, Written: ev.Written, Cost: ev.Cost,
		Worker: ev.Worker, Turns: ev.Turns, Tokens: ev.Tokens, Commit: ev.Commit, Proof: ev.Proof, From: ev.From, Called: textLines(ev.Called), Denied: textLines(ev.Denied), Since: textLines(ev.Since),
	}
	if ev.Type == session.Ran {
		b.addRun(ev)
		out.Took = int64(ev.Took)
		b.Events = append(b.Events, out)
		return // its turns are counted in the worker's own session
	}
	if n := len(b.Events); n > 0 && out.Type == session.Answered && b.Events[n-1].Type == out.Type && strings.HasPrefix(out.Text, b.Events[n-1].Text) {
		b.Events = b.Events[:n-1] // the end of a run says the answer again, and perhaps more
	}
	t := &b.Totals
	switch ev.Type {
	case string(continuation.UserPrompt):
		t.Prompts++
	case string(continuation.TurnEnd):
		t.Turns++
		if ev.Input > 0 || ev.Written > 0 || ev.Cost > 0 {
			t.UsageTurns++
		}
	case session.Continued:
		t.Continuations++
	case string(continuation.Pause):
		t.Pauses++
	case session.Gated:
		t.GateRuns++
		out.Took = int64(ev.Took)
		out.At -= todo.Time(ev.Took) // its entry was written when it ended
		if where, known := b.at[ev.Item]; known {
			out.Item, out.item = ev.Item, b.Items[where].Content
		}
		if ev.Problem == "" {
			code := ev.Code
			out.Code = &code
		}
	}
	if out.Type == string(continuation.Error) || out.Type == string(continuation.TurnEnd) && out.failed() {
		t.Errors++
	}
	t.ToolCalls += ev.Calls
	t.TokensIn += ev.Input
	t.TokensCached += ev.Cached
	t.TokensOut += ev.Written
	t.CostMicros += ev.Cost
	b.Events = append(b.Events, out)
}

// addList records the state of a list from a time on, and returns what changed.
func (b *builder) addList(items []todo.Item, at todo.Time, moved map[string]todo.Time) changes {
	did := changes{texts: map[string][]string{}}
	for i := range b.Items {
		b.Items[i].place = 0
	}
	for i := range items {
		is := &items[i]
		it := b.find(is.ID, cmp.Or(moved[is.ID], is.CreatedAt, at))
		it.place = i + 1
		it.Content, it.By, it.Reason, it.Subtasks = is.Content, is.By, is.Reason, nil
		for _, sub := range is.Subtasks {
			it.Subtasks = append(it.Subtasks, Subtask{sub.Content, sub.StatusOrPending(), sub.Reason})
		}
		if it.Status != is.Status {
			did.add(verb(it.Status, is.Status, is.IsLost()), is.Content)
		}
		it.become(is.Status, cmp.Or(moved[is.ID], at))
	}
	for i := range b.Items {
		if it := &b.Items[i]; it.place == 0 && !it.gone {
			if it.gone = true; it.EndedAt == 0 {
				it.end(at)
			}
			did.add("removed", it.Content)
		}
	}
	b.point(at)
	return did
}

// find returns an item that may be new.
func (b *builder) find(id string, at todo.Time) *Item {
	where, known := b.at[id]
	if !known {
		where = len(b.Items)
		b.at[id] = where
		b.Items = append(b.Items, Item{ID: id, CreatedAt: at})
	}
	b.Items[where].gone = false
	return &b.Items[where]
}

// move records an item's new status before the list contains it.
func (b *builder) move(ev *session.Event, at todo.Time, by string) {
	it := b.find(ev.Item, at)
	it.Content = cmp.Or(ev.Text, it.Content)
	to := todo.Status(ev.Status)
	b.Events = append(b.Events, Event{At: at, Type: session.ItemChanged, By: by, Text: it.Content, Status: verb(it.Status, to, ev.Class == session.ItemLost)})
	it.become(to, at)
	b.point(at)
}

// point notes how many items there are, and are open, from a time on.
func (b *builder) point(at todo.Time) {
	p := Point{At: at}
	for i := range b.Items {
		if it := &b.Items[i]; !it.gone {
			if p.Total++; it.Status.Open() {
				p.Open++
			}
		}
	}
	if n := len(b.Open); n > 0 && b.Open[n-1].Open == p.Open && b.Open[n-1].Total == p.Total {
		return
	}
	b.Open = append(b.Open, p)
}

// become records that an item has a status from now on.
func (it *Item) become(is todo.Status, at todo.Time) {
	switch running := it.running(); {
	case is.Works() && running == nil:
		it.StartedAt = cmp.Or(it.StartedAt, at)
		it.Spans = append(it.Spans, Span{From: at})
	case !is.Works() && running != nil:
		running.To = at
	}
	if is.Open() {
		it.EndedAt = 0
	} else if it.Status != is {
		it.EndedAt = at
	}
	it.Status = is
}

// end records that an item is not on the list any more.
func (it *Item) end(at todo.Time) {
	it.EndedAt = at
	if running := it.running(); running != nil {
		running.To = at
	}
}

// running returns the span that has not ended, if there is one.
func (it *Item) running() *Span {
	if n := len(it.Spans); n > 0 && it.Spans[n-1].To == 0 {
		return &it.Spans[n-1]
	}
	return nil
}

// call adds one of onward's own tool calls.
func (b *builder) call(c *calls.Record) {
	b.Totals.ToolCalls++
	b.Events = append(b.Events, Event{
		At: c.At, Type: EventToolCalled, Text: c.Text, Status: c.Status, Class: c.Class, Problem: c.Problem,
		Code: c.Code, Output: continuation.PlainTail(c.Output), Took: c.Took.Milliseconds(), did: c.Words,
	})
}

// addWaits notes for each continuation how long onward had waited since the agent's failure before it.
func (b *builder) addWaits() {
	var failure todo.Time
	for i := range b.Events {
		switch e := &b.Events[i]; e.Type {
		case string(continuation.TurnEnd), string(continuation.Error):
			if failure = 0; e.failed() {
				failure = e.At
			}
		case string(continuation.UserPrompt), string(continuation.TurnStart), string(continuation.Resume):
			failure = 0
		case session.Continued:
			if failure != 0 {
				e.waited = failure.Since(e.At).Milliseconds()
			}
			failure = 0
		}
	}
}

// setPeriod finds the time that the report is about: from the first thing that happened to the last.
func (b *builder) setPeriod(doc *session.Document) {
	see := func(at todo.Time) {
		if at != 0 {
			b.From, b.To = min(cmp.Or(b.From, at), at), max(b.To, at)
		}
	}
	for i := range b.Events {
		see(b.Events[i].At)
		see(b.Events[i].At + todo.Time(b.Events[i].Took))
	}
	for i := range b.Items {
		see(b.Items[i].CreatedAt)
		see(b.Items[i].EndedAt)
	}
	if doc != nil && b.From == 0 {
		see(doc.CreatedAt)
		see(doc.UpdatedAt)
	}
	b.Totals.Duration = b.From.Since(b.To).Milliseconds()
}

// finish completes what depends on the whole: the items of the list come first, in its order,
// and what is still in progress was so until the end.
func (b *builder) finish() {
	for i := range b.Items {
		it := &b.Items[i]
		if it.place > 0 {
			it.Position = strconv.Itoa(it.place)
		}
		spent := int64(0)
		for j := range it.Spans {
			s := &it.Spans[j]
			s.To = cmp.Or(s.To, b.To)
			spent += s.From.Since(s.To).Milliseconds()
		}
		if len(it.Spans) > 0 {
			it.Spent = &spent
		}
	}
	slices.SortStableFunc(b.Items, func(x, y Item) int { return cmp.Compare(x.order(), y.order()) })
}

// order puts the items of the list before those that are not on it any more.
func (it *Item) order() int {
	if it.place == 0 {
		return todo.MaxItems + 1
	}
	return it.place
}
