package todo

import (
	"cmp"
	"fmt"
	"slices"
)

// Append appends an imported list to the items. An id that is in use already is replaced, also in the dependencies of
// the other imported items.
func Append(items, list []Item, now Time) (Edit, error) {
	if err := checkSize(len(items), list); err != nil {
		return Edit{}, err
	}
	list = slices.Clone(list)
	renamed := assignIDs(newIDs(items, now), list)
	out := slices.Clone(items)
	refs := make([]Ref, len(list))
	for i, it := range list {
		it.Status = cmp.Or(it.Status, Pending)
		it.BlockedBy = slices.Clone(it.BlockedBy)
		for j, id := range it.BlockedBy {
			if other, ok := renamed[id]; ok {
				it.BlockedBy[j] = other
			}
		}
		it.Gate, it.NeedsProof = nil, false // only a person sets them
		it.normalize(now)
		refs[i] = Ref{len(out), -1}
		out = append(out, it)
	}
	return edited(out, "imported", out, refs), nil
}

// assignIDs assigns ids to the items and subtasks of a list. An id that is free is kept.
// It returns the items' new ids by their old ones.
func assignIDs(gen *ids, list []Item) (renamed map[string]string) {
	renamed = map[string]string{}
	// Ids that can be kept are reserved first, so that no new one collides with them.
	keep := func(id *string) (old string) {
		if old = *id; old == "" || gen.taken[old] {
			*id = ""
			return old
		}
		gen.taken[old] = true
		return ""
	}
	given := make([]string, len(list))
	for i := range list {
		given[i] = keep(&list[i].ID)
	}
	for i := range list {
		list[i].Subtasks = slices.Clone(list[i].Subtasks)
		for j := range list[i].Subtasks {
			keep(&list[i].Subtasks[j].ID)
		}
	}
	for i := range list {
		it := &list[i]
		if it.ID == "" {
			it.ID = gen.next(it.Content)
			renamed[given[i]] = it.ID
		}
		it.Subtasks = nameSubtasks(it.Subtasks, gen)
	}
	delete(renamed, "")
	return renamed
}

// Replace replaces the items with a list of another program. A priority, a reason or subtasks that an item of that list
// leaves out are removed. An item that continues a saved one, as Carry describes, keeps its id, its times, and the
// members that no other program writes.
func Replace(items, list []Item, now Time) (Edit, error) {
	if err := checkSize(0, list); err != nil {
		return Edit{}, err
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Subtasks = append([]Subtask{}, list[i].Subtasks...) // nil would mean that they are unknown
	}
	out, from := Carry(items, list, false, 0, now)
	refs := make([]Ref, len(out))
	for i := range out {
		refs[i] = Ref{i, -1}
		if from[i] < 0 {
			continue
		}
		it, old := &out[i], &items[from[i]]
		it.Priority, it.Reason = list[i].Priority, list[i].Reason
		for j := range it.Subtasks {
			it.Subtasks[j].Reason = list[i].Subtasks[j].Reason
		}
		if it.NativeStatus == "" && it.Status == old.Status {
			it.NativeStatus = old.NativeStatus
		}
		// An item that is equal to the saved one keeps the time of its last change.
		if it.UpdatedAt = old.UpdatedAt; !it.equal(old) {
			it.UpdatedAt = now
		}
	}
	e := edited(out, "imported", out, refs)
	e.What = "replaced the list with " + Plural(len(out), "item")
	return e, nil
}

// sameSubtasks assigns to subtasks without an id that of the old one with the same text,
// else of the one in the same place.
func sameSubtasks(old, subs []Subtask, by string) []Subtask {
	out := slices.Clone(subs)
	have, want := make([]Item, len(old)), make([]Item, len(out))
	for i := range old {
		have[i] = Item{ID: old[i].ID, Content: old[i].Content, By: old[i].By}
	}
	for i := range out {
		want[i].By = by
		if want[i].ID = out[i].ID; out[i].ID == "" {
			want[i].Content = out[i].Content // an item with an id is not matched by its text
		}
	}
	for i, at := range match(have, want, 0) {
		if at < 0 {
			continue
		}
		out[i].By = old[at].By
		if out[i].ID == "" {
			out[i].ID, out[i].Unknown = old[at].ID, old[at].Unknown
		}
	}
	return out
}

// checkSize returns an error if a list would have too many items or subtasks.
func checkSize(already int, list []Item) error {
	if n := already + len(list); n > MaxItems {
		return fmt.Errorf("%w: the list would have %d items, at most %d are kept", ErrLimit, n, MaxItems)
	}
	for i := range list {
		if n := len(list[i].Subtasks); n > MaxItems {
			return fmt.Errorf("%w: item %d would have %d subtasks, at most %d are kept", ErrLimit, already+i+1, n, MaxItems)
		}
	}
	return nil
}
