package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"onward/internal/object"
	"onward/internal/store"
	"onward/internal/todo"
)

// runKind describes where a session is held while `onward run` is at work on it. The document tells how
// far the run has come; one that nobody holds, and that does not say how it ended, was cut off.
var runKind = store.Spec{Name: "run", Folder: "runs", Limit: 1 << 20, Acts: true}

// RunKey returns the key that a run holds, under which its record is.
func RunKey(name Name) store.Key { return store.Key{Kind: &runKind, Name: name.String()} }

// Run is the record of a run that keeps an agent going: who it is, and how far it has come.
type Run struct {
	Process      *Process // of the run
	Keeper       *Process // below which the agent's program runs; nil between two turns
	Mark         string   // the value of ONWARD_RUN in all that it starts
	Agent        string
	Task         string // of the user; empty if there is none
	Queue        string // the list whose item it works on; empty if it has a list of its own
	Item         string // the id of that item
	Claim        int    // the number of the claim on it
	Began        todo.Time
	Gate         string    // that was in force when the run began; empty is none
	GateFrom     string    // the place where that was set
	GateSince    todo.Time // when that run began: this one may continue it
	Turns        int
	Prompts      int           // continuations since the user's last words
	Resets       int           // how often the user had restarted the list's counts when the run last looked
	GivenBack    int           // those in a row that cost nothing
	TaskNoted    bool          // the history has the task as a prompt; without a list there was none when the run began
	Tried        bool          // a turn has worked on the task, or ended well
	Acted        bool          // a turn may have changed something, or the gate has failed on the way
	Listed       bool          // a list was written since the run began
	GateFailed   bool          // the gate has failed since the first turn
	StartGate    string        // the gate that was in force before the first turn, once that is about to begin; empty if none
	GateBefore   string        // what it did then, as package run says it; empty if nobody knows
	GateWrites   []string      // files that it wrote then, the first of them
	Start        string        // the state of the checkout before the first turn; empty if it is not known
	Edited       string        // the same with what the user has changed between runs; empty if that is nothing
	Touched      []string      // protected files that the agent had changed at the end of a run, which are not the user's from then on
	Still        string        // the state that it has as long as nothing but gates has changed it since
	StartCommit  string        // the commit that was checked out then, whether or not the files are the commit's
	NeedsProof   bool          // only work that is proven is done
	CheckAsked   int           // how often the agent was asked for the check alone; 0 once that fails
	BeforeCheck  Files         // the files before the check was written, where the start is the moment after that
	Results      []ProofResult // of the gate: the first one, and the last ones
	ResultsOf    string        // the command of the gate that they are of; empty if there are none, or an older version wrote them
	Older        int           // results between those that are left out
	Agents       []string      // that worked on the task before, if another one does now
	List         string        // the digest of the list when the run began
	Conversation string        // the agent's own id of the last one
	Said         string        // the end of its last message
	UsedModel    string        // that the agent named in its output; empty until it has
	Call         string        // its last tool call, in a few words
	Asked        string        // what the user's message answers
	Messages     []Message     // of the user, until a turn has worked on them
	Read         []Message     // of the user, that a turn has worked on: the newest, for a conversation that begins later
	Folder       string        // in which its command line was typed
	Command      []string      // the words after "onward" that continue it from there, without the task
	Heard        bool          // the last conversation has them
	Seen         todo.Time     // when the record was written last
	Idle         int           // milliseconds since the beginning in which it was cut off
	Ended        *RunEnd       // nil while it is at work, or cut off
	Tokens       int           // that were spent, without those that came from a cache
	Micros       int           // millionths of a US dollar
	Earlier      *RunAgent     // what the runs have spent that this one continues; nil if there were none
	Open         *Event        // what the open turn has used so far, as the history tells it if the run is cut off in that; nil if nothing
	seenTokens   int           // what the ledger of the session had of both, the last time that it was counted
	seenMicros   int

	Relay    []RunAgent // the agents that go on for each other; nil if the run has only one
	Switches int        // from one of them to the next, since an item was last completed
	HandedOn bool       // the agent has had no turn yet, since another one was at work
}

