package system

import (
	"sync"
	"time"

	"onward/internal/find"
	"onward/internal/session"
	"onward/internal/todo"
)

// ItemList is the list that the item of a run is in.
type ItemList struct{ find.List }

// Load reads a list of the same store.
func (q ItemList) Load(name session.Name) (*session.Document, error) { return q.Store.Load(name) }

// Update changes the list.
func (q ItemList) Update(now todo.Time, change func(*session.Document) (session.Change, error)) error {
	q.Now = now
	_, err := q.List.Update("", change)
	return err
}

// Repeat calls a function at intervals, and at changes of the list, until that returns false or stop is called.
func (q ItemList) Repeat(interval time.Duration, do func(changed bool) bool) (stop func()) {
	var kept sync.WaitGroup
	over := make(chan struct{})
	kept.Go(func() {
		watch := q.Watch()
		defer watch.Close()
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for goes := true; goes; {
			select {
			case <-over:
				return
			case <-watch.Changes:
				goes = do(true)
			case <-ticker.C:
				goes = do(false)
			}
		}
	})
	return func() {
		close(over)
		kept.Wait()
	}
}
