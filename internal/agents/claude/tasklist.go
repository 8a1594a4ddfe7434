package claude

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"onward/internal/agents/stream"
	"onward/internal/native"
	"onward/internal/todo"
)

// taskList is the list that Claude Code's Task tools build by single calls.
//
// The ids are the agent's, and they never restart in a session; a list can have begun before the calls that are seen.
// There is one list a session: sub-agents may use the Task tools in teams only, and there they share it.
type taskList struct {
	Items []todo.Item // in the order of their ids; content is empty if no call named it
	Whole bool        // the items are known to be all: the list was looked at or was given from before
	Lost  int         // how many were left out, for lack of room

	Missed int // how many open ones were closed because the agent's list lacks them

	made  int  // how many there were
	most  int  // the largest id
	older bool // some item was made before the first call that was seen

	saved   native.SavedList // from which it began
	earlier map[string]bool  // ids of tasks that another session left, and that this one has not changed
	calls   int              // how many changed something
	changed map[string]int   // the last of them, by the id of the task that it was about
}

// tasksFrom starts from the saved items, to which new tasks are added. It changes the items.
func tasksFrom(saved native.SavedList) *taskList {
	return &taskList{Items: saved.Items, Whole: len(saved.Items) > 0, saved: saved}
}

// ChangeCount returns how many calls changed something; see Call.After.
func (t *taskList) ChangeCount() int {
	if t == nil {
		return 0
	}
	return t.calls
}

// ForNextSession returns the tasks that another session continues with.
func (t *taskList) ForNextSession() *taskList {
	next := *t
	next.Items, next.Whole, next.made, next.changed = slices.Clone(t.Items), true, 0, nil
	next.earlier = make(map[string]bool, len(next.Items))
	for i := range next.Items {
		next.earlier[next.Items[i].ID] = true
	}
	return &next
}

// Partial reports whether tasks may exist that no call named: ids count from 1 without gaps,
// and if one was made before the first call that was seen, others may have been.
func (t *taskList) Partial() bool { return !t.Whole && (t.older || t.made < t.most) }

// NamedItems returns the items with a text each, and whether some text is not known.
// Without it the open task would be lost and the session would look finished.
func (t *taskList) NamedItems() (items []todo.Item, blank bool) {
	items = t.Items
	for i := range items {
		if items[i].Content != "" {
			continue
		}
		if !blank {
			items, blank = slices.Clone(items), true
		}
		items[i].Content = native.PlaceholderText(items[i].ID)
	}
	return items, blank
}

// outcome is what a call did.
type outcome int

const (
	noChange outcome = iota
	didChange
	callRefused // the agent does not report it as an error: only the result shows it
	taskUnknown // it was accepted, and its result names no task
)

// apply applies an accepted call to the list, and returns what it did.
func (t *taskList) apply(tool *native.Tool, c native.Call) outcome {
	changed := false
	switch tool.Does {
	case native.Creates:
		return t.create(c)
	case native.Updates:
		return t.update(c)
	case native.ShowsOne:
		changed = t.repairOne(c)
	case native.ShowsAll:
		changed = t.reconcile(c)
	}
	if changed {
		return didChange
	}
	return noChange
}

// follow returns the list after a call of a Task tool that a hook reports; false leaves the saved one unchanged.
func follow(before native.SavedList, tool *native.Tool, c native.Call) ([]todo.Item, bool) {
	before.Items = slices.Clone(before.Items)
	tasks := tasksFrom(before)
	if tasks.apply(tool, c) != didChange {
		return nil, false
	}
	items, _ := tasks.NamedItems()
	return items, true
}

// findOrAdd returns the task with an id, and adds it in the order of the ids if the list does not have it.
func (t *taskList) findOrAdd(id string) *todo.Item {
	if i := native.IndexOf(t.Items, id); i >= 0 {
		return &t.Items[i]
	}
	if len(t.Items) == todo.MaxItems {
		t.Lost++
		return new(todo.Item)
	}
	// Results come out of order, so a number may belong before others.
	i := len(t.Items)
	for n, err := strconv.ParseUint(id, 10, 64); err == nil && i > 0; i-- {
		if before, err := strconv.ParseUint(t.Items[i-1].ID, 10, 64); err != nil || before < n {
			break
		}
	}
	t.Items = slices.Insert(t.Items, i, todo.Item{ID: id, Status: todo.Pending})
	t.made++
	if n, err := strconv.Atoi(id); err == nil {
		t.most = max(t.most, n)
	}
	return &t.Items[i]
}

