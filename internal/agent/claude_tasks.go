package agent

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"onward/internal/todo"
)

// taskList is the list that Claude's Task tools build by single calls.
//
// The ids are the agent's, and they never restart in a session; a list can have begun before the stream did.
// There is one list a session: sub-agents may use the Task tools in teams only, and there they share it.
type taskList struct {
	items  []todo.Item // in the order of their ids; content is empty where no line named it
	made   map[string]struct{}
	most   int  // the largest id
	whole  bool // the items are known to be all: the list was looked at or was given from before
	blanks bool // some item's text is not known
}

// claudeTask is a task as results show it.
type claudeTask struct {
	ID        word  `json:"id"`
	Subject   word  `json:"subject"`
	Status    word  `json:"status"`
	BlockedBy words `json:"blockedBy"`
}

// taskInput has the members of TaskCreate and TaskUpdate that we keep.
type taskInput struct {
	TaskID       word  `json:"taskId"`
	Subject      word  `json:"subject"`
	ActiveForm   word  `json:"activeForm"`
	Status       word  `json:"status"`
	AddBlocks    words `json:"addBlocks"`
	AddBlockedBy words `json:"addBlockedBy"`
}

// What TaskCreate and TaskGet, TaskUpdate and TaskList give.
type (
	taskMade struct {
		Task claudeTask `json:"task"`
	}
	taskChanged struct {
		Success      *bool `json:"success"`
		TaskID       word  `json:"taskId"`
		StatusChange struct {
			To word `json:"to"`
		} `json:"statusChange"`
	}
	taskListed struct {
		Tasks *[]claudeTask `json:"tasks"`
	}
)

// task applies a Task tool's result.
func (s *claudeSession) task(call claudeCall, r claudeResult) {
	in, _ := objectAs[taskInput](call.input)
	if s.tasks == nil {
		s.tasks = s.newTasks()
	}
	t := s.tasks
	before := slices.Clone(t.items)
	changed := false
	switch call.name {
	case "TaskCreate":
		changed = t.create(in, r)
		if !changed {
			s.warn("%s was accepted, but its result names no task", quote(call.id))
		}
	case "TaskUpdate":
		var refused bool
		changed, refused = t.update(in, r)
		if refused {
			s.rejected(call.named(), r.text, false)
		}
	case "TaskGet":
		changed = t.look(r)
	case "TaskList":
		changed = t.replace(r)
	}
	if !changed {
		return
	}
	s.remember(claudeChange{uuid: call.uuid, tasks: true, before: before})
	s.tell(Update{TodoID: call.id, At: r.at})
}

// tell hands out the task list.
func (s *claudeSession) tell(u Update) {
	t := s.tasks
	items := make([]todo.Item, 0, len(t.items))
	blank := false
	for i := range t.items {
		item := t.items[i]
		if item.Content == "" {
			// Left out, the open task would be forgotten and the session look finished.
			item.Content, blank = "Task #"+item.ID, true
		}
		items = s.keepItem(items, i, item)
	}
	if blank {
		u.Inferred = append(u.Inferred, InferredText)
		if !t.blanks {
			s.warn("a task was changed that was made before this stream; its text is not known until the agent lists its tasks")
		}
	}
	t.blanks = blank
	if t.partial() {
		u.Inferred = append(u.Inferred, InferredItems)
	}
	s.list(u, items)
}

func (s *claudeSession) newTasks() *taskList {
	t := &taskList{made: make(map[string]struct{})}
	if s.r.opt.Saved == nil {
		return t
	}
	for _, item := range s.r.opt.Saved(s.a.kind, s.id) {
		if item.ID != "" {
			*t.at(item.ID) = item
			t.whole = true
		}
	}
	return t
}

// partial reports whether tasks may exist that no line named: ids count from 1 without gaps.
func (t *taskList) partial() bool { return !t.whole && len(t.made) < t.most }

// at finds a task, or makes it at its place.
func (t *taskList) at(id string) *todo.Item {
	i, found := slices.BinarySearchFunc(t.items, id, func(item todo.Item, id string) int { return compareIDs(item.ID, id) })
	if !found {
		t.items = slices.Insert(t.items, i, todo.Item{ID: id, Status: todo.Pending})
		t.made[id] = struct{}{}
		if n, err := strconv.Atoi(id); err == nil {
			t.most = max(t.most, n)
		}
	}
	return &t.items[i]
}

