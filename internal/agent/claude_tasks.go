package agent

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// task applies a Task tool's result.
func (s *claudeSession) task(call todoCall, accepted native.Call, at todo.Time) {
	if s.tasks == nil {
		s.tasks = s.newTasks()
	}
	t := s.tasks
	before := t.Items
	if len(before) <= maxUndone || s.told == s.r.sum.Lines {
		// Others have the old ones: for what is taken back, or as an update of the same line.
		t.Items = append(make([]todo.Item, 0, len(before)+1), before...)
	}
	switch t.Apply(call.tool, accepted) {
	case native.Untold:
		s.warn("%s was accepted, but its result names no task", quote(call.id))
		return
	case native.Refused:
		s.rejected(call, accepted.Said, false)
		return
	case native.Nothing:
		return
	}
	if len(before) <= maxUndone {
		s.remember(claudeChange{uuid: call.uuid, tasks: true, before: before})
	} else {
		s.changes = nil
	}
	s.weigh()
	s.emitTasks(Update{Event: continuation.Event{Partial: call.looks()}, TodoID: call.id, At: at})
}

// emitTasks emits the task list.
func (s *claudeSession) emitTasks(u Update) {
	u.Event.Removes = true // its tools name the task that they delete
	s.told = s.r.sum.Lines
	items, blank := s.tasks.Named()
	if blank {
		u.Inferred = append(u.Inferred, InferredText)
		if !s.blank {
			s.warn("a task was changed that was made before this stream; its text is not known until the agent lists its tasks")
		}
	}
	s.blank = blank
	if s.tasks.Lost > 0 {
		s.skipItems(s.tasks.Lost, "tasks are left out: the list is full")
		s.tasks.Lost = 0
	}
	if n := s.tasks.Closed; n > 0 {
		s.warn("%s cancelled: %s", todo.Plural(n, "task"), native.Missing)
		s.tasks.Closed = 0
	}
	if s.tasks.Partial() {
		u.Inferred = append(u.Inferred, InferredItems)
	}
	s.list(u, items)
}

// newTasks starts from the saved list.
func (s *claudeSession) newTasks() *native.Tasks {
	if s.r.opt.Saved == nil {
		return new(native.Tasks)
	}
	saved := s.r.opt.Saved(s.a.kind, s.id)
	saved.Items = slices.Clone(saved.Items)
	return native.TasksFrom(saved)
}
