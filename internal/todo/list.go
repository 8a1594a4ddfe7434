package todo

import (
	"cmp"
	"fmt"
	"slices"
)

// Draft is an item that is about to be added.
type Draft struct {
	Content  string
	Status   Status // none means pending
	Priority Priority
	After    []string // positions or ids of existing items that come first
	Reason   string
	Gate     string // the command that must pass before it is completed

	NeedsProof bool // a run on it accepts only what is proven
}

// Edit is the result of a change of a list. The original list is unchanged.
type Edit struct {
	Items   []Item
	Touched []Touched
	What    string // in words: `completed 2 items`
}

// Touched is an item that a change affected, as it was afterwards; a removed one as it was before.
type Touched struct {
	Position string
	ID       string
	Content  string
	Status   Status
}

// edited describes a change: what was done to the places in items, which become list.
func edited(list []Item, verb string, items []Item, refs []Ref) Edit {
	e := Edit{Items: list, Touched: make([]Touched, len(refs)), What: verb + " " + Plural(len(refs), "item")}
	for i, r := range refs {
		e.Touched[i] = TouchedAt(items, r)
	}
	return e
}

// TouchedAt describes what is at a place of a list.
func TouchedAt(items []Item, r Ref) Touched {
	it := &items[r.Item]
	if r.Sub < 0 {
		return Touched{Position: r.Label(), ID: it.ID, Content: it.Content, Status: it.Status}
	}
	sub := &it.Subtasks[r.Sub]
	return Touched{Position: r.Label(), ID: sub.ID, Content: sub.Content, Status: sub.StatusOrPending()}
}

// Add puts drafts in at a position, the first of them there and the others after it.
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
		after, err := dependencies(items, d.After)
		if err != nil {
			return nil, nil, err
		}
		it := Item{
			ID: gen.next(text), Content: text, Status: Pending, Priority: d.Priority,
			BlockedBy: after, NeedsProof: d.NeedsProof, CreatedAt: now, UpdatedAt: now,
		}
		if it.Gate, err = newGate(d.Gate); err != nil {
			return nil, nil, err
		}
		it.move(d.Status, d.Reason, now)
		added = append(added, it)
		refs = append(refs, Ref{place.Item + i, -1})
	}
	return slices.Concat(items[:place.Item], added, items[place.Item:]), refs, nil
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
		if d.Priority != "" || len(d.After) > 0 || d.Gate != "" || d.NeedsProof {
			return nil, nil, errSubtask
		}
		sub := Subtask{ID: gen.next(text), Content: text, Status: cmp.Or(d.Status, Pending), Reason: d.Reason}
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

// Delete removes places; an item is removed with its subtasks.
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

// Revision is what to change at one place; a nil member changes nothing.
type Revision struct {
	Content  *string
	Priority *Priority
	After    *[]string // positions or ids of the items that come first
	Gate     *string   // the command of its gate

	NeedsProof *bool // whether a run on it accepts only what is proven
}

// ParseRevision reads a user's change; `none` removes a priority, the dependencies or a gate. What is nil stays.
func ParseRevision(text string, reword bool, priority string, after []string, gate *string, proof *bool) (Revision, error) {
	const none = "none"
	r := Revision{Gate: gate, NeedsProof: proof}
	if reword {
		r.Content = &text
	}
	switch p, err := ParsePriority(priority); {
	case priority == none:
		r.Priority = new(Priority)
	case err != nil:
		return r, err
	case priority != "":
		r.Priority = &p
	}
	switch {
	case len(after) == 1 && after[0] == none:
		r.After = &[]string{}
	case len(after) > 0:
		r.After = &after
	}
	if r == (Revision{}) {
		return r, fmt.Errorf("%w: a text, --priority, --after, --gate or --require-proof is missing", ErrNoRevision)
	}
	return r, nil
}

var errSubtask error = syntaxError("bad argument: a subtask has no priority, no gate and no proof of its own, and it comes after no item")

// Revise changes one place of a list.
func Revise(items []Item, at Position, r Revision, now Time) (Edit, error) {
	ref, err := Find(items, at)
	if err != nil {
		return Edit{}, err
	}
	before := items
	items = slices.Clone(items)
	it := &items[ref.Item]
	verb := "edited"
	if r.Content != nil {
		text, err := CheckText(*r.Content)
		if err != nil {
			return Edit{}, err
		}
		verb = "reworded"
		it.reword(ref.Sub, text)
	}
	if r.Priority != nil || r.After != nil || r.Gate != nil || r.NeedsProof != nil {
		if ref.Sub >= 0 {
			return Edit{}, errSubtask
		}
		verb = "edited"
	}
	if r.Priority != nil {
		it.Priority = *r.Priority
	}
	if r.After != nil {
		if it.BlockedBy, err = dependencies(before, *r.After); err != nil {
			return Edit{}, err
		}
		if err := checkOrder(items, ref.Item); err != nil {
			return Edit{}, err
		}
	}
	if r.Gate != nil {
		switch g, err := newGate(*r.Gate); {
		case err != nil:
			return Edit{}, err
		case g == nil || it.Gate == nil || g.Command != it.Gate.Command:
			if g != nil {
				g.ClaimedDone = it.ClaimedDone() // the new command decides
			}
			it.Gate = g
		}
	}
	if r.NeedsProof != nil {
		it.NeedsProof = *r.NeedsProof
	}
	if !it.equal(&before[ref.Item]) {
		it.UpdatedAt = now
	}
	return edited(items, verb, items, []Ref{ref}), nil
}

// reword replaces the text of an item or, if sub is not negative, of a subtask.
func (it *Item) reword(sub int, text string) {
	switch {
	case sub >= 0:
		it.Subtasks = slices.Clone(it.Subtasks)
		it.Subtasks[sub].Content = text
	case it.Content != text:
		it.Content, it.ActiveForm = text, ""
	}
}

// Move removes one place and inserts it again so that it ends up at the position to.
// Items move among items, subtasks among the subtasks of any item.
func Move(items []Item, from, to Position, now Time) (Edit, error) {
	source, err := Find(items, from)
	if err != nil {
		return Edit{}, err
	}
	behind := 0
	if to.sub != 0 {
		behind = 1 // the end of an item's subtasks is a place to move to
	}
	target, err := find(items, to, behind)
	if err != nil {
		return Edit{}, err
	}
	if (source.Sub >= 0) != (target.Sub >= 0) {
		return Edit{}, fmt.Errorf("%w: move %s to %s: an item cannot become a subtask, or a subtask an item", ErrSyntax, from, to)
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
	if sub.StatusOrPending().Open() && !parent.Status.Open() {
		parent.move(Pending, "", now)
	}
	return edited(items, "moved", items, []Ref{target}), nil
}
