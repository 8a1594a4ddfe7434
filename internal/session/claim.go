package session

import (
	"onward/internal/store"
	"onward/internal/todo"
)

// ClaimHolds reports whether the claim on an item of a list keeps others away. It does until its end, unless its process is
// known to have ended before. While a run works on the item, its claim does not end, so a clock that is ahead cannot end it.
func (s *Store) ClaimHolds(list Name, it *todo.Item, now todo.Time) bool {
	c := it.Claim
	switch {
	case c == nil || c.Process == nil:
		return c.Live(now)
	case c.Live(now) && (s.Gone == nil || !s.Gone(c.Process)):
		return s.isAlive(c.Process) || !s.claimLapsed(list, it)
	}
	return s.runsItem(list, it)
}

// claimLapsed reports whether a claim is that of a run which a store that machines share does not hear of any more, as when its
// machine has died. Locks on files say nothing about another machine.
func (s *Store) claimLapsed(list Name, it *todo.Item) bool {
	if _, shared := s.Backend.(store.Remote); !shared {
		return false
	}
	of := list.WorkerSession(it.Claim.By)
	r, err := s.ReadRun(of)
	if err != nil || r == nil || r.Queue != list.String() || r.Item != it.ID || !it.Claim.Process.Is(r.Process) {
		return false
	}
	held, err := s.Backend.Held(RunKey(of))
	return err == nil && !held
}

// runsItem reports whether a run works on an item, or its keeper still ends the agent. The end of a process of another machine
// cannot be seen, but a shared store knows whether its run holds the session.
func (s *Store) runsItem(list Name, it *todo.Item) bool {
	of := list.WorkerSession(it.Claim.By)
	r, err := s.ReadRun(of)
	switch {
	case err != nil:
		return true // nothing is known, so nobody else gets the item
	case r == nil || r.Queue != list.String() || r.Item != it.ID:
		return false
	case s.isAlive(r.Process) || s.isAlive(r.Keeper):
		return true
	case s.Gone != nil && s.Gone(r.Process):
		return false
	}
	held, err := s.Backend.Held(RunKey(of))
	return held || err != nil
}
