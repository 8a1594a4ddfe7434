package gemini

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/native"
	"onward/internal/object"
	"onward/internal/todo"
)

// tracker is the list that the task tracker builds by single calls, with ids of its own.
//
// A result describes the change in a sentence, and shows all tasks: "epic: Ship feature (43aa00)",
// indented below its parent, or for some days in March 2026 "[43aa00] [EPIC] Ship feature".
// Whichever of them can be read is enough. The stream of older versions has neither, and then no
// call can be joined to the task that it changes.
type tracker struct {
	Items []todo.Item
}

// tracks reports whether a tool belongs to the task tracker.
func tracks(tool *native.Tool) bool { return strings.HasPrefix(tool.Name, "tracker_") }

// follow returns the list after a call of the tracker that a hook reports; false leaves the saved one unchanged.
func follow(before native.SavedList, tool *native.Tool, c native.Call) ([]todo.Item, bool) {
	t := tracker{Items: slices.Clone(before.Items)}
	changed, _ := t.apply(tool, c)
	return t.Items, changed
}

// apply follows a call that was accepted. It reports whether the list changed, and whether the
// result had enough detail.
func (t *tracker) apply(tool *native.Tool, c native.Call) (changed, told bool) {
	in := c.Input.Object()
	before := slices.Clone(t.Items)
	told = t.applySentence(tool.Does, in, c.Said)
	told = t.replaceTasks(native.ListIn(c.Result)) || told
	if !told {
		return false, tool.Does.ReadOnly()
	}
	t.addDetails(tool.Does, in, before)
	return !slices.EqualFunc(before, t.Items, native.SameItem), true
}

func (t *tracker) find(id string) *todo.Item {
	if i := native.IndexOf(t.Items, id); i >= 0 {
		return &t.Items[i]
	}
	return nil
}

// replaceTasks replaces all tasks by those that a result shows.
func (t *tracker) replaceTasks(shown *native.List) bool {
	if shown == nil {
		return false
	}
	var items []todo.Item
	for _, n := range shown.Items {
		id, title := trackerTask(n.Content)
		item := todo.Item{ID: native.ShortenID(id), Content: native.NormalizeText(title), Status: n.Status}
		if item.Content == "" {
			continue
		}
		if was := t.find(item.ID); was != nil && was.Status == todo.Blocked && item.Status == todo.Pending {
			item.Status = todo.Blocked // shown as pending, for lack of a sign
		}
		items = append(items, item)
	}
	return t.reorder(items)
}

// trackerTask parses a task as a result shows it. The remark that a task is its own ancestor is not a task.
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

// applySentence reads the sentence of a result. A change of a task that is known needs none.
func (t *tracker) applySentence(does native.Effect, in object.Members, said string) bool {
	switch does {
	case native.Creates:
		rest, made := strings.CutPrefix(said, "Created task ")
		id, title, ok := strings.Cut(rest, ": ")
		if !made || !ok || strings.ContainsAny(id, " \n") {
			return false
		}
		title = cmp.Or(native.NormalizeText(title), native.NormalizeText(in.Prose("title")))
		native.FreeID(t.Items, native.ShortenID(id), title)
		if t.find(native.ShortenID(id)) == nil && len(t.Items) < todo.MaxItems {
			t.Items = append(t.Items, todo.Item{ID: native.ShortenID(id), Content: title, Status: todo.Pending})
		}
		return true
	case native.Updates, native.Links:
		return t.find(taskID(in)) != nil
	case native.ShowsAll:
		filtered := in.Text("status", "type", "parent_id") != ""
		return !filtered && t.parseList(said)
	}
	return false
}

// reorder moves the tasks that a result shows to the front, without what they wait for. The tracker has no call that
// removes a task, so a task that is not shown follows them.
func (t *tracker) reorder(shown []todo.Item) bool {
	if shown == nil {
		return false
	}
	for _, was := range t.Items {
		if i := native.IndexOf(shown, was.ID); i >= 0 {
			shown[i].BlockedBy = was.BlockedBy
		} else {
			shown = append(shown, was)
		}
	}
	t.Items = shown
	return true
}

// parseList parses the whole list from its lines: "- [43aa00] Ship feature (open)".
func (t *tracker) parseList(said string) bool {
	var items []todo.Item
	for line := range strings.Lines(said) {
		id, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- ["), "] ")
		i := strings.LastIndex(rest, " (")
		if !ok || i < 0 || !strings.HasSuffix(rest, ")") {
			continue
		}
		item := todo.Item{ID: native.ShortenID(id), Content: native.NormalizeText(rest[:i])}
		item.Status, item.NativeStatus, _ = native.ParseStatus(rest[i+2 : len(rest)-1])
		if item.Status == "" || item.Content == "" {
			continue
		}
		items = append(items, item)
	}
	return t.reorder(items)
}

// taskID returns the id of the task that a call is about.
func taskID(in object.Members) string { return native.ShortenID(in.Text("id", "task_id")) }

// addDetails adds the details of a call that its result does not show.
func (t *tracker) addDetails(does native.Effect, in object.Members, before []todo.Item) {
	item, title, after := t.find(taskID(in)), native.NormalizeText(in.Prose("title")), in.Texts("dependencies")
	switch {
	case does == native.Creates:
		// The task is one of this title, the new one if there is one: a result can show what another call made.
		made := -1
		for i := range t.Items {
			item := &t.Items[i]
			if item.Content != title || len(item.BlockedBy) > 0 {
				continue
			}
			if made = i; native.IndexOf(before, item.ID) < 0 {
				break
			}
		}
		if made >= 0 {
			t.Items[made].BlockedBy = native.AddIDs(nil, after)
		}
	case item == nil:
	case does == native.Updates:
		if s, own, ok := native.ParseStatus(in.Text("status")); ok {
			item.Status, item.NativeStatus = s, own
		}
		item.Content = cmp.Or(title, item.Content)
		if in.Get("dependencies").Kind() == '[' {
			item.BlockedBy = native.AddIDs(nil, after)
		}
	case does == native.Links:
		item.BlockedBy = native.AddIDs(item.BlockedBy, []string{in.Text("dependency_id")})
	}
}
