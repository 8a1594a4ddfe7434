package night

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/ingest"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// How long an agent may take to end on its own.
const (
	interruptPatience = 10 * time.Second
	endPatience       = 5 * time.Second
)

// turn is one run of the agent's program, while its output is read.
type turn struct {
	*Runner
	process  Process
	flow     *ingest.Flow
	leave    chan struct{}
	is       run.EndedTurn
	speaks   bool                    // words of the user are a part of its prompt
	status   continuation.TurnStatus // the end that the agent reported; empty if it reported none
	used     continuation.Usage      // the consumption of the open turn when it was last recorded
	lookedUp time.Duration           // when the agent's own file was last asked what was used; 0 is never
	spentAt  continuation.Usage      // what the conversation had used when the turn began, by a file that counts only in a turn
	denied   continuation.Event      // the end of a turn in which calls were denied
	why      string                  // why it failed or ended early, in the words of the agent, its host or its program
	anew     bool                    // it begins a conversation
	named    string                  // the id of its conversation, if the agent's output names that only at its end
	began    time.Duration           // when the program was started
	lasted   time.Duration           // until the program ended
	said     string                  // the agent's last message and call in the record
	call     string
	noted    time.Duration        // when these were recorded; 0 is never
	loop     *stream.RepeatedCall // the call for which it is ended
	list     uint64               // the revision of the list when it was last looked at
	unseen   time.Time            // when a list was read from the stream whose change is not noted yet; zero if there is none
	changed  time.Time            // when the last list was read that changed the one that was there
	closed   []string             // the ids of the items that were completed when it began
	met      string               // the limit on a turn at which it was ended; empty if it was not
	before   int                  // how many turns had ended when it began
	end      continuation.Event   // how it ended, if that is known
	by       os.Signal
	blocked  os.Signal // the item of the run was blocked, which ends it after the turn
	silent   bool
	spoke    string                 // the end of the agent's last message in this turn
	called   []string               // its first tool calls, each in a few words
	limit    string                 // the limit that the agent would have waited out itself, in its host's words
	over     *continuation.Decision // why it is interrupted: a budget is used up, or the user stopped it
	mu       sync.Mutex             // protects the five members above, and the limit of the turn
}

// mostCalled is how many calls of an open turn the record names.
const mostCalled = 40

// turn starts the agent's program, and reads what it prints to the end. A signal that ended it is returned.
func (r *Runner) turn(act run.Action) (run.EndedTurn, os.Signal, error) {
	t := &turn{Runner: r, said: r.record.Said, call: r.record.Call, leave: make(chan struct{})}
	conversation := ""
	if act.Resume && r.Program.CanResume(r.record.Conversation) {
		conversation = r.record.Conversation
	}
	anew := conversation == "" && act.Text != run.Task && act.Text != run.Check
	words := r.unheardWords(act, conversation)
	prompt, err := r.promptText(act, words, anew)
	if err != nil {
		r.Machine.TurnLost(false)
		return t.is, nil, err
	}
	if t.speaks = words != ""; t.speaks && act.Text == run.Prompt {
		act.Tier = continuation.TierMessage
	}
	if t.anew = conversation == ""; t.Program.TakesConversationID(t.Words) {
		if t.anew {
			act.Begins = newConversationID(t.Mark, r.record.Turns)
		}
		t.named = cmp.Or(conversation, act.Begins)
	}
	if s := r.Program.Spend; s != nil && s.InTurn && !t.anew {
		t.spentAt, _ = r.usageOfConversation()
	}
	step := r.conversationStep(conversation)
	r.record.CountTurn()
	if conversation == "" {
		r.record.Heard = false
	}
	r.waits = ""
	if err := t.start(act, conversation, prompt); err != nil {
		r.Machine.TurnLost(false)
		return t.is, nil, err
	}
	r.tell(Event{Type: "turn", Turn: r.record.Turns, Agent: r.Agent, Conversation: conversation, Prompt: act.Text.String()},
		fmt.Sprintf("turn %d%s: %s", r.record.Turns, map[bool]string{true: ", " + r.Agent}[r.hasSeveralAgents()], act.Words(step)))
	r.Tell.ShowActivity(&r.record, r.at, "at work", 0)
	if err = t.read(); err != nil {
		t.process.Abandon() // nobody reads what it prints any more
	}
	code := t.process.Wait()
	t.lasted = t.Clock.Elapsed() - t.began
	if lost := t.process.Lost(); lost != nil {
		t.Tell.Note(fmt.Sprintf("turn %d: the log ends here: %v", t.record.Turns, lost))
	}
	t.mu.Lock()
	by, blocked, silent, limit := t.by, t.blocked, t.silent, t.limit
	if err != nil {
		t.mu.Unlock()
		t.noteUnsavedEnd()
		return t.is, by, err
	}
	if code != 0 || t.status != continuation.Done { // otherwise the agent ended on its own, and the signal did not matter
		t.is.Over = t.over
	}
	t.mu.Unlock()
	err = t.conclude(code, by, silent)
	t.mute = silent && limit == "" && t.flow.Reader.Summary().Bytes == 0
	if err != nil {
		t.noteUnsavedEnd()
	}
	if by == nil {
		by = blocked
	}
	return t.is, by, err
}