// touch records that a call was about a task.
func (t *taskList) touch(id string) {
	if t.changed == nil || len(t.changed) == todo.MaxItems {
		t.changed = make(map[string]int)
	}
	t.calls++
	t.changed[id] = t.calls
	delete(t.earlier, id)
}

// overtook reports whether a task was changed while a call was under way. What the call shows of it may be older:
// agents make several calls at once, and their results come in any order.
func (t *taskList) overtook(c *native.Call, id string) bool {
	if t.changed[id] > c.After {
		return true
	}
	switch i := native.IndexOf(t.Items, id); {
	case c.Began == 0:
		return false
	case i < 0:
		return t.saved.DeletedAt >= c.Began && slices.Contains(t.saved.Deleted, id)
	default:
		return t.Items[i].UpdatedAt >= c.Began
	}
}

// closeMissing closes the open tasks of the agent that its whole list lacks, as missing. What else the list holds stays: the user's
// items, those of earlier conversations, and those that no Task tool made. Task tools number their tasks.
func (t *taskList) closeMissing(c *native.Call, shown []task) {
	if len(shown) == todo.MaxItems {
		return // there may be more
	}
	there := make(map[string]bool, len(shown))
	for i := range shown {
		if shown[i].id == "" {
			return // it may be any of them
		}
		there[shown[i].id] = true
	}
	for i := range t.Items {
		it := &t.Items[i]
		_, err := strconv.ParseUint(it.ID, 10, 64)
		if there[it.ID] || err != nil || t.isLeftOver(it) || it.By == todo.ByUser || !it.Status.Open() || t.overtook(c, it.ID) {
			continue
		}
		it.Status, it.NativeStatus, it.Reason = todo.Cancelled, "", todo.LostReason
		t.Missed++
	}
}

// isLeftOver reports whether an earlier conversation left a task, and this one has not changed it.
func (t *taskList) isLeftOver(it *todo.Item) bool {
	return t.earlier[it.ID] || native.PredatesConversation(it, t.saved.Since)
}

// reopen reopens a task that was missing: the agent has it again.
func reopen(it *todo.Item) {
	if it.IsLost() {
		it.Status, it.Reason = todo.Pending, ""
	}
}

// remove removes a task, also from the dependencies of others: nothing can wait for a task that no longer exists.
func (t *taskList) remove(id string) bool {
	i := native.IndexOf(t.Items, id)
	if i < 0 {
		return false
	}
	t.Items = slices.Delete(t.Items, i, i+1)
	for i := range t.Items {
		if slices.Contains(t.Items[i].BlockedBy, id) {
			t.Items[i].BlockedBy = slices.DeleteFunc(slices.Clone(t.Items[i].BlockedBy), func(b string) bool { return b == id })
		}
	}
	return true
}

// create applies TaskCreate. The id is in the result only, and the result may have repaired the input.
func (t *taskList) create(c native.Call) outcome {
	in, made := c.Input.Object(), c.Result.Object().Object("task")
	id := made.Text("id")
	if id == "" {
		_, rest, _ := strings.Cut(c.Said, "Task #")
		before, _, told := strings.Cut(rest, " created")
		if id = before; !told || strings.ContainsAny(id, " \n") {
			return taskUnknown
		}
	}
	id = native.ShortenID(id)
	subject := native.NormalizeText(cmp.Or(made.Prose("subject"), in.Prose("subject")))
	switch i := native.IndexOf(t.Items, id); {
	case i < 0:
		native.TakeOver(t.Items, id, subject, t.isLeftOver)
	case !t.isLeftOver(&t.Items[i]):
		if native.FreeID(t.Items, id, subject); native.IndexOf(t.Items, id) < 0 {
			native.TakeOver(t.Items, id, subject, t.isLeftOver)
		}
	case t.Items[i].Content != subject || !t.Items[i].Status.Open():
		native.AssignFreeID(t.Items, id) // even if it has the same text: it is completed, and the new task is not
		native.TakeOver(t.Items, id, subject, t.isLeftOver)
	}
	t.touch(id)
	item := t.findOrAdd(id)
	reopen(item)
	item.Content, item.ActiveForm = subject, in.Prose("active_form")
	return didChange
}

