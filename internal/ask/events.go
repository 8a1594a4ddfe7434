package ask

import (
	"iter"

	"onward/internal/calls"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// recordAsActivity records an event as the last activity.
func recordAsActivity(a *session.Activity, kind continuation.Type, now todo.Time) {
	a.Kind, a.At, a.Open = string(kind), now, kind.OpenCalls(a.Open)
}

// ReportedEvents is the events that a caller reports to a list. They are read part by part, again each time that they are needed,
// since all of them together can take a hundred times the memory of their text.
type ReportedEvents iter.Seq[[]continuation.Event]

// each yields the events one by one.
func (r ReportedEvents) each(yield func(continuation.Event) bool) {
	r(func(part []continuation.Event) bool {
		for _, e := range part {
			if !yield(e) {
				return false
			}
		}
		return true
	})
}

// canProveTask reports whether the state of the files when the user gives a task matters: a gate can prove it there.
func canProveTask(set continuation.Settings) bool { return set.Gate != "" && set.GateElsewhere == "" }

// NoteTaskStart notes the state of the files where a prompt of the user among the events gives a new task; doc is the list before them.
func (r ReportedEvents) NoteTaskStart(lists *session.Store, name session.Name, tree func(continuation.Settings) (state, noTree string), set continuation.Settings, doc *session.Document) error {
	if !canProveTask(set) {
		return nil
	}
	for e := range r.each {
		if continuation.BeginsTask(doc, e) {
			start, _ := tree(set.WithShortTreeTimeout())
			return lists.UpdateActivity(name, func(a *session.Activity) { a.Start = start })
		}
	}
	return nil
}

// Apply applies the events to a list, in one commit, which update makes. Activity alone takes no lock.
func (r ReportedEvents) Apply(lists *session.Store, name session.Name, now todo.Time, update func(func(*session.Document) (session.Change, error)) (session.Commit, error)) (session.Commit, error) {
	var signs, ends, changes bool
	for e := range r.each {
		signs = signs || e.IsActivity()
		ends = ends || e.Type == continuation.ToolEnd
		changes = changes || e.ChangesDocument()
	}
	if signs {
		err := lists.UpdateActivity(name, func(a *session.Activity) {
			for e := range r.each {
				if e.IsActivity() {
					recordAsActivity(a, e.Type, now)
				}
			}
		})
		if err != nil {
			return session.Commit{}, err
		}
	}
	if ends && !changes {
		doc, _ := lists.Load(name) // if it cannot be read, the end of a call still counts as activity
		changes = doc.Ledger().PendingCalls > 0
	}
	if !changes {
		return session.Commit{}, nil
	}
	return update(func(doc *session.Document) (all session.Change, err error) {
		fresh := doc.Rev == 0
		for e := range r.each {
			did, err := continuation.ApplyAll(doc, []continuation.Event{e}, fresh, nil, now)
			if err != nil {
				return session.Change{}, err
			}
			fresh = fresh && did.What == ""
			all = all.Then(did)
		}
		return all, nil
	})
}

// AddCallFacts adds the facts about tool calls to those of the caller: messages that wait for the agent, calls that await
// approval, and calls that a live process runs. Calls without a runner are only counted: they block nothing.
func AddCallFacts(queue calls.Queue, name session.Name, facts continuation.Facts) (with continuation.Facts, idle int, err error) {
	standing, err := queue.Standing(name)
	for _, m := range standing.Messages {
		facts.Messages = append(facts.Messages, continuation.Queued{ID: m.ID, Text: m.Text, By: m.By})
	}
	facts.Awaiting = standing.Awaiting
	if !standing.Running {
		return facts, standing.Pending, err
	}
	facts.Running = standing.Pending
	return facts, 0, err
}
