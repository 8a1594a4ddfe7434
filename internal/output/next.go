package output

import (
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// NextJSON is onward/next/v1: the item that is ready for a worker, or why there is none.
func NextJSON(name session.Name, got continuation.NextItem, now todo.Time) []byte {
	w := BeginDocument("onward/next/v1", name, 1024)
	w.Uint("rev", got.Rev)
	w.Bool("claimed", got.Claimed)
	if got.Ready.Item >= 0 {
		w.Name("item")
		WriteItem(w, &got.Item, got.Ready.Item)
	} else {
		w.String("reason", got.Ready.Reason())
		w.String("message", got.Why())
		if got.Ready.Working {
			w.Int("retry_after_ms", int(got.Ready.Wait(now)/time.Millisecond))
		}
	}
	w.Close('}')
	return EndDocument(w)
}