// compareIDs orders numbers by value, then other ids.
func compareIDs(a, b string) int {
	x, errX := strconv.ParseUint(a, 10, 64)
	y, errY := strconv.ParseUint(b, 10, 64)
	switch {
	case errX == nil && errY == nil && x != y:
		return cmp.Compare(x, y)
	case (errX == nil) != (errY == nil):
		if errX == nil {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

func (t *taskList) index(id string) int {
	return slices.IndexFunc(t.items, func(item todo.Item) bool { return item.ID == id })
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
func (t *taskList) create(in taskInput, r claudeResult) bool {
	res, _ := objectAs[taskMade](r.value)
	id, subject := string(res.Task.ID), string(res.Task.Subject)
	if id == "" {
		id, _, _ = strings.Cut(strings.TrimPrefix(r.text, "Task #"), " created")
		if !strings.HasPrefix(r.text, "Task #") || strings.ContainsAny(id, " \n") {
			return false
		}
	}
	if subject == "" {
		subject = string(in.Subject)
	}
	item := t.at(id)
	item.Content, item.ActiveForm = checked(subject), string(in.ActiveForm)
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
func (t *taskList) update(in taskInput, r claudeResult) (changed, refused bool) {
	res, _ := objectAs[taskChanged](r.value)
	if res.Success != nil && !*res.Success || res.Success == nil && !strings.HasPrefix(r.text, "Updated task #") {
		return false, true
	}
	id := string(res.TaskID)
	if id == "" {
		id = string(in.TaskID)
	}
	if id == "" {
		return false, true
	}
	native := string(in.Status)
	if res.StatusChange.To != "" {
		native = string(res.StatusChange.To)
	}
	if native == "deleted" {
		return t.remove(id), false
	}
	item := t.at(id)
	if subject := checked(string(in.Subject)); subject != "" {
		item.Content = subject
	}
	if in.ActiveForm != "" {
		item.ActiveForm = string(in.ActiveForm)
	}
	if s, word, known := status(native); known {
		item.Status, item.NativeStatus = s, word
	}
	item.BlockedBy = union(item.BlockedBy, in.AddBlockedBy)
	for _, later := range in.AddBlocks {
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
	res, ok := objectAs[taskMade](r.value)
	if !ok || res.Task.ID == "" {
		return false
	}
	known := t.index(string(res.Task.ID)) >= 0
	item := t.at(string(res.Task.ID))
	old := *item
	see(item, res.Task)
	item.BlockedBy = res.Task.BlockedBy
	if slices.Equal(item.BlockedBy, old.BlockedBy) {
		item.BlockedBy = old.BlockedBy
	}
	return !known || !sameItem(old, *item)
}

// replace repairs the list from the result of TaskList, which is all of it.
func (t *taskList) replace(r claudeResult) bool {
	tasks, ok := listed(r)
	if !ok {
		return false
	}
	old := t.items
	t.items = nil
	for _, task := range tasks {
		if task.ID == "" {
			continue
		}
		item := t.at(string(task.ID))
		var was todo.Item
		if i := slices.IndexFunc(old, func(o todo.Item) bool { return o.ID == item.ID }); i >= 0 {
			was = old[i]
			*item = was
		}
		see(item, task)
		item.BlockedBy = blockers(was.BlockedBy, task.BlockedBy, tasks)
	}
	t.whole = true
	return !slices.EqualFunc(old, t.items, sameItem)
}

// blockers joins what a task is known to wait for with what TaskList shows: that leaves out those that are completed.
func blockers(known, shown []string, tasks []claudeTask) []string {
	var out []string
	for _, id := range known {
		done := slices.ContainsFunc(tasks, func(t claudeTask) bool { return string(t.ID) == id && t.Status == "completed" })
		if done || slices.Contains(shown, id) {
			out = append(out, id)
		}
	}
	return union(out, shown)
}

// see takes over what a result shows of a task.
func see(item *todo.Item, task claudeTask) {
	if subject := checked(string(task.Subject)); subject != "" {
		item.Content = subject
	}
	if s, word, known := status(string(task.Status)); known {
		item.Status, item.NativeStatus = s, word
	}
}

func sameItem(a, b todo.Item) bool {
	return a.ID == b.ID && a.Content == b.Content && a.Status == b.Status && slices.Equal(a.BlockedBy, b.BlockedBy)
}

// listed gives the tasks that TaskList shows, from its value or, where a stream has none, from its text:
// "#3 [pending] SUBJECT (OWNER) [blocked by #1, #2]".
func listed(r claudeResult) ([]claudeTask, bool) {
	if res, ok := objectAs[taskListed](r.value); ok && res.Tasks != nil {
		return *res.Tasks, true
	}
	var tasks []claudeTask
	for line := range strings.Lines(r.text) {
		line = strings.TrimSpace(line)
		id, rest, ok := strings.Cut(strings.TrimPrefix(line, "#"), " [")
		status, subject, ok2 := strings.Cut(rest, "] ")
		if !ok || !ok2 || !strings.HasPrefix(line, "#") {
			continue
		}
		task := claudeTask{ID: word(id), Status: word(status)}
		if i := strings.LastIndex(subject, " [blocked by "); i >= 0 && strings.HasSuffix(subject, "]") {
			for id := range strings.SplitSeq(subject[i+len(" [blocked by "):len(subject)-1], ", ") {
				task.BlockedBy = append(task.BlockedBy, strings.TrimPrefix(id, "#"))
			}
			subject = subject[:i]
		}
		task.Subject = word(subject)
		tasks = append(tasks, task)
	}
	return tasks, len(tasks) > 0
}
