package session

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// Thread is a conversation whose agent reports what all its turns have used together, or what its sub-agents have, with the last such total.
type Thread struct {
	ID      string
	Input   int
	Output  int
	Cached  int // of the input
	Cost    int // in millionths of a US dollar
	Unknown jsontext.Value
}

// maxThreads is how many totals are kept.
const maxThreads = 16

// RecordTotal records a thread's new total unless it is lower than the one before, which is returned; none is 0.
func (l *Ledger) RecordTotal(total Thread) (before Thread) {
	if i := slices.IndexFunc(l.Threads, func(t Thread) bool { return t.ID == total.ID }); i >= 0 {
		before = l.Threads[i]
		l.Threads = slices.Delete(slices.Clone(l.Threads), i, i+1)
	}
	after := before
	after.ID, after.Input, after.Output = total.ID, max(total.Input, before.Input), max(total.Output, before.Output)
	after.Cached, after.Cost = max(total.Cached, before.Cached), max(total.Cost, before.Cost)
	l.Threads = append(slices.Clip(l.Threads), after)
	l.Threads = l.Threads[max(0, len(l.Threads)-maxThreads):]
	return before
}

// Fields lists the members of a thread.
func (t *Thread) Fields(f *object.Fields) {
	object.Text(f, "id", &t.ID)
	f.Int("tokens_in", &t.Input)
	f.Int("tokens_out", &t.Output)
	f.OmitEmpty().Int("tokens_cached", &t.Cached)
	f.OmitEmpty().Int("cost_micros", &t.Cost)
	f.Unknown(&t.Unknown)
}
