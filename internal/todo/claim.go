package todo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrHeld is the error if another worker holds an item.
var ErrHeld = errors.New("held by another worker")

// Claim records the worker that holds an item, so that no other one takes it. It expires, since a worker may die.
type Claim struct {
	By      string // the worker's name
	Host    string // its machine; empty is unknown
	Number  int    // how many times the item had been claimed by then: it tells a claim from the ones before it
	Since   Time
	Until   Time     // when the item is ready again, unless the claim is renewed
	Lease   int      // milliseconds from a renewal to then
	Process *Process // that works on the item, if one is known that outlives a command; nil if unknown
	Start   string   // the state of the checkout when the item was claimed, if it has a gate; empty is unknown
	Unknown jsontext.Value
}

// Live reports whether a claim has not ended yet by the clock. No claim (nil) is not live.
func (c *Claim) Live(now Time) bool { return c != nil && now < c.Until }

// equal compares two claims; either may be nil.
func (c *Claim) equal(other *Claim) bool {
	if c == nil || other == nil {
		return c == other
	}
	return c.By == other.By && c.Host == other.Host && c.Number == other.Number && c.Since == other.Since && c.Until == other.Until && c.Lease == other.Lease && c.Start == other.Start && c.Process.Is(other.Process)
}

// Worker is the one that asks for an item or changes it: an agent, a person or a script under a name of its own.
type Worker struct {
	Name   string        // empty for one that claims nothing
	Host   string        // its machine; empty is unknown
	Lease  time.Duration // how long its claims last; 0 keeps the lease that a claim has
	Take   bool          // it takes over items that others hold
	Claims bool          // it claims the items that it sets in progress
	Start  string        // the state of its checkout, for the items with a gate that it claims; empty is unknown

	Process *Process // its claims end when this process does; nil is unknown
	// Holds reports whether the claim on an item still keeps others away, considering its process.
	// If it is nil, only the clock decides.
	Holds func(*Item, Time) bool
}

// maxWorker is how many characters the name of a worker may have.
const maxWorker = 100

// CheckWorker refuses a name that would not fit on one line of a list.
func CheckWorker(name string) error {
	if name == "" || utf8.RuneCountInString(name) > maxWorker || !utf8.ValidString(name) ||
		slices.ContainsFunc([]rune(name), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return fmt.Errorf("%w: a worker's name has 1 to %d printable characters without spaces, not %q", ErrSyntax, maxWorker, name)
	}
	return nil
}

// holder returns the live claim of another worker on an item; nil if there is none, or if this worker may take it over.
func (w Worker) holder(it *Item, now Time) *Claim {
	if !w.Take && w.held(it, now) && !w.owns(it.Claim) {
		return it.Claim
	}
	return nil
}

// held reports whether the claim on an item keeps others away.
func (w Worker) held(it *Item, now Time) bool {
	if it.Claim == nil || w.Holds == nil {
		return it.Claim.Live(now)
	}
	return w.Holds(it, now)
}

// owns reports whether a claim is the worker's. No claim (nil) is nobody's.
func (w Worker) owns(c *Claim) bool { return c != nil && c.By == w.Name && w.sameHost(c) }

// Begins reports whether a worker that claims an item begins with work that the item's gate judges. A claim that it renews began before.
func (w Worker) Begins(it *Item) bool { return it.Gate != nil && !w.owns(it.Claim) }

// AnyBegun reports whether somebody has worked on an item of a list, or claims one.
func AnyBegun(items []Item) bool {
	return slices.ContainsFunc(items, func(it Item) bool { return it.Claims > 0 || it.Status != Pending })
}

// SinceText says since when an item is claimed, by the machine's clock. The date is left out on the day on which the claim ends.
func (c *Claim) SinceText() string { return "since " + c.Since.ClockText(c.Until) }

// holder names who holds a claim, and since when, to another worker: one of the same name is on another machine.
func (c *Claim) holder(to Worker) string {
	if c.By == to.Name {
		return fmt.Sprintf("%s on another machine, %s, %s", c.By, c.Host, c.SinceText())
	}
	return fmt.Sprintf("%s %s", c.By, c.SinceText())
}

func (w Worker) sameHost(c *Claim) bool { return w.Host == "" || c.Host == "" || w.Host == c.Host }

