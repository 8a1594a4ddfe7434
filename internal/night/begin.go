package night

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents/agent"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// beginOrResume records the run, or resumes one that was cut off.
func (r *Runner) beginOrResume() (takenUp bool, err error) {
	now, err := r.now()
	if err != nil {
		return false, err
	}
	before, err := r.Store.ReadRun()
	if err != nil {
		return false, err
	}
	if before != nil {
		if !r.Programs.WaitForEnd(before) {
			return false, fmt.Errorf("pick up a run: %w: what the last run of session %q started is still at work", store.ErrBusy, r.Name)
		}
	}
	before, last, err := r.findEarlierRun(before, now)
	if err != nil || r.Item != nil && r.Item.settled != "" {
		return false, err
	}
	takenUp = before != nil
	doc, set, err := r.load()
	if err != nil {
		return false, err
	}
	if err := r.checkListFree(doc, set, cmp.Or(before, last), now); err != nil {
		return false, err
	}
	earlier := cmp.Or(before, last)
	if earlier != nil {
		r.UseLastAgent(earlier)
	}
	r.record = session.Run{Agent: r.Agent, Task: r.Task, Began: now, Process: r.Self, Mark: r.Mark, Folder: r.Folder, Command: r.Command}
	r.record.StartSpendingFrom(doc.Ledger())
	if q := r.Item; q != nil {
		r.record.Queue, r.record.Item, r.record.Claim = q.Name.String(), q.held.ID, q.held.Number
	}
	r.record.Gate, r.record.GateFrom, r.record.GateSince = set.Gate, set.GateFrom, now
	if err := r.beginWithLostGate(doc); err != nil {
		return false, err
	}
	had := doc.Ledger().RunGate
	switch {
	case takenUp:
		err = r.resumeCutOff(before, set)
	case last != nil:
		if err = r.continueEnded(last, doc); err != nil {
			return false, err
		}
		r.noteUserEdits(last, set)
		err = r.recordPrompt(doc, set, true)
	default:
		if err = r.recordPrompt(doc, set, false); err == nil && r.Task != "" {
			err = r.takeMessages()
		}
	}
	if err != nil {
		return false, err
	}
	r.setMachineRelay(earlier)
	r.Machine.TakesOver = r.record.HandedOn
	r.continued = takenUp || last != nil
	r.unseen = takenUp || last != nil && last.Acted
	r.restarts = takenUp && r.record.Conversation == "" && r.noTurnWorked()
	r.Machine.Acted, r.Machine.Asked = r.record.Acted, r.record.CheckAsked
	r.record.NeedsProof = r.record.NeedsProof || r.Machine.Proof
	r.Machine.Proof = r.record.NeedsProof
	r.Machine.Known = r.Program.CanResume(r.record.Conversation)
	r.Machine.Unread = len(r.record.Messages) > 0
	if takenUp && r.record.Gate == "" && had != "" { // its record is that of an older version
		r.record.Gate, r.record.GateFrom = had, continuation.FromFlag
	}
	if set.Gate == "" && r.record.Gate == "" {
		r.Tell.Note(noGateNote(last))
	}
	if r.hasSeveralAgents() {
		r.tellAgents(set)
	} else if text := budgetNote(&r.Program, set); text != "" {
		r.Tell.Note(text)
	}
	if changed, _ := run.GateChange(&r.record, set); changed {
		r.Tell.Note("the run " + map[bool]string{true: "that was cut off", false: "before"}[takenUp] + " had another gate: " + continuation.FoldLine(r.record.Gate))
	}
	return r.continued, r.save()
}

// noGateNote says that nothing checks the work, and with which gate the run before was started, if it was.
func noGateNote(last *session.Run) string {
	if last != nil && last.Gate != "" {
		gate := "COMMAND"
		if last.Gate == continuation.FoldLine(last.Gate) { // else it is long, or has several lines
			gate = shellquote.Join(last.Gate)
		}
		return "no gate, though the run before had one; `--gate " + gate + "` checks the work again"
	}
	return "no gate, so the agent's own list decides; `--gate COMMAND` checks it"
}

// findEarlierRun returns the run that this one resumes, because it was cut off, or the one that it follows, by the record of the last one;
// neither if it is a new run.
func (r *Runner) findEarlierRun(record *session.Run, now todo.Time) (cutOff, last *session.Run, err error) {
	if record.HasEnded() {
		record, last = nil, record
	}
	takenUp, err := r.resumesCutOff(record)
	if err != nil {
		return nil, nil, err
	}
	goesOn, err := r.continuesEnded(last, now)
	if !takenUp {
		record = nil
	}
	if !goesOn {
		last = nil
	}
	return record, last, err
}

