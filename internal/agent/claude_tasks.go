package agent

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
)

// task applies a Task tool's result.
func (s *claudeSession) task(call todoCall, r claudeResult) {
	in := readTaskInput(call.input)
	if s.tasks == nil {
		s.tasks = s.newTasks()
	}
	t := s.tasks
	before := t.items
	if len(before) <= maxUndone || t.told == s.r.sum.Lines {
		// Others have the old ones: for what is taken back, or as an update of the same line.
		t.items = append(make([]todo.Item, 0, len(before)+1), before...)
	}
	changed := false
	switch call.tool {
	case "TaskCreate":
		changed = t.create(&in, r)
		if !changed {
			s.warn("%s was accepted, but its result names no task", quote(call.id))
		}
	case "TaskUpdate":
		var refused bool
		changed, refused = t.update(&in, r)
		if refused {
			s.rejected(call.named(), r.text, false)
		}
	case "TaskGet":
		changed = t.look(r)
	case "TaskList":
		changed = t.repair(r)
	}
	if !changed {
		return
	}
	if len(before) <= maxUndone {
		s.remember(claudeChange{uuid: call.uuid, tasks: true, before: keep(before)})
	} else {
		s.changes = nil
	}
	s.weigh()
	s.tell(Update{Event: continuation.Event{Partial: call.looks}, TodoID: call.id, At: r.at})
}

// tell hands out the task list.
func (s *claudeSession) tell(u Update) {
	t := s.tasks
	t.told = s.r.sum.Lines
	items, blank := t.items, false
	for i := range items {
		if items[i].Content == "" {
			if !blank {
				items, blank = slices.Clone(items), true
			}
			// Left out, the open task would be forgotten and the session look finished.
			items[i].Content = native.Unnamed(items[i].ID)
		}
	}
	if blank {
		u.Inferred = append(u.Inferred, InferredText)
		if !t.blanks {
			s.warn("a task was changed that was made before this stream; its text is not known until the agent lists its tasks")
		}
	}
	t.blanks = blank
	if t.more > 0 {
		s.skipItems(t.more, "tasks are left out: the list is full")
		t.more = 0
	}
	if t.partial() {
		u.Inferred = append(u.Inferred, InferredItems)
	}
	s.list(u, items)
}

// newTasks begins with what was saved, which a new task joins.
func (s *claudeSession) newTasks() *taskList {
	t := new(taskList)
	if s.r.opt.Saved == nil {
		return t
	}
	if saved := s.r.opt.Saved(s.a.kind, s.id); len(saved) > 0 {
		t.items, t.whole = slices.Clone(saved), true
	}
	return t
}
