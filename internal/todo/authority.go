package todo

import (
	"errors"
	"fmt"
	"slices"
)

// ErrForbidden is the error if an agent changes something in a way that only a person may.
var ErrForbidden = errors.New("only a person may do that")

// Authority is who changes a list, and what that one may do with the items that are not its own. The zero value is an agent in a
// turn that the user's prompt began.
type Authority struct {
	Alone bool   // the agent works without the user: in a run, or after a continuation
	Item  string // the id of the item that a run has the agent work on, where the list is the queue that it comes from; empty elsewhere
	// Hidden returns Item if the agent has cleared its environment. It is asked only about a list of which somebody has claimed an item,
	// since the answer takes time; nil has none.
	Hidden func() string
	// Run returns the mark of the run that started the agent, or the variable of the gate that did; empty if neither did. The answer may take
	// time; nil has none.
	Run          func() string
	Worker       Worker // that the agent is: what others hold is not its own
	Conversation string // of the agent; empty is unknown
	Now          Time   // when it changes the list
}

// Forbidden is a change that an agent may not make.
type Forbidden struct {
	What string // what is refused, and why
	Next string // what the agent may do instead, with a command that can be typed
	User string // the user's command instead, as the words after onward; empty if the user has no part in it
	Held bool   // another worker holds the item
}

func (f *Forbidden) Error() string { return f.What }

func (f *Forbidden) Unwrap() error {
	if f.Held {
		return ErrHeld
	}
	return ErrForbidden
}

// ForbiddenUndo refuses to undo what the user did, in the words of the history.
func ForbiddenUndo(change string) *Forbidden {
	return &Forbidden{
		What: "an agent may not undo the user's change: " + change,
		Next: "`onward todo history` shows the changes", User: "todo undo",
	}
}

// forbidden refuses a change of an item or a subtask, at its place before the change. Why says in words what guards it.
func forbidden(at Ref, why, does string, open bool) *Forbidden {
	label := at.Label()
	f := &Forbidden{What: fmt.Sprintf("item %s %s: an agent may not %s it", label, why, does)}
	switch {
	case !open:
		f.Next, f.User = "`onward todo show --open` shows the list without what is closed", "todo "+does+" "+label
		if does == edits {
			f.User += " 'the text'"
		}
	case does == edits:
		f.Next, f.User = fmt.Sprintf("`onward todo add --at %d.last 'a step'` adds a subtask", at.Item+1), "todo edit "+label+" 'the text'"
	default:
		f.Next, f.User = fmt.Sprintf("`onward todo block %s --reason '…'` says why it cannot be done", label), "todo cancel "+label
	}
	return f
}

// The verbs of forbidden changes.
const (
	deletes = "delete"
	cancels = "cancel"
	edits   = "edit"
)

// Check returns the first change from one list to another that an agent may not make: a *Forbidden, or nil. Of the items with a
// gate and the items and subtasks of the user, an agent may only change the statuses, and what it has added to them. What has no
// maker, as older versions saved it, is the agent's. Of a queue's items it changes only the one that its run is about, and of
// those that another worker holds none.
func (a Authority) Check(before, after []Item) error {
	if a.Item == "" && a.Hidden != nil && slices.ContainsFunc(before, func(it Item) bool { return it.Claims > 0 }) {
		a.Item = a.Hidden()
	}
	var now map[string]int
	last := -1 // the place of the item before
	for i := range before {
		was := &before[i]
		guarded := was.guarded()
		holder := a.Worker.holder(was, a.Now)
		if guarded == "" && holder == nil && a.Item == "" && !slices.ContainsFunc(was.Subtasks, Subtask.ofUser) {
			continue
		}
		if now == nil {
			now = make(map[string]int, len(after))
			for at := range after {
				now[after[at].ID] = at
			}
		}
		var is *Item
		if at, there := now[was.ID]; there {
			is = &after[at]
			if a.Item != "" && at < last { // the order of a queue is what its workers do next
				return a.refusalInQueue(before, i, "move")
			}
			last = at
		}
		if holder != nil && (is == nil || !was.equalForWorker(is)) {
			return &Forbidden{
				What: fmt.Sprintf("held by another worker: item %d is claimed by %s", i+1, holder.holder(a.Worker)),
				Next: "`onward todo next` shows what is ready for you; ONWARD_WORKER or --as names the worker that you are", Held: true,
			}
		}
		if does := a.forbiddenInQueue(was, is); does != "" {
			return a.refusalInQueue(before, i, does)
		}
		if does := a.itemChange(was, is); guarded != "" && does != "" {
			return forbidden(Ref{i, -1}, guarded, does, was.Status.Open())
		}
		for j := range was.Subtasks {
			if part := &was.Subtasks[j]; part.ofUser() {
				if does := a.partChange(part, findPart(part.ID, is, after)); does != "" {
					return forbidden(Ref{i, j}, isUsers, does, part.Open())
				}
			}
		}
	}
	if a.Item != "" && slices.ContainsFunc(after, func(it Item) bool { return indexOf(before, it.ID) < 0 }) {
		return a.refusalInQueue(before, -1, "add another item to its list")
	}
	return checkNewGates(before, after)
}