// newConversationID returns the id of a conversation that a run begins in a turn: a UUID that no other turn has.
// It is made as the ids of events are, without the packages for cryptography, which every start would link.
func newConversationID(mark string, turn int) string { return stream.Update{Turn: turn}.EventID(mark) }

// noteUnsavedEnd takes that the end of the turn may not be on record, since the store failed. That the agent's host refused it is
// recorded later: the time until which the host takes no requests is known from nowhere else.
func (t *turn) noteUnsavedEnd() {
	t.Machine.TurnLost(true)
	if p := agents.FailureTexts().ProblemIn(t.process.Problems()); t.end.Type == "" && p.Class != "" {
		t.end = continuation.Event{Type: continuation.TurnEnd, Status: continuation.Failed, ErrorClass: p.Class, Reset: p.Reset, Source: t.Agent}
	}
	if t.end.Status == continuation.Failed {
		t.refused = &refusal{t.end, t.before}
	}
}

// conversationStep returns where the next turn stands between the conversations of the run. Of an agent that resumes none, it is news only
// for the first turn of a run that goes on.
func (r *Runner) conversationStep(conversation string) run.ConversationStep {
	first := r.continued
	r.continued = false
	switch {
	case !r.Program.Resumes() && !first:
	case conversation == "" && (first || r.record.Turns > 0 && !r.Machine.Fresh):
		return run.Anew
	case conversation != "" && first:
		return run.Resumed
	}
	return run.Plain
}

// start records the keeper of the agent's program, and then lets it start the program, so that the record always shows
// what is at work, even if this process is killed.
func (t *turn) start(act run.Action, conversation, prompt string) (err error) {
	if t.process, err = t.Programs.Start(act, conversation, prompt); err != nil {
		return err
	}
	t.record.Keeper, t.record.HandedOn = t.process.Keeper(), false
	if err = t.save(); err != nil {
		t.process.Kill()
		t.process.Wait()
		return err
	}
	t.began = t.Clock.Elapsed()
	t.process.Begin()
	return nil
}

// read reads what the agent prints, and saves it as it comes.
func (t *turn) read() error {
	doc, err := t.Store.Load()
	if err == nil {
		err = t.checkNotReplaced(doc)
	}
	if err != nil {
		return err
	}
	set, err := t.Store.Settings(doc)
	if err != nil {
		return err
	}
	if doc != nil {
		t.list, t.closed, t.before = doc.Todos.Rev, completedIDs(doc), doc.Ledger().Turns
	}
	return t.Store.WithSaver(func(saver *ask.Saver) error { return t.readInto(saver, doc, set) })
}

