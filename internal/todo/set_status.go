package todo

import (
	"cmp"
	"fmt"
	"slices"
)

// SetStatus gives a status to items and subtasks with any status.
// Closing an item closes its subtasks; opening a subtask opens its item.
// Only an item that waits has a reason; a reason for another status is an error.
// The edit has the places that changed, or all of them if none did.
func SetStatus(items []Item, ranges []Range, s Status, reason string, now Time) (Edit, error) {
	if reason != "" {
		var err error
		if reason, err = CheckText(reason); err != nil {
			return Edit{}, fmt.Errorf("reason: %w", err)
		}
		if !s.Waits() {
			return Edit{}, fmt.Errorf("%w: only a %s item keeps a reason, and this one would be %s", ErrSyntax, waitingWords(), s.Words())
		}
	}
	refs, err := resolve(items, ranges)
	if err != nil {
		return Edit{}, err
	}
	before := items
	items = slices.Clone(items)
	for _, r := range refs {
		it := &items[r.Item]
		if r.Sub < 0 {
			it.move(s, reason, now)
		} else {
			it.moveSubtask(r.Sub, s, reason, now)
		}
	}
	moved := slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool {
		was, is := &before[r.Item], &items[r.Item]
		if r.Sub >= 0 {
			return was.Subtasks[r.Sub].equal(is.Subtasks[r.Sub])
		}
		return was.equal(is)
	})
	if len(moved) == 0 {
		moved = refs
	}
	return edited(items, s.Meaning().Past, items, moved), nil
}

// moveSubtask is move for a subtask.
func (it *Item) moveSubtask(at int, s Status, reason string, now Time) {
	if sub := &it.Subtasks[at]; sub.StatusOrPending() == s && (reason == "" || sub.Reason == reason) {
		return
	}
	it.Subtasks = slices.Clone(it.Subtasks)
	it.Subtasks[at].Status, it.Subtasks[at].Reason, it.UpdatedAt = s, reason, now
	if s.Open() && !it.Status.Open() {
		it.move(Pending, "", now)
	}
}

// move sets an item's status, and its times, reason, claim, gate and subtasks accordingly.
// Nothing changes, not even the time, if the item already has that status.
func (it *Item) move(s Status, reason string, now Time) {
	if !s.Waits() {
		reason = "" // nothing else has one
	}
	if (it.ClaimedDone() || it.passedForAgent()) && s != "" && s != Completed {
		it.Gate, it.UpdatedAt = it.Gate.fresh(false), now // an item that is set to such a status is not claimed to be done any more
	}
	if s == "" || it.Status == s && (reason == "" || it.Reason == reason) {
		return // the old reason is kept if there is no new one
	}
	it.Status, it.NativeStatus, it.UpdatedAt = s, "", now
	it.Reason = reason
	if !s.Works() {
		it.Claim = nil // nobody works on it any more
	}
	it.CompletedAt = 0
	if s == Completed {
		it.CompletedAt, it.Gate = now, it.Gate.fresh(false)
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
			it.Subtasks[j].Status, it.Subtasks[j].Reason = it.Status, ""
		}
	}
}

// StatusOrPending returns the status of a subtask, which may have none.
func (t Subtask) StatusOrPending() Status { return cmp.Or(t.Status, Pending) }

// Open reports whether a subtask is still to be done.
func (t Subtask) Open() bool { return t.StatusOrPending().Open() }
