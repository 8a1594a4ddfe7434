package simulate

import (
	"slices"
	"time"

	"onward/internal/todo"
)

// claim is what the referee knows of the claim on an item.
type claim struct {
	by      string
	until   time.Duration // the earliest time at which it may expire, unless it is renewed
	lasts   time.Duration // the latest time at which it expires
	process *todo.Process // the claim ends with this process; nil if it is unknown
}

// runAtWork reports whether the run that made a claim is running, as far as this machine can know.
func (c *command) runAtWork(held claim) bool {
	if held.process == nil || held.process.Host != c.host() {
		return held.process != nil && c.alive[held.process.PID]
	}
	return c.itemRuns[held.process.PID].ended == 0
}

// dead reports whether the run that made a claim had ended by the time ago, as far as this machine can know.
func (c *command) dead(held claim, ago time.Duration) bool {
	return held.process != nil && held.process.Host == c.host() && !c.runAtWork(held) && c.itemRuns[held.process.PID].ended <= ago
}

// keepsAway reports whether the claim on an item keeps others away.
func (c *command) keepsAway(it *todo.Item, now todo.Time) bool {
	return c.lists.ClaimHolds(c.name, it, now)
}

// followGate checks that an item was completed after its gate had passed. Each passed run allows one completion.
func (c *command) followGate(r *record, was, is *todo.Item) {
	if c.writes && was.Gate != nil && (is.Gate == nil || is.Gate.Command != was.Gate.Command) {
		c.breaks(13, "an agent's own write takes the gate from %q", is.Content)
	}
	if is.Status != todo.Completed || was.Status == todo.Completed || is.Gate == nil {
		return
	}
	at := slices.Index(r.passes[is.ID], is.Gate.Command)
	if at < 0 {
		c.breaks(14, "%q is completed, and its gate `%s` has not passed", is.Content, is.Gate.Command)
		return
	}
	r.passes[is.ID] = slices.Delete(r.passes[is.ID], at, at+1)
}

// clocks is twice the largest difference between the clocks of two machines.
const clocks = 2 * time.Second

// followClaims compares the claims of the queue with those before the commit. After a jump of the clock, claims may expire early or late.
func (c *command) followClaims(r *record, now []todo.Item) {
	for i := range now {
		if at := slices.IndexFunc(r.items, func(was todo.Item) bool { return was.ID == now[i].ID }); at >= 0 {
			c.followGate(r, &r.items[at], &now[i])
		}
	}
	if c.jumped {
		return
	}
	for i := range now {
		it := &now[i]
		at := slices.IndexFunc(r.items, func(was todo.Item) bool { return was.ID == it.ID })
		if at < 0 { // the item is new, or came back with an archived list
			delete(r.claims, it.ID)
			delete(r.completed, it.ID)
			continue
		}
		c.followClaim(r, now, &r.items[at], it)
	}
	for i := range r.items {
		was := &r.items[i]
		if c.writes && was.Status.Open() && (was.Claim != nil || was.Gate != nil) && !slices.ContainsFunc(now, func(it todo.Item) bool { return it.ID == was.ID }) {
			c.breaks(13, "an agent's own write loses %q, which has a claim or a gate", was.Content)
		}
	}
}

// followClaim compares the claim of one item with the one before the commit.
func (c *command) followClaim(r *record, now []todo.Item, was, is *todo.Item) {
	holder, held := r.claims[is.ID]
	name := c.worker.Name
	others := held && holder.by != name && !c.worker.Take && (c.runAtWork(holder) || c.began < holder.until-clocks && !c.dead(holder, c.at))
	claims := is.Claim != nil && (was.Claim == nil || is.Claim.Number != was.Claim.Number)
	ended := was.Status.Open() && !is.Status.Open()
	if c.writes {
		switch {
		case was.Claim != nil && was.Status.Open() && is.Status.Open() && (is.Claim == nil || is.Claim.By != was.Claim.By):
			c.breaks(13, "an agent's own write takes %q from %s", is.Content, was.Claim.By)
		case !slices.Equal(was.BlockedBy, is.BlockedBy):
			c.breaks(13, "an agent's own write changes what %q comes after", is.Content)
		case !was.Status.Open() && is.Status.Open():
			delete(r.completed, is.ID) // the agent's own list opened it again
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
	if c.worker.Take && is.Status.Open() {
		delete(r.completed, is.ID) // a person opened it again by changing its gate
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
		lease := time.Duration(is.Claim.Lease) * time.Millisecond
		r.claims[is.ID] = claim{name, c.began + lease, c.at + lease, is.Claim.Process}
	}
}

// given checks the item that a worker got: its name must not hold another one.
func (c *command) given(id string) {
	r := c.of(c.name.String())
	for i := range r.items {
		it := &r.items[i]
		if holder := r.claims[it.ID]; !c.jumped && it.ID != id && it.Status == todo.InProgress && holder.by == c.worker.Name && c.began < holder.until-clocks {
			c.breaks(12, "%s is given %s, and holds %q already", c.worker.Name, c.itemOf(id), it.Content)
		}
	}
}

// idle checks the answer that no item is ready for a worker.
func (c *command) idle(ready todo.Ready) {
	r := c.of(c.name.String())
	if c.jumped || r.changes != c.sights[c.name.String()].changes {
		return // other commits came in between
	}
	for i := range r.items {
		it := &r.items[i]
		holder, held := r.claims[it.ID]
		switch {
		case !it.Status.Open():
		case !ready.Open:
			c.breaks(12, "%s is told that nothing is open, and %q is", c.worker.Name, it.Content)
		case it.Status.Waits() || !held && it.Status == todo.InProgress:
		case held && (c.runAtWork(holder) || holder.lasts+clocks > c.began && !c.dead(holder, c.began)):
		case held && c.troubled && holder.process != nil: // if the store cannot be read, the run counts as running
		case slices.ContainsFunc(r.items, func(first todo.Item) bool { return slices.Contains(it.BlockedBy, first.ID) && first.Status.Open() }):
		default:
			c.breaks(12, "nothing is ready for %s, and nobody holds %q any more", c.worker.Name, it.Content)
		}
	}
}
