package simulate

import (
	"slices"
	"time"

	"onward/internal/todo"
)

// claim is what the referee knows of the worker that holds an item.
type claim struct {
	by    string
	until time.Duration // when it ends, unless it is renewed
}

// clocks is how far the clocks of two machines may be apart, and twice that.
const clocks = 2 * time.Second

// followClaims compares the claims of the queue with what they were before. A clock that jumps ends claims early or late.
func (c *command) followClaims(r *record, now []todo.Item) {
	if c.jumped {
		return
	}
	for i := range now {
		it := &now[i]
		at := slices.IndexFunc(r.items, func(was todo.Item) bool { return was.ID == it.ID })
		if at < 0 { // new, or back from a list that was put away
			delete(r.claims, it.ID)
			delete(r.completed, it.ID)
			continue
		}
		c.followClaim(r, now, &r.items[at], it)
	}
	for i := range r.items {
		was := &r.items[i]
		if c.writes && was.Status.Open() && was.Claim != nil && !slices.ContainsFunc(now, func(it todo.Item) bool { return it.ID == was.ID }) {
			c.breaks(13, "an agent's own write loses %q, which %s holds", was.Content, was.Claim.By)
		}
	}
}

// followClaim compares one item.
func (c *command) followClaim(r *record, now []todo.Item, was, is *todo.Item) {
	holder, held := r.claims[is.ID]
	name := c.worker.Name
	others := held && holder.by != name && c.began < holder.until-clocks && !c.worker.Take
	claims := is.Claim != nil && (was.Claim == nil || is.Claim.Number != was.Claim.Number)
	ended := was.Status.Open() && !is.Status.Open()
	if c.writes {
		switch {
		case was.Claim != nil && was.Status.Open() && is.Status.Open() && (is.Claim == nil || is.Claim.By != was.Claim.By):
			c.breaks(13, "an agent's own write takes %q from %s", is.Content, was.Claim.By)
		case !slices.Equal(was.BlockedBy, is.BlockedBy):
			c.breaks(13, "an agent's own write changes what %q comes after", is.Content)
		case !was.Status.Open() && is.Status.Open():
			delete(r.completed, is.ID) // as its own list says
		}
		if !is.Status.Open() {
			delete(r.claims, is.ID)
		}
		return
	}
	switch {
	case claims && is.Claim.By != name:
		c.breaks(12, "%s claims %q for %s", name, is.Content, is.Claim.By)
	case claims && others:
		c.breaks(12, "%s claims %q, which %s holds", name, is.Content, holder.by)
	case claims && !was.Status.Open():
		c.breaks(12, "%s claims %q, which is done", name, is.Content)
	case claims && slices.ContainsFunc(now, func(it todo.Item) bool { return slices.Contains(is.BlockedBy, it.ID) && it.Status.Open() }):
		c.breaks(12, "%s claims %q before what it comes after is done", name, is.Content)
	case is.Status == todo.Completed && was.Status.Open() && others:
		c.breaks(12, "%s completes %q, which %s holds", name, is.Content, holder.by)
	case was.Status != is.Status && !ended && others:
		c.breaks(12, "%s changes %q, which %s holds", name, is.Content, holder.by)
	}
	if is.Status == todo.Completed && was.Status != todo.Completed {
		if r.completed[is.ID] {
			c.breaks(12, "%q is completed twice", is.Content)
		}
		r.completed[is.ID] = true
	}
	switch {
	case is.Claim == nil:
		delete(r.claims, is.ID)
	case is.Claim.By == name:
		r.claims[is.ID] = claim{name, c.began + time.Duration(is.Claim.Lease)*time.Millisecond}
	}
}

// given holds the item that a worker was given against those that its name holds already.
func (c *command) given(id string) {
	r := c.of(c.name.String())
	for i := range r.items {
		it := &r.items[i]
		if holder := r.claims[it.ID]; !c.jumped && it.ID != id && it.Status == todo.InProgress && holder.by == c.worker.Name && c.began < holder.until-clocks {
			c.breaks(12, "%s is given %s, and holds %q already", c.worker.Name, c.itemOf(id), it.Content)
		}
	}
}

// idle holds the answer that nothing is ready for a worker against the queue.
func (c *command) idle(ready todo.Ready) {
	r := c.of(c.name.String())
	if c.jumped || r.changes != c.sights[c.name.String()].changes {
		return // others came in between
	}
	for i := range r.items {
		it := &r.items[i]
		holder, held := r.claims[it.ID]
		switch {
		case !it.Status.Open():
		case !ready.Open:
			c.breaks(12, "%s is told that nothing is open, and %q is", c.worker.Name, it.Content)
		case it.Status.Waits() || !held && it.Status == todo.InProgress:
		case held && holder.until+clocks > c.began:
		case slices.ContainsFunc(r.items, func(first todo.Item) bool { return slices.Contains(it.BlockedBy, first.ID) && first.Status.Open() }):
		default:
			c.breaks(12, "nothing is ready for %s, and nobody holds %q any more", c.worker.Name, it.Content)
		}
	}
}