// beginWithLostGate makes the gate that the last run lost the one that this run begins with, unless a person has chosen another since: to
// run again proves nothing. Of a run on an item, that is the last of any worker.
func (r *Runner) beginWithLostGate(doc *session.Document) error {
	queue, err := r.loadQueue()
	lost := cmp.Or(doc.Ledger().LostGate, queue.Ledger().LostGate)
	if lost == nil || err != nil {
		return err
	}
	set, chosen, err := r.gateSettings()
	if changed, byPerson := run.GateChange(&session.Run{Gate: lost.Gate, GateSince: lost.At}, set, chosen...); changed && !byPerson {
		r.record.Gate, r.record.GateFrom, r.record.GateSince = lost.Gate, "", lost.At
	}
	return err
}

// resumesCutOff reports whether this run continues the one that was cut off, if there is one.
func (r *Runner) resumesCutOff(before *session.Run) (bool, error) {
	switch {
	case r.Item != nil:
		return r.resumesCutOffItem(before)
	case before == nil || r.New:
		return false, nil
	case before.Queue != "":
		return false, r.otherRunError("the item "+before.Queue+":"+before.Item, "`onward run "+r.Agent+" --item "+before.Queue+":"+before.Item+"` picks it up")
	case r.Task != "" && r.Task != before.Task:
		return false, r.otherRunError(r.otherTaskText(before), r.Hints.Resume(before)+" picks it up")
	}
	return true, nil
}

// otherTaskText names what a run that was cut off was about, with the first words of its task.
func (r *Runner) otherTaskText(before *session.Run) string {
	if before.Task == "" {
		return "the list, without a task,"
	}
	return fmt.Sprintf("another task, %q,", r.Style.Cut(strings.Join(strings.Fields(before.Task), " "), 40))
}

// otherRunError returns an error if a run on another task or item was cut off here.
func (r *Runner) otherRunError(what, hint string) error {
	return cli.WithHint(fmt.Errorf("start a run: %w: a run of %s on session %q was cut off", store.ErrBusy, what, r.Name), hint+", and --new gives it up")
}

// checkListFree returns an error if another live conversation owns the list.
func (r *Runner) checkListFree(doc *session.Document, set continuation.Settings, before *session.Run, now todo.Time) error {
	if doc == nil {
		return nil
	}
	ours := ""
	if before != nil {
		ours = before.Conversation
	}
	doc.ReleaseOwner("", r.Store.Gone, now)
	o := doc.Owner
	if !o.Excludes(ours, set.StaleAfter, now) {
		return nil
	}
	if !r.Take {
		return cli.WithHint(fmt.Errorf("start a run: %w: %s session %s is at work on the list of session %q", store.ErrBusy, o.Agent, o.Session, r.Name),
			"--take takes the list from it, and --session names another one")
	}
	err := r.Store.Update(Taken, r.at, func(doc *session.Document) (session.Change, error) {
		return doc.TakeOwnership(session.Conversation{}, now), nil
	})
	return err
}

// continuesEnded reports whether this run continues the last one, which has ended: if no task is given, or if an answer to what that run
// needed waits for the same task.
func (r *Runner) continuesEnded(last *session.Run, now todo.Time) (bool, error) {
	switch {
	case last == nil || r.New || r.Item != nil || last.Outdated(now):
		return false, nil
	case r.Task == "":
		return true, nil
	case r.Task != last.Task || last.Ended.State != string(run.NeedsYou):
		return false, nil
	}
	waiting, err := r.Store.Messages()
	return len(waiting) > 0, err
}

// takeMessages makes the user's messages that wait a part of the first prompt. They are in the record before they leave the queue, so that
// a kill loses none.
func (r *Runner) takeMessages() error {
	messages, err := r.Store.Messages()
	if err != nil || len(messages) == 0 {
		return err
	}
	r.record.AddMessages(messages)
	if err := r.save(); err != nil {
		return err
	}
	err = r.Store.Update(Delivered, r.at, func(doc *session.Document) (session.Change, error) {
		return continuation.NoteDelivery(doc, messages, r.at), nil
	})
	if err != nil {
		return err
	}
	ids := render.Map(messages, func(_ int, m *session.Message) string { return m.ID })
	return r.Store.RemoveMessages(ids, r.at)
}

