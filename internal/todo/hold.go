package todo

import (
	"cmp"
	"fmt"
	"slices"
)

// Each of these is an ErrHeld too: the worker does not hold the item any more, because it was completed, given back,
// blocked or cancelled.
const (
	ErrCompleted = claimEndedError("completed already")
	ErrBlocked   = claimEndedError("blocked meanwhile")
	errNotHeld   = claimEndedError("not claimed")
)

// claimEndedError is an ErrHeld with a message. It is a constant, so that it costs nothing when the program starts.
type claimEndedError string

func (e claimEndedError) Error() string { return string(e) }

func (e claimEndedError) Unwrap() error { return ErrHeld }

// HeldClaim is a claim as its worker remembers it. The number shows whether another claim has followed since.
type HeldClaim struct {
	ID     string // of the item
	Number int    // of the claim; 0 is the one that the worker has now
}

// findItem finds the item that a worker holds. A claim that has ended is still its own while nobody else has claimed the item.
func (h HeldClaim) findItem(items []Item, w Worker) (int, error) {
	at := indexOf(items, h.ID)
	if at < 0 {
		return at, fmt.Errorf("%w: the list has no item with the id %q", ErrNotFound, h.ID)
	}
	switch it := &items[at]; {
	case it.Status == Completed && (h.Number == 0 || it.Claims == h.Number):
		return at, fmt.Errorf("item %d is %w", at+1, ErrCompleted)
	case it.Status == Blocked && h.Number != 0 && it.Claims == h.Number: // since this claim, and nobody has claimed it again
		return at, fmt.Errorf("item %d was %w: %s", at+1, ErrBlocked, cmp.Or(it.Reason, "no reason given"))
	case it.Claim == nil || !it.Status.Works():
		return at, fmt.Errorf("%w by %s: item %d is %s", errNotHeld, w.Name, at+1, it.Status.Words())
	case !w.owns(it.Claim):
		return at, fmt.Errorf("%w: item %d is claimed by %s", ErrHeld, at+1, it.Claim.holder(w))
	case h.Number != 0 && it.Claim.Number != h.Number:
		return at, fmt.Errorf("%w: item %d was claimed again, by another process of %s", ErrHeld, at+1, w.Name)
	}
	return at, nil
}

// RenewClaim renews a worker's claim, and returns the list with the item's index. The error is ErrHeld if the worker does not
// hold the item any more (ErrCompleted is one kind of it), and ErrNotFound if the item is gone.
func (w Worker) RenewClaim(items []Item, h HeldClaim, now Time) ([]Item, int, error) {
	at, err := h.findItem(items, w)
	if err != nil {
		return items, at, err
	}
	items = slices.Clone(items)
	w.claim(&items[at], now)
	return items, at, nil
}

// SettleClaim ends a worker's claim by giving its item a status; Pending gives the item back. The reason is that of a blocked
// item. The errors are those of Hold.
func (w Worker) SettleClaim(items []Item, h HeldClaim, s Status, reason string, now Time) (Edit, error) {
	at, err := h.findItem(items, w)
	if err != nil {
		return Edit{}, err
	}
	place := Position{text: "id:" + h.ID, id: h.ID}
	e, err := SetStatus(items, []Range{{from: place, to: place}}, s, reason, now)
	if err == nil && s == Pending {
		e = edited(e.Items, "released", e.Items, []Ref{{at, -1}})
	}
	e.What = w.Name + " " + e.What
	return e, err
}
