package claude

import (
	"slices"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// applyTaskResult applies a Task tool's result.
func (s *Session) applyTaskResult(call stream.AwaitedTodoCall, accepted native.Call, at todo.Time) {
	if s.tasks == nil {
		s.tasks = s.newTasks()
	}
	t := s.tasks
	before := t.Items
	if len(before) <= maxUndone || s.told == s.InputLine() {
		// Others have the old ones: for what is taken back, or as an update of the same line.
		t.Items = append(make([]todo.Item, 0, len(before)+1), before...)
	}
	switch t.apply(call.Tool, accepted) {
	case taskUnknown:
		s.Warn("%s was accepted, but its result names no task", stream.Quote(call.ID))
		return
	case callRefused:
		s.Reject(call, accepted.Said, false)
		return
	case noChange:
		return
	}
	s.record(change{uuid: call.UUID, tasks: true, before: before})
	s.emitTasks(stream.Update{Event: continuation.Event{Partial: call.ReadsOnly()}, TodoID: call.ID, At: at})
}

// record keeps what the tasks were before a change, unless they are too many.
func (s *Session) record(c change) {
	if len(c.before) <= maxUndone {
		s.remember(c)
	} else {
		s.changes = nil
	}
	s.updateWeight()
}

// statuses applies a line with the statuses of tasks that no call changed: Claude Code itself did. A task that the line
// leaves out stays as it is.
func (s *Session) statuses(l *Line) {
	if s.tasks == nil {
		s.tasks = s.newTasks()
	}
	before := s.tasks.Items
	s.tasks.Items = slices.Clone(before)
	if !s.tasks.set(l.Objects("statuses")) {
		return
	}
	s.record(change{tasks: true, before: before})
	s.emitTasks(stream.Update{At: l.At()})
}

// emitTasks emits the task list.
func (s *Session) emitTasks(u stream.Update) {
	u.Event.Deletes = true // its tools name the task that they delete
	s.told = s.InputLine()
	items, blank := s.tasks.NamedItems()
	if blank {
		u.Inferred = append(u.Inferred, stream.InferredText)
		if !s.blank {
			s.Warn("a task was changed that was made before this stream; its text is not known until the agent lists its tasks")
		}
	}
	s.blank = blank
	if s.tasks.Lost > 0 {
		s.SkipItems(s.tasks.Lost, "tasks are left out: the list is full")
		s.tasks.Lost = 0
	}
	if n := s.tasks.Missed; n > 0 {
		s.Warn("the agent's list lost %s", todo.Plural(n, "open task"))
		s.tasks.Missed = 0
	}
	if s.tasks.Partial() {
		u.Inferred = append(u.Inferred, stream.InferredItems)
	}
	s.EmitList(u, items)
}

// newTasks starts from the saved list.
func (s *Session) newTasks() *taskList {
	saved, known := s.Saved()
	if !known {
		return new(taskList)
	}
	saved.Items = slices.Clone(saved.Items)
	return tasksFrom(saved)
}
