package agent

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/todo"
)

// tracker is the list that Gemini's task tracker builds by single calls, with ids of its own.
//
// A result shows all tasks ("[43aa00] [EPIC] Ship feature", indented below its parent) or says in a sentence what was done.
// The stream of older versions has neither, and then no call can be joined to the task that it changes.
type tracker struct {
	items []todo.Item
}

// trackerInput has the members of the tracker's calls that we keep.
type trackerInput struct {
	ID           word  `json:"id"`
	Title        word  `json:"title"`
	Status       word  `json:"status"`
	Dependencies words `json:"dependencies"`
	TaskID       word  `json:"taskId"`
	DependencyID word  `json:"dependencyId"`
	Type         word  `json:"type"`
	ParentID     word  `json:"parentId"`
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
func (t *tracker) apply(name string, args jsontext.Value, output string, shown nativeItems) (changed, told bool) {
	in, _ := objectAs[trackerInput](args)
	before := slices.Clone(t.items)
	switch {
	case len(shown) > 0:
		told = t.replace(shown)
	default:
		told = t.follow(name, in, output)
	}
	if !told {
		return false, !changesTracker(name)
	}
	t.refine(name, in)
	return !slices.EqualFunc(before, t.items, sameItem), true
}

func (t *tracker) find(id string) *todo.Item {
	if i := slices.IndexFunc(t.items, func(item todo.Item) bool { return item.ID == id }); i >= 0 {
		return &t.items[i]
	}
	return nil
}

// replace takes the whole list as a result shows it.
func (t *tracker) replace(shown nativeItems) bool {
	var items []todo.Item
	for _, n := range shown {
		id, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(n.Description)), "["), "] ")
		if !ok || strings.ContainsAny(id, " []") {
			continue // the note that a task is its own ancestor
		}
		if kind, title, ok := strings.Cut(rest, "] "); ok && strings.HasPrefix(kind, "[") {
			rest = title
		}
		item := todo.Item{ID: id, Content: checked(rest)}
		item.Status, _, _ = status(string(n.Status))
		if item.Status == "" || item.Content == "" {
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
	if items == nil {
		return false
	}
	t.items = items
	return true
}

// follow reads the sentence of a result.
func (t *tracker) follow(name string, in trackerInput, output string) bool {
	switch name {
	case "tracker_create_task":
		id, title, ok := strings.Cut(strings.TrimPrefix(output, "Created task "), ": ")
		if !ok || !strings.HasPrefix(output, "Created task ") || strings.ContainsAny(id, " \n") {
			return false
		}
		if checked(title) == "" {
			title = string(in.Title)
		}
		if t.find(id) == nil {
			t.items = append(t.items, todo.Item{ID: id, Content: checked(title), Status: todo.Pending})
		}
		return true
	case "tracker_update_task":
		return strings.HasPrefix(output, "Updated task ") && t.find(string(in.ID)) != nil
	case "tracker_add_dependency":
		return strings.HasPrefix(output, "Linked ") && t.find(string(in.TaskID)) != nil
	case "tracker_list_tasks":
		return in.Status == "" && in.Type == "" && in.ParentID == "" && t.listed(output)
	}
	return false
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
		item.Status = trackerStatus(rest[i+2 : len(rest)-1])
		if item.Status == "" || item.Content == "" {
			continue
		}
		if was := t.find(id); was != nil {
			item.BlockedBy = was.BlockedBy
		}
		items = append(items, item)
	}
	if items == nil {
		return false
	}
	t.items = items
	return true
}

// refine takes from a call what its result does not show.
func (t *tracker) refine(name string, in trackerInput) {
	switch name {
	case "tracker_create_task":
		if n := len(t.items); n > 0 && len(in.Dependencies) > 0 {
			for i := range t.items {
				if t.items[i].Content == checked(string(in.Title)) {
					t.items[i].BlockedBy = union(nil, in.Dependencies)
				}
			}
		}
	case "tracker_update_task":
		item := t.find(string(in.ID))
		if item == nil {
			return
		}
		if s := trackerStatus(string(in.Status)); s != "" {
			item.Status = s
		}
		if title := checked(string(in.Title)); title != "" {
			item.Content = title
		}
		if in.Dependencies != nil {
			item.BlockedBy = union(nil, in.Dependencies)
		}
	case "tracker_add_dependency":
		if item := t.find(string(in.TaskID)); item != nil && in.DependencyID != "" {
			item.BlockedBy = union(item.BlockedBy, []string{string(in.DependencyID)})
		}
	}
}

// trackerStatus reads the tracker's own words; what is none of them is empty.
func trackerStatus(word string) todo.Status {
	switch word {
	case "open":
		return todo.Pending
	case "in_progress":
		return todo.InProgress
	case "blocked":
		return todo.Blocked
	case "closed":
		return todo.Completed
	}
	return ""
}
