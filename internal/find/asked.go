package find

import (
	"os"

	"onward/internal/agents"
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// CallerTodoToolHint is TodoToolHint for the agent that runs the command.
func CallerTodoToolHint() string { return TodoToolHint(agents.RunningAgent(os.LookupEnv)) }

// ConfiguredList is a list with all that decides whether its agent continues, as package ask needs it.
type ConfiguredList struct {
	List
	Config   *Config
	Flags    map[string]string // settings for this decision alone
	Terminal bool              // standard error is a terminal, on which the user can read a countdown
	Strict   bool              // the session must exist, unless a gate takes the place of a list
}

// Load reads the document of the list.
func (l ConfiguredList) Load() (*session.Document, error) {
	doc, err := l.Store.Load(l.Name)
	if doc != nil || err != nil || !l.Strict {
		return doc, err
	}
	set, err := l.Settings(nil)
	if err == nil && set.Gate == "" {
		err = l.Store.CheckExists(l.Name, nil)
	}
	return nil, err
}

// FindOperation adds the result of an operation to a document, if only the log has it.
func (l ConfiguredList) FindOperation(doc *session.Document, op string) error {
	return l.Store.FindOperation(doc, op, l.Now)
}

// Activity reads when each conversation was last at work.
func (l ConfiguredList) Activity() session.Activity { return l.Store.Activity(l.Name) }

// Gone reports whether a process is known to have ended.
func (l ConfiguredList) Gone(p *session.Process) bool { return l.Store.Gone != nil && l.Store.Gone(p) }

// AtWork reports whether an agent that a run started is at work on the list.
func (l ConfiguredList) AtWork() (bool, error) { return l.Store.AtWork(l.Name) }

// Removed reports whether somebody removed the list, though not with onward.
func (l ConfiguredList) Removed(doc *session.Document) (bool, error) {
	if doc != nil {
		return run.ListRemoved(doc, nil, nil), nil
	}
	last, err := l.Store.ReadRun(l.Name)
	if err != nil {
		return false, err
	}
	receipt, err := l.Store.ReadReceipt(l.Name)
	return run.ListRemoved(nil, last, receipt), err
}

// RemoveMessages removes the messages that were sent from the user's queue.
func (l ConfiguredList) RemoveMessages(ids []string) error {
	return l.Calls().RemoveMessages(l.Name, ids, l.Now)
}

// Settings returns the settings in force.
func (l ConfiguredList) Settings(doc *session.Document) (continuation.Settings, error) {
	set, err := l.List.Settings(l.Config, l.Flags, doc)
	set.Countdown = set.CountdownFor(l.Terminal)
	return set, err
}

// Facts returns what the store knows besides the list.
func (l ConfiguredList) Facts(said continuation.Facts) (continuation.Facts, int, error) {
	return ask.AddCallFacts(l.Calls(), l.Name, said)
}

// Update changes the document of the list.
func (l ConfiguredList) Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	l.Now = now
	return l.List.Update(op, change)
}

// TodoToolHint names the switch of an agent's own todo tool, unless it is known to be on.
func TodoToolHint(name string) string { return agents.TodoToolHint(name, os.Getenv) }