// readInto reads with what saves the output. The document may be nil.
func (t *turn) readInto(saver *ask.Saver, doc *session.Document, set continuation.Settings) error {
	saver.InRun, saver.Reader, saver.Name, saver.Named, saver.StaleAfter, saver.Now = true, t.Self, t.Name, true, set.StaleAfter, t.at
	saver.RunBegan, saver.Check = t.record.Began, t.checkNotReplaced
	t.flow = &ingest.Flow{Saver: saver, Saw: t.noteUpdates, Print: t.Print, Note: t.Tell.Note, Clock: t.Clock.Now, Elapsed: t.Clock.Elapsed}
	idle := func() error {
		err := t.flow.Idle()
		if err == nil {
			t.observe(set)
			t.noteOwnList()
			t.endLoop()
			if most := set.MaxTurn.Calls; most > 0 && t.flow.Reader.OpenTurnCalls() >= most {
				t.endAtLimit(set.MaxTurn)
			}
			if t.is.Listed {
				t.noteFirstTask()
			}
		}
		return err
	}
	t.flow.Reader = agents.NewReader(t.process.Output(idle, t.leave),
		stream.Options{Conversation: t.named, LineGrew: t.NoteLineLength, Saved: saver.SavedList, Problems: t.process.Problems, Clock: t.Clock.Wall, OnTalk: t.showTalk})
	if set.MaxDuration > 0 {
		left := set.MaxDuration - t.record.Worked(t.at)
		then := t.at + todo.Time(left.Milliseconds())
		defer t.Clock.After(left, func() {
			t.endEarly(continuation.BudgetUsedUp(doc, t.spendingFacts(&t.record, then), set, t.record.Began))
		})()
	}
	if limit := set.MaxTurn; limit.Time > 0 {
		defer t.Clock.After(limit.Time, func() { t.endAtLimit(limit) })()
	}
	stops := func() {
		if doc, err := t.Store.Load(); err == nil {
			t.endEarly(continuation.StoppedTurnDecision(doc))
		}
	}
	defer t.Clock.OnChange(stops)()
	stops() // before the list was watched
	defer t.Clock.OnSignal(func(s os.Signal) {
		if lost, is := s.(claimLostSignal); is && errors.Is(lost.why, todo.ErrBlocked) { // an agent that has blocked its item may end its turn
			t.mu.Lock()
			t.blocked = s
			t.mu.Unlock()
			return
		}
		t.Tell.AbandonOutput() // the turn may wait for the reader
		t.endAtSignal(s, false)
	})()
	if limit := t.silenceLimit(); limit > 0 || t.Program.Waits != "" {
		look := limit
		if t.Program.Waits != "" && (limit == 0 || limit > waitPatience) {
			look = waitPatience
		}
		defer t.process.OnSilence(look, func(silent time.Duration) bool {
			enough := t.waitsForLimit(silent) || limit > 0 && silent >= limit
			if enough {
				t.endAtSignal(nil, true)
			}
			return enough
		})()
	}
	err := t.flow.Run("", t.at)
	if errors.Is(err, stream.ErrInputContinues) {
		// The turn was cut off with the run, so it does not count as ended.
		t.noted = 0
		t.observe(set)
		if err = saver.Flush(); err == nil {
			err = saver.End()
		}
	}
	return err
}

// silenceLimit is for how long the agent may print nothing. One that printed nothing at all in the turn before has half of that.
func (t *turn) silenceLimit() time.Duration {
	if t.mute {
		return t.Silence / 2
	}
	return t.Silence
}

// waitPatience is for how long an agent that waits itself until its host answers may print nothing at a limit. The run waits then: it
// says so, and ends early where the user asks for that.
const waitPatience = time.Minute

// waitsForLimit reports whether the agent, which has been silent for so long, waits for the end of a limit, unless that is near.
func (t *turn) waitsForLimit(silent time.Duration) bool {
	const late = 2 * time.Second // two pipes are read, in any order
	line := t.process.Complaint(silent + late)
	if t.Program.Waits == "" || !strings.Contains(line, t.Program.Waits) {
		return false
	}
	p, now := agents.FailureTexts().ProblemIn(line), t.Clock.Wall()
	if p.Class != continuation.ErrorRateLimit || !p.Reset.IsZero() && p.Reset.Instant(now.Add(-silent)).Time().Sub(now) <= t.Machine.RelayAfter {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.limit = p.Line
	return true
}

// endAtSignal ends the turn: at a signal, or because the agent was silent for too long.
func (t *turn) endAtSignal(by os.Signal, silent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case silent:
		t.silent = true
		t.flow.Reader.Terminate()
		t.process.Terminate(endPatience)
	case t.by != nil:
		t.process.Kill()
	case by == os.Interrupt:
		t.by = by
		t.Tell.ShowTurnEnding("is interrupted; Ctrl-C again kills it")
		t.flow.Reader.Interrupt()
		t.process.Interrupt(interruptPatience)
	default:
		t.by = by
		t.process.Terminate(endPatience)
		close(t.leave)
	}
}

