package session

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Unread is a kind of event or line that an agent sent and that onward did not know: agents change without notice, and
// what a newer version of one sends must not be lost in silence.
type Unread struct {
	Agent   string
	Version string // of the agent; empty is unknown
	Name    string
	At      todo.Time
	Unknown jsontext.Value
}

const (
	maxUnread   = 32 // kinds in a document; the newest are kept
	unreadAgain = 7 * 24 * time.Hour

	// UnreadFor is how long a kind counts after it was noted: a later onward may know it.
	UnreadFor = 4 * unreadAgain
)

// NoteUnread notes a kind, and reports whether that changed the document: one that comes many times is noted once a week.
func (d *Document) NoteUnread(u Unread) bool {
	i := slices.IndexFunc(d.Unread, func(o Unread) bool { return o.Agent == u.Agent && o.Name == u.Name })
	kept := slices.Clone(d.Unread)
	if i >= 0 {
		if age := d.Unread[i].At.Since(u.At); age >= 0 && age < unreadAgain {
			return false
		}
		kept = slices.Delete(kept, i, i+1)
	}
	d.Unread = append(kept[max(0, len(kept)+1-maxUnread):], u)
	return true
}

// Fields lists the members of a kind.
func (u *Unread) Fields(f *object.Fields) {
	object.Text(f, "agent", &u.Agent)
	object.Text(f.OmitEmpty(), "version", &u.Version)
	object.Text(f, "name", &u.Name)
	object.Time(f, "at", &u.At)
	f.Unknown(&u.Unknown)
}
