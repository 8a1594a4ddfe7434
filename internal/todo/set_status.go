package todo

import (
	"cmp"
	"fmt"
	"slices"
)

// SetStatus moves places to a status, from any other.
// Closing an item closes its subtasks; opening a subtask opens its item.
// The reason is kept for blocked items.
func SetStatus(items []Item, ranges []Range, s Status, reason string, now Time) (Edit, error) {
	if reason != "" {
		var err error
		if reason, err = CheckText(reason); err != nil {
			return Edit{}, fmt.Errorf("reason: %w", err)
		}
	}
	refs, err := resolve(items, ranges)
	if err != nil {
		return Edit{}, err
	}
	items = slices.Clone(items)
	for _, r := range refs {
		it := &items[r.Item]
		if r.Sub < 0 {
			it.move(s, reason, now)
			continue
		}
		if it.Subtasks[r.Sub].StatusOrPending() == s {
			continue
		}
		it.Subtasks = slices.Clone(it.Subtasks)
		it.Subtasks[r.Sub].Status = s
		it.UpdatedAt = now
		if s.Open() && !it.Status.Open() {
			it.move(Pending, "", now)
		}
	}
	return edited(items, s.verb(), items, refs), nil
}

// verb describes what setting a status does to an item.
func (s Status) verb() string {
	switch s {
	case InProgress:
		return "started"
	case Completed:
		return "completed"
	case Cancelled:
		return "cancelled"
	case Blocked:
		return "blocked"
	default:
		return "reopened"
	}
}

// move sets an item's status and all that hangs on it.
// Nothing changes, not even the time, if the item already has that status.
func (it *Item) move(s Status, reason string, now Time) {
	if s != Blocked {
		reason = "" // nothing else has one
	}
	if s == "" || it.Status == s && (reason == "" || it.Reason == reason) {
		return // a reason stays until there is another one
	}
	it.Status, it.NativeStatus, it.UpdatedAt = s, "", now
	it.Reason = reason
	it.CompletedAt = 0
	if s == Completed {
		it.CompletedAt = now
	}
	if !s.Open() {
		it.closeSubtasks()
	}
}

// closeSubtasks sets open subtasks of a closed item to the item's own status.
func (it *Item) closeSubtasks() {
	if !slices.ContainsFunc(it.Subtasks, func(t Subtask) bool { return t.StatusOrPending().Open() }) {
		return
	}
	it.Subtasks = slices.Clone(it.Subtasks)
	for j := range it.Subtasks {
		if it.Subtasks[j].StatusOrPending().Open() {
			it.Subtasks[j].Status = it.Status
		}
	}
}

// StatusOrPending returns the status of a subtask, which may have none.
func (t Subtask) StatusOrPending() Status { return cmp.Or(t.Status, Pending) }