// observe notes what the open turn has used so far and what the agent said last, and interrupts it once a budget is used up.
// The record always has what a later run needs to take this one up.
func (t *turn) observe(set continuation.Settings) {
	used, said, model := t.flow.Reader.OpenTurnUsage()
	if total, known := t.usageSoFar(); known {
		used = total
	}
	t.record.Said, t.spoke = cmp.Or(said, t.record.Said), cmp.Or(said, t.spoke)
	t.record.UsedModel = cmp.Or(model, t.record.UsedModel)
	if used == t.used && (t.record.Said == t.said && t.record.Call == t.call || t.noted != 0 && t.Clock.Elapsed()-t.noted < ingest.ActivityInterval) {
		return
	}
	t.used, t.said, t.call, t.noted = used, t.record.Said, t.record.Call, t.Clock.Elapsed()
	now, err := t.Clock.Now()
	if err != nil {
		return
	}
	doc, err := t.Store.Load()
	if err != nil {
		return // the comparison is made at the turn's end
	}
	t.record.CountSpending(doc.Ledger())
	cut := t.writeOpen(now)
	cut.CountSpending(doc.Ledger())
	t.endEarly(continuation.BudgetUsedUp(doc, t.spendingFacts(&cut, now), set, now))
}

// writeOpen writes the record with what the open turn has used so far, and returns it.
func (t *turn) writeOpen(now todo.Time) session.Run {
	cut := t.record
	called, spoke := strings.Join(t.called, "\n"), session.ShortText(t.spoke)
	cut.Open = &session.Event{Text: spoke, Called: called, Input: t.used.Input, Cached: t.used.Cached, Written: t.used.Output, Cost: t.used.Cost}
	written := cut
	if t.Program.Spend != nil && !t.Program.Spend.InTurn {
		written.Open = &session.Event{Text: spoke, Called: called, Cost: t.used.Cost} // the tokens are in the total of the conversation, which the next turn reports
	}
	_ = t.write(&written, now) // if it fails, it is written at the turn's end
	return cut
}

// showTalk passes on what the agent says and does; the record keeps the last of it.
func (t *turn) showTalk(is stream.Talk) {
	if is.Call != "" {
		t.record.Call = is.Call
		if len(t.called) < mostCalled {
			t.called = append(t.called, is.Call)
		}
	}
	t.Tell.ShowTalk(is)
}

// usageSoFar returns what the open turn has used by a file of the agent, where its output tells that only at the turn's end. The
// totals that the turns before have reported are left out.
func (t *turn) usageSoFar() (used continuation.Usage, known bool) {
	p := &t.Program
	if p.Spend == nil || t.record.Conversation == "" || t.status != "" || t.lookedUp != 0 && t.Clock.Elapsed()-t.lookedUp < ingest.ActivityInterval {
		return t.used, p.Spend != nil && t.status == ""
	}
	t.lookedUp = t.Clock.Elapsed()
	total, found := t.usageOfConversation()
	if found && p.Spend.InTurn {
		return t.usageOfTurn(total), true
	}
	doc, err := t.Store.Load()
	if !found || err != nil {
		return t.used, true
	}
	return continuation.OpenTurnUsage(doc, total), true
}

// usageOfTurn returns what the turn has used, by what its conversation has.
func (t *turn) usageOfTurn(total continuation.Usage) continuation.Usage {
	total.Thread = ""
	return total.Since(t.spentAt)
}

// usageOfConversation returns what the conversation has used in all its turns, by a file of the agent.
func (r *Runner) usageOfConversation() (total continuation.Usage, known bool) {
	if r.Program.Spend == nil || r.record.Conversation == "" {
		return total, false
	}
	return r.ReadUsage(r.Program.Spend, r.record.Conversation)
}

