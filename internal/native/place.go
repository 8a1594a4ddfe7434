// Package native knows what the agents' own todo tools do to a list.
package native

import (
	"slices"
	"strings"

	"onward/internal/todo"
)

// Vacate frees an id for a task with this text.
//
// Agents count their tasks from 1 in each conversation. A task of this id with another text
// is one of an earlier conversation: it stays, under another id.
func Vacate(list []todo.Item, id, text string) {
	for i := range list {
		if old := list[i].Content; list[i].ID == id && old != "" && old != text && old != Unnamed(id) {
			rename(list, id)
			return
		}
	}
}

// indexOf returns the place of the task with an id; -1 if there is none.
func indexOf(list []todo.Item, id string) int {
	return slices.IndexFunc(list, func(it todo.Item) bool { return it.ID == id })
}

// Unnamed is the text of a task whose own text no call has shown yet.
func Unnamed(id string) string { return "Task #" + id }

// MaxID is the length of the longest id, in bytes.
const MaxID = 256

// ID shortens an agent's id to the limits of a list.
func ID(id string) string {
	id = strings.ToValidUTF8(id, "")
	if len(id) > MaxID {
		id = strings.ToValidUTF8(id[:MaxID], "")
	}
	return id
}

// vacated is the id that a task gets whose own is needed for another one.
func vacated(id string) string { return ID("old-" + id) }

// rejoin removes a task that made way for the one with this id, once that has the same text:
// its calls are read a second time, and they begin with the text that it had at first.
func rejoin(list []todo.Item, id, text string) []todo.Item {
	old := vacated(id)
	at := indexOf(list, old)
	if at < 0 || list[at].Content != text {
		return list
	}
	list = slices.Delete(list, at, at+1)
	replace(list, old, id)
	return list
}

// rename assigns a free id to a task, also where other tasks depend on it.
func rename(list []todo.Item, from string) {
	to := vacated(from)
	for indexOf(list, to) >= 0 {
		to = vacated(to)
	}
	list[indexOf(list, from)].ID = to
	replace(list, from, to)
}

// replace replaces a task that other tasks depend on.
func replace(list []todo.Item, from, to string) {
	for i := range list {
		if at := slices.Index(list[i].BlockedBy, from); at >= 0 {
			list[i].BlockedBy = slices.Clone(list[i].BlockedBy)
			list[i].BlockedBy[at] = to
		}
	}
}
