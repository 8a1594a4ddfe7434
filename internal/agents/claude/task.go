package claude

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// task is a task in the result of a tool.
type task struct {
	id, subject, status string // the texts in their stored form
	blockedBy           []string
	owned               bool    // the subject may be followed by the owner
	owner               *string // nil if the result does not show it
}

func taskOf(v object.Members) task {
	return task{id: native.ShortenID(v.Text("id")), subject: native.NormalizeText(v.Prose("subject")), status: v.Text("status"), blockedBy: native.AddIDs(nil, v.Texts("blocked_by"))}
}

// blockers joins what a task is known to wait for with what TaskList shows: that leaves out those that are completed.
func blockers(known, shown []string, all []task) []string {
	var out []string
	for _, id := range known {
		done := slices.ContainsFunc(all, func(t task) bool { return t.id == id && t.status == "completed" })
		if done || slices.Contains(shown, id) {
			out = append(out, id)
		}
	}
	return native.AddIDs(out, shown)
}

// show brings what a result shows of a task to its item.
func (t *task) show(item *todo.Item) {
	if !t.repeats(item.Content) {
		item.Content = cmp.Or(t.subject, item.Content)
	}
	if t.owner != nil {
		item.Assignee = *t.owner
	}
	reopen(item)
	if s, word, known := native.ParseStatus(t.status); known {
		item.Status, item.NativeStatus = s, word
	}
}

// repeats reports whether the task shows a text that is known, followed by its owner if that is possible.
func (t *task) repeats(text string) bool {
	return t.subject == text || t.owned && text != "" && ownedBy(t.subject, text)
}

// ownedBy reports whether a text is a subject followed by an owner: "SUBJECT (OWNER)".
func ownedBy(text, subject string) bool {
	owner, ok := strings.CutPrefix(text, subject+" (")
	return ok && strings.HasSuffix(owner, ")")
}

// parseTaskList returns the tasks that TaskList shows, from its value or, if there is none, from its text:
// "#3 [pending] SUBJECT (OWNER) [blocked by #1, #2]".
func parseTaskList(c native.Call) ([]task, bool) {
	var tasks []task
	if v := c.Result.Object().Get("tasks"); v.Kind() == '[' {
		list := v.List()
		for _, one := range list[:min(len(list), todo.MaxItems)] {
			shown := taskOf(one.Object())
			shown.owner = new(one.Object().Text("owner"))
			tasks = append(tasks, shown)
		}
		return tasks, true
	}
	if strings.TrimSpace(c.Said) == "No tasks found" {
		return nil, true
	}
	for line := range strings.Lines(c.Said) {
		id, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "#"), " [")
		status, subject, ok2 := strings.Cut(rest, "] ")
		switch {
		case ok && ok2 && strings.HasPrefix(line, "#"):
			tasks = append(tasks, task{id: native.ShortenID(id), status: status, subject: subject, owned: true})
		case len(tasks) > 0: // a subject can have several lines
			last := &tasks[len(tasks)-1]
			last.subject += "\n" + strings.TrimRight(line, "\r\n")
		}
	}
	for i := range tasks {
		one := &tasks[i]
		one.subject = strings.TrimSpace(one.subject)
		if i := strings.LastIndex(one.subject, " [blocked by "); i >= 0 && strings.HasSuffix(one.subject, "]") {
			one.blockedBy = parseIDs(one.subject[i+len(" [blocked by ") : len(one.subject)-1])
			one.subject = one.subject[:i]
		}
		one.subject = native.NormalizeText(one.subject)
	}
	return tasks, len(tasks) > 0
}

// parseIDs reads the ids in "#1, #2".
func parseIDs(text string) (ids []string) {
	for id := range strings.SplitSeq(text, ", ") {
		ids = append(ids, strings.TrimPrefix(id, "#"))
	}
	return ids
}

// parseShownTask returns the task that TaskGet shows, from its value or, if there is none, from its text:
// "Task #2: SUBJECT", "Status: pending", "Description: …" of any number of lines, "Blocked by: #1", "Blocks: #3".
func parseShownTask(c native.Call) task {
	if t := taskOf(c.Result.Object().Object("task")); t.id != "" {
		return t
	}
	rest, isTask := strings.CutPrefix(strings.TrimSpace(c.Said), "Task #")
	id, rest, ok := strings.Cut(rest, ": ")
	subject, rest, ok2 := strings.Cut(rest, "\nStatus: ") // a subject can have several lines
	if !isTask || !ok || !ok2 {
		return task{}
	}
	status, rest, _ := strings.Cut(rest, "\n")
	t := task{id: native.ShortenID(id), subject: native.NormalizeText(subject), status: status}
	lines := strings.Split(rest, "\n")
	for i := len(lines) - 1; i > 0; i-- {
		if ids, ok := strings.CutPrefix(lines[i], "Blocked by: #"); ok {
			t.blockedBy = parseIDs(ids)
		} else if !strings.HasPrefix(lines[i], "Blocks: #") {
			break
		}
	}
	return t
}
