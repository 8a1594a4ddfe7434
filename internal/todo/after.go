package todo

import (
	"fmt"
	"slices"
)

// dependencies returns the ids of the items that must be closed before another one.
// The user names each by its position or its id.
func dependencies(items []Item, names []string) ([]string, error) {
	var ids []string
	for _, name := range names {
		p, err := ParsePosition(name)
		if err != nil {
			p = Position{text: name, id: name}
		}
		ref, err := Find(items, p)
		if err != nil {
			return nil, err
		}
		if ref.Sub >= 0 {
			return nil, fmt.Errorf("%w: %s is a subtask; an item comes after items", ErrSyntax, name)
		}
		if id := items[ref.Item].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// checkOrder refuses dependencies in which an item waits for itself.
func checkOrder(items []Item, at int) error {
	seen := make([]bool, len(items))
	last := at // the item of the circle that comes after this one
	var leads func(i int) bool
	leads = func(i int) bool {
		for _, id := range items[i].BlockedBy {
			ref, err := byID(items, id)
			switch {
			case err != nil || ref.Sub >= 0 || seen[ref.Item]:
				continue
			case ref.Item == at:
				last = i
				return true
			}
			seen[ref.Item] = true
			if leads(ref.Item) {
				return true
			}
		}
		return false
	}
	switch {
	case !leads(at):
		return nil
	case last == at:
		return fmt.Errorf("%w: item %d would wait for itself", ErrSyntax, at+1)
	}
	return fmt.Errorf("%w: item %d would wait for itself: item %d comes after it", ErrSyntax, at+1, last+1)
}

// WaitsFor returns the places of the open items that must be closed before an item.
func WaitsFor(items []Item, i int) []Ref {
	var refs []Ref
	for _, id := range items[i].BlockedBy {
		if ref, err := byID(items, id); err == nil && ref.Sub < 0 && items[ref.Item].Status.Open() {
			refs = append(refs, ref)
		}
	}
	return refs
}
