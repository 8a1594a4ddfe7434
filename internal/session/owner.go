package session

import (
	"cmp"
	"time"

	"onward/internal/todo"
)

// Excludes reports whether an owner keeps a list from another agent session:
// it has an id, it is not that session itself, it was seen recently, and it has not ended.
func (o *Owner) Excludes(other string, staleAfter time.Duration, now todo.Time) bool {
	return o != nil && o.Session != "" && o.Session != other &&
		o.EndedAt == 0 && o.SeenAt.Since(now) < staleAfter
}

// Claims reports whether a claim is that of the owner, and not one under a name that a worker has chosen. No owner (nil) has any.
func (o *Owner) Claims(c *todo.Claim) bool {
	return o != nil && c.By == Conversation{Agent: o.Agent, ID: o.Session}.Worker().Name
}

// ReleaseOwner ends the ownership of another agent session whose process has ended without reporting it.
// If gone is nil, no process is known to have ended.
func (d *Document) ReleaseOwner(caller string, gone func(*Process) bool, now todo.Time) {
	if o := d.Owner; o != nil && o.Session != caller && o.EndedAt == 0 && gone != nil && gone(o.Process) {
		o.EndedAt = now
	}
}

// SetOwner makes a conversation the owner of a list, or records that it was seen again. One without an id cannot own a list.
func (d *Document) SetOwner(c Conversation, now todo.Time) {
	if c.ID == "" {
		return
	}
	o := Owner{Agent: c.Agent, Session: c.ID, Since: now}
	if d.Owner != nil && d.Owner.Session == c.ID {
		o = *d.Owner
		o.Agent = cmp.Or(c.Agent, o.Agent) // some agents are told apart by their later lines only
	}
	if o.EndedAt != 0 {
		o.Process = nil // a resume runs in another one
	}
	if c.Process != nil {
		o.Process = c.Process(o.Process)
	}
	o.SeenAt, o.EndedAt = now, 0
	d.Owner = &o
	d.Continuation.MarkedBy = ""
	w := c.Worker()
	w.Process = o.Process
	d.Todos.Items = w.Renew(d.Todos.Items, now)
}

// MarkedByAnother reports whether the marks of a document that nobody owns are another conversation's.
func (d *Document) MarkedByAnother(caller string) bool {
	by := d.Continuation.MarkedBy
	return by != "" && by != caller
}

// TakeOwnership makes a conversation the owner of a list, even if the present owner is alive.
// No conversation leaves the list without an owner: the next agent that asks becomes its owner.
func (d *Document) TakeOwnership(c Conversation, now todo.Time) Change {
	o := d.Owner
	if o == nil || o.EndedAt != 0 || o.Session == c.ID {
		if c.ID == "" || o != nil && o.EndedAt == 0 {
			return Change{}
		}
		d.SetOwner(c, now)
		return Change{What: "took the list", By: c.Agent}
	}
	d.Continuation.Turn = nil
	did := Change{What: "took the list from " + o.Agent + " session " + o.Session, By: "cli"}
	if d.Owner = nil; c.ID != "" {
		did.By = c.Agent
		d.SetOwner(c, now)
	}
	return did
}

// ListFor returns the list that an agent's own session works on, and its document, which is nil if there is none.
// It is the requested session, unless another live agent owns that: then the new session gets a
// list named by its own id. An agent keeps its own session even after the first owner ends. The
// document of the requested session comes from the caller, which has read it already.
func (s *Store) ListFor(meant Name, doc *Document, caller string, staleAfter time.Duration, now todo.Time) (Name, *Document, error) {
	var owner *Owner
	if doc != nil {
		doc.ReleaseOwner(caller, s.Gone, now)
		owner = doc.Owner
	}
	if caller == "" || owner != nil && owner.Session == caller {
		return meant, doc, nil
	}
	own := Name{Session: cleanID(caller, maxSession)}
	kept, err := s.Load(own)
	if err != nil {
		return meant, doc, err
	}
	if own == meant {
		return meant, kept, nil
	}
	if kept != nil && (kept.Owner == nil || kept.Owner.Session == caller) || owner.Excludes(caller, staleAfter, now) {
		return own, kept, nil
	}
	return meant, doc, nil
}