// update applies TaskUpdate.
func (t *taskList) update(c native.Call) outcome {
	in, res := c.Input.Object(), c.Result.Object()
	id := native.ShortenID(cmp.Or(res.Text("task_id"), in.Text("task_id")))
	told := res.Get("success") != nil
	if id == "" || told && !res.Flag("success") || !told && !strings.HasPrefix(c.Said, "Updated task #") {
		return callRefused
	}
	to := cmp.Or(res.Object("status_change").Text("to"), in.Text("status"))
	t.older = t.older || native.IndexOf(t.Items, id) < 0
	t.touch(id)
	if to == "deleted" {
		if t.remove(id) {
			return didChange
		}
		return noChange
	}
	item := t.findOrAdd(id)
	reopen(item)
	item.Content = cmp.Or(native.NormalizeText(in.Prose("subject")), item.Content)
	item.ActiveForm = cmp.Or(in.Prose("active_form"), item.ActiveForm)
	if s, word, known := native.ParseStatus(to); known {
		item.Status, item.NativeStatus = s, word
	}
	if in.Get("owner") != nil {
		item.Assignee = in.Text("owner")
	} else if slices.Contains(res.Texts("updated_fields"), "owner") {
		item.Assignee = c.By // it becomes the task of the member that starts it
	}
	item.BlockedBy = native.AddIDs(item.BlockedBy, in.Texts("add_blocked_by"))
	for _, later := range in.Texts("add_blocks") {
		if i := native.IndexOf(t.Items, native.ShortenID(later)); i >= 0 {
			t.Items[i].BlockedBy = native.AddIDs(t.Items[i].BlockedBy, []string{id})
		}
	}
	t.Items = native.JoinSplitTask(t.Items, id, item.Content)
	return didChange
}

// repairOne repairs one task from the result of TaskGet.
func (t *taskList) repairOne(c native.Call) bool {
	shown := parseShownTask(c)
	if shown.id == "" || t.overtook(&c, shown.id) {
		return false
	}
	known := native.IndexOf(t.Items, shown.id) >= 0
	t.older = t.older || !known
	item := t.findOrAdd(shown.id)
	old := *item
	shown.show(item)
	if !slices.Equal(item.BlockedBy, shown.blockedBy) {
		item.BlockedBy = shown.blockedBy
	}
	return !known || !native.SameItem(old, *item)
}

// set gives tasks the statuses that Claude Code reports without a call, and reports whether one changed.
func (t *taskList) set(statuses iter.Seq[stream.Value]) bool {
	old := slices.Clone(t.Items)
	for one := range statuses {
		id := native.ShortenID(string(one.Word("id")))
		if id == "" {
			continue
		}
		t.older = t.older || native.IndexOf(t.Items, id) < 0
		t.touch(id)
		shown := task{id: id, status: string(one.Word("status"))}
		shown.show(t.findOrAdd(id))
	}
	return !slices.EqualFunc(old, t.Items, native.SameItem)
}

// reconcile brings the list in line with the result of TaskList, which shows all tasks of the conversation.
// A task that is known with another text is the same one: it was renamed.
func (t *taskList) reconcile(c native.Call) bool {
	all, ok := parseTaskList(c)
	if !ok {
		return false
	}
	old := slices.Clone(t.Items)
	for _, one := range all {
		if one.id == "" || t.overtook(&c, one.id) {
			continue
		}
		item := t.findOrAdd(one.id)
		one.show(item)
		item.BlockedBy = blockers(item.BlockedBy, one.blockedBy, all)
	}
	t.closeMissing(&c, all)
	t.Whole = true
	return !slices.EqualFunc(old, t.Items, native.SameItem)
}
