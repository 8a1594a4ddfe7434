package agent

import (
	"slices"
	"strconv"
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// taskList is the list that Claude's Task tools build by single calls.
//
// The ids are the agent's, and they never restart in a session; a list can have begun before the stream did.
// There is one list a session: sub-agents may use the Task tools in teams only, and there they share it.
type taskList struct {
	items  []todo.Item // in the order of their ids; content is empty where no line named it
	told   int         // the line with which they were told last
	made   int         // how many there were
	most   int         // the largest id
	whole  bool        // the items are known to be all: the list was looked at or was given from before
	older  bool        // some item was made before this stream
	more   int         // how many were left out since the list was told, for want of room
	blanks bool        // some item's text is not known
}

// partial reports whether tasks may exist that no line named: ids count from 1 without gaps,
// and where one was made before this stream, others may have been.
func (t *taskList) partial() bool { return !t.whole && (t.older || t.made < t.most) }

// at finds a task, or makes it at its place.
func (t *taskList) at(id string) *todo.Item {
	if i := t.index(id); i >= 0 {
		return &t.items[i]
	}
	if len(t.items) == todo.MaxItems {
		t.more++
		return new(todo.Item)
	}
	// Results come out of order, so a number may belong before others.
	i := len(t.items)
	for n, err := strconv.ParseUint(id, 10, 64); err == nil && i > 0; i-- {
		if before, err := strconv.ParseUint(t.items[i-1].ID, 10, 64); err != nil || before < n {
			break
		}
	}
	t.items = slices.Insert(t.items, i, todo.Item{ID: id, Status: todo.Pending})
	t.made++
	if n, err := strconv.Atoi(id); err == nil {
		t.most = max(t.most, n)
	}
	return &t.items[i]
}

func (t *taskList) index(id string) int {
	for i := range t.items {
		if t.items[i].ID == id {
			return i
		}
	}
	return -1
}

// remove takes a task out, and out of what the others wait for: nothing can wait for what is no more.
func (t *taskList) remove(id string) bool {
	i := t.index(id)
	if i < 0 {
		return false
	}
	t.items = slices.Delete(t.items, i, i+1)
	for i := range t.items {
		if slices.Contains(t.items[i].BlockedBy, id) {
			t.items[i].BlockedBy = slices.DeleteFunc(slices.Clone(t.items[i].BlockedBy), func(b string) bool { return b == id })
		}
	}
	return true
}

// create applies TaskCreate. The id is in the result only, and the result may have repaired the input.
func (t *taskList) create(in *taskInput, r claudeResult) bool {
	made := readTask(r.value.member("task"))
	id, subject := string(made.id), string(made.subject)
	if id == "" {
		id, _, _ = strings.Cut(strings.TrimPrefix(r.text, "Task #"), " created")
		if !strings.HasPrefix(r.text, "Task #") || strings.ContainsAny(id, " \n") {
			return false
		}
	}
	if subject == "" {
		subject = string(in.subject)
	}
	subject = checked(subject)
	native.Vacate(t.items, id, subject)
	item := t.at(id)
	item.Content, item.ActiveForm = subject, string(in.activeForm)
	return true
}

// checked gives a text that can be kept, or nothing.
func checked(text string) string {
	text, err := todo.CheckText(text)
	if err != nil {
		return ""
	}
	return text
}

// update applies TaskUpdate. A refused one is no error to the agent: only the result says so.
func (t *taskList) update(in *taskInput, r claudeResult) (changed, refused bool) {
	res := readTaskChanged(r.value)
	if res.told && !res.success || !res.told && !strings.HasPrefix(r.text, "Updated task #") {
		return false, true
	}
	id := string(res.id)
	if id == "" {
		id = string(in.id)
	}
	if id == "" {
		return false, true
	}
	to := in.status
	if len(res.to) > 0 {
		to = res.to
	}
	t.older = t.older || t.index(id) < 0
	if string(to) == "deleted" {
		return t.remove(id), false
	}
	item := t.at(id)
	if len(in.subject) > 0 {
		if subject := checked(string(in.subject)); subject != "" {
			item.Content = subject
		}
	}
	if len(in.activeForm) > 0 {
		item.ActiveForm = string(in.activeForm)
	}
	if s, word, known := native.Status(string(to)); known {
		item.Status, item.NativeStatus = s, word
	}
	item.BlockedBy = union(item.BlockedBy, in.addBlockedBy)
	for _, later := range in.addBlocks {
		if i := t.index(later); i >= 0 {
			t.items[i].BlockedBy = union(t.items[i].BlockedBy, []string{id})
		}
	}
	return true, false
}

// union adds ids to a list that others may hold; order is kept.
func union(ids, more []string) []string {
	for _, id := range more {
		if !slices.Contains(ids, id) {
			ids = append(slices.Clip(ids), id)
		}
	}
	return ids
}

// look repairs one task from the result of TaskGet.
func (t *taskList) look(r claudeResult) bool {
	task := shown(r)
	if len(task.id) == 0 {
		return false
	}
	id := string(task.id)
	known := t.index(id) >= 0
	t.older = t.older || !known
	item := t.at(id)
	old := *item
	task.show(item)
	item.BlockedBy = task.blockedBy
	if slices.Equal(item.BlockedBy, old.BlockedBy) {
		item.BlockedBy = old.BlockedBy
	}
	return !known || !sameItem(old, *item)
}

// repair brings the list in line with the result of TaskList, which shows all tasks of the conversation.
// It removes nothing: a new conversation or a fork shows none of the tasks that were made before it.
func (t *taskList) repair(r claudeResult) bool {
	tasks, ok := listed(r)
	if !ok {
		return false
	}
	old := slices.Clone(t.items)
	for _, task := range tasks {
		if len(task.id) == 0 {
			continue
		}
		item := t.at(string(task.id))
		task.show(item)
		item.BlockedBy = blockers(item.BlockedBy, task.blockedBy, tasks)
	}
	t.whole = true
	return !slices.EqualFunc(old, t.items, sameItem)
}

// blockers joins what a task is known to wait for with what TaskList shows: that leaves out those that are completed.
func blockers(known, shown []string, tasks []claudeTask) []string {
	var out []string
	for _, id := range known {
		done := slices.ContainsFunc(tasks, func(t claudeTask) bool { return string(t.id) == id && string(t.status) == "completed" })
		if done || slices.Contains(shown, id) {
			out = append(out, id)
		}
	}
	return union(out, shown)
}

// show brings what a result shows of a task to its item.
func (t *claudeTask) show(item *todo.Item) {
	if !t.repeats(item.Content) {
		if subject := checked(string(t.subject)); subject != "" {
			item.Content = subject
		}
	}
	if s, word, known := native.Status(string(t.status)); known {
		item.Status, item.NativeStatus = s, word
	}
}

// repeats reports whether the task shows a text that is known, with its owner behind it where that may stand.
func (t *claudeTask) repeats(text string) bool {
	if !t.owned || text == "" || string(t.subject) == text {
		return string(t.subject) == text
	}
	owner, ok := strings.CutPrefix(string(t.subject), text+" (")
	return ok && strings.HasSuffix(owner, ")")
}

func sameItem(a, b todo.Item) bool {
	return a.ID == b.ID && a.Content == b.Content && a.Status == b.Status && slices.Equal(a.BlockedBy, b.BlockedBy)
}