// continueEnded continues a run that has ended, with counters and budgets of its own.
func (r *Runner) continueEnded(last *session.Run, doc *session.Document) error {
	if last.GateFrom != continuation.FromFlag && last.GateFrom != continuation.FromEnvironment {
		set, chosen, err := r.gateSettings()
		if err != nil {
			return err
		}
		if changed, byPerson := run.GateChange(last, set, chosen...); changed && !byPerson {
			r.record.Gate, r.record.GateFrom, r.record.GateSince = last.Gate, last.GateFrom, last.GateSince
		}
	}
	r.record.Said, r.record.Tried, r.record.Acted, r.record.Listed, r.record.List = last.Said, last.Tried, last.Acted, last.Listed, last.List
	r.record.StartGate, r.record.GateBefore, r.record.GateWrites = last.StartGate, last.GateBefore, last.GateWrites
	r.record.GateFailed, r.record.Start, r.record.Still = last.GateFailed, last.Start, last.Still
	r.record.TakeOverFrom(last)
	r.record.CheckAsked = min(r.record.CheckAsked, 1) // a check that never failed is asked for once more
	r.record.SetEarlierRun(last)
	r.record.Messages, r.record.Read, r.record.Heard, r.record.Asked = last.Messages, last.Read, last.Heard, last.Asked
	if p := doc.Ledger().Paused; p != nil {
		r.record.Asked = p.Reason
	} else if last.Ended.State == string(run.NeedsYou) {
		r.record.Asked = last.Ended.Message
	}
	if last.Agent == r.Agent {
		r.record.Conversation = last.Conversation
	}
	r.takeOverTask(last)
	if r.planned {
		return nil
	}
	r.tell(Event{Type: "resumed"}, "continuing the last run, which ended after "+todo.Plural(last.Turns, "turn")+": "+run.Outcome(last.Ended.State).Words()+": "+last.Ended.Message)
	return nil
}

// noteUserEdits notes what the user has changed since the last run ended: that is not the agent's work. A protected file that the agent had
// changed by then stays the agent's, since a checkout of another branch, and then back, would else hand it over.
func (r *Runner) noteUserEdits(last *session.Run, set continuation.Settings) {
	r.record.Edited, r.record.Touched = last.Edited, last.Touched
	switch {
	case last.Start == "":
		return
	case last.Ended.Tree == "":
		r.record.GateBefore = "" // what the user has changed since is not known, so neither is which checks the agent has to leave
		return
	}
	if set.ProtectFiles != "" {
		changed, _ := r.Checkout.ChangedProtected(set, last.FilesToKeep(), last.Ended.Tree)
		r.record.Touched = slices.Compact(slices.Sorted(slices.Values(slices.Concat(r.record.Touched, changed))))
	}
	now, _ := r.Checkout.State(set)
	if now == "" {
		return
	}
	edited := session.TreeOf(now) != last.Ended.Tree
	if edited {
		r.record.Edited = cmp.Or(r.Checkout.AddChanges(set, last.FilesToKeep(), last.Ended.Tree, now, r.record.Touched), last.Edited)
	}
	if !last.Acted && session.TreeOf(last.Still) == last.Ended.Tree { // the agent has changed nothing yet
		if r.record.Still = now; edited {
			r.record.GateBefore = "" // a gate that does something else on these files is not flaky
		}
	}
}

// takeOverTask takes over the task of an earlier process.
func (r *Runner) takeOverTask(before *session.Run) {
	r.Task, r.record.Task = before.Task, before.Task
	r.Machine.Task, r.Machine.Tried = before.Task != "", before.Tried
}

