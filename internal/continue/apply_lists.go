package continuation

import (
	"fmt"
	"slices"

	"onward/internal/todo"
)

// archive makes the list inactive. Its items stay in the document as history.
func (a *applied) archive() {
	a.doc.Todos.Active, a.doc.Todos.Emptied = false, false
	a.led.TotalSession = 0
	a.led.HighWater, a.led.Gate = nil, nil
	a.led.WaitingSince, a.led.CheckIns = 0, 0
}

// replaceList replaces the whole list. Items that an agent's list lacks are removed, except open items of the user,
// which are appended to it. An empty list clears.
func replaceList(a *applied) error {
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
	if a.event.Partial {
		list = todo.Merge(saved, list)
	}
	if a.event.By != "" {
		list = slices.Clone(list)
		for i := range list {
			list[i].By = a.event.By // an item that continues another has that one's
		}
	}
	items, from := todo.Carry(saved, list, a.event.OpenOnly, a.now)
	kept := 0
	if a.event.By == "" {
		items, from, kept = todo.KeepUserItems(saved, items, from)
	}
	switch {
	case len(items) > todo.MaxItems:
		return fmt.Errorf("%w: with the user's items the list would have %d, at most %d are kept", todo.ErrLimit, len(items), todo.MaxItems)
	case len(items) == 0:
		t.Active, t.Emptied = false, true
		a.list("the list was emptied")
		return nil
	}
	if t.Active && todo.Equal(items, t.Items) {
		return nil
	}
	a.progress(saved, items, from)
	t.Items, t.Active, t.Emptied = items, true, false
	a.list("the list was written")
	switch kept {
	case 0:
	case 1:
		a.change.What += "; kept the user's " + Quoted(items[len(items)-1].Content)
	default:
		a.change.What += fmt.Sprintf("; kept %d items of the user", kept)
	}
	return nil
}

// editList accepts a list that the user or a command changed in place.
func editList(a *applied) error {
	t := &a.doc.Todos
	if t.Active && todo.Equal(t.Items, a.event.Items) {
		return nil
	}
	if !t.Active && len(a.event.Items) == 0 {
		return nil // a list that was archived, or never was, does not become an empty one
	}
	old, items := t.Current(), slices.Clone(a.event.Items)
	from := sameIDs(old, items)
	for i := range items {
		if from[i] < 0 && items[i].By == "" {
			items[i].By = a.event.By
		}
	}
	a.progress(old, items, from)
	t.Items, t.Active, t.Emptied = items, true, false
	a.list("the list was edited")
	return nil
}

func clearList(a *applied) error {
	if !a.doc.Todos.Active {
		return nil
	}
	a.archive()
	a.list("the list was cleared")
	return nil
}

// loadList loads a list that the user chose, so its counters start at zero.
func loadList(a *applied) error {
	a.archive()
	a.doc.Todos.Items, a.doc.Todos.Active = a.event.Items, true
	a.led.Attempts, a.led.Stagnation = 0, 0
	a.list("a list was loaded")
	return nil
}

func undoList(a *applied) error {
	t := &a.doc.Todos
	old := t.Current()
	a.progress(old, a.event.Items, sameIDs(old, a.event.Items))
	t.Items, t.Active, t.Emptied = a.event.Items, !a.event.Inactive, false
	a.list("a change was undone")
	a.change.Undo, a.change.Back = true, a.event.Back
	return nil
}

// list notes a change of the list itself.
func (a *applied) list(what string) {
	if a.event.Change != "" {
		what = a.event.Change
	}
	if a.event.Source != "" {
		a.doc.Todos.Source = a.event.Source
	}
	a.record("%s", what)
	a.change.List = true
}

// progress resets the counters if an item advanced further than ever before.
// Adding, rewording, reordering and reopening are no progress,
// and neither is an item that arrives finished.
func (a *applied) progress(old, items []todo.Item, from []int) {
	moved := false
	water := map[string]todo.Status{}
	for i := range items {
		if from[i] < 0 {
			a.moved(&items[i], true)
			continue
		}
		was := &old[from[i]]
		if was.Status != items[i].Status {
			a.moved(&items[i], false)
		}
		furthest := was.Status
		if high, ok := a.led.HighWater[was.ID]; ok && high.Rank() > furthest.Rank() {
			furthest = high
		}
		switch is := items[i].Status; {
		case is.Rank() > furthest.Rank():
			moved = true
		case is.Rank() < furthest.Rank():
			water[items[i].ID] = furthest
		}
	}
	a.led.HighWater = water
	if moved {
		a.led.Attempts, a.led.Stagnation = 0, 0
	}
}

// sameIDs returns for each item the index of the old one with its id, or -1.
func sameIDs(old, items []todo.Item) []int {
	byID := make(map[string]int, len(old))
	for i := range old {
		byID[old[i].ID] = i
	}
	from := make([]int, len(items))
	for i := range items {
		from[i] = -1
		if at, ok := byID[items[i].ID]; ok {
			from[i] = at
		}
	}
	return from
}
