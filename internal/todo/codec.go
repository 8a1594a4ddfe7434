package todo

import (
	"slices"

	"onward/internal/object"
)

// ReadItems reads an array of items. If there are more than MaxItems, it keeps MaxItems+1, so that the caller notices.
func ReadItems(r *object.Reader) []Item {
	var items []Item
	before := r.Unread()
	r.Array(func() {
		if len(items) > MaxItems {
			r.Skip()
			return
		}
		if len(items) == cap(items) {
			// The memory for a long list is allocated once: the size of its first items tells how many
			// such items the rest of the text may have.
			left := r.Unread()
			more := min(len(items)*left/max(before-left, 1), MaxItems)
			items = slices.Grow(items, 16+max(len(items)/4, more+more/16))
		}
		items = append(items, Item{})
		r.Read(&items[len(items)-1])
	})
	return items
}

// Fields lists the members of an item.
func (it *Item) Fields(f *object.Fields) {
	f.Require("id", "content", "status")
	object.Text(f, "id", &it.ID)
	object.Text(f, "content", &it.Content)
	object.Interned(f, "status", &it.Status)
	object.Interned(f.OmitEmpty(), "priority", &it.Priority)
	object.Text(f.OmitEmpty(), "active_form", &it.ActiveForm)
	object.Interned(f.OmitEmpty(), "native_status", &it.NativeStatus)
	object.Strings(f.OmitEmpty(), "blocked_by", &it.BlockedBy)
	object.Text(f.OmitEmpty(), "reason", &it.Reason)
	object.Interned(f.OmitEmpty(), "by", &it.By)
	object.Interned(f.OmitEmpty(), "assignee", &it.Assignee)
	object.Pointer(f, "claim", &it.Claim)
	f.OmitEmpty().Int("claims", &it.Claims)
	object.Pointer(f, "gate", &it.Gate)
	f.OmitEmpty().Bool("require_proof", &it.NeedsProof)
	object.Time(f, "created_at", &it.CreatedAt)
	object.Time(f, "updated_at", &it.UpdatedAt)
	object.Time(f.OmitEmpty(), "completed_at", &it.CompletedAt)
	object.List(f.OmitEmpty(), "subtasks", &it.Subtasks)
	f.Unknown(&it.Unknown)
}

// Fields lists the members of a claim.
func (c *Claim) Fields(f *object.Fields) {
	f.Require("by")
	object.Text(f, "by", &c.By)
	object.Text(f.OmitEmpty(), "host", &c.Host)
	f.Int("number", &c.Number)
	object.Time(f, "since", &c.Since)
	object.Time(f, "until", &c.Until)
	f.Int("lease_ms", &c.Lease)
	object.Pointer(f, "process", &c.Process)
	object.Text(f.OmitEmpty(), "start", &c.Start)
	f.Unknown(&c.Unknown)
}

// Fields lists the members of a gate.
func (g *Gate) Fields(f *object.Fields) {
	f.Require("command")
	object.Text(f, "command", &g.Command)
	f.OmitEmpty().Bool("claimed_done", &g.ClaimedDone)
	f.OmitEmpty().Bool("passed_for_agent", &g.ByAgent)
	object.Time(f.OmitEmpty(), "at", &g.At)
	f.OmitEmpty().Int("code", &g.Code)
	object.Text(f.OmitEmpty(), "problem", &g.Problem)
	object.Text(f.OmitEmpty(), "output", &g.Output)
	f.Unknown(&g.Unknown)
}

// Fields lists the members of a subtask.
func (t *Subtask) Fields(f *object.Fields) {
	f.Require("id", "content")
	object.Text(f, "id", &t.ID)
	object.Text(f, "content", &t.Content)
	object.Interned(f.OmitEmpty(), "status", &t.Status)
	object.Text(f.OmitEmpty(), "reason", &t.Reason)
	object.Interned(f.OmitEmpty(), "by", &t.By)
	f.Unknown(&t.Unknown)
}

// Fields lists the members of an item that a change was about.
func (t *Touched) Fields(f *object.Fields) {
	object.Text(f, "position", &t.Position)
	object.Text(f, "id", &t.ID)
	object.Text(f, "content", &t.Content)
	object.Interned(f, "status", &t.Status)
}

// MarshalJSON writes totals as an object.
func (c Counts) MarshalJSON() ([]byte, error) {
	w := object.NewWriter(128)
	WriteCounts(w, c)
	return w.Bytes(), nil
}

// WriteCounts writes totals as an object.
func WriteCounts(w *object.Writer, c Counts) { w.Write(&c) }

// Fields lists the members of totals.
func (c *Counts) Fields(f *object.Fields) {
	f.Int("total", &c.Total)
	f.Int("open", &c.Open)
	for i := range meanings {
		f.Int(string(meanings[i].Status), &c.by[i])
	}
}