// recordPrompt reports the user's prompt, which ends an interrupt and a pause, and resets the counters. A finished list stays, and is
// done, if the prompt asks for nothing new. A run that follows another counts on what its agent takes off the list.
func (r *Runner) recordPrompt(doc *session.Document, set continuation.Settings, follows bool) error {
	if r.Task == "" && len(doc.Current()) == 0 && set.Gate == "" {
		return cli.WithHint(cli.Failf(cli.ExitNotFound, "there is no task, and session %q has no list", r.Name),
			"`onward run "+r.Agent+" 'the task'` gives it one, and `onward todo add TEXT` starts a list")
	}
	if r.Item != nil {
		return r.beginItem(set)
	}
	unread := continuation.UnreadMessages(doc)
	r.record.AddMessages(unread)
	text := r.Task
	if follows { // the agent gets the answer, and no task again
		waiting, err := r.Store.Messages()
		if err != nil {
			return err
		}
		waiting = slices.DeleteFunc(waiting, func(m session.Message) bool { return doc.Ledger().Delivering.Has(m.ID) })
		text = strings.TrimSuffix(continuation.JoinMessages(append(unread, waiting...)), "\n")
	}
	prompt, known := continuation.Event{Type: continuation.UserPrompt, Source: "cli", Text: text, Stays: follows || r.Task == ""}, r.record.List
	total, used := r.usageOfConversation()
	used = used && !r.Program.Spend.InTurn
	if r.Program.SubAgents != nil && r.record.Conversation != "" {
		var err error
		total, err = r.Programs.SubAgentUsage(r.record.Conversation)
		used = err == nil
	}
	err := r.Store.Update(Prompted, r.at, func(doc *session.Document) (session.Change, error) {
		change, err := continuation.ApplyAll(doc, set.AddGateToPrompts([]continuation.Event{prompt}), doc.Rev == 0, nil, r.at)
		r.record.List = cmp.Or(known, todo.Digest(doc.Current()))
		r.record.TaskNoted = doc.Rev > 0 && r.Task != ""
		if !follows {
			continuation.BeginRun(doc)
		}
		if used {
			continuation.StartUsageFrom(doc, total) // the user may have worked in the conversation since
		}
		return change.Then(continuation.ExpectGate(doc, set)), err
	})
	return err
}

// resumeCutOff continues the run that was cut off.
func (r *Runner) resumeCutOff(before *session.Run, set continuation.Settings) error {
	is := r.record
	r.record = *before
	r.record.AddIdle(r.at)
	r.record.Process, r.record.Mark, r.record.Keeper, r.record.Agent, r.record.Claim = is.Process, is.Mark, nil, is.Agent, is.Claim
	r.record.TakeOverFrom(before)
	if before.Agent != is.Agent {
		r.record.Conversation, r.record.HandedOn = "", true
	}
	r.record.GiveBackContinuation()
	r.record.CheckAsked = min(r.record.CheckAsked, 1) // the turn that was cut off may have been the one that asked once more
	r.takeOverTask(before)
	r.uncounted = true
	where := before.LastTurn()
	r.tell(Event{Type: "resumed", Turn: before.Turns}, "picking up the run that was cut off "+where)
	err := r.Store.Update(TakenUp, r.at, func(doc *session.Document) (session.Change, error) {
		change := session.Change{}
		if d := doc.Continuation.Delivering; d != nil && d.Turns == doc.Continuation.Turns {
			r.record.AddMessages(d.Messages) // it was cut off before the record had them
		}
		if doc.Rev != 0 {
			continuation.TakeUp(doc, before.Conversation, r.at)
			change = session.Change{What: "the run that was cut off goes on", By: "cli", Events: []session.Event{
				before.CutOffEvent(doc.Ledger()), {Type: session.TakenUp, At: r.at, Text: where},
			}}
		}
		if doc.Rev != 0 && r.record.HandedOn && continuation.ForgetHostFailure(doc) {
			change = change.Then(session.Change{What: r.Agent + " goes on", By: "cli", Events: []session.Event{{Type: session.Relayed, Worker: r.Agent}}})
		}
		return change.Then(continuation.ExpectGate(doc, set)), nil
	})
	return err
}

// budgetNote returns what the user should know at a run's start about what it may spend: that nothing limits it, or that a limit is
// compared only after a turn, or never; empty if there is nothing to say.
func budgetNote(p *agent.Program, set continuation.Settings) string {
	switch {
	case set.MaxTokens > 0 && p.Tokens == agent.Never:
		return p.Name + " does not report tokens, so --max-tokens does not count its turns; use --max-duration"
	case set.MaxTokens > 0 && p.Tokens == agent.UsageAtEnd:
		return p.Name + " reports tokens only at the end of a turn, so --max-tokens cannot end one early"
	case set.MaxUSD > 0 && p.Costs && p.Money == agent.UsageAtEnd && set.MaxTokens == 0:
		return p.Name + " reports its cost only at the end of a turn, so --max-usd cannot end one early; --max-tokens can"
	case set.MaxUSD > 0 || set.MaxTokens > 0 || p.Name == "generic":
		return ""
	case p.Costs:
		return "no budget: --max-usd or --max-tokens ends a run that costs too much"
	}
	return "no budget: --max-tokens ends a run that costs too much"
}
