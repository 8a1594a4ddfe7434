package run

import (
	"cmp"
	"fmt"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// Rules are what a run was started with.
type Rules struct {
	Task      bool          // there is a task; without one the run works on the list that is there
	Item      bool          // the task is an item of a list that several workers share
	Proof     bool          // only work that is proven is done
	Fresh     bool          // every turn begins a new conversation
	MaxWait   time.Duration // a wait that takes longer ends the run; 0 is no limit
	MaxOutage time.Duration // how long servers, the network and the store may fail

	RelayAfter time.Duration // another agent goes on at a usage limit that lasts longer
}

// ActionKind is what is to be done next.
type ActionKind int

// The kinds of actions.
const (
	Ask         ActionKind = iota // ask whether the agent continues
	Start                         // start a turn with the text of the action
	WaitFor                       // let the time pass, or until the list changes, then ask
	SwitchAgent                   // another agent goes on, with the question whether it does
	EndRun                        // the run is over
)

// PromptKind is what the prompt of a turn is made of.
type PromptKind int

// The prompts.
const (
	Task     PromptKind = iota // the user's task
	Prompt                     // of the last answer
	ListOnly                   // a request to write a list, or to say that nothing is left
	Restore                    // a request to bring files back that must stay as they are
	Check                      // a request for the check alone: one that fails until the task is done
	Handover                   // what a new conversation must know to continue the work of another
)

// Action is what is to be done next.
type Action struct {
	Kind    ActionKind
	Text    PromptKind        // of a start
	Resume  bool              // the start continues the last conversation
	Begins  string            // the id of the conversation that it begins, if the run chooses that
	Tier    continuation.Tier // of the answer that a start follows
	For     time.Duration
	Named   bool   // the message of a wait names the time when it ends
	Reason  string // of a wait, in one word
	Message string // of a wait or an end, for the user
	Work    string // of an end that is done: the message without what the gate says
	Hint    string
	Outcome Outcome              // of an end
	Grade   Grade                // of an end that is done: what is known about the work
	Answer  continuation.Outcome // the answer that the end is: each has its own exit code
	OfItem  bool                 // the next item of the queue may not end in the same way

	Unprotected bool // it is not known whether protected files change: nothing would show it
}

// NextStep is what the user of a run that needs them does.
type NextStep int

// The next steps.
const (
	AnswerAgent     NextStep = iota // answer the agent, which continues the run
	FollowHint                      // the hint says everything
	FollowHintFirst                 // do what the hint says, and then continue the run
	DropProtection                  // continue the run without protected files
)

// NextStep returns what the user does after an end that needs them.
func (a Action) NextStep() NextStep {
	if a.Unprotected {
		return DropProtection
	}
	switch a.Reason {
	case continuation.ReasonPermissions:
		return FollowHint
	case "approval", "user_active", continuation.ReasonGateBroken, continuation.ReasonUnproven, ReasonRemoved, ReasonNeverFailed:
		return FollowHintFirst
	}
	return AnswerAgent
}

// Outcome is how a run ended, in one word: the state that it leaves its session in, or that it was interrupted.
type Outcome string

// The outcomes.
const (
	Done                  = Outcome(continuation.IsDone)
	Unproven              = Outcome(continuation.IsUnproven) // nothing shows that the work is done
	NeedsYou              = Outcome(continuation.NeedsYou)
	AtLimit               = Outcome(continuation.AtLimit)
	WaitedTooLong         = Outcome(continuation.IsWaiting) // longer than allowed
	Stopped               = Outcome(continuation.IsStopped) // switched off, stopped, or not the agent's
	Failed                = Outcome(continuation.HasFailed) // the agent or its host
	Interrupted   Outcome = "interrupted"                   // by a signal
)

// Words returns the outcome as a reader sees it.
func (o Outcome) Words() string { return continuation.State(o).Words() }

// EndedTurn is what a turn that has ended was like.
type EndedTurn struct {
	Failed bool
	Class  continuation.ErrorClass // of the failure
	Why    string                  // it failed, in the words of the agent, its host or its program; empty if nothing tells
	TooFar todo.Time               // when the usage limit of the failure ends, if that is too far ahead to be waited for; 0 otherwise
	Usage  bool                    // the program did not accept its command line
	Worked bool                    // a tool was called
	Listed bool                    // a list was written
	Acted  bool                    // a list was written, or a tool was called that may have changed something
	Closed bool                    // an item was completed; only known for the turns of a relay
	Over   *continuation.Decision  // why the turn was interrupted: a budget was used up, or the user stopped it; nil if it was not
}

// Answer is the answer to the question whether the agent continues.
type Answer struct {
	continuation.Decision
	Class continuation.ErrorClass // of the failure that is open, if there is one
	Since todo.Time               // when the first of its kind in a row was; 0 is unknown
	Over  *continuation.Decision  // that a budget is used up; nil if none is
	Left  time.Duration           // until that of time is; 0 if there is none

	Listed bool       // a list was written since the run began
	Proof  Proof      // what is known about the gate, if nothing is left to do
	Alone  *CheckTurn // what the agent has made of a turn for the check alone; nil if that is not known
	Denied string     // which calls the agent's host denied in the last turns; empty if hardly any

	// Changed is whether the checkout is known to be another than before the first turn. Where its state is not known, it is whether
	// the gate has failed, or a tool was called that may have changed something.
	Changed bool
}

// Tried reports whether the turn has worked on its task, or ended well.
func (t *EndedTurn) Tried() bool { return t.Worked || !t.Failed }

// The limits of a run.
const (
	limitTimes   = 52               // limits of the host in a row: as many as a day has if nobody names their end
	outageLonger = 10 * time.Minute // between two turns, once the host has failed for longer than a question waits
	handovers    = 3                // new conversations in a row without progress
)

// Machine decides what a run does next. Its zero value with the rules is a run that has not begun.
type Machine struct {
	Rules

	Tried  bool // a turn has worked on the task, or ended well; a run that is resumed has it from its record
	Known  bool // the record of an earlier process names a conversation that the first turn resumes
	Unread bool // a message of the user went to a turn that neither worked nor ended well, or to none yet

	Relay     *Relay // nil unless there is more than one agent
	TakesOver bool   // the agent has had no turn yet, since another one was at work. A run that is resumed has it from its record

	// Acted is whether something shows that the work was begun: a list was written, a tool was called that may have changed
	// something, or the gate has failed since the run began. A run that is resumed has it from its record.
	Acted bool

	// Asked is how often the agent was asked for the check alone. It is 0 before that, and once the check fails. A run that is resumed
	// has it from its record.
	Asked int

	turns        int
	last         EndedTurn
	started      PromptKind // of the turn that was started last
	resumes      bool       // it continues a conversation
	unknown      bool       // how it ended is not known
	resumed      bool       // the last turn that has ended did
	restoreAsked bool       // the agent was told that it changed files that must stay as they are
	asked        string     // the message of the last action that asked the agent for something
	takenBack    bool       // the last turn asked it, and failed: the question does not count
	listAsked    bool       // the agent was asked for a list
	handed       int        // handovers in a row without progress
	handsOver    bool       // the turn that was started last is one
	limits       int        // limits of the host in a row
	waitAt       todo.Time  // when the waiting since the last turn began; 0 is none
	storeAt      todo.Time  // when the store first failed since the last turn; 0 is never
	failures     int        // of the store since then
}

// Begin returns the first action. A run that is resumed asks first, with any task.
func (m *Machine) Begin(takenUp bool) Action {
	if m.Task && !takenUp {
		return m.start(Task, false)
	}
	return Action{Kind: Ask}
}

// TurnEnded takes the end of a turn.
func (m *Machine) TurnEnded(t EndedTurn) Action {
	m.turns++
	m.unknown = false
	m.last, m.resumed, m.waitAt, m.storeAt, m.failures = t, m.resumes, 0, 0, 0
	m.Tried, m.Unread = m.Tried || t.Tried(), m.Unread && !t.Tried()
	m.Acted, m.TakesOver = m.Acted || t.Acted, false
	if m.Relay != nil && t.Closed {
		m.Relay.Switches = 0
	}
	if t.Over != nil {
		how := AtLimit
		if t.Over.Outcome == continuation.NotApplicable {
			how = Stopped
		}
		return m.end(how, Answer{Decision: *t.Over})
	}
	if t.Failed && t.Usage {
		return m.end(Failed, Answer{Decision: continuation.Decision{
			Outcome: continuation.HostError, Reason: "command_line", Message: "the agent's program does not accept its command line: " + t.Why,
			Hint: "change " + m.Relay.flagsPlaceText() + "; the program's own --help shows how it is called",
		}})
	}
	switch {
	case t.Failed:
		m.takeBackAsking()
	case t.Worked:
		m.limits, m.handed = 0, 0
	default:
		m.limits = 0
	}
	return Action{Kind: Ask}
}

// taskWaits reports whether every turn on the task has failed, or was cut off, before it is known to have done anything. A
// list that is finished then is from before the task, and does not show that the task is done.
func (m *Machine) taskWaits() bool { return m.Task && !m.Tried }

// TurnLost takes that a turn was started whose end is not known, since the store failed. One that had not begun by then was none.
func (m *Machine) TurnLost(begun bool) {
	switch {
	case begun:
		m.unknown, m.TakesOver = true, false
	default:
		if m.handsOver {
			m.handed--
		}
		m.takeBackAsking()
	}
}

// takeBackAsking takes back that the agent was asked for something that it is asked only once: the turn failed, or there was none.
func (m *Machine) takeBackAsking() {
	switch {
	case m.started == Restore:
		m.restoreAsked = false
	case m.started == ListOnly:
		m.listAsked = false
	case m.started == Check && m.Asked > 1:
		m.Asked--
	default:
		return
	}
	m.takenBack = true
}

// askAgain repeats the question of the turn that failed, and counts it: if this turn does not fail, the question is not asked again.
func (m *Machine) askAgain(resume bool) Action {
	switch m.started {
	case Restore:
		m.restoreAsked = true
	case ListOnly:
		m.listAsked = true
	case Check:
		m.Asked++
	}
	about := m.asked
	act := m.start(m.started, resume)
	act.Message, m.asked = about, about
	return act
}

// PromptWaits reports whether the task, a message of the user or a question to the agent waits for a turn: then no finished list is an end.
func (m *Machine) PromptWaits() bool {
	return m.taskWaits() || m.Unread || m.takenBack || m.Asked > 0 && m.last.Failed
}

// resumable reports whether there is a conversation to resume: of a turn of this process, or of the one before it, unless that was tried in vain.
func (m *Machine) resumable() bool {
	return (m.turns > 0 || m.Known) && !m.TakesOver && !m.couldNotResume()
}

// couldNotResume reports whether the conversation could not be resumed: the turn failed before it did anything.
func (m *Machine) couldNotResume() bool {
	t := m.last
	if m.unknown || !t.Failed || !m.resumed || t.Worked {
		return false
	}
	switch t.Class {
	case continuation.ErrorRateLimit, continuation.ErrorServer, continuation.ErrorAuth, continuation.ErrorBilling, continuation.ErrorContext:
		return false
	}
	return true
}

// Answered takes the answer to the question. Whatever the answer, no turn is started once a budget is used up.
func (m *Machine) Answered(a Answer, now todo.Time) Action {
	m.Unread = m.Unread || a.Outcome == continuation.Continue && a.Reason == continuation.ReasonMessageSent
	act := m.answered(a, now)
	forTurn := act.Kind == WaitFor && a.Class != "" // the wait for the agent's host, after which a turn is started
	switch {
	case a.Over != nil && (forTurn || act.Kind == Start):
		return m.end(AtLimit, Answer{Decision: *a.Over})
	case a.Left > 0 && forTurn:
		act.Named = act.Named && act.For <= a.Left
		act.For = min(act.For, a.Left)
	}
	return act
}

func (m *Machine) answered(a Answer, now todo.Time) Action {
	if m.Asked > 0 && EndsCheckTurn(&a.Decision) {
		return m.decideCheckTurn(a)
	}
	switch a.Outcome {
	case continuation.Continue:
		act := m.start(Prompt, m.resumable())
		act.Tier = a.Tier
		return act
	case continuation.Finished:
		switch {
		case m.taskWaits():
			return m.start(Task, m.resumable())
		case m.Unread:
			return m.start(Prompt, m.resumable())
		}
		if m.Task && (!m.Acted || a.Proof.Unchanged && (!a.Listed || a.Counts.Total == 0)) || a.Abandoned && !a.Changed {
			return m.decideNothingLeft(a)
		}
		if len(a.Proof.Protected) > 0 || a.Proof.Unprotected != "" {
			return m.decideProtected(a)
		}
		act := m.end(Done, a)
		if act.Grade, act.Work = a.Proof.Grade(), a.Work; a.Work != "" {
			act.Message = a.Work + a.Proof.Words()
		}
		if m.Proof && act.Grade != Proven {
			return m.decideNotProven(act, a)
		}
		return act
	case continuation.Wait:
		if m.couldNotResume() && m.Tried && m.handed == 0 {
			// The conversation may be what fails, so a new one begins at once. If that fails too, the next turn waits.
			return m.handOver()
		}
		if m.Relay != nil && a.Reason == untilReset {
			return m.decideAtLimit(a, now)
		}
		return m.wait(a, now)
	case continuation.NeedsHuman:
		return m.end(NeedsYou, a)
	case continuation.Limit:
		return m.end(AtLimit, a)
	case continuation.HostError:
		return m.decideFailure(a, now)
	}
	return m.decideWithoutList(a)
}

// SendsTask reports whether the task is sent where nothing else is known to do: no turn, or none that has ended well, has seen it.
func (m *Machine) SendsTask() bool { return m.Task && (m.turns == 0 || m.last.Failed) }

// reportHint is the next step where nothing shows whether the agent has done what it should.
const reportHint = "`onward report` shows what the agent did"

// decideWithoutList decides if there is no list, or what it is about does not apply.
func (m *Machine) decideWithoutList(a Answer) Action {
	switch {
	case a.Reason != continuation.ReasonNoList:
		return m.end(Stopped, a)
	case m.takenBack && !m.TakesOver:
		return m.askAgain(m.resumable())
	case m.SendsTask():
		return m.start(Task, m.resumable())
	case m.Unread:
		return m.start(Prompt, m.resumable())
	case m.Task && !m.listAsked:
		m.listAsked = true
		return m.start(ListOnly, m.resumable())
	}
	act := m.end(Unproven, a)
	if act.Message = "the agent keeps no list"; a.Emptied {
		act.Message = a.Message
	}
	act.Message += ", and there is no gate, so nothing shows whether the task is done"
	act.Hint = reportHint
	return act
}

// decideNothingLeft decides where nothing is left to do, and nothing shows that the agent has done something for its task: the gate, if there is
// one, passed before that too, as the tests of most projects do, or is flaky. The agent may answer once, with a list, that all of it was done.
func (m *Machine) decideNothingLeft(a Answer) Action {
	switch {
	case !m.Item && !m.listAsked:
		m.listAsked = true
		return m.start(ListOnly, m.resumable())
	case a.Gate != nil && (a.Abandoned || !m.Item && len(a.Deleted) > 0):
		a.Message += "; it passed before, and nothing changed"
	case a.Abandoned:
		a.Message += "; nothing shows that the task is done"
	case a.Denied != "":
		a.Message = "nothing changed: the agent lacks permissions: " + a.Denied
	case m.Item && a.Proof.isUnknown():
		a.Message = "nothing shows that anything changed" + a.Proof.noWorkText()
	case m.Item:
		a.Message = "nothing changed" + a.Proof.noWorkText()
	case a.Proof.isUnknown():
		a.Message = "the agent wrote no list, and nothing shows that it changed anything" + a.Proof.noWorkText()
	default:
		a.Message = "the agent changed nothing and wrote no list" + a.Proof.noWorkText()
	}
	if a.Outcome, a.Reason, a.Hint = continuation.NotApplicable, continuation.ReasonNoList, "read what the agent said"; a.Gate != nil {
		a.Hint += "; a gate that fails until the task is done proves it"
	}
	return m.end(Unproven, a)
}

// ReasonProtected is the reason of a run that ends because files that its agent had to leave as they were differ.
const ReasonProtected = "protected"

// decideProtected decides where the gate passes, and protected files are not as they were at the start. The agent is told once.
func (m *Machine) decideProtected(a Answer) Action {
	files := a.Proof.Protected
	if len(files) > 0 && !m.restoreAsked {
		return m.askToRestore(files)
	}
	if len(files) == 0 {
		return CannotProtect(cmp.Or(a.Work, a.Message)+", but nothing shows which protected files changed", a.Proof.Unprotected)
	}
	a.Message = cmp.Or(a.Work, a.Message) + ", but the agent changed " + todo.Plural(len(files), "protected file") + ": " + FirstFilesText(files)
	a.Outcome, a.Reason, a.Hint = continuation.NeedsHuman, ReasonProtected, reportHint+"; `--protect-files none` allows it"
	return m.end(NeedsYou, a)
}

// askToRestore tells the agent once to bring files back.
func (m *Machine) askToRestore(files []string) Action {
	m.restoreAsked = true
	act := m.start(Restore, m.resumable())
	act.Message = FirstFilesText(files)
	m.asked = act.Message
	return act
}

// CannotProtect returns the end of a run that cannot tell whether protected files change: so would every other run.
func CannotProtect(what, why string) Action {
	return Action{
		Kind: EndRun, Outcome: NeedsYou, Answer: continuation.NeedsHuman, Reason: continuation.ReasonUnproven, Message: what + ": " + why,
		Hint: "`--protect-files none` turns the protection off", Unprotected: true,
	}
}

// CannotTellChecks returns the end of a run that cannot tell whether the check files change that its user has named.
func CannotTellChecks(why string) Action {
	return Action{
		Kind: EndRun, Outcome: NeedsYou, Answer: continuation.NeedsHuman, Reason: continuation.ReasonUnproven,
		Message: "nothing would show which checks change: " + why, Hint: "`onward set check-files 'PATHSPEC'` names others, `onward set check-files none` none",
	}
}

// mayBeBroken reports whether the conversation, and not its first prompt, may be what the host refuses.
func (m *Machine) mayBeBroken() bool { return m.last.Worked || m.resumed || m.turns == 0 && m.Known }

// decideFailure decides where the agent's provider has failed.
func (m *Machine) decideFailure(a Answer, now todo.Time) Action {
	switch {
	case a.FailedWithNothingDone() && m.takenBack:
		return m.askAgain(m.resumable())
	case a.FailedWithNothingDone() && m.Asked > 0:
		return m.start(Check, m.resumable())
	case a.FailedWithNothingDone() && m.SendsTask():
		return m.start(Task, m.resumable()) // the gate passed before the task too, and says nothing about it
	case a.FailedWithNothingDone() && m.Unread:
		return m.start(Prompt, m.resumable())
	case a.FailedWithNothingDone():
	case a.Reason == "context_full" && m.handed < handovers:
		return m.handOver()
	case a.Class == continuation.ErrorInvalidRequest && m.mayBeBroken() && m.handed < handovers:
		return m.handOver() // something in the conversation, such as a large image, makes every further request fail
	case a.Reason == "failures" && a.Class == continuation.ErrorServer && a.Since != 0 && a.Since.Since(now) < m.MaxOutage:
		a.RetryAfter = outageLonger
		return m.wait(a, now)
	}
	if a.Class == continuation.ErrorInvalidRequest && m.last.Failed && m.last.Why != "" {
		a.Message += ": " + m.last.Why
	}
	if m.Relay != nil {
		a.Message = m.Relay.Agents[m.Relay.At] + ": " + a.Message
	}
	return m.end(Failed, a)
}

// wait waits as long as the answer says, but not longer than is allowed since the last turn.
func (m *Machine) wait(a Answer, now todo.Time) Action {
	left := a.RetryAfter
	if m.waitAt == 0 {
		m.waitAt = now
		if a.Class == continuation.ErrorRateLimit {
			m.limits++
		}
	}
	switch {
	case m.limits > limitTimes:
		return Action{Kind: EndRun, Outcome: AtLimit, Answer: continuation.Limit, Reason: continuation.ReasonLimitWait, Message: fmt.Sprintf("the agent was rate-limited %d times in a row", limitTimes), Hint: "run the same command later"}
	case a.Class == continuation.ErrorServer && a.Since != 0 && a.Since.Since(now) >= m.MaxOutage:
		return Action{Kind: EndRun, Outcome: Failed, Answer: continuation.HostError, Reason: "outage", Message: fmt.Sprintf("the agent's provider has failed for %s", todo.SpanText(m.MaxOutage)), Hint: "`onward run --max-outage D` waits longer"}
	case m.MaxWait > 0:
		room := m.MaxWait - m.waitAt.Since(now)
		why := ""
		switch {
		case room <= 0:
			why = "waited " + todo.SpanText(m.MaxWait)
		case a.ResetAt != 0 && left > room: // it would be a wait for nothing
			why = "the wait would be longer than " + todo.SpanText(m.MaxWait)
		}
		if why != "" {
			return Action{Kind: EndRun, Outcome: WaitedTooLong, Answer: continuation.Wait, Reason: a.Reason, Message: a.Message + "; " + why, Hint: "run the same command later to continue"}
		}
		left = min(left, room)
	}
	return Action{Kind: WaitFor, For: left, Named: a.ResetAt != 0 && left == a.RetryAfter, Reason: a.Reason, Message: a.Message}
}

// StoreFailed takes a failure of the store, and returns the wait before the next question; nil if the store has failed for too
// long. An answer does not end the failures, since the turn that follows may not be saved.
func (m *Machine) StoreFailed(why error, now todo.Time) *Action {
	if m.storeAt == 0 {
		m.storeAt = now
	}
	limit := m.MaxOutage
	if m.MaxWait > 0 {
		limit = min(limit, m.MaxWait)
	}
	if m.storeAt.Since(now) >= limit {
		return nil
	}
	m.failures++
	return &Action{Kind: WaitFor, For: continuation.OutagePause(m.failures), Reason: ReasonStoreFails, Message: why.Error()}
}

// ReasonRemoved is the reason of a run that ends because what was saved for it is gone.
const ReasonRemoved = continuation.ReasonRemoved

// ListRemoved reports whether somebody has removed the list of a session, as a record of its last run tells that had one, and nothing was
// saved since. The document, the record and the receipt are nil if they are missing.
func ListRemoved(doc *session.Document, last *session.Run, receipt *session.Receipt) bool {
	if doc != nil {
		e := doc.Continuation.RunEnd
		return e != nil && e.Reason == ReasonRemoved && e.Rev == doc.Rev
	}
	return last != nil && (last.Listed || last.Ended != nil && last.Ended.Reason == ReasonRemoved) || receipt != nil && receipt.Counts.Total > 0
}

// ReasonStoreFails is the reason of a wait for the store.
const ReasonStoreFails = "store"

// handOver starts a conversation that continues the work of the last one.
func (m *Machine) handOver() Action {
	m.handed++
	var act Action
	if m.takenBack {
		act = m.askAgain(false)
	} else {
		act = m.start(Handover, false)
	}
	m.handsOver = true
	return act
}

// start starts a turn. A new conversation knows nothing of the one before.
func (m *Machine) start(text PromptKind, resume bool) Action {
	if m.Fresh {
		resume = false
	}
	switch {
	case text == Task && m.Asked > 0:
		text = Check // the task comes once a check fails
	case text == Task && m.TakesOver && m.Tried:
		text = Handover // another agent has begun it
	}
	m.started, m.resumes, m.takenBack, m.handsOver, m.asked = text, resume, false, false, ""
	return Action{Kind: Start, Text: text, Resume: resume}
}

func (m *Machine) end(o Outcome, a Answer) Action {
	return Action{Kind: EndRun, Outcome: o, Answer: a.Outcome, Reason: a.Reason, Message: a.Message, Hint: a.Hint}
}

// String returns the prompt's name in JSON.
func (t PromptKind) String() string {
	return [...]string{"task", "continue", "list", "protected", "check", "handover"}[t]
}

// ConversationStep says whether a turn stays in the conversation of the turn before it, and if not, which one it goes to.
type ConversationStep int

// The steps.
const (
	Plain   ConversationStep = iota // as usual
	Resumed                         // the conversation of an earlier process is resumed
	Anew                            // a new conversation begins after another one
)

// Words describes the prompt of a start for a reader, and which conversation gets it where that is news.
func (a Action) Words(step ConversationStep) string {
	what, why := [...]string{"the task", "continues", "asked for a list", "told to bring files back", "asked for a check that fails", "continues"}[a.Text], ""
	switch {
	case a.Text == Prompt && a.Tier == continuation.TierMessage:
		what = "your message"
	case a.Text == Prompt && a.Tier == continuation.TierGate:
		what, why = "sent back", ", since the gate fails"
	}
	switch {
	case step == Anew || a.Text == Handover:
		return what + " in a new conversation" + why
	case step == Resumed && what == "continues":
		return "resumes the conversation"
	case step == Resumed:
		return "resumes the conversation: " + what + why
	}
	return what + why
}
