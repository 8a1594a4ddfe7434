package continuation

import (
	"fmt"
	"slices"

	"onward/internal/session"
	"onward/internal/todo"
)

// archive makes the list inactive. Its items stay in the document as history.
func (a *transition) archive() {
	a.doc.Todos.Active, a.doc.Todos.Emptied = false, false
	a.led.ResetCounters(session.ByArchive)
	a.led.HighWater, a.led.Gate, a.led.Deleted, a.led.Cancelled = nil, nil, nil, nil
	forgetLost(a.led)
	a.led.WaitingSince = 0
}

// replaceList replaces the whole list. Items that an agent's list lacks are removed, except open items of the user,
// which are appended to it. An empty list clears.
func replaceList(a *transition) error {
	t := &a.doc.Todos
	if len(a.event.Items) == 0 && !t.Active {
		return nil
	}
	saved := t.Current()
	if t.Emptied {
		// Agents clear a list and write it again; that is still the same list.
		saved = t.Items
	}
	list := a.event.Items
	if a.event.Partial || a.event.Writer.Item != "" {
		list = todo.Merge(saved, list)
	}
	if a.event.RunBegan != 0 {
		list = slices.Concat(todo.FinishedBetween(saved, list, a.event.RunBegan, a.event.Since), list)
	}
	if a.event.By != "" {
		list = slices.Clone(list)
		for i := range list {
			list[i].By = a.event.By // an item that continues another has that one's
			list[i].Subtasks = todo.WithMaker(a.event.By, nil, nil, list[i].Subtasks)
		}
	}
	items, from := todo.Carry(saved, list, a.event.OpenOnly, a.event.Since, a.now)
	kept := 0
	if a.event.By == "" {
		// A command that writes a list is refused if it would lose one of them. The agent's own tool drops what is finished and has no gate.
		items, from, kept = todo.KeepUserItems(saved, items, from, a.event.Source == "cli")
		by := a.event.Writer
		by.Alone, by.Now = by.Alone || a.led.TotalPrompt > 0, a.now
		items, from = by.RestoreForbidden(saved, items, from)
	}
	items = todo.HoldBackUnproven(saved, items, from, nil)
	switch {
	case len(items) > todo.MaxItems:
		return fmt.Errorf("%w: with the user's items the list would have %d, at most %d are kept", todo.ErrLimit, len(items), todo.MaxItems)
	case len(items) == 0:
		t.Active, t.Emptied = false, true
		a.recordLost(saved, nil, nil)
		a.noteListChange("the list was emptied")
		return nil
	}
	if t.Active && todo.Equal(items, t.Items) && !a.losesMore() {
		return nil
	}
	a.resetOnProgress(saved, items, from)
	a.recordLost(saved, items, from)
	t.Items, t.Active, t.Emptied = items, true, false
	a.noteListChange("the list was written")
	if kept > 0 {
		a.change.What += keptText(items[len(items)-kept:])
	}
	a.change.What += missing(saved, items, from)
	a.change.What += closedSubtasksText(saved, list, items, from)
	return nil
}

// keptText names the items that stay though the agent's list lacks them: the user's, or others that an agent may not remove.
func keptText(kept []todo.Item) string {
	whose := "that an agent may not remove"
	if !slices.ContainsFunc(kept, func(it todo.Item) bool { return it.By != todo.ByUser }) {
		whose = "of the user"
	}
	switch {
	case len(kept) > 1:
		return fmt.Sprintf("; kept %d items %s", len(kept), whose)
	case kept[0].By == todo.ByUser:
		return "; kept the user's " + QuoteLine(kept[0].Content)
	}
	return "; kept " + QuoteLine(kept[0].Content) + ", which an agent may not remove"
}

