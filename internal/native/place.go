// Package native knows what the agents' own todo tools do to a list.
package native

import (
	"slices"
	"strings"

	"onward/internal/todo"
)

// FreeID frees an id for a task with this text.
//
// Agents count their tasks from 1 in each conversation. A task of this id with another text
// is one of an earlier conversation: it stays, under another id.
func FreeID(list []todo.Item, id, text string) {
	for i := range list {
		if old := list[i].Content; list[i].ID == id && old != "" && old != text && old != PlaceholderText(id) {
			AssignFreeID(list, id)
			return
		}
	}
}

// IndexOf returns the place of the task with an id; -1 if there is none.
func IndexOf(list []todo.Item, id string) int {
	return slices.IndexFunc(list, func(it todo.Item) bool { return it.ID == id })
}

// PlaceholderText is the text of a task whose own text no call has shown yet.
func PlaceholderText(id string) string { return "Task #" + id }

// maxID is the length of the longest id, in bytes.
const maxID = 256

// ShortenID shortens an agent's id to the limits of a list.
func ShortenID(id string) string {
	id = strings.ToValidUTF8(id, "")
	if len(id) > maxID {
		id = strings.ToValidUTF8(id[:maxID], "")
	}
	return id
}

// vacated is the new id of a task whose id another task needs.
func vacated(id string) string { return ShortenID("old-" + id) }

// JoinSplitTask removes a task that was given another id by FreeID, once the task that took its id has the same text. Then the two
// are one task, whose calls were read a second time, from the text that it had at first.
func JoinSplitTask(list []todo.Item, id, text string) []todo.Item {
	old := vacated(id)
	at := IndexOf(list, old)
	if at < 0 || list[at].Content != text {
		return list
	}
	list = slices.Delete(list, at, at+1)
	replace(list, old, id)
	return list
}

// TakeOver gives an open item that an earlier conversation left, or one that the agent's list lost, the id of a new task with its
// text, which continues it.
func TakeOver(list []todo.Item, id, text string, left func(*todo.Item) bool) {
	for i := range list {
		if it := &list[i]; it.Content == text && (it.Status.Open() && left(it) || it.IsLost()) {
			old := it.ID
			it.ID = id
			replace(list, old, id)
			return
		}
	}
}

// PredatesConversation reports whether an item was saved before a conversation came to the list, so that another one made it.
func PredatesConversation(it *todo.Item, since todo.Time) bool {
	return it.CreatedAt > 0 && it.CreatedAt < since
}

// AssignFreeID assigns a free id to a task, also where other tasks depend on it.
func AssignFreeID(list []todo.Item, from string) {
	to := vacated(from)
	for IndexOf(list, to) >= 0 {
		to = vacated(to)
	}
	list[IndexOf(list, from)].ID = to
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

// AddIDs returns a list of ids with further ones at its end. It makes a copy, because others may have the list.
func AddIDs(ids, more []string) []string {
	for _, id := range more {
		if id = ShortenID(id); id != "" && !slices.Contains(ids, id) && len(ids) < todo.MaxItems {
			ids = append(slices.Clip(ids), id)
		}
	}
	return ids
}

// NormalizeText returns a text as a list keeps it; empty if it cannot.
func NormalizeText(text string) string {
	text, err := todo.CheckText(text)
	if err != nil {
		return ""
	}
	return text
}

// SameItem reports whether two items agree in all that the calls of todo tools change.
func SameItem(a, b todo.Item) bool {
	return a.ID == b.ID && a.Content == b.Content && a.Status == b.Status && a.NativeStatus == b.NativeStatus && slices.Equal(a.BlockedBy, b.BlockedBy)
}