// equalForWorker reports whether nothing has changed of what a worker works on. What an item waits for may be deleted by others.
func (it *Item) equalForWorker(other *Item) bool {
	same := *other
	same.BlockedBy, same.UpdatedAt = it.BlockedBy, it.UpdatedAt
	return it.equal(&same)
}

// checkNewGates refuses a gate, or the need of a proof, on an item that was without one. Such an item may be copied from another list.
func checkNewGates(before, after []Item) error {
	for i := range after {
		is := &after[i]
		if !is.isChecked() {
			continue
		}
		if at := indexOf(before, is.ID); at >= 0 && !before[at].isChecked() {
			return &Forbidden{
				What: fmt.Sprintf("only a person may say what proves item %d", i+1),
				Next: "`onward todo show` shows which items have a gate or need a proof", User: fmt.Sprintf("todo edit %d --gate 'COMMAND'", i+1),
			}
		}
	}
	return nil
}

// indexOf returns the index of the item with an id; -1 if there is none.
func indexOf(items []Item, id string) int {
	return slices.IndexFunc(items, func(it Item) bool { return it.ID == id })
}

// forbiddenInQueue returns the verb of what an agent that works on one item of a queue may not do there; empty if it may. A claim may
// be renewed, which is no change of the item.
func (a Authority) forbiddenInQueue(was, is *Item) string {
	if a.Item == "" || is != nil && was.equal(is) {
		return ""
	}
	if was.ID == a.Item {
		switch {
		case is == nil:
			return deletes
		case is.Status != was.Status && !is.Status.Open():
			return "close"
		case is.Content != was.Content:
			return edits
		case was.Claim != nil && is.Claim == nil && !is.Status.Waits():
			return "release"
		case was.Status.Waits() && !is.Status.Waits(): // the claim ended when it was blocked, and the run ends with that
			return "reopen"
		}
		return ""
	}
	if is != nil {
		same := *is
		if same.Claim, same.Claims = was.Claim, was.Claims; is.Claim != nil && is.Claim.By == a.Worker.Name && was.equal(&same) {
			return ""
		}
		return "change"
	}
	return deletes
}

// refusalInQueue refuses a change of an item of a queue: of the one that the agent's run is about, or of another one, or a new one, whose
// index is -1.
func (a Authority) refusalInQueue(items []Item, i int, does string) *Forbidden {
	own := indexOf(items, a.Item)
	f := &Forbidden{
		What: fmt.Sprintf("item %d is not what this run is about: an agent may not %s it", i+1, does),
		Next: fmt.Sprintf("`onward todo add --at %d.last 'a step'` adds a subtask to item %[1]d, which it is about", own+1),
	}
	switch {
	case own < 0:
		f.Next = "`onward todo show` shows the list, which has lost the item of this run"
	case i == own:
		f.What = fmt.Sprintf("item %d is what this run is about: an agent may not %s it", i+1, does)
		f.Next = fmt.Sprintf("`onward todo block %d --reason '…'` says why it cannot be done; it is completed when your own list is, and the run ends", i+1)
	case i < 0:
		f.What = fmt.Sprintf("this run is about item %d: an agent may not %s", own+1, does)
	}
	return f
}

const isUsers = "is the user's"

// guarded returns why an item is not the agent's, in words; empty if it is.
func (it *Item) guarded() string {
	switch {
	case it.Gate != nil:
		return "has a gate"
	case it.NeedsProof:
		return "requires proof"
	case it.By == ByUser:
		return isUsers
	}
	return ""
}

func (t Subtask) ofUser() bool { return t.By == ByUser }

// WithMaker returns the subtasks of an item, and records by as the maker of the new ones, which have no maker and are in no saved item.
// The item was saved as was before; nil if it is new.
func WithMaker(by string, saved []Item, was *Item, parts []Subtask) []Subtask {
	fresh := func(t Subtask) bool { return t.By == "" && findPart(t.ID, was, saved) == nil }
	if by == "" || !slices.ContainsFunc(parts, fresh) {
		return parts
	}
	parts = slices.Clone(parts)
	for j := range parts {
		if fresh(parts[j]) {
			parts[j].By = by
		}
	}
	return parts
}

