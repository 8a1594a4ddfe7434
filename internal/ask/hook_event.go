package ask

import (
	"errors"
	"slices"

	"onward/internal/agents/hook"
	"onward/internal/agents/stream"
	"onward/internal/calls"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// HookHandler handles an event that an agent's hook reports: it applies the event to the list of its conversation,
// and at the end of a turn it has an answer for the agent.
type HookHandler struct {
	Agent   *hook.Protocol
	Call    hook.Call
	Lists   *session.Store
	Calls   calls.Queue
	Name    session.Name // the list; before Find, the requested one
	Named   bool         // it was named explicitly, so no owner excludes the caller
	Project string       // the folder, for a document that is new
	Now     todo.Time

	// Settings resolves the settings of a list, and of the main one if a sub-agent calls.
	Settings func(docs ...*session.Document) (continuation.Settings, error)
	Gate     Gate // runs the gate at the end of a turn; nil if it is not to be run
	Waiting  Waiting

	// Tree reads the state of the checkout; nil if it is not to be read.
	Tree func(set continuation.Settings) (state, noTree string)

	// Undurable is called for a commit that may not survive a crash of the machine.
	Undurable func(error)

	doc   *session.Document // of the list, as it was first read; nil if there is none
	meant session.Name      // the list that was meant
	main  session.Name      // of the main list, if a sub-agent calls
	over  *session.Document // that list's, whose settings hold for a sub-agent's as well; nil if there is none
	set   continuation.Settings

	idleSince *todo.Time // the last activity before the prompt, if the event is one before which messages may not have arrived; else nil
}

// DocumentAndSettings returns the list's document as it was found, or nil, and the settings in force.
func (e *HookHandler) DocumentAndSettings() (*session.Document, continuation.Settings) {
	return e.doc, e.set
}

// Find finds the list of the conversation that reports the event, and reads it.
func (e *HookHandler) Find() error {
	meant, err := e.Lists.Load(e.Name)
	if err != nil {
		return err
	}
	if e.doc = meant; meant != nil {
		meant.ReleaseOwner(e.Call.Session, e.Lists.Gone, e.Now)
	}
	e.meant, e.main = e.Name, e.Name
	if !e.Named {
		// The session depends on a setting of the requested one; afterwards its own settings apply.
		if e.set, err = e.Settings(meant); err != nil {
			return err
		}
		list, doc, err := e.Lists.ListFor(session.Name{Session: e.Name.Session}, meant, e.Call.Session, e.set.StaleAfter, e.Now)
		if err != nil {
			return err
		}
		e.main.Session, e.Name.Session, e.doc = list.Session, list.Session, doc
	}
	e.over = e.doc
	if e.Call.SubAgent != "" {
		e.Name.Agent = stream.SubAgentName(e.Call.SubAgent)
		if e.doc, err = e.Lists.Load(e.Name); err != nil {
			return err
		}
	}
	if e.Named || e.doc != meant { // otherwise the settings are resolved already
		e.set, err = e.Settings(e.doc, e.over)
	}
	e.Call.Events = e.set.AddGateToPrompts(e.Call.Events)
	return err
}

// HookAction is what a hook does for an event.
type HookAction int

// The tasks.
const (
	IgnoreEvent      HookAction = iota
	ApplyEvent                  // apply the event to the list
	ApplyAndTellList            // the same, and tell a new conversation about the list
	RunCommand                  // run the command that the user typed as a prompt
	Decide                      // say whether the agent continues
)

// ChooseAction returns what is to be done for the event. A run reads the agent's output, so within it the run alone reports turns and prompts,
// and decides whether the agent continues. Without a user nobody types: no prompt is the user's, not even for the list of another session.
// The function beginning returns the beginning of the conversation's file.
func (e *HookHandler) ChooseAction(inRun bool, withoutUser func() bool, beginning func() []byte) HookAction {
	c := e.Call
	if inRun && (c.Kind == hook.Stop || c.Kind == hook.Prompt) {
		return IgnoreEvent
	}
	switch c.Kind {
	case hook.Stop, hook.SubagentStop:
		return Decide
	case hook.Start:
		return ApplyAndTellList
	case hook.Prompt:
		if e.Agent.CanRefusePrompt && c.IsCommand(func() bool { return !withoutUser() }) {
			return RunCommand
		}
		if withoutUser() {
			return IgnoreEvent
		}
	}
	if e.doc != nil && e.doc.Continuation.Turn == nil && e.Agent.InterruptsItself(c, beginning) {
		return IgnoreEvent
	}
	return ApplyEvent
}

// HasOwnList reports whether the conversation has a list of its own, because another live one holds the project's.
func (e *HookHandler) HasOwnList() bool { return !e.Named && e.Name.Session != e.meant.Session }

// Report applies the event to the list.
func (e *HookHandler) Report() error {
	if e.doc != nil && e.doc.Continuation.Delivering != nil && e.Call.Kind == hook.Prompt && e.isActivity() {
		e.idleSince = new(e.Lists.Activity(e.Name).At)
	}
	if (e.doc != nil || e.gateDecidesAlone()) && e.Call.Activity != "" {
		if err := e.recordActivity(); err != nil {
			return err
		}
	}
	if e.doc != nil && e.Call.Activity == continuation.ToolEnd && e.doc.Continuation.PendingCalls > 0 {
		e.Call.Events = append(slices.Clip(e.Call.Events), continuation.Event{Type: continuation.ToolEnd})
	}
	if len(e.Call.Events) == 0 && e.Call.List == nil && e.Call.Activity != "" {
		return nil // activity takes no lock
	}
	if e.doc != nil && e.Call.ReportsFailedTurn() {
		if calls := e.Lists.Activity(e.Name).UncountedCalls(e.Call.Session); calls > 0 {
			e.Call.Events = e.Call.WithCalls(calls)
			defer e.noteCallsCounted()
		}
	}
	if e.doc == nil && !createsDocument(e.Call) {
		return nil // the event concerns no list
	}
	if e.doc != nil {
		// Most events change nothing, and need no lock.
		if did, err := e.apply(e.Call, e.doc); err != nil || did.What == "" {
			return err
		}
	}
	held := false
	_, err := e.commit(func(doc *session.Document) (session.Change, error) {
		if held = !conversationOf(e.Call).MayChange(doc, e.set.StaleAfter, e.Now); !held && e.idleSince != nil {
			continuation.NoteUnread(doc, *e.idleSince)
		}
		return e.apply(e.Call, doc)
	})
	if err != nil || !held || e.Named {
		return err
	}
	// Another conversation became the owner after Find, so this one has a list of its own now.
	e.Name = e.meant
	if err := e.Find(); err != nil || e.Name.Session == e.meant.Session {
		return err
	}
	return e.Report()
}

func (e *HookHandler) apply(call hook.Call, doc *session.Document) (session.Change, error) {
	return applyCall(call, doc, e.set.StaleAfter, e.Now)
}

// recordActivity records activity; a prompt of onward is not one. A prompt of the user that follows a finished list, or none, is a new task,
// which begins with the files as they are now.
func (e *HookHandler) recordActivity() error {
	if !e.Call.Counts && !e.isActivity() {
		return nil
	}
	begins := func(ev continuation.Event) bool { return continuation.BeginsTask(e.doc, ev) }
	start, task := "", e.Call.Kind == hook.Prompt && e.Tree != nil && canProveTask(e.set) && slices.ContainsFunc(e.Call.Events, begins)
	if task {
		start, _ = e.Tree(e.set.WithShortTreeTimeout())
	}
	return e.Lists.UpdateActivity(e.Name, func(a *session.Activity) {
		recordAsActivity(a, e.Call.Activity, e.Now)
		if e.Call.Counts {
			a.CountCalls(e.Call.Session, 1)
		}
		switch {
		case e.Call.Works:
			a.RecordWork(e.Call.Session, true)
		case e.Call.Kind == hook.Prompt:
			a.RecordWork(e.Call.Session, false)
			if task {
				a.Start = start
			}
		}
	})
}

// gateDecidesAlone reports whether a gate that was set for the project says what is done even if there is no list,
// so that what the agent does is noted although there is no document.
func (e *HookHandler) gateDecidesAlone() bool {
	return e.set.Gate != "" && e.set.GateIsOfProjectOrSession() && e.Call.SubAgent == ""
}

// isActivity reports whether the event is activity of the agent or its user.
func (e *HookHandler) isActivity() bool {
	return continuation.Event{Type: e.Call.Activity, Text: e.Call.Text}.IsActivity()
}

// commit changes the list under its lock. A commit that may not survive a crash of the machine still counts as made.
func (e *HookHandler) commit(change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	if e.doc == nil && e.Call.Process != nil {
		e.Call.Process(nil) // before the lock is acquired; for an existing list it is known by now
	}
	commit, err := e.Lists.Update(e.Name, "", e.Now, func(doc *session.Document) (session.Change, error) {
		doc.SetProject(e.Project)
		doc.ReleaseOwner(e.Call.Session, e.Lists.Gone, e.Now)
		return change(doc)
	})
	if errors.Is(err, store.ErrNotDurable) {
		e.Undurable(err)
		return commit, nil
	}
	return commit, err
}

// Stop decides whether the agent is prompted again. It commits only a continuation and what must be remembered.
// look completes the turn; it is called only if there is a document.
func (e *HookHandler) Stop(limit int, look func(*Turn)) (Answer, error) {
	if d := e.whyMayStop(); d != nil {
		return Answer{Decision: *d}, nil
	}
	if err := e.copyAssignedItems(); err != nil {
		return Answer{}, err
	}
	if e.doc == nil && !e.Call.Ahead && createsDocument(e.Call) {
		if err := e.Report(); err != nil { // how the turn ended counts for a list that comes later
			return Answer{}, err
		}
	}
	turn := &Turn{Call: e.Call, Agent: e.Agent, Cap: limit, StaleAfter: e.set.StaleAfter, Now: e.Now}
	list := &hookList{HookHandler: e}
	if e.doc != nil || e.gateDecidesAlone() {
		list.signs = e.Lists.Activity(e.Name)
		turn.Calls, turn.Worked = list.signs.UncountedCalls(e.Call.Session), e.gateDecidesAlone() && list.signs.Worked(e.Call.Session)
	}
	if e.doc != nil {
		look(turn)
	}
	facts := e.Call.Facts
	facts.Named = e.Named
	q := Question{List: list, Name: e.Name, Said: facts, Now: e.Now, DryRun: e.Call.Ahead, Turn: turn, Gate: e.Gate, Waiting: e.Waiting}
	got, err := q.Ask()
	if err != nil || e.Call.Ahead {
		return got, err
	}
	if got.Changed && turn.Calls > 0 {
		e.noteCallsCounted()
	}
	return got, nil
}

// noteCallsCounted notes that the ledger has the calls of the turn now. If this note is lost, they are counted twice, and nothing else.
func (e *HookHandler) noteCallsCounted() {
	_ = e.Lists.UpdateActivity(e.Name, func(a *session.Activity) {
		a.Kind, a.At, a.Open = string(continuation.TurnEnd), e.Now, 0
		a.CountCalls(e.Call.Session, -a.UncountedCalls(e.Call.Session))
	})
}

// SubagentEnded removes an ended sub-agent from the main list's background work.
// If that fails, it stops counting on its own after a while.
func (e *HookHandler) SubagentEnded() error {
	if e.Call.Kind != hook.SubagentStop || e.Call.SubAgent == "" {
		return nil
	}
	doc, err := e.Lists.Load(e.main)
	if err != nil || doc == nil {
		return nil
	}
	end := e.Call
	end.List = nil
	end.Events = []continuation.Event{{Type: continuation.BackgroundEnd, ID: e.Call.SubAgent}}
	if did, err := e.apply(end, doc); err != nil || did.What == "" {
		return nil
	}
	_, err = e.Lists.Update(e.main, "", e.Now, func(doc *session.Document) (session.Change, error) { return e.apply(end, doc) })
	return err
}

// hookList is the list of a conversation, as its question needs it.
type hookList struct {
	*HookHandler
	signs session.Activity
	read  bool // the document was handed out; what the agent reports has changed it
	again bool // it was read once more
}

// Load returns at first the document that was read already.
func (l *hookList) Load() (*session.Document, error) {
	if !l.read {
		l.read = true
		return l.doc, nil
	}
	l.again = true
	doc, err := l.Lists.Load(l.Name)
	if doc != nil {
		doc.ReleaseOwner(l.Call.Session, l.Lists.Gone, l.Now)
	}
	return doc, err
}

func (l *hookList) Activity() session.Activity { return l.signs }

func (l *hookList) Gone(p *session.Process) bool { return l.Lists.Gone != nil && l.Lists.Gone(p) }

// AtWork reports false: the agent asks at the end of its own turn.
func (l *hookList) AtWork() (bool, error) { return false, nil }

func (l *hookList) Removed(*session.Document) (bool, error) { return false, nil }

// Settings are those of the list as it was found, and those of now if it was read again: the gate may have taken long,
// and the user may have switched continuation off in the meantime. A hook never counts down: the agent waits for its answer.
func (l *hookList) Settings(doc *session.Document) (set continuation.Settings, err error) {
	if set = l.set; l.again || doc != l.doc {
		set, err = l.HookHandler.Settings(doc, l.over)
	}
	set.Countdown = 0
	return set, err
}

func (l *hookList) FindOperation(*session.Document, string) error { return nil }

func (l *hookList) Facts(said continuation.Facts) (continuation.Facts, int, error) {
	return AddCallFacts(l.Calls, l.Name, said)
}

func (l *hookList) RemoveMessages(ids []string) error {
	return l.Calls.RemoveMessages(l.Name, ids, l.Now)
}

func (l *hookList) Update(_ string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	l.Now = now // a gate may have taken long
	return l.commit(change)
}