// refused returns an error if another worker holds an item at one of these places.
func (w Worker) refused(items []Item, refs []Ref, now Time) error {
	for _, r := range refs {
		if c := w.holder(&items[r.Item], now); c != nil {
			return fmt.Errorf("%w: item %d is claimed by %s", ErrHeld, r.Item+1, c.holder(w))
		}
	}
	return nil
}

// claim makes a worker the holder of an item, or renews its claim.
func (w Worker) claim(it *Item, now Time) {
	c := Claim{By: w.Name, Host: w.Host, Number: it.Claims + 1, Since: now}
	if w.Begins(it) {
		c.Start = w.Start
	}
	if w.owns(it.Claim) {
		c = *it.Claim
	}
	if w.Lease > 0 {
		c.Lease = int(w.Lease.Milliseconds())
	}
	if w.Process != nil || !w.held(it, now) {
		c.Process = w.Process
	}
	c.Until = now + Time(c.Lease)
	it.Claim, it.Claims = &c, c.Number
}

// Renew returns a list in which the live claims of a worker last for their whole lease again. So does a claim that has
// ended, on an item that the worker has named and nobody else has claimed since.
func (w Worker) Renew(items []Item, now Time, named ...string) []Item {
	own := func(it Item) bool {
		return w.owns(it.Claim) && (it.Claim.Live(now) || slices.Contains(named, it.ID))
	}
	if !slices.ContainsFunc(items, own) {
		return items
	}
	items = slices.Clone(items)
	for i := range items {
		if own(items[i]) {
			w.claim(&items[i], now)
		}
	}
	return items
}

// Ready is the answer to a worker that asks for its next item.
type Ready struct {
	Item int // index of the item; -1 if none is ready

	// If none is ready, the rest says why: no item is open, or others are at work and more may become ready,
	// or all open items are blocked or wait for a blocked one.
	Open    bool
	Working bool
	Until   Time // when the next claim ends; 0 is unknown
	Near    bool // a claim may end earlier, with its process
}

// The reasons why no item is ready.
const (
	nothingOpen = "nothing_open"
	othersWork  = "others_work"
	allBlocked  = "all_blocked"
)

// Reason names why no item is ready.
func (r Ready) Reason() string {
	switch {
	case !r.Open:
		return nothingOpen
	case r.Working:
		return othersWork
	}
	return allBlocked
}

// Why says in words why no item is ready.
func (r Ready) Why() string {
	switch r.Reason() {
	case nothingOpen:
		return "nothing is open"
	case othersWork:
		return "nothing is ready now: others are at work on what is left"
	}
	return "nothing is ready: the items that are open are blocked, or come after blocked ones"
}

// Wait returns how long to wait before looking again, if the list does not change before.
func (r Ready) Wait(now Time) time.Duration {
	longest := time.Minute
	if r.Near {
		longest = 3 * time.Second
	}
	if left := time.Duration(r.Until-now) * time.Millisecond; r.Until > now && left < longest {
		return left
	}
	return longest
}

// ReadyFor finds the next item of a worker: the first that it holds; else, of the highest priority, the first that is
// pending, waits for no open item and is not held by anybody else. An item whose claim has ended counts as pending.
func ReadyFor(items []Item, w Worker, now Time) Ready {
	got := Ready{Item: -1}
	for i := range items {
		it := &items[i]
		if !it.Status.Open() {
			continue
		}
		got.Open = true
		held := it.Claim != nil
		switch other := w.holder(it, now); {
		case other != nil:
			if got.Working = true; other.Until > now && (got.Until == 0 || other.Until < got.Until) {
				got.Until = other.Until
			}
			got.Near = got.Near || other.Process != nil
		case held && it.Claim.By == w.Name && !w.Take && !it.Status.Waits(): // also of a machine that this one replaces
			return Ready{Item: i, Open: true}
		case it.Status.Meaning().Works && !held:
			got.Working = true
		case it.Status.Waits() || len(WaitsFor(items, i)) > 0:
		case got.Item < 0 || it.Priority.weight() < items[got.Item].Priority.weight():
			got.Item = i
		}
	}
	return got
}

