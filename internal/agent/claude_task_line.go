package agent

import (
	"strings"

	"onward/internal/todo"
)

// taskInput has the members of TaskCreate and TaskUpdate that we keep.
type taskInput struct {
	id           word
	subject      word
	activeForm   word
	status       word
	addBlocks    []string
	addBlockedBy []string
}

// readTaskInput and its like do what read does, each for one type: what a type parameter's method fills is allocated,
// and there are as many of these as there are calls.
func readTaskInput(v value) (in taskInput) {
	k := walker{b: v}
	if in.scan(&k); k.bad {
		return taskInput{}
	}
	return in
}

func (in *taskInput) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "taskId":
			in.id = k.word()
		case "subject":
			in.subject = k.text()
		case "activeForm":
			in.activeForm = k.text()
		case "status":
			in.status = k.word()
		case "addBlocks":
			in.addBlocks = k.words()
		case "addBlockedBy":
			in.addBlockedBy = k.words()
		default:
			k.skip()
		}
	}
}

// claudeTask is a task as results show it.
type claudeTask struct {
	id        word
	subject   word
	status    word
	blockedBy []string
	owned     bool // the subject may be followed by the owner
}

func readTask(v value) (t claudeTask) {
	k := walker{b: v}
	if t.scan(&k); k.bad {
		return claudeTask{}
	}
	return t
}

func (t *claudeTask) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "id":
			t.id = k.word()
		case "subject":
			t.subject = k.text()
		case "status":
			t.status = k.word()
		case "blockedBy":
			t.blockedBy = k.words()
		default:
			k.skip()
		}
	}
}

// taskChanged is what TaskUpdate gives.
type taskChanged struct {
	told    bool // whether it succeeded is told
	success bool
	id      word
	to      word // the status now
}

func readTaskChanged(v value) (c taskChanged) {
	k := walker{b: v}
	if c.scan(&k); k.bad {
		return taskChanged{}
	}
	return c
}

func (c *taskChanged) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "success":
			b := k.peek()
			c.told, c.success = b == 't' || b == 'f', b == 't'
			k.skip()
		case "taskId":
			c.id = k.word()
		case "statusChange":
			c.to = k.value().member("to").word()
		default:
			k.skip()
		}
	}
}

// listed gives the tasks that TaskList shows, from its value or, where a stream has none, from its text:
// "#3 [pending] SUBJECT (OWNER) [blocked by #1, #2]".
func listed(r claudeResult) ([]claudeTask, bool) {
	if v := r.value.member("tasks"); len(v) > 0 && v[0] == '[' {
		tasks := make([]claudeTask, 0, 8)
		k := walker{b: v}
		for k.array(); k.element(); {
			if len(tasks) == todo.MaxItems {
				k.skip()
				continue
			}
			tasks = append(tasks, claudeTask{})
			tasks[len(tasks)-1].scan(&k)
		}
		return tasks, true
	}
	if strings.TrimSpace(r.text) == "No tasks found" {
		return nil, true
	}
	var tasks []claudeTask
	for line := range strings.Lines(r.text) {
		line = strings.TrimSpace(line)
		id, rest, ok := strings.Cut(strings.TrimPrefix(line, "#"), " [")
		status, subject, ok2 := strings.Cut(rest, "] ")
		if !ok || !ok2 || !strings.HasPrefix(line, "#") {
			continue
		}
		task := claudeTask{id: word(id), status: word(status), owned: true}
		if i := strings.LastIndex(subject, " [blocked by "); i >= 0 && strings.HasSuffix(subject, "]") {
			task.blockedBy = spokenIDs(subject[i+len(" [blocked by ") : len(subject)-1])
			subject = subject[:i]
		}
		task.subject = word(subject)
		tasks = append(tasks, task)
	}
	return tasks, len(tasks) > 0
}

// spokenIDs reads the ids in "#1, #2".
func spokenIDs(text string) (ids []string) {
	for id := range strings.SplitSeq(text, ", ") {
		ids = append(ids, strings.TrimPrefix(id, "#"))
	}
	return ids
}

// shown gives the task that TaskGet shows, from its value or, where a stream has none, from its text:
// "Task #2: SUBJECT", "Status: pending", "Description: …" of any number of lines, "Blocked by: #1", "Blocks: #3".
func shown(r claudeResult) claudeTask {
	if t := readTask(r.value.member("task")); len(t.id) > 0 {
		return t
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(r.text), "\n")
	id, subject, ok := strings.Cut(strings.TrimPrefix(first, "Task #"), ": ")
	status, rest, ok2 := strings.Cut(strings.TrimPrefix(rest, "Status: "), "\n")
	if !ok || !ok2 || !strings.HasPrefix(first, "Task #") {
		return claudeTask{}
	}
	t := claudeTask{id: word(id), subject: word(subject), status: word(status)}
	lines := strings.Split(rest, "\n")
	for i := len(lines) - 1; i > 0; i-- {
		if ids, ok := strings.CutPrefix(lines[i], "Blocked by: #"); ok {
			t.blockedBy = spokenIDs(ids)
		} else if !strings.HasPrefix(lines[i], "Blocks: #") {
			break
		}
	}
	return t
}