// subAgentUsage returns what the sub-agents of the conversation have used in all its turns, which the agent's program is asked after a turn
// in which some were at work, or may have been: a call that was cut off is not shown.
func (t *turn) subAgentUsage(e *continuation.Event) (total continuation.Usage) {
	cut := e.Status == continuation.CutOff || e.Status == continuation.Aborted
	if t.Program.SubAgents == nil || !e.HasSubAgent && !cut && !t.uncounted {
		return total
	}
	t.uncounted = false
	total, err := t.Programs.SubAgentUsage(t.record.Conversation)
	if err != nil && e.HasSubAgent && !t.toldUsage {
		t.toldUsage = true
		t.Tell.Note(fmt.Sprintf("turn %d: what its sub-agents have used is not counted: %s", t.record.Turns, continuation.FoldLine(err.Error())))
	}
	return total
}

// endEarly interrupts the agent if there is a decision that a budget is used up, or that the user stopped the turn.
func (t *turn) endEarly(why *continuation.Decision) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if why != nil && t.over == nil {
		t.over = why
		t.process.Interrupt(interruptPatience)
	}
}

// endAtLimit interrupts the agent at the user's limit on a turn. What it did counts, and it is resumed.
func (t *turn) endAtLimit(limit continuation.TurnLimit) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.met == "" && t.over == nil {
		t.met = limit.String()
		t.process.Interrupt(interruptPatience)
	}
}

// atLimit returns the limit at which the turn was ended; empty if it was not.
func (t *turn) atLimit() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.met
}

func limitText(limit string) string { return "it reached the limit of " + limit + " for a turn" }

// noteFirstTask adds the task to the history as soon as there is one, so that it is there if the run is cut off.
func (t *turn) noteFirstTask() {
	if !t.record.TaskNoted && t.record.Task != "" && t.Item == nil && t.noteTask() == nil && t.record.TaskNoted {
		t.writeOpen(t.at)
	}
}

// noteUpdates notes the agent's conversation and how its turn ended, from its reports.
func (t *turn) noteUpdates(updates []stream.Update) {
	for i, u := range updates {
		if u.SubAgent != "" {
			continue
		}
		begins, hears := u.Session != "" && u.Session != t.record.Conversation, t.speaks && !t.record.Heard
		if begins {
			t.record.Conversation, t.spentAt = u.Session, continuation.Usage{}
		}
		if t.record.Heard = t.record.Heard || hears; begins || hears {
			// The conversation is recorded before it owns the list, so that a run that takes this one up knows it. It has begun, so it has
			// its prompt. If that fails, it is recorded at the turn's end.
			_ = t.write(&t.record, t.at)
		}
		switch e := u.Event; e.Type {
		case continuation.Todos:
			t.unseen = t.Clock.Wall()
			t.is.Worked, t.is.Acted, t.is.Listed = true, t.is.Acted || !e.Partial, t.is.Listed || !e.Partial
		case continuation.TurnStart:
			t.status, t.why = "", ""
		case continuation.TurnEnd:
			if total, known := t.usageOfConversation(); known {
				switch {
				case !t.Program.Spend.InTurn:
					if total.TokensWithCached() > e.Usage.TokensWithCached() { // a turn that was cut off tells nothing itself, nor do sub-agents
						e.Usage = total
					}
				case e.Usage == continuation.Usage{}:
					e.Usage = t.usageOfTurn(total)
				}
			}
			e.SubAgents = t.subAgentUsage(&e)
			updates[i].Event = e
			t.tells = ""
			if e.Background {
				t.tells = continuation.BackgroundEnded
			}
			if limit := t.atLimit(); limit != "" { // however the agent ended once it was interrupted
				e.Status, e.ErrorClass, u.Why = continuation.Done, "", limitText(limit)
				u.Event, t.tells = e, fmt.Sprintf(continuation.TurnLimitMet, limit)
				updates[i] = u
			}
			t.status, t.why, t.end = e.Status, u.Why, e
			t.is.Worked = t.is.Worked || e.ToolCalls > e.DeniedToolCalls && e.Repeats == 0
			if e.DeniedToolCalls > 0 || len(e.DeniedTools) > 0 {
				t.denied = e
			}
			t.is.Acted, t.wrote = t.is.Acted || e.Acted, t.wrote || e.Acted
			t.record.Said, t.record.UsedModel = cmp.Or(u.Said, t.record.Said), cmp.Or(u.Model, t.record.UsedModel)
			t.is.Failed, t.is.Class = (e.Status == continuation.Failed || e.Status == continuation.CutOff) && e.Repeats == 0, e.ErrorClass
		}
	}
}