// itemChange returns the verb of what an agent may not do to a guarded item; empty if it may. An item that is gone is nil.
func (a Authority) itemChange(was, is *Item) string {
	switch {
	case is == nil:
		return deletes
	case is.Status == Cancelled && was.Status != Cancelled && (was.isChecked() || a.Alone):
		return cancels
	case is.Content != was.Content, !slices.Equal(is.BlockedBy, was.BlockedBy), is.Priority != was.Priority,
		is.By != was.By && was.By == ByUser,
		was.Gate != nil && (is.Gate == nil || is.Gate.Command != was.Gate.Command), was.NeedsProof && !is.NeedsProof:
		return edits
	}
	return ""
}

// partChange is itemChange for a subtask of the user.
func (a Authority) partChange(was, is *Subtask) string {
	switch {
	case is == nil:
		return deletes
	case is.Status == Cancelled && was.Status != Cancelled && a.Alone:
		return cancels
	case is.Content != was.Content, is.By != was.By:
		return edits
	}
	return ""
}

// findPart finds a subtask by its id, in the item that had it or, if it was moved, in any other; nil if it is gone.
func findPart(id string, in *Item, items []Item) *Subtask {
	if in != nil {
		for j := range in.Subtasks {
			if in.Subtasks[j].ID == id {
				return &in.Subtasks[j]
			}
		}
	}
	for i := range items {
		for j := range items[i].Subtasks {
			if items[i].Subtasks[j].ID == id {
				return &items[i].Subtasks[j]
			}
		}
	}
	return nil
}

// RestoreForbidden returns a list that an agent has written whole, with what the agent may not do taken back. For each item, from has the
// index of the saved one that it continues, or -1. Both are returned, since a queue gets no new items.
func (a Authority) RestoreForbidden(saved, items []Item, from []int) ([]Item, []int) {
	if a.Item != "" && slices.Contains(from, -1) {
		items = slices.Clone(items)
		for i := len(items) - 1; i >= 0; i-- {
			if from[i] < 0 {
				items, from = slices.Delete(items, i, i+1), slices.Concat(from[:i], from[i+1:])
			}
		}
	}
	if a.Item != "" && !slices.IsSorted(from) { // the order of a queue is what its workers do next
		places := make(map[string]int, len(items))
		for i := range items {
			places[items[i].ID] = from[i]
		}
		items, from = slices.Clone(items), slices.Sorted(slices.Values(from))
		slices.SortFunc(items, func(x, y Item) int { return places[x.ID] - places[y.ID] })
	}
	copied := false
	for i := range items {
		if from[i] < 0 {
			continue
		}
		was, kept := &saved[from[i]], items[i]
		if a.forbiddenInQueue(was, &kept) != "" || a.Worker.holder(was, a.Now) != nil {
			kept = *was
		}
		if was.guarded() != "" {
			a.keepItem(was, &kept)
		}
		if slices.ContainsFunc(was.Subtasks, Subtask.ofUser) {
			a.restoreParts(was, &kept)
		}
		if kept.equal(&items[i]) {
			continue
		}
		if !copied {
			items, copied = slices.Clone(items), true
		}
		items[i] = kept
		// An item that is equal to the saved one keeps the time of its last change.
		if kept.UpdatedAt = was.UpdatedAt; kept.equal(was) {
			items[i] = kept
		}
	}
	return items, from
}

// keepItem takes back what an agent may not change in a guarded item.
func (a Authority) keepItem(was, is *Item) {
	if is.Content != was.Content {
		is.Content, is.ActiveForm = was.Content, was.ActiveForm
	}
	is.BlockedBy, is.Priority = was.BlockedBy, was.Priority
	if a.itemChange(was, is) == cancels {
		is.backTo(was)
	}
}

// backTo takes the change of an item's status back.
func (it *Item) backTo(was *Item) {
	it.Status, it.NativeStatus, it.Reason, it.CompletedAt, it.Claim = was.Status, was.NativeStatus, was.Reason, was.CompletedAt, was.Claim
}

// restoreParts takes back what an agent may not change in the user's subtasks of an item. Those that are missing follow the others.
func (a Authority) restoreParts(was, is *Item) {
	parts := slices.Clone(is.Subtasks)
	for _, part := range was.Subtasks {
		if !part.ofUser() {
			continue
		}
		at := slices.IndexFunc(parts, func(t Subtask) bool { return t.ID == part.ID })
		if at < 0 {
			parts = append(parts, part)
			continue
		}
		switch parts[at].By = ByUser; a.partChange(&part, &parts[at]) {
		case cancels:
			parts[at] = part
		case edits:
			parts[at].Content = part.Content
		}
	}
	is.Subtasks = parts
	if a.Alone && is.Status == Cancelled && slices.ContainsFunc(parts, func(t Subtask) bool { return t.ofUser() && t.Open() }) {
		is.backTo(was) // a cancelled item has no open parts
	}
	if !is.Status.Open() {
		is.closeSubtasks()
	}
}
