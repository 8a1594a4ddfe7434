package agent

import (
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/todo"
)

// tracker is the list that Gemini's task tracker builds by single calls, with ids of its own.
//
// A result says in a sentence what was done, and shows all tasks: "epic: Ship feature (43aa00)", indented below its parent,
// or for some days in March 2026 "[43aa00] [EPIC] Ship feature". Whichever of them can be read is enough.
// The stream of older versions has neither, and then no call can be joined to the task that it changes.
type tracker struct {
	items []todo.Item
}

// trackerInput has the members of the tracker's calls that we keep.
type trackerInput struct {
	id       word
	title    word
	status   word
	filtered bool     // only some of the tasks are asked for
	after    []string // ids of what comes first; nil where that is not said
}

func (in *trackerInput) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "id", "taskId":
			in.id = k.word()
		case "title":
			in.title = k.text()
		case "status":
			in.status = k.word()
			in.filtered = in.filtered || len(in.status) > 0
		case "type", "parentId":
			in.filtered = len(k.word()) > 0 || in.filtered
		case "dependencies":
			in.after = k.words()
		case "dependencyId":
			if id := k.word(); len(id) > 0 {
				in.after = []string{string(id)}
			}
		default:
			k.skip()
		}
	}
}

func isTrackerTool(name string) bool { return strings.HasPrefix(name, "tracker_") }

// changesTracker leaves out the tools that only look.
func changesTracker(name string) bool {
	switch name {
	case "tracker_create_task", "tracker_update_task", "tracker_add_dependency":
		return true
	}
	return false
}

// apply follows a call that was accepted. It reports whether the list changed, and whether the result told enough.
func (t *tracker) apply(name string, args value, output string, shown *native.List) (changed, told bool) {
	in, _ := read[trackerInput](args)
	before := slices.Clone(t.items)
	told = t.follow(name, &in, output)
	told = t.show(shown) || told
	if !told {
		return false, !changesTracker(name)
	}
	t.refine(name, &in, before)
	return !slices.EqualFunc(before, t.items, sameItem), true
}

func (t *tracker) find(id string) *todo.Item {
	if i := slices.IndexFunc(t.items, func(item todo.Item) bool { return item.ID == id }); i >= 0 {
		return &t.items[i]
	}
	return nil
}

// show takes all tasks as a result shows them.
func (t *tracker) show(shown *native.List) bool {
	if shown == nil {
		return false
	}
	var items []todo.Item
	for _, n := range shown.Items {
		id, title := trackerTask(n.Content)
		item := todo.Item{ID: id, Content: checked(title), Status: n.Status}
		if item.Content == "" {
			continue
		}
		if was := t.find(id); was != nil {
			item.BlockedBy = was.BlockedBy
			if was.Status == todo.Blocked && item.Status == todo.Pending {
				item.Status = todo.Blocked // shown as pending, for want of a sign
			}
		}
		items = append(items, item)
	}
	return t.reorder(items)
}

// trackerTask takes a task apart as a result shows it. The note that a task is its own ancestor is none.
func trackerTask(line string) (id, title string) {
	if rest, ok := strings.CutPrefix(line, "["); ok {
		id, title, ok = strings.Cut(rest, "] ")
		if !ok || strings.ContainsAny(id, " []") {
			return "", ""
		}
		if kind, rest, ok := strings.Cut(title, "] "); ok && strings.HasPrefix(kind, "[") {
			title = rest
		}
		return id, title
	}
	kind, rest, ok := strings.Cut(line, ": ")
	i := strings.LastIndex(rest, " (")
	if !ok || i < 0 || !strings.HasSuffix(rest, ")") || strings.Contains(kind, " ") {
		return "", ""
	}
	id, title = rest[i+2:len(rest)-1], rest[:i]
	if strings.Contains(id, " ") {
		return "", ""
	}
	return id, title
}

// follow reads the sentence of a result.
func (t *tracker) follow(name string, in *trackerInput, output string) bool {
	switch name {
	case "tracker_create_task":
		id, title, ok := strings.Cut(strings.TrimPrefix(output, "Created task "), ": ")
		if !ok || !strings.HasPrefix(output, "Created task ") || strings.ContainsAny(id, " \n") {
			return false
		}
		if checked(title) == "" {
			title = string(in.title)
		}
		if t.find(id) == nil && len(t.items) < todo.MaxItems {
			t.items = append(t.items, todo.Item{ID: id, Content: checked(title), Status: todo.Pending})
		}
		return true
	case "tracker_update_task":
		return strings.HasPrefix(output, "Updated task ") && t.find(string(in.id)) != nil
	case "tracker_add_dependency":
		return strings.HasPrefix(output, "Linked ") && t.find(string(in.id)) != nil
	case "tracker_list_tasks":
		return !in.filtered && t.listed(output)
	}
	return false
}

// reorder puts the tasks that a result shows in front. The tracker has no call that removes a task,
// so one that is not shown stays behind them.
func (t *tracker) reorder(shown []todo.Item) bool {
	if shown == nil {
		return false
	}
	for _, was := range t.items {
		if !slices.ContainsFunc(shown, func(item todo.Item) bool { return item.ID == was.ID }) {
			shown = append(shown, was)
		}
	}
	t.items = shown
	return true
}

// listed takes the whole list from its lines: "- [43aa00] Ship feature (open)".
func (t *tracker) listed(output string) bool {
	var items []todo.Item
	for line := range strings.Lines(output) {
		id, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- ["), "] ")
		i := strings.LastIndex(rest, " (")
		if !ok || i < 0 || !strings.HasSuffix(rest, ")") {
			continue
		}
		item := todo.Item{ID: id, Content: checked(rest[:i])}
		item.Status, _, _ = native.Status(rest[i+2 : len(rest)-1])
		if item.Status == "" || item.Content == "" {
			continue
		}
		if was := t.find(id); was != nil {
			item.BlockedBy = was.BlockedBy
		}
		items = append(items, item)
	}
	return t.reorder(items)
}

// refine takes from a call what its result does not show.
func (t *tracker) refine(name string, in *trackerInput, before []todo.Item) {
	switch name {
	case "tracker_create_task":
		// The task is one of this title, the new one if there is one: a result can show what another call made.
		made := -1
		for i := range t.items {
			item := &t.items[i]
			if item.Content != checked(string(in.title)) || len(item.BlockedBy) > 0 {
				continue
			}
			if made = i; !slices.ContainsFunc(before, func(was todo.Item) bool { return was.ID == item.ID }) {
				break
			}
		}
		if made >= 0 {
			t.items[made].BlockedBy = union(nil, in.after)
		}
	case "tracker_update_task":
		item := t.find(string(in.id))
		if item == nil {
			return
		}
		if s, _, ok := native.Status(string(in.status)); ok {
			item.Status = s
		}
		if title := checked(string(in.title)); title != "" {
			item.Content = title
		}
		if in.after != nil {
			item.BlockedBy = union(nil, in.after)
		}
	case "tracker_add_dependency":
		if item := t.find(string(in.id)); item != nil {
			item.BlockedBy = union(item.BlockedBy, in.after)
		}
	}
}