// conclude records how the turn ended if the agent did not report that, and tells the user.
func (t *turn) conclude(code int, by os.Signal, silent bool) error {
	now, err := t.now()
	if err != nil {
		return err
	}
	t.record.Keeper = nil
	t.noteFirstTask()
	if isCutOff(by) {
		return nil // the record shows that the turn was cut off
	}
	if !t.Program.ShowsCalls() || t.hasSeveralAgents() {
		doc, err := t.Store.Load()
		if err != nil {
			return err
		}
		t.is.Closed = slices.ContainsFunc(completedIDs(doc), func(id string) bool { return !slices.Contains(t.closed, id) })
		t.is.Worked = t.is.Worked || t.is.Closed
	}
	if t.tells == "" && t.process.Left() { // which not every stream shows
		t.tells = continuation.BackgroundEnded
	}
	status, problem := continuation.Done, stream.Problem{}
	unknown := t.status == continuation.Failed && t.is.Class == continuation.ErrorUnknown
	if t.status == "" || t.why == "" || unknown {
		problem = agents.FailureTexts().ProblemIn(t.process.Problems())
	}
	switch {
	case by == os.Interrupt:
		status = continuation.Aborted
	case by != nil || t.is.Over != nil:
		status = continuation.CutOff
	case t.status == continuation.Done && t.why != "": // the exit code of an end at the agent's own limit says nothing more
	case t.loop != nil: // the agent was interrupted, with any exit code
	case t.atLimit() != "" && (t.status == "" || !t.Program.ShowsCalls()): // likewise
		t.why, t.tells = limitText(t.atLimit()), fmt.Sprintf(continuation.TurnLimitMet, t.atLimit())
	case silent || code != 0, t.status == "" && t.Program.ShowsCalls() && problem.Class != "": // some programs end with 0 all the same
		status, t.is.Failed = continuation.Failed, true
		t.is.Class = cmp.Or(t.is.Class, problem.Class, continuation.ErrorUnknown)
	case t.is.Failed:
		status = continuation.Failed
	}
	if t.status == "" {
		t.end = continuation.Event{Type: continuation.TurnEnd, Status: status, ErrorClass: t.is.Class, Reset: problem.Reset, Source: t.Agent}
		var pause []continuation.Event
		if reason, paused := stream.PauseReason(t.process.Printed()); paused && status == continuation.Done && !t.Program.ShowsCalls() {
			pause = []continuation.Event{{Type: continuation.Pause, Reason: reason, Source: t.Agent, InRun: true}}
		}
		err = t.Store.Update(TurnEnded, now, func(doc *session.Document) (session.Change, error) { return t.applyTurnEnd(doc, t.end, now, pause...) })
	}
	if unknown && problem.Class != "" { // it was written after the line that ends the turn
		t.is.Class, t.why = problem.Class, cmp.Or(problem.Line, t.why)
		t.end.ErrorClass, t.end.Reset = problem.Class, problem.Reset
		known := continuation.Event{Type: continuation.Error, ErrorClass: problem.Class, Reset: problem.Reset, Source: t.Agent}
		err = t.Store.Update(TurnEnded, now, func(doc *session.Document) (session.Change, error) {
			return continuation.ApplyAll(doc, []continuation.Event{known}, doc.Rev == 0, nil, now)
		})
	}
	if t.is.Class == continuation.ErrorRateLimit {
		t.is.TooFar = t.end.Reset.TooFar(cmp.Or(t.end.At, now).Time().Local())
	}
	if t.is.Failed {
		t.is.Why = continuation.FoldLine(cmp.Or(t.why, problem.Line))
		if !problem.Usage { // some programs show on standard output how they are called
			problem = agents.FailureTexts().ProblemIn(t.process.Printed())
		}
		if t.is.Usage = problem.Usage && t.is.Class == continuation.ErrorUnknown && t.beganNothing(); t.is.Usage {
			t.is.Why = cmp.Or(t.is.Why, continuation.FoldLine(problem.Line))
		}
	}
	switch {
	case t.is.Tried():
		t.record.Tried = true
		t.record.MarkTurnSucceeded()
	default:
		t.record.Heard = false
		t.record.GiveBackContinuation()
	}
	t.record.Acted, t.record.Listed = t.record.Acted || t.is.Acted, t.record.Listed || t.is.Listed
	if err == nil {
		err = t.save()
	}
	if by == nil && t.is.Over == nil {
		t.tellTurnEnd(code, silent)
		t.tellDenied()
	}
	return err
}

