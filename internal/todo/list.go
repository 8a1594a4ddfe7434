package todo

import (
	"fmt"
	"slices"
)

// Draft is an item that is about to be added.
type Draft struct {
	Content   string
	Status    Status // none means pending
	Priority  Priority
	BlockedBy []string // ids of existing items
	Reason    string
}

// Edit is what a change of a list came to. The list it was made from is as it was.
type Edit struct {
	Items   []Item
	Touched []Touched
	What    string // in words: `completed 2 todos`
}

// Touched is an item that a change was about, as it stood afterwards; a removed one as it stood before.
type Touched struct {
	Position string
	ID       string
	Content  string
	Status   Status
}

// edited describes a change: what was done to the places in items, which become list.
func edited(list []Item, verb string, items []Item, refs []Ref) Edit {
	e := Edit{Items: list, Touched: make([]Touched, len(refs)), What: fmt.Sprintf("%s %d todos", verb, len(refs))}
	if len(refs) == 1 {
		e.What = verb + " 1 todo"
	}
	for i, r := range refs {
		it := &items[r.Item]
		e.Touched[i] = Touched{Position: r.Label(), ID: it.ID, Content: it.Content, Status: it.Status}
		if r.Sub >= 0 {
			sub := &it.Subtasks[r.Sub]
			e.Touched[i] = Touched{Position: r.Label(), ID: sub.ID, Content: sub.Content, Status: sub.status()}
		}
	}
	return e
}

// Add puts drafts in at a position, the first of them there and the others behind it.
// Under a subtask position they become subtasks, which have a text and a status only.
func Add(items []Item, at Position, drafts []Draft, now Time) (Edit, error) {
	place, err := gap(items, at)
	if err != nil {
		return Edit{}, err
	}
	gen := newIDs(items, now)
	add := addItems
	if place.Sub >= 0 {
		add = addSubtasks
	}
	list, refs, err := add(items, place, drafts, gen, now)
	if err != nil {
		return Edit{}, err
	}
	return edited(list, "added", list, refs), nil
}

func addItems(items []Item, place Ref, drafts []Draft, gen *ids, now Time) ([]Item, []Ref, error) {
	if len(items)+len(drafts) > MaxItems {
		return nil, nil, fmt.Errorf("%w: the list would have %d items, at most %d are kept", ErrLimit, len(items)+len(drafts), MaxItems)
	}
	added := make([]Item, 0, len(drafts))
	refs := make([]Ref, 0, len(drafts))
	for i, d := range drafts {
		text, err := CheckText(d.Content)
		if err != nil {
			return nil, nil, err
		}
		for _, id := range d.BlockedBy {
			if _, err := byID(items, id); err != nil {
				return nil, nil, err
			}
		}
		it := Item{
			ID: gen.next(text), Content: text, Status: Pending, Priority: d.Priority,
			BlockedBy: d.BlockedBy, CreatedAt: now, UpdatedAt: now,
		}
		it.move(d.Status, d.Reason, now)
		added = append(added, it)
		refs = append(refs, Ref{place.Item + i, -1})
	}
	return slices.Insert(slices.Clone(items), place.Item, added...), refs, nil
}

func addSubtasks(items []Item, place Ref, drafts []Draft, gen *ids, now Time) ([]Item, []Ref, error) {
	added := make([]Subtask, 0, len(drafts))
	refs := make([]Ref, 0, len(drafts))
	reopens := false
	for i, d := range drafts {
		text, err := CheckText(d.Content)
		if err != nil {
			return nil, nil, err
		}
		sub := Subtask{ID: gen.next(text), Content: text, Status: d.Status}
		if sub.Status == "" {
			sub.Status = Pending
		}
		reopens = reopens || sub.Status.Open()
		added = append(added, sub)
		refs = append(refs, Ref{place.Item, place.Sub + i})
	}
	items = slices.Clone(items)
	it := &items[place.Item]
	if n := len(it.Subtasks) + len(added); n > MaxItems {
		return nil, nil, fmt.Errorf("%w: item %d would have %d subtasks, at most %d are kept", ErrLimit, place.Item+1, n, MaxItems)
	}
	it.Subtasks = slices.Insert(slices.Clone(it.Subtasks), place.Sub, added...)
	it.UpdatedAt = now
	if reopens && !it.Status.Open() {
		it.move(Pending, "", now)
	}
	return items, refs, nil
}

// Delete removes places; an item takes its subtasks along.
func Delete(before []Item, ranges []Range, now Time) (Edit, error) {
	refs, err := resolve(before, ranges)
	if err != nil {
		return Edit{}, err
	}
	items := slices.Clone(before)
	// From the end, so that the places before stay where they are.
	for _, r := range slices.Backward(refs) {
		if r.Sub < 0 {
			items = slices.Delete(items, r.Item, r.Item+1)
			continue
		}
		it := &items[r.Item]
		it.Subtasks = slices.Delete(slices.Clone(it.Subtasks), r.Sub, r.Sub+1)
		it.UpdatedAt = now
	}
	return edited(items, "deleted", before, refs), nil
}

// Reword gives one place a new text.
func Reword(items []Item, at Position, text string, now Time) (Edit, error) {
	text, err := CheckText(text)
	if err != nil {
		return Edit{}, err
	}
	ref, err := existing(items, at)
	if err != nil {
		return Edit{}, err
	}
	items = slices.Clone(items)
	it := &items[ref.Item]
	switch {
	case ref.Sub < 0 && it.Content != text:
		it.Content, it.ActiveForm, it.UpdatedAt = text, "", now
	case ref.Sub >= 0 && it.Subtasks[ref.Sub].Content != text:
		it.Subtasks = slices.Clone(it.Subtasks)
		it.Subtasks[ref.Sub].Content, it.UpdatedAt = text, now
	}
	return edited(items, "reworded", items, []Ref{ref}), nil
}

// Move takes one place out and puts it in again so that it ends up at the position to.
// Items move among items, subtasks among the subtasks of any item.
func Move(items []Item, from, to Position, now Time) (Edit, error) {
	source, err := existing(items, from)
	if err != nil {
		return Edit{}, err
	}
	target, err := destination(items, to)
	if err != nil {
		return Edit{}, err
	}
	if (source.Sub >= 0) != (target.Sub >= 0) {
		return Edit{}, fmt.Errorf("%w: move %s to %s: an item moves among items, a subtask among subtasks", ErrSyntax, from, to)
	}
	items = slices.Clone(items)
	if source.Sub < 0 {
		it := items[source.Item]
		items = slices.Delete(items, source.Item, source.Item+1)
		items = slices.Insert(items, target.Item, it)
		return edited(items, "moved", items, []Ref{target}), nil
	}
	parent := &items[source.Item]
	sub := parent.Subtasks[source.Sub]
	parent.Subtasks = slices.Delete(slices.Clone(parent.Subtasks), source.Sub, source.Sub+1)
	parent.UpdatedAt = now
	parent = &items[target.Item]
	target.Sub = min(target.Sub, len(parent.Subtasks))
	parent.Subtasks = slices.Insert(slices.Clone(parent.Subtasks), target.Sub, sub)
	parent.UpdatedAt = now
	if sub.status().Open() && !parent.Status.Open() {
		parent.move(Pending, "", now)
	}
	return edited(items, "moved", items, []Ref{target}), nil
}

// destination resolves where a move leads: a place that is there, or the end of an item's subtasks.
func destination(items []Item, p Position) (Ref, error) {
	if p.sub != 0 {
		return gap(items, p)
	}
	return existing(items, p)
}
