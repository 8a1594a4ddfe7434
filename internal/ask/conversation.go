package ask

import (
	"errors"
	"time"

	"onward/internal/agent"
	continuation "onward/internal/continue"
	"onward/internal/hook"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Lists are the lists of a store, as far as a conversation needs them.
type Lists interface {
	Load(session.Name) (*session.Document, error) // nil: there is no list
	Update(name session.Name, op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error)
	Touch(session.Name, session.Activity) error
	CountCall(session.Name, session.Activity) error
	ResetCalls(session.Name, session.Activity) error
	Activity(session.Name) session.Activity
	// Seat returns the list that an agent's own session works on; the document is that of the list that is meant.
	Seat(meant session.Name, doc *session.Document, caller string, staleAfter time.Duration, now todo.Time) (session.Name, *session.Document, error)
}

// Conversation is an agent's conversation whose hook reports an event. The event is applied to its list,
// and at the end of a turn the agent receives an answer.
type Conversation struct {
	Agent   *hook.Agent
	Call    hook.Call
	Lists   Lists
	Calls   *schedule.Store
	Name    session.Name // the list; before Find the one that is meant
	Named   bool         // it was named explicitly, so no owner excludes the caller
	Project string       // the folder, for a document that is new
	Now     todo.Time

	// Gone reports whether a process is known to have ended; nil means that none is.
	Gone func(*session.Process) bool

	// Settings resolves the settings of a list, and of the main one where a sub-agent calls.
	Settings func(docs ...*session.Document) (continuation.Settings, error)
	Gate     Gate // runs the gate at the end of a turn; nil where it is not to be run
	Waiting  Waiting

	// Undurable is called for a commit that may not survive a crash of the machine.
	Undurable func(error)

	doc   *session.Document // of the list, as it was first read; nil is none
	meant session.Name      // the list that was meant
	main  session.Name      // of the main list, where a sub-agent calls
	set   continuation.Settings
}

// Found returns the list's document as it was found, or nil, and the settings in force.
func (c *Conversation) Found() (*session.Document, continuation.Settings) { return c.doc, c.set }

// Find finds the list of the conversation, and reads it.
func (c *Conversation) Find() error {
	meant, err := c.Lists.Load(c.Name)
	if err != nil {
		return err
	}
	if c.doc = meant; meant != nil {
		meant.Release(c.Call.Session, c.Gone, c.Now)
	}
	c.meant, c.main = c.Name, c.Name
	if !c.Named {
		// The session depends on a setting of the requested one; afterwards its own settings apply.
		if c.set, err = c.Settings(meant); err != nil {
			return err
		}
		seat, doc, err := c.Lists.Seat(session.Name{Session: c.Name.Session}, meant, c.Call.Session, c.set.StaleAfter, c.Now)
		if err != nil {
			return err
		}
		c.main.Session, c.Name.Session, c.doc = seat.Session, seat.Session, doc
	}
	main := c.doc
	if c.Call.SubAgent != "" {
		c.Name.Agent = agent.SubAgentName(c.Call.SubAgent)
		if c.doc, err = c.Lists.Load(c.Name); err != nil {
			return err
		}
	}
	if c.Named || c.doc != meant { // else they are resolved
		c.set, err = c.Settings(c.doc, main)
	}
	return err
}

// Report applies the event to the list.
func (c *Conversation) Report() error {
	if c.doc != nil && c.Call.Activity != "" {
		if err := c.live(); err != nil {
			return err
		}
	}
	if len(c.Call.Events) == 0 && c.Call.List == nil && c.Call.Activity != "" {
		return nil // a sign of life takes no lock
	}
	if c.doc == nil && c.Call.List == nil {
		return nil // there is no list to which it could have happened
	}
	if c.doc != nil {
		// Most events change nothing, and need no lock.
		if did, err := c.apply(c.Call, c.doc); err != nil || did.What == "" {
			return err
		}
	}
	held := false
	_, err := c.commit(func(doc *session.Document) (session.Change, error) {
		held = !mayTouch(c.Call, doc, c.set.StaleAfter, c.Now)
		return c.apply(c.Call, doc)
	})
	if err != nil || !held || c.Named {
		return err
	}
	// Another conversation became the owner after Find, so this one has a list of its own now.
	c.Name = c.meant
	if err := c.Find(); err != nil || c.Name.Session == c.meant.Session {
		return err
	}
	return c.Report()
}

func (c *Conversation) apply(call hook.Call, doc *session.Document) (session.Change, error) {
	return ApplyCall(call, doc, c.set.StaleAfter, c.Now)
}

// live records a sign of life; a prompt of onward is not one.
func (c *Conversation) live() error {
	a := session.Activity{Kind: string(c.Call.Activity), At: c.Now}
	switch {
	case c.Call.Counts:
		return c.Lists.CountCall(c.Name, a)
	case continuation.Event{Type: c.Call.Activity, Text: c.Call.Text}.IsActivity():
		return c.Lists.Touch(c.Name, a)
	}
	return nil
}

// commit changes the list under its lock. A commit that may not survive a crash of the machine still counts as made.
func (c *Conversation) commit(change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	if c.doc == nil && c.Call.Process != nil {
		c.Call.Process(nil) // before the lock is acquired; for an existing list it is known by now
	}
	commit, err := c.Lists.Update(c.Name, "", c.Now, func(doc *session.Document) (session.Change, error) {
		if doc.Rev == 0 {
			doc.Project = c.Project
		}
		doc.Release(c.Call.Session, c.Gone, c.Now)
		return change(doc)
	})
	if errors.Is(err, store.ErrNotDurable) {
		c.Undurable(err)
		return commit, nil
	}
	return commit, err
}

// Stop decides whether the agent is prompted again. It commits only a continuation and what must be remembered.
// look completes the turn; it is called only if there is a list.
func (c *Conversation) Stop(limit int, look func(*Turn)) (Answer, error) {
	turn := &Turn{Call: c.Call, Agent: c.Agent, Cap: limit, StaleAfter: c.set.StaleAfter, Now: c.Now}
	list := &conversationList{Conversation: c}
	if c.doc != nil {
		list.signs = c.Lists.Activity(c.Name)
		turn.Calls = list.signs.Calls
		look(turn)
	}
	facts := c.Call.Facts
	facts.Named = c.Named
	q := Question{List: list, Said: facts, Now: c.Now, DryRun: c.Call.Ahead, Turn: turn, Gate: c.Gate, Waiting: c.Waiting}
	got, err := q.Ask()
	if err != nil || c.Call.Ahead {
		return got, err
	}
	if got.Changed && turn.Calls > 0 {
		// The calls are in the ledger now. Losing this note only counts them twice.
		_ = c.Lists.ResetCalls(c.Name, session.Activity{Kind: string(continuation.TurnEnd), At: c.Now})
	}
	return got, nil
}

// SubagentEnded removes an ended sub-agent from the main list's background work.
// If that fails, it stops to count by itself after a while.
func (c *Conversation) SubagentEnded() error {
	if c.Call.Kind != hook.SubagentStop || c.Call.SubAgent == "" {
		return nil
	}
	doc, err := c.Lists.Load(c.main)
	if err != nil || doc == nil {
		return nil
	}
	end := c.Call
	end.List = nil
	end.Events = []continuation.Event{{Type: continuation.BackgroundEnd, ID: c.Call.SubAgent}}
	if did, err := c.apply(end, doc); err != nil || did.What == "" {
		return nil
	}
	_, err = c.Lists.Update(c.main, "", c.Now, func(doc *session.Document) (session.Change, error) { return c.apply(end, doc) })
	return err
}

// conversationList is the list of a conversation, as its question needs it.
type conversationList struct {
	*Conversation
	signs session.Activity
	read  bool // the document was handed out; what the agent reports has changed it
}

// Load returns at first the document that was read already.
func (l *conversationList) Load() (*session.Document, error) {
	if !l.read {
		l.read = true
		return l.doc, nil
	}
	doc, err := l.Lists.Load(l.Name)
	if doc != nil {
		doc.Release(l.Call.Session, l.Gone, l.Now)
	}
	return doc, err
}

func (l *conversationList) Activity() session.Activity { return l.signs }

// Settings are those of the conversation. A hook never counts down: the agent waits for its answer.
func (l *conversationList) Settings(*session.Document) (continuation.Settings, error) {
	set := l.set
	set.Countdown = 0
	return set, nil
}

func (l *conversationList) Facts(said continuation.Facts) (continuation.Facts, int, error) {
	if l.doc == nil {
		return said, 0, nil
	}
	return WithCalls(l.Calls, l.Name, said)
}

func (l *conversationList) Update(_ string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	l.Now = now // a gate may have taken long
	return l.commit(change)
}