// completedIDs returns the ids of the items that are completed. If calls are not read, one more shows that a turn worked.
func completedIDs(doc *session.Document) (ids []string) {
	for _, it := range doc.Current() {
		if it.Status == todo.Completed {
			ids = append(ids, it.ID)
		}
	}
	return ids
}

// tellTurnEnd tells the user how the turn ended.
func (t *turn) tellTurnEnd(code int, silent bool) {
	switch {
	case t.loop != nil:
		t.tell(Event{Type: "loop", Turn: t.record.Turns, Command: t.loop.Call, Calls: t.loop.Count},
			fmt.Sprintf("turn %d was ended: the agent called %s %d times in a row with the same result", t.record.Turns, continuation.QuoteLine(t.loop.Call), t.loop.Count))
	case silent && t.limit != "":
		t.Tell.Note(fmt.Sprintf("turn %d was ended: its agent is waiting for a limit: %s", t.record.Turns, continuation.FoldLine(t.limit)))
	case silent:
		t.Tell.Note(fmt.Sprintf("turn %d was ended: nothing was printed for %s", t.record.Turns, todo.SpanText(t.silenceLimit())))
	case t.is.Failed:
		why := cmp.Or(t.is.Why, t.is.Class.Cause(), "its agent gave no reason")
		if t.is.Why == "" && code != 0 && t.status == "" {
			why = fmt.Sprintf("exit code %d", code)
		}
		t.Tell.Note(fmt.Sprintf("turn %d failed: %s", t.record.Turns, why))
		if !t.is.Usage && t.Program.Rights != "" && mayLackRights(t.is.Class) && !t.hinted && (t.anew || t.is.Tried()) {
			t.hinted = true
			t.Tell.Hint("if it may not work without being asked: " + t.Hints.SkipPermissions())
		}
	case t.why != "":
		t.Tell.Note(fmt.Sprintf("turn %d ended: %s%s", t.record.Turns, continuation.FoldLine(t.why), t.progressText()))
	default:
		t.Tell.Note(fmt.Sprintf("turn %d ended%s", t.record.Turns, t.progressText()))
	}
}

// refusalTime is how long a program takes at most to refuse its command line.
const refusalTime = 2 * time.Second

// beganNothing reports whether the program of a new conversation ended at once, and printed no line of a stream.
func (t *turn) beganNothing() bool {
	sum := t.flow.Reader.Summary()
	return t.anew && t.lasted < refusalTime && sum.Lines == sum.Skipped.NotJSON
}

// tellDenied tells the user, for the first turn in which the agent's host denied calls, which tools it denied, and what allows them.
func (t *turn) tellDenied() {
	e := t.denied
	if e.Type == "" || t.toldDenied {
		return
	}
	t.toldDenied = true
	calls := max(e.ToolCalls, len(e.DeniedTools)) // those of the todo tool are not counted
	denied := max(e.DeniedToolCalls, len(e.DeniedTools))
	t.tell(Event{Type: "denied", Turn: t.record.Turns, Denied: denied, Calls: calls, Tools: e.DeniedTools, Hint: t.Hints.AllowTools(e.DeniedTools)},
		fmt.Sprintf("turn %d: the agent was not allowed to make %d of its %s%s", t.record.Turns, denied, todo.Plural(calls, "tool call"), continuation.DeniedText(e.DeniedTools)))
}

// mayLackRights reports whether a turn that failed for such a reason may have lacked permissions.
func mayLackRights(class continuation.ErrorClass) bool {
	return slices.Contains([]continuation.ErrorClass{"", continuation.ErrorUnknown, continuation.ErrorTurnCutOff}, class)
}
