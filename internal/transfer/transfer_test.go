package transfer

import (
	"errors"
	"testing"

	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/storetest"
)

const now = todo.Time(1_767_258_000_000)

var name = session.Name{Session: "demo"}

// outputs stores outputs in memory.
type outputs map[string][]byte

func (o outputs) Read(name string) ([]byte, error) { return o[name], nil }
func (o outputs) Write(_ session.Name, name string, data []byte) error {
	o[name] = data
	return nil
}

func (o outputs) Remove(names []string) {
	for _, name := range names {
		delete(o, name)
	}
}

func side(b store.Backend, notes store.Notes, address string) Side {
	return Side{Lists: &session.Store{Backend: b, Notes: notes}, Calls: &schedule.Store{Backend: b}, Outputs: outputs{}, Address: address}
}

// busy changes the list in the source each time before the target is written.
type busy struct {
	*storetest.Memory
	before func()
}

func (b busy) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	b.before()
	return b.Memory.Update(k, change)
}

func (b busy) Hold(k store.Key, atOnce bool) (store.Held, error) {
	h, err := b.Memory.Hold(k, atOnce)
	return busyHeld{h, b}, err
}

type (
	lease    = store.Held
	busyHeld struct {
		lease
		busy busy
	}
)

func (h busyHeld) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return h.busy.Update(k, change)
}

func add(t *testing.T, s Side, text string) {
	t.Helper()
	_, err := s.Lists.Update(name, "", now, func(d *session.Document) (session.Change, error) {
		d.Todos.Active = true
		d.Todos.Items = append(d.Todos.Items, todo.Item{ID: text, Content: text, Status: todo.Pending, By: "user"})
		return session.Change{What: "added " + text, By: "test", List: true}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func items(t *testing.T, s Side) int {
	t.Helper()
	doc, err := s.Lists.Load(name)
	if err != nil || doc == nil {
		t.Fatalf("got %v, %v", doc, err)
	}
	return len(doc.Todos.Items)
}

// TestMoveChangingList checks that a move loses nothing that is written to the list in the meantime.
func TestMoveChangingList(t *testing.T) {
	for changes := range attempts + 1 {
		left := changes
		source := storetest.NewMemory()
		from := side(source, source, "from")
		add(t, from, "first")
		target := storetest.NewMemory()
		to := side(busy{target, func() {
			if left > 0 {
				left--
				add(t, from, string(rune('a'+left)))
			}
		}}, target, "to")
		did, err := (&Transfer{From: from, To: to, Move: true, Now: now}).TransferList(name)
		if changes == attempts {
			if !errors.Is(err, store.ErrBusy) || items(t, from) != attempts+1 {
				t.Errorf("a list that changes all the time: %q, %v", did, err)
			}
			continue
		}
		if err != nil || did != Moved || items(t, to) != changes+1 {
			t.Errorf("%d changes: %q, %v, %d items", changes, did, err, items(t, to))
		}
		if _, err := from.Lists.Load(name); !errors.Is(err, store.ErrMoved) {
			t.Errorf("the source: %v", err)
		}
		if lists, err := to.Lists.SavedLists(session.Name{}); err != nil || len(lists) != 1 || !lists[0].Changed.Equal(now.Time()) {
			t.Errorf("the target lists %+v, %v", lists, err)
		}
		if history, err := to.Lists.History(name); err != nil || len(history) != changes+1 {
			t.Errorf("%d changes: a history of %d, %v", changes, len(history), err)
		}
	}
}

// TestChangingTargetIsNotLost changes the target between the read and the write. The change is not overwritten.
func TestChangingTargetIsNotLost(t *testing.T) {
	source, target := storetest.NewMemory(), storetest.NewMemory()
	from, plain := side(source, source, "from"), side(target, target, "to")
	add(t, from, "first")
	once := true
	to := side(busy{target, func() {
		if once {
			once = false
			add(t, plain, "theirs")
		}
	}}, target, "to")
	if did, err := (&Transfer{From: from, To: to, Now: now}).TransferList(name); !errors.Is(err, ErrTargetChanged) {
		t.Errorf("got %q, %v", did, err)
	}
	if did, err := (&Transfer{From: from, To: to, Replace: true, Now: now}).TransferList(name); err != nil || did != Copied || items(t, to) != 1 {
		t.Errorf("got %q, %v", did, err)
	}
}

// TestRefuseListWithRunningCalls checks that a list is not copied while its calls run in either store.
func TestRefuseListWithRunningCalls(t *testing.T) {
	source, target := storetest.NewMemory(), storetest.NewMemory()
	from, to := side(source, source, "from"), side(target, target, "to")
	add(t, from, "first")
	for _, s := range []Side{from, to} {
		_, err := s.Calls.Update(name, "", now, func(d *schedule.Document) (schedule.Change, error) {
			d.Messages = append(d.Messages, schedule.Message{Text: "wait", At: now})
			return schedule.Change{What: "pushed"}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		run, err := s.Calls.BeginAtOnce(name)
		if err != nil {
			t.Fatal(err)
		}
		if did, err := (&Transfer{From: from, To: to, Replace: true, Now: now}).TransferList(name); !errors.Is(err, store.ErrBusy) {
			t.Errorf("got %q, %v", did, err)
		}
		run.End()
	}
	if did, err := (&Transfer{From: from, To: to, Now: now}).TransferList(name); !errors.Is(err, ErrTargetChanged) {
		t.Errorf("other messages wait there: %q, %v", did, err)
	}
}