// missing names the open items that the agent's own list lacks.
func missing(saved, items []todo.Item, from []int) string {
	var names []string
	for i := range items {
		if wentMissing(saved, items, from, i) {
			names = append(names, QuoteLine(items[i].Content))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "; " + names[0] + " is " + todo.LostReason
	}
	return fmt.Sprintf("; %d open items are %s", len(names), todo.LostReason)
}

// closedSubtasksText tells how many open subtasks were closed with their items. Nobody reported them as done. Given is the list as it
// was written; nil is one that was changed in place.
func closedSubtasksText(saved, given, items []todo.Item, from []int) string {
	n := 0
	for i := range items {
		if items[i].Status.Open() {
			continue
		}
		var before []todo.Subtask
		if from[i] >= 0 {
			before = saved[from[i]].Subtasks
		}
		parts := before
		if i < len(given) && len(given[i].Subtasks) > 0 {
			parts = given[i].Subtasks
		}
		for _, part := range parts {
			told := slices.ContainsFunc(before, func(b todo.Subtask) bool { return b.Content == part.Content && !b.Open() })
			if part.Open() && !told && len(items[i].Subtasks) > 0 {
				n++
			}
		}
	}
	if n == 0 {
		return ""
	}
	return "; closed " + todo.Plural(n, "open subtask") + " with " + plural(n, "its item", "their items")
}

// wentMissing reports whether an item was open, and is missing from the agent's own list now.
func wentMissing(saved, items []todo.Item, from []int, i int) bool {
	return items[i].IsLost() && from[i] >= 0 && saved[from[i]].Status.Open()
}

// editList accepts a list that the user or a command changed in place.
func editList(a *transition) error {
	t := &a.doc.Todos
	if t.Active && todo.Equal(t.Items, a.event.Items) {
		return nil
	}
	if !t.Active && len(a.event.Items) == 0 {
		return nil // a list that was archived, or never was, does not become an empty one
	}
	old, items := t.Current(), a.event.Items // which the edit has made, so that they are the document's from here on
	from := oldIndexByID(old, items)
	items = todo.HoldBackUnproven(old, items, from, a.event.Passed)
	for i := range items {
		var was *todo.Item
		if from[i] >= 0 {
			was = &old[from[i]]
		} else if items[i].By == "" {
			items[i].By = a.event.By
		}
		items[i].Subtasks = todo.WithMaker(a.event.By, old, was, items[i].Subtasks)
	}
	a.resetOnProgress(old, items, from)
	a.event.Deletes = true // an edit names the items that it deletes
	a.recordLost(old, items, from)
	t.Items, t.Active, t.Emptied = items, true, false
	a.noteListChange("the list was edited")
	a.change.What += closedSubtasksText(old, nil, items, from)
	return nil
}

// clearList archives the list for its user. An agent that clears its list writes an empty one instead.
func clearList(a *transition) error {
	t := &a.doc.Todos
	switch {
	case a.event.By == "" && t.Active:
		t.Active, t.Emptied = false, true
		a.recordLost(t.Items, nil, nil)
	case a.event.By != "" && (t.Active || a.led.Dropped != nil || a.event.Person && a.led.Paused != nil):
		a.archive()
		a.led.ClearedAt, a.led.RunGate = a.now, ""
	default:
		return nil
	}
	a.noteListChange("the list was cleared")
	a.endPause()
	return nil
}

// endPause ends the pause of a list that a person put away, since it was about that list. A stop is about the agent, and
// stays.
func (a *transition) endPause() {
	if !a.event.Person || a.led.Paused == nil {
		return
	}
	a.led.Paused = nil
	a.change.What += "; ended the pause"
}

// loadList loads a list that the user chose, so its counters start at zero.
func loadList(a *transition) error {
	saved, was := a.doc.Todos.Current(), *a.led
	lost, deleted := was.Dropped, was.Deleted
	a.archive()
	a.doc.Todos.Items, a.doc.Todos.Active = a.event.Items, true
	a.led.ResetCounters(session.ByLoad)
	if a.event.By == "" { // an agent that loads a list has lost its own, and does not start over
		a.led.SetCounters(session.ByLoad|session.ByArchive, &was)
		a.led.Dropped, a.led.Deleted = lost, deleted
		a.recordLost(saved, a.event.Items, oldIndexByID(saved, a.event.Items))
		a.recordLost(nil, a.event.Items, nil) // an item with the same text is there under another id
	}
	a.noteListChange("a list was loaded")
	a.endPause()
	return nil
}

func undoList(a *transition) error {
	t := &a.doc.Todos
	old := t.Current()
	from := oldIndexByID(old, a.event.Items)
	items := a.event.Items
	if !a.event.Gates {
		items = todo.KeepGates(old, items, from)
	}
	items = todo.HoldBackUnproven(old, items, from, nil)
	a.resetOnProgress(old, items, from)
	t.Items, t.Active, t.Emptied = items, !a.event.Inactive, false
	forgetLost(a.led)
	if deleted := withoutPresent(a.led.Deleted, items); a.event.Inactive {
		a.led.Deleted = nil // they were on the list that is undone
	} else {
		a.led.Deleted = nilIfEmpty(&deleted)
	}
	a.updateCancelled(nil, items, nil)
	a.noteListChange("a change was undone")
	a.change.Undo, a.change.Back = true, a.event.Back
	return nil
}

// noteListChange notes a change of the list itself.
func (a *transition) noteListChange(what string) {
	if a.event.Change != "" {
		what = a.event.Change
	}
	if a.event.Source != "" {
		a.doc.Todos.Source = a.event.Source
	}
	if a.doc.Todos.Active {
		a.led.ClearedAt = 0
	}
	a.record("%s", what)
	a.change.List, a.change.Person = true, a.event.By == todo.ByUser
}

// resetOnProgress resets the counters if an item, or a subtask, advanced further than ever before.
// Adding, rewording, reordering and reopening are not progress,
// and neither is an item or a subtask that arrives finished.
func (a *transition) resetOnProgress(old, items []todo.Item, from []int) {
	w := highWater{before: a.led.HighWater, now: map[string]todo.Status{}}
	for i := range items {
		if from[i] < 0 {
			a.moved(&items[i], true)
			continue
		}
		was := &old[from[i]]
		if was.Status != items[i].Status {
			a.moved(&items[i], false)
		}
		w.follow(was.ID, was.Status, items[i].ID, items[i].Status)
		for _, part := range items[i].Subtasks {
			at := slices.IndexFunc(was.Subtasks, func(t todo.Subtask) bool { return t.ID == part.ID })
			if at >= 0 {
				w.follow(part.ID, was.Subtasks[at].StatusOrPending(), part.ID, part.StatusOrPending())
			}
		}
	}
	a.led.HighWater = w.now
	if w.rose {
		a.led.Attempts, a.led.Stagnation, a.led.Refunds = 0, 0, 0
		resetGateFailures(a.led) // progress was made since the gate failed, even if the list is now as it was then
	}
}

// highWater remembers, by id, the furthest status of items and subtasks that were moved back since. Reaching that status
// again is not progress.
type highWater struct {
	before, now map[string]todo.Status
	rose        bool // an item or subtask advanced further than ever before
}

// follow compares the new status of an item with its old one; its id may have changed.
func (w *highWater) follow(oldID string, was todo.Status, id string, is todo.Status) {
	furthest := was
	if high, ok := w.before[oldID]; ok && high.Rank() > furthest.Rank() {
		furthest = high
	}
	switch {
	case is.Rank() > furthest.Rank():
		w.rose = true
	case is.Rank() < furthest.Rank():
		w.now[id] = furthest
	}
}

// oldIndexByID returns for each item the index of the old item with the same id, or -1.
func oldIndexByID(old, items []todo.Item) []int {
	from := make([]int, len(items))
	same := 0
	for same < min(len(old), len(items)) && old[same].ID == items[same].ID {
		from[same] = same
		same++
	}
	byID := make(map[string]int, len(old)-same)
	for i := same; i < len(old); i++ {
		byID[old[i].ID] = i
	}
	for i := same; i < len(items); i++ {
		from[i] = -1
		if at, ok := byID[items[i].ID]; ok {
			from[i] = at
		}
	}
	return from
}