// RunAgent is one of the agents that go on for each other in a run.
type RunAgent struct {
	Name   string
	Until  todo.Time // when the last usage limit of its host ends; 0 is none
	Turns  int
	Tokens int
	Micros int
}

// Fields lists the members of an agent.
func (a *RunAgent) Fields(f *object.Fields) {
	object.Text(f.OmitEmpty(), "agent", &a.Name) // absent where it stands for several
	object.Time(f.OmitEmpty(), "limited_until", &a.Until)
	f.Int("turns", &a.Turns)
	f.OmitEmpty().Int("tokens", &a.Tokens)
	f.OmitEmpty().Int("cost_microusd", &a.Micros)
}

// Spent says what the agent has spent.
func (a *RunAgent) Spent() string {
	return a.Name + ": " + todo.Plural(a.Turns, "turn") + a.cost()
}

// AgentsText says of each agent of a run that has several what it has spent, and which ones are at a usage limit now; empty if it has one.
func (r *Run) AgentsText(now todo.Time) string {
	var texts []string
	if r != nil {
		for i := range r.Relay {
			text := r.Relay[i].Spent()
			if until := r.Relay[i].Until; until > now {
				text += ", at a usage limit until " + until.ClockText(now)
			}
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

func (a *RunAgent) cost() (text string) {
	if a.Tokens > 0 {
		text += ", " + todo.Plural(a.Tokens, "token")
	}
	if a.Micros > 0 {
		text += fmt.Sprintf(", $%.2f", float64(a.Micros)/1e6)
	}
	return text
}

// sumWith returns what both have spent; more may be nil.
func (a RunAgent) sumWith(more *RunAgent) *RunAgent {
	if more != nil {
		a.Turns, a.Tokens, a.Micros = a.Turns+more.Turns, a.Tokens+more.Tokens, a.Micros+more.Micros
	}
	return &a
}

// SetEarlierRun makes the run continue one that has ended, with counters of its own.
func (r *Run) SetEarlierRun(last *Run) {
	r.Earlier = RunAgent{Turns: last.Turns, Tokens: last.Tokens, Micros: last.Micros}.sumWith(last.Earlier)
}

// LastTurn says in which turn the run was cut off.
func (r *Run) LastTurn() string {
	if r.Turns == 0 {
		return "before its first turn"
	}
	return fmt.Sprintf("in turn %d", r.Turns)
}

// AddIdle counts the time for which the run was cut off until now: it was at work when its record was last written.
func (r *Run) AddIdle(now todo.Time) {
	if r.Seen != 0 {
		r.Idle += max(0, int(r.Seen.Since(now).Milliseconds()))
	}
}

// Worked returns for how long the run has been at work, which its budget limits.
func (r *Run) Worked(now todo.Time) time.Duration {
	return r.Began.Since(now) - time.Duration(r.Idle)*time.Millisecond
}

// Spent says what a run has spent until a time.
func (r *Run) Spent(until todo.Time) string {
	return (&Receipt{Turns: r.Turns, Tokens: r.Tokens, Micros: r.Micros, Earlier: r.Earlier, Began: r.Began, Ended: max(until, r.Began), Idle: r.Idle}).Spent()
}

// SpentText says what a run has spent until a time, with the open turn if it was cut off in that.
func (r *Run) SpentText(until todo.Time, cutOff bool) string {
	of := *r
	if cutOff && r.Open != nil {
		of.Tokens, of.Micros = of.Tokens+r.Open.tokens(), of.Micros+r.Open.Cost
	}
	return of.Spent(until)
}

// AgentRecord returns what the run knows about one of its agents, which it may begin to know with that. Copies of the record do not change.
func (r *Run) AgentRecord(name string) *RunAgent {
	r.Relay = slices.Clone(r.Relay)
	at := slices.IndexFunc(r.Relay, func(a RunAgent) bool { return a.Name == name })
	if at < 0 {
		at, r.Relay = len(r.Relay), append(r.Relay, RunAgent{Name: name})
	}
	return &r.Relay[at]
}

// CountTurn counts a turn that begins.
func (r *Run) CountTurn() {
	if r.Turns++; r.Relay != nil {
		r.AgentRecord(r.Agent).Turns++
	}
}

// SwitchAgent makes another agent the one at work, in a new conversation.
func (r *Run) SwitchAgent(to string) {
	if !slices.Contains(r.Agents, r.Agent) {
		r.Agents = append(slices.Clone(r.Agents), r.Agent)
	}
	r.Agent, r.Conversation, r.HandedOn = to, "", true
	r.UsedModel = ""
}

// StartSpendingFrom makes a run that begins spend only what comes from now on.
func (r *Run) StartSpendingFrom(l *Ledger) { r.seenTokens, r.seenMicros = l.AllTokens, l.AllMicros }

// CountSpending counts what was spent since the last time. The ledger starts from the beginning where the session was deleted or repaired.
func (r *Run) CountSpending(l *Ledger) {
	open := r.CutOffEvent(l)
	tokens, micros := growth(&r.seenTokens, l.AllTokens)+open.tokens(), growth(&r.seenMicros, l.AllMicros)+open.Cost
	r.Tokens, r.Micros = r.Tokens+tokens, r.Micros+micros
	if r.Relay != nil && tokens+micros > 0 {
		of := r.AgentRecord(r.Agent)
		of.Tokens, of.Micros = of.Tokens+tokens, of.Micros+micros
	}
	r.Open = nil
}

// CutOffEvent returns the event that tells that the run was cut off, with what the open turn used. A ledger that has grown has the end of
// that turn.
func (r *Run) CutOffEvent(l *Ledger) (e Event) {
	is := *r
	if r.Open != nil && growth(&is.seenTokens, l.AllTokens)+growth(&is.seenMicros, l.AllMicros) == 0 {
		e = *r.Open
	}
	e.Type, e.At, e.Text = CutOff, r.Seen, strings.TrimSuffix(r.LastTurn()+": "+e.Text, ": ")
	return e
}

func growth(seen *int, now int) int {
	before := *seen
	if *seen = now; now < before {
		return now
	}
	return now - before
}

// AddMessages adds messages of the user to those that a turn has to work on. Each is there once, however often it is sent.
func (r *Run) AddMessages(messages []Message) {
	for _, m := range messages {
		if m.By == "" && !slices.ContainsFunc(r.Messages, func(had Message) bool { return had.ID == m.ID }) {
			r.Messages, r.Heard = append(r.Messages, m), false
		}
	}
}

// CountPrompt counts a continuation, unless it sends words of the user, with which the count starts again.
func (r *Run) CountPrompt(continued bool, messages []Message) {
	switch {
	case slices.ContainsFunc(messages, func(m Message) bool { return m.By == "" }):
		r.Prompts, r.GivenBack = 0, 0
	case continued:
		r.Prompts++
	}
}

// CountReset follows the list's count of continuations for one prompt if the user has restarted it. That count alone does not
// show it: a failure, which an agent can report as well, gives a continuation back.
func (r *Run) CountReset(l *Ledger) {
	if r.Resets != l.Resets {
		r.Prompts, r.Resets = min(r.Prompts, l.TotalPrompt), l.Resets
	}
}

// mostProved is how many results of the gate a run keeps.
const mostProved = 12

// AddGateResult adds a result of the gate. If there are too many, those after the first are left out: that one is of the files before the
// work, unless the gate did not run then.
func (r *Run) AddGateResult(command string, is ProofResult) {
	if r.ProvingGate() != command { // what another gate did says nothing about this one
		r.Results, r.Older = nil, 0
	}
	r.ResultsOf = command
	if r.Results = append(r.Results, is); len(r.Results) > mostProved {
		r.Results, r.Older = slices.Delete(r.Results, 1, 2), r.Older+1
	}
}

// ProvingGate returns the command of the gate that the results are of, or of the one that was in force at the beginning if it has none.
func (r *Run) ProvingGate() string { return cmp.Or(r.ResultsOf, r.Gate) }

// TakeOverFrom takes over from an earlier process or run what the receipt tells of it.
func (r *Run) TakeOverFrom(before *Run) {
	r.Results, r.ResultsOf, r.Older, r.StartCommit, r.Agents = before.Results, before.ResultsOf, before.Older, before.StartCommit, before.Agents
	r.NeedsProof, r.CheckAsked, r.BeforeCheck = before.NeedsProof, before.CheckAsked, before.BeforeCheck
	if before.Agent != r.Agent && !slices.Contains(r.Agents, before.Agent) {
		r.Agents = append(r.Agents, before.Agent)
	}
}

// FilesToKeep returns the state of the files that the agent's work is compared with, of those that it has to leave as they are.
func (r *Run) FilesToKeep() string { return cmp.Or(r.Edited, r.Start) }

// mostGivenBack is how many continuations in a row may cost nothing.
const mostGivenBack = 50

// GiveBackContinuation takes the last continuation off the count: its turn was cut off, or failed before it did anything.
func (r *Run) GiveBackContinuation() {
	if r.Prompts > 0 && r.GivenBack < mostGivenBack {
		r.Prompts, r.GivenBack = r.Prompts-1, r.GivenBack+1
	}
}

// MarkTurnSucceeded takes it that a turn has worked: it forgets the messages and the question that the turn had.
func (r *Run) MarkTurnSucceeded() {
	r.Read = append(r.Read, r.Messages...)
	size := 0
	for i := len(r.Read) - 1; i >= 0; i-- {
		if size += len(r.Read[i].Text); size > maxRead && i < len(r.Read)-1 {
			r.Read = slices.Clone(r.Read[i+1:])
			break
		}
	}
	r.Messages, r.Heard, r.Asked, r.GivenBack = nil, false, "", 0
}

// maxRead is how many bytes of messages that were read are kept, besides the newest.
const maxRead = 8 << 10

// Model returns the model that the agent named, else the one that the user named for it, by a flag of its own; empty if nobody did.
func (r *Run) Model() string {
	if r.UsedModel != "" {
		return r.UsedModel
	}
	words := r.Command[slices.Index(r.Command, "--")+1:]
	for i, word := range words {
		name, value, joined := strings.Cut(word, "=")
		switch {
		case name != "--model" && name != "-m" || len(words) == len(r.Command):
		case joined:
			return value
		case i+1 < len(words):
			return words[i+1]
		}
	}
	return ""
}

// WithFlags returns the run with more flags of onward in its command line, before the agent's own; nil stays nil.
func (r *Run) WithFlags(flags []string) *Run {
	if r == nil {
		return nil
	}
	own := slices.Index(r.Command, "--")
	if own < 0 {
		own = len(r.Command)
	}
	with := *r
	with.Command = slices.Insert(slices.Clone(r.Command), own, flags...)
	return &with
}

// keepsEnded is how long the record of a run is kept after its end.
const keepsEnded = 7 * 24 * time.Hour

// HasEnded reports whether the run has ended, and is not only cut off.
func (r *Run) HasEnded() bool { return r != nil && r.Ended != nil }

// IsUnended reports whether a run has begun and has not ended: it is at work, or was cut off.
func (r *Run) IsUnended() bool { return r != nil && r.Ended == nil }

// Outdated reports whether the run ended so long ago that nobody continues it.
func (r *Run) Outdated(now todo.Time) bool { return r.HasEnded() && r.Ended.At.Since(now) > keepsEnded }

// Next returns the step that the user takes before an ended run can go on; empty if its own command line is all that it takes.
func (r *Run) Next() string {
	if !r.HasEnded() {
		return ""
	}
	return r.Ended.Next
}

// CanGoOn reports whether the user can go on with a run; with nil not.
func (r *Run) CanGoOn(now todo.Time) bool { return r != nil && !r.Outdated(now) && len(r.Command) > 0 }

// Fields lists the members of the record.
func (r *Run) Fields(f *object.Fields) {
	f.Require("mark", "agent")
	object.Pointer(f, "process", &r.Process)
	object.Pointer(f, "keeper", &r.Keeper)
	object.Text(f, "mark", &r.Mark)
	object.Text(f, "agent", &r.Agent)
	object.Text(f.OmitEmpty(), "task", &r.Task)
	object.Text(f.OmitEmpty(), "queue", &r.Queue)
	object.Text(f.OmitEmpty(), "item", &r.Item)
	f.OmitEmpty().Int("claim", &r.Claim)
	object.Time(f, "began", &r.Began)
	object.Text(f.OmitEmpty(), "gate", &r.Gate)
	object.Text(f.OmitEmpty(), "gate_from", &r.GateFrom)
	object.Time(f.OmitEmpty(), "gate_since", &r.GateSince)
	f.OmitEmpty().Int("turns", &r.Turns)
	f.OmitEmpty().Int("prompts", &r.Prompts)
	f.OmitEmpty().Int("resets", &r.Resets)
	f.OmitEmpty().Int("given_back", &r.GivenBack)
	f.OmitEmpty().Bool("task_noted", &r.TaskNoted)
	f.OmitEmpty().Bool("tried", &r.Tried)
	f.OmitEmpty().Bool("acted", &r.Acted)
	f.OmitEmpty().Bool("listed", &r.Listed)
	f.OmitEmpty().Bool("gate_failed", &r.GateFailed)
	object.Text(f.OmitEmpty(), "start_gate", &r.StartGate)
	object.Text(f.OmitEmpty(), "gate_before", &r.GateBefore)
	object.Strings(f.OmitEmpty(), "gate_writes", &r.GateWrites)
	object.Text(f.OmitEmpty(), "start", &r.Start)
	object.Text(f.OmitEmpty(), "edited", &r.Edited)
	object.Strings(f.OmitEmpty(), "touched", &r.Touched)
	object.Text(f.OmitEmpty(), "still", &r.Still)
	object.Text(f.OmitEmpty(), "start_commit", &r.StartCommit)
	f.OmitEmpty().Bool("needs_proof", &r.NeedsProof)
	f.OmitEmpty().Int("check_asked", &r.CheckAsked)
	object.Text(f.OmitEmpty(), "before_check", &r.BeforeCheck.Tree)
	object.Text(f.OmitEmpty(), "before_check_commit", &r.BeforeCheck.Commit)
	object.List(f.OmitEmpty(), "results", &r.Results)
	object.Text(f.OmitEmpty(), "results_of", &r.ResultsOf)
	f.OmitEmpty().Int("older", &r.Older)
	object.Strings(f.OmitEmpty(), "agents", &r.Agents)
	object.List(f.OmitEmpty(), "relay", &r.Relay)
	f.OmitEmpty().Int("switches", &r.Switches)
	f.OmitEmpty().Bool("handed_on", &r.HandedOn)
	object.Text(f.OmitEmpty(), "list", &r.List)
	object.Text(f.OmitEmpty(), "conversation", &r.Conversation)
	object.Text(f.OmitEmpty(), "said", &r.Said)
	object.Text(f.OmitEmpty(), "model", &r.UsedModel)
	object.Text(f.OmitEmpty(), "call", &r.Call)
	object.Text(f.OmitEmpty(), "asked", &r.Asked)
	object.List(f.OmitEmpty(), "messages", &r.Messages)
	object.List(f.OmitEmpty(), "read", &r.Read)
	object.Text(f.OmitEmpty(), "folder", &r.Folder)
	object.Strings(f.OmitEmpty(), "command", &r.Command)
	f.OmitEmpty().Bool("heard", &r.Heard)
	object.Time(f.OmitEmpty(), "seen", &r.Seen)
	f.OmitEmpty().Int("idle_ms", &r.Idle)
	object.Pointer(f, "ended", &r.Ended)
	f.OmitEmpty().Int("tokens", &r.Tokens)
	f.OmitEmpty().Int("cost_microusd", &r.Micros)
	object.Pointer(f.OmitEmpty(), "earlier", &r.Earlier)
	object.Pointer(f.OmitEmpty(), "open", &r.Open)
	f.OmitEmpty().Int("seen_tokens", &r.seenTokens)
	f.OmitEmpty().Int("seen_microusd", &r.seenMicros)
}

// ReadRun returns the record of a session's run; nil if there is none.
func (s *Store) ReadRun(name Name) (*Run, error) {
	return readObject[Run](s.Backend, RunKey(name))
}

// LastRun returns the record of the last run of a list, and whether that is still at work; nil if there is none that could go on.
func (s *Store) LastRun(name Name, now todo.Time) (last *Run, atWork bool, err error) {
	if last, err = s.ReadRun(name); err != nil || !last.CanGoOn(now) {
		return nil, false, err
	}
	held := (*InRunError)(nil)
	if err = s.CheckNoRun("answer", name); errors.As(err, &held) {
		return last, true, nil
	}
	return last, false, err
}

// Recipient is who gets an answer that the user sends to a session.
type Recipient int

// The recipients.
const (
	RecipientNone        Recipient = iota
	RecipientPausedAgent           // an agent in a window of its own
	RecipientRunAtWork             // a run, after its turn
	RecipientRunBetween            // a run between two turns: it waits, or looks at the work
	RecipientStoppedRun            // a run that ends after its turn, since the user has stopped it
	RecipientEndedRun              // a run that goes on with the answer
	RecipientNextRun               // the next run on the list, since the last one ended too long ago to go on
)

// FindRecipient returns who gets an answer, with the last run, which may be one that cannot go on any more; nil if there is none.
func (s *Store) FindRecipient(name Name, now todo.Time) (Recipient, *Run, error) {
	last, atWork, err := s.LastRun(name, now)
	if err != nil {
		return RecipientNone, nil, err
	}
	doc, err := s.Load(name)
	if err != nil {
		return RecipientNone, nil, err
	}
	if last != nil {
		return recipientOf(last, false, atWork, doc.Ledger()), last, nil
	}
	outdated, err := s.ReadRun(name)
	return recipientOf(nil, outdated != nil, false, doc.Ledger()), outdated, err
}

// recipientOf returns who gets an answer: the last run, else an agent that has paused. Outdated is whether there is a run that cannot go on
// any more: then the agent that has paused was its own.
func recipientOf(last *Run, outdated, atWork bool, l *Ledger) Recipient {
	switch paused := l.Paused != nil; {
	case last != nil && atWork && l.Stopped():
		return RecipientStoppedRun
	case last != nil && atWork && !last.InTurn():
		return RecipientRunBetween
	case last != nil && atWork:
		return RecipientRunAtWork
	case last != nil:
		return RecipientEndedRun
	case paused && outdated:
		return RecipientNextRun
	case paused:
		return RecipientPausedAgent
	}
	return RecipientNone
}

// readObject returns what a session has under a key; nil if there is nothing.
func readObject[T any, P interface {
	*T
	object.Object
}](b store.Backend, key store.Key) (P, error) {
	v, err := b.Get(key)
	return decodeObject[T, P](key, v, err)
}

// decodeObject is readOf for a value that was read already, or could not be.
func decodeObject[T any, P interface {
	*T
	object.Object
}](key store.Key, v store.Value, err error) (is P, _ error) {
	if err == nil && v.Data != nil && !v.Deleted {
		is = new(T)
		err = key.Kind.Read(v.Data, is)
	}
	if err != nil {
		return nil, &store.ReadError{What: key.Kind.Name, Name: key.Name, Err: err}
	}
	return is, nil
}

// RepairRun examines the record of a session's run. To restore moves a damaged record aside, so that its run can no longer
// be resumed. The error is one that the remedy cannot fix.
func (s *Store) RepairRun(name Name, remedy store.Remedy) (store.Diagnosis, error) {
	return repairAside[Run](s.Backend, RunKey(name), remedy)
}

// RepairReceipt examines the receipt of a session's last run, and moves a damaged one aside, as RepairRun does.
func (s *Store) RepairReceipt(name Name, remedy store.Remedy) (store.Diagnosis, error) {
	return repairAside[Receipt](s.Backend, ReceiptKey(name), remedy)
}

// repairAside examines a document that has no earlier states.
func repairAside[T any, P interface {
	*T
	object.Object
}](b store.Backend, key store.Key, remedy store.Remedy) (d store.Diagnosis, err error) {
	examine := func(v store.Value, unread error) error {
		_, err := decodeObject[T, P](key, v, unread)
		if errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrLimit) {
			d.Problem, err = err, nil
		}
		return err
	}
	v, err := b.Get(key)
	if err = examine(v, err); err != nil || d.Problem == nil || remedy == store.Examine {
		return d, err
	}
	if remedy != store.Restore {
		return d, d.Problem
	}
	err = b.Update(key, func(v store.Value, unread error) (store.Write, error) {
		d = store.Diagnosis{}
		if err := examine(v, unread); err != nil || d.Problem == nil {
			return store.Write{}, err
		}
		return store.Write{Delete: true, Copy: func(path string) { d.Copy = path }}, nil
	})
	return d, err
}

// WriteRun writes the record of a run that holds its session; nil removes it.
func WriteRun(held store.Held, name Name, r *Run, now todo.Time) error {
	return held.Update(RunKey(name), func(store.Value, error) (store.Write, error) {
		if r == nil {
			return store.Write{Delete: true}, nil
		}
		r.Seen = now
		return store.Write{Data: runKind.Write(r), Now: now.Time()}, nil
	})
}

// ForgetRun removes the record of a session's run.
func (s *Store) ForgetRun(name Name) error { return s.forget(RunKey(name)) }

// forget removes a document. Nothing is written if there is none.
func (s *Store) forget(key store.Key) error {
	if v, err := s.Backend.Get(key); err != nil || v.Data == nil {
		return err
	}
	return s.Backend.Update(key, func(store.Value, error) (store.Write, error) { return store.Write{Delete: true}, nil })
}

// InRun reports whether a process with this mark was started by a run that is still at work on the session, or whose
// keeper is about to end that process.
func (s *Store) InRun(name Name, mark string) bool {
	r, err := s.ReadRun(name)
	return err == nil && r != nil && !r.HasEnded() && r.Mark == mark && (s.Gone == nil || !s.Gone(r.Process) || s.isAlive(r.Keeper))
}

// AtWork reports whether an agent that a run started is known to be at work on the session. Where the run was killed, it
// is until its keeper has ended it.
func (s *Store) AtWork(name Name) (bool, error) {
	r, err := s.ReadRun(name)
	if err != nil {
		return false, err
	}
	return s.HasAgentAtWork(r), nil
}

// InTurn reports whether the record says that the agent's program runs, and not that its run waits, or looks at the work. The record may be nil.
func (r *Run) InTurn() bool { return r != nil && r.Keeper != nil }

// HasAgentAtWork reports whether an agent that a run started is known to be at work. The record may be nil.
func (s *Store) HasAgentAtWork(r *Run) bool { return r != nil && s.isAlive(r.Keeper) }

// WasCutOff reports whether a run is known to have been cut off: nothing of it is at work, and it did not end. The record may be nil.
func (s *Store) WasCutOff(r *Run) bool {
	return r != nil && !r.HasEnded() && s.Gone != nil && s.Gone(r.Process) && !s.isAlive(r.Keeper)
}

func (s *Store) isAlive(p *Process) bool { return s.IsAlive != nil && s.IsAlive(p) }
