package exchange

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
	"onward/internal/todo"
)

// File is one file of a folder.
type File struct {
	Name string
	Data []byte
}

// memberNames returns a function that reports whether the first object of a JSON text,
// or of the array that it is, has a member. It looks at the first 64 only.
func memberNames(data []byte) func(string) bool {
	var names []string
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	if dec.PeekKind() == '[' {
		_, _ = dec.ReadToken() // if this fails, the next read fails too
	}
	if token, err := dec.ReadToken(); err == nil && token.Kind() == '{' {
		for len(names) < 64 && dec.PeekKind() == '"' {
			name, err := dec.ReadToken()
			if err != nil {
				break
			}
			names = append(names, name.String())
			if dec.SkipValue() != nil {
				break
			}
		}
	}
	return func(name string) bool { return slices.Contains(names, name) }
}

// readJSON reads a list, or one task, in one of the formats that are JSON.
func (as Agents) readJSON(format Format, data []byte) (List, error) {
	agent := as.find(format)
	tasks, flattened, err := read(format, agent, data)
	if err != nil {
		return List{}, err
	}
	list := listOfEntries(agent, tasks)
	list.Flattened += flattened
	return list, nil
}

// read reads the entries of a file. An error names the place in it.
func read(format Format, agent AgentFormat, data []byte) ([]native.Entry, int, error) {
	entries, flattened, err := native.DecodeFile(data, native.Form{Task: agent.Tasks, Times: format == JSON, Statuses: agent.Statuses})
	var at *native.Error
	if errors.As(err, &at) {
		err = errorAt(data, at.At, at.Err)
	}
	return entries, flattened, err
}

// DecodeFolder reads a folder with one file a task.
func (as Agents) DecodeFolder(format Format, files []File) (List, error) {
	if len(files) == 0 {
		return List{}, fmt.Errorf("%w: the folder contains no tasks (*.json)", todo.ErrData)
	}
	if err := full(len(files)-1, "files"); err != nil {
		return List{}, err
	}
	var tasks []native.Entry
	seen := map[string]bool{}
	for _, f := range files {
		task, err := as.readTask(&format, f)
		var at *Error
		if errors.As(err, &at) {
			at.File = f.Name
		} else if err != nil {
			err = &Error{File: f.Name, Line: 1, Column: 1, Err: err}
		}
		if err != nil {
			return List{}, err
		}
		if task.ID != "" && seen[task.ID] {
			return List{}, &Error{File: f.Name, Line: 1, Column: 1, Err: fmt.Errorf("%w: the id %q is duplicated", todo.ErrData, task.ID)}
		}
		seen[task.ID] = true
		tasks = append(tasks, task)
	}
	return listOfEntries(as.find(format), tasks), nil
}

// readTask reads one file of a folder. The first file determines the owner of the folder if that is unknown.
func (as Agents) readTask(format *Format, f File) (native.Entry, error) {
	if err := checkBytes(f.Data); err != nil {
		return native.Entry{}, err
	}
	if *format == Auto {
		*format = as.detectJSON(f.Name, f.Data)
	}
	agent := as.find(*format)
	if !agent.Tasks {
		return native.Entry{}, fmt.Errorf("%w: it is not a task of %s; to import a list, name its file", todo.ErrData, as.withTasks())
	}
	list, _, err := read(*format, agent, f.Data)
	if err == nil && (len(list) != 1 || jsontext.Value(f.Data).Kind() == '[') {
		err = errorAt(f.Data, 0, fmt.Errorf("%w: it is a list, not a task; to import it, name the file", todo.ErrData))
	}
	if err != nil {
		return native.Entry{}, err
	}
	return list[0], nil
}

// withTasks lists the agents that keep a file for each task, for an error.
func (as Agents) withTasks() string {
	var titles []string
	for _, a := range as {
		if a.Tasks {
			titles = append(titles, a.Title)
		}
	}
	return strings.Join(titles, " or ")
}

// listOfEntries makes a list of the entries: in the agent's own order, without deleted ones, and without dependencies on tasks that
// are not in the list.
func listOfEntries(agent AgentFormat, tasks []native.Entry) List {
	tasks = slices.DeleteFunc(tasks, func(t native.Entry) bool { return t.Gone })
	for i := range tasks {
		tasks[i].Status = cmp.Or(tasks[i].Status, todo.Pending)
	}
	var list List
	switch {
	case agent.Numbered:
		slices.SortStableFunc(tasks, byNumber)
	case agent.Parents:
		return sortAndNest(tasks)
	}
	list.Items = make([]todo.Item, len(tasks))
	for i := range tasks {
		list.Items[i] = tasks[i].Item
	}
	if agent.Numbered {
		dropStrangers(list.Items)
	}
	return list
}

// byNumber orders tasks that are numbered; a list without numbers stays as it is.
func byNumber(a, b native.Entry) int {
	x, err := strconv.Atoi(a.ID)
	y, err2 := strconv.Atoi(b.ID)
	if err != nil || err2 != nil {
		return 0
	}
	return cmp.Compare(x, y)
}

// dropStrangers removes dependencies on tasks that are not items of the list: they were deleted, or became subtasks.
func dropStrangers(items []todo.Item) {
	known := make(map[string]bool, len(items))
	for i := range items {
		known[items[i].ID] = true
	}
	for i := range items {
		items[i].BlockedBy = slices.DeleteFunc(items[i].BlockedBy, func(id string) bool { return !known[id] })
	}
}

// sortAndNest puts the most urgent tasks first, as the agent shows them, and the parts of a task below it.
func sortAndNest(tasks []native.Entry) List {
	slices.SortFunc(tasks, func(a, b native.Entry) int {
		return cmp.Or(cmp.Compare(b.Status.Urgency(), a.Status.Urgency()), cmp.Compare(a.ID, b.ID))
	})
	index := make(map[string]int, len(tasks))
	for i := range tasks {
		index[tasks[i].ID] = i
	}
	var list List
	place := make(map[int]int, len(tasks)) // of a task at the top: its index in the list
	parts := make([]int, 0, len(tasks))
	for i := range tasks {
		if root, _ := top(tasks, index, i); root != i {
			parts = append(parts, i)
			continue
		}
		place[i] = len(list.Items)
		list.Items = append(list.Items, tasks[i].Item)
	}
	for _, i := range parts {
		root, depth := top(tasks, index, i)
		if depth > 1 {
			list.Flattened++
		}
		it := &list.Items[place[root]]
		it.Subtasks = append(it.Subtasks, todo.Subtask{ID: tasks[i].ID, Content: tasks[i].Content, Status: tasks[i].Status})
		// The agent allows a closed task to have open parts. Here the task stays open as long as a part is.
		if tasks[i].Status.Open() && !it.Status.Open() {
			it.Status = todo.Pending
		}
	}
	dropStrangers(list.Items)
	return list
}

// top follows the parents of a task to the one that has none, and returns the depth of the task below it.
// A task whose parents form a cycle is at the top.
func top(tasks []native.Entry, index map[string]int, i int) (root, depth int) {
	root = i
	for depth <= len(tasks) {
		parent, ok := index[tasks[root].Parent]
		if !ok || tasks[root].Parent == "" {
			return root, depth
		}
		root = parent
		depth++
	}
	return i, 0
}