// ClaimNext claims the next item for a worker. If none is ready, the edit has no items.
func ClaimNext(items []Item, w Worker, now Time) (Edit, Ready, error) {
	if err := w.CheckOtherHost(items, now); err != nil {
		return Edit{}, Ready{Item: -1}, err
	}
	got := ReadyFor(items, w, now)
	if got.Item < 0 {
		return Edit{}, got, nil
	}
	before, held := items[got.Item].Claim, w.held(&items[got.Item], now)
	items = slices.Clone(items)
	it := &items[got.Item]
	it.move(InProgress, "", now)
	w.claim(it, now)
	what := w.Name + " claimed 1 item"
	switch {
	case before == nil:
	case w.owns(before):
		what = w.Name + " renewed its claim"
	case before.By == w.Name && !held:
		what = w.Name + " claimed 1 item again, which it held on " + before.Host
	case held:
		what += ", taken over from " + before.By
	case before.Live(now):
		what += ", after the process of " + before.By + " had ended"
	default:
		what += ", after the claim of " + before.By + " had ended"
	}
	e := edited(items, "", items, []Ref{{got.Item, -1}})
	e.What = what
	return e, got, nil
}

// CheckOtherHost returns an error if a worker on another machine uses the same name.
func (w Worker) CheckOtherHost(items []Item, now Time) error {
	for i := range items {
		if c := items[i].Claim; c != nil && c.By == w.Name && !w.sameHost(c) && !w.Take && w.held(&items[i], now) {
			return fmt.Errorf("%w: worker %s is at work on item %d on another machine, %s: choose another name", ErrHeld, w.Name, i+1, c.Host)
		}
	}
	return nil
}

// Release gives up the claims on items, which become pending again.
func Release(items []Item, ranges []Range, w Worker, now Time) (Edit, error) {
	refs, err := resolve(items, ranges)
	if err != nil {
		return Edit{}, err
	}
	for _, r := range refs {
		if r.Sub >= 0 {
			return Edit{}, fmt.Errorf("%w: %s is a subtask; only items are claimed", ErrSyntax, r.Label())
		}
	}
	if err := w.refused(items, refs, now); err != nil {
		return Edit{}, err
	}
	before := items
	items = slices.Clone(items)
	refs = slices.DeleteFunc(refs, func(r Ref) bool { return before[r.Item].Claim == nil })
	var holders []string
	for _, r := range refs {
		it := &items[r.Item]
		if !slices.Contains(holders, it.Claim.By) {
			holders = append(holders, it.Claim.By)
		}
		if it.Claim = nil; it.Status.Works() {
			it.move(Pending, "", now)
		}
	}
	if len(refs) > 0 {
		items = w.Renew(items, now)
	}
	e := edited(items, "released", items, refs)
	e.What += " of " + strings.Join(holders, ", ")
	return e, nil
}

// SetStatusBy is SetStatus on behalf of a worker. It returns an error if another worker holds one of the items, and
// claims the items that it starts if the worker claims items at all.
func SetStatusBy(items []Item, ranges []Range, s Status, reason string, w Worker, now Time) (Edit, error) {
	refs, err := resolve(items, ranges)
	if err != nil {
		return Edit{}, err
	}
	if err := w.refused(items, refs, now); err != nil {
		return Edit{}, err
	}
	if err := w.late(items, refs, s); err != nil {
		return Edit{}, err
	}
	e, err := SetStatus(items, ranges, s, reason, now)
	if err == nil && !Equal(e.Items, items) {
		e.Items = w.Renew(e.Items, now)
	}
	if err != nil || !s.Works() || !w.Claims {
		return e, err
	}
	for _, r := range refs {
		if r.Sub < 0 {
			w.claim(&e.Items[r.Item], now)
		}
	}
	return e, nil
}

// late returns an error if a worker gives another status to an item that was completed or cancelled in the meantime. Reopening
// it, as pending, is allowed.
func (w Worker) late(items []Item, refs []Ref, s Status) error {
	for _, r := range refs {
		if is := items[r.Item].Status; w.Claims && !w.Take && r.Sub < 0 && !is.Open() && s != is && s != Pending {
			return fmt.Errorf("%w: item %d is %s by now; `onward todo reopen` opens it again", ErrHeld, r.Item+1, is.Words())
		}
	}
	return nil
}
