package simulate

import (
	"context"
	"errors"
	"maps"
	"time"

	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/storetest"
)

// backend is the store as one run of onward sees it. Each call takes time, in which other actors run, and may fail:
// before it did anything, or after it did everything, so that the answer is lost. The run may be killed during a call.
type backend struct {
	*storetest.Memory
	c        *command
	patience time.Duration // how long the run waits for the store in total
}

// killed is the value of the panic that ends a run of onward when it is killed.
type killed struct{}

// The ways in which a call fails.
const (
	works = iota
	noAnswer
	answerLost
	notDurable
	busy
	isKilled
)

var faultWords = [...]string{
	noAnswer: "does not answer", answerLost: "does it, and the answer is lost",
	notDurable: "cannot sync", busy: "is busy", isKilled: "is in use when onward is killed",
}

// enter lets the time of a call pass, and returns in which way the call fails.
func (b *backend) enter() (how int, err error) {
	c := b.c
	stream := c.id*perActor + faults
	if c.calm {
		return works, nil
	}
	took := time.Duration(c.roll(c.id*perActor+delays, 1000)) * time.Microsecond
	if c.slow > 0 {
		took += time.Duration(c.roll(c.id*perActor+delays, c.slow)) * time.Millisecond
	}
	if c.at < c.down {
		took += c.down - c.at
	}
	if took > b.patience {
		c.sleep(b.patience)
		b.patience = 0
		return noAnswer, store.WrapProblem(store.ErrUnavailable, "no answer in time")
	}
	b.patience -= took
	c.sleep(took)
	trouble := c.trouble
	if c.at >= night {
		trouble = 0 // after the night nothing fails, so that everything that was started must end
	}
	if how = c.choose(stream, 1000-trouble, trouble/4, trouble/4, trouble/4, trouble/8, trouble/4); how != works {
		c.troubled = true
		c.count("store", faultWords[how])
		c.say("store", "%s, in a run for %s", faultWords[how], c.actor.name)
	}
	switch how {
	case noAnswer:
		err = store.WrapProblem(store.ErrUnavailable, "a fault of the world")
	case busy:
		err = store.WrapProblem(store.ErrBusy, "a fault of the world")
	case isKilled:
		if c.roll(stream, 2) == 0 {
			panic(killed{})
		}
	}
	return how, err
}

// leave ends a call that was made, and loses its answer if how says so. With made, the call has committed a change.
func (b *backend) leave(how int, made bool) error {
	switch {
	case how == isKilled:
		panic(killed{})
	case how == answerLost && made:
		b.c.unsure = true
		return store.WrapProblem(store.ErrUnknown, "a fault of the world")
	case how == answerLost:
		return store.WrapProblem(store.ErrUnavailable, "a fault of the world")
	case how == notDurable && made:
		return store.WrapProblem(store.ErrNotDurable, "a fault of the world")
	}
	return nil
}

func (b *backend) Get(k store.Key) (store.Value, error) {
	how, err := b.enter()
	if err != nil {
		return store.Value{}, err
	}
	v, err := b.Memory.Get(k)
	b.c.look(k, false)
	if lost := b.leave(how, false); lost != nil {
		return store.Value{}, lost
	}
	return b.withLog(v), err
}

// withLog lets the reading of a log take time and fail as other calls do.
func (b *backend) withLog(v store.Value) store.Value {
	if read := v.ReadLog; read != nil {
		v.ReadLog = func() ([]byte, error) {
			if how, err := b.enter(); err != nil || how == answerLost {
				return nil, store.WrapProblem(store.ErrUnavailable, "a fault of the world")
			}
			return read()
		}
	}
	return v
}

func (b *backend) List(kind *store.Spec, like string, times bool) ([]store.Entry, error) {
	if how, err := b.enter(); err != nil || how == answerLost {
		return nil, store.WrapProblem(store.ErrUnavailable, "a fault of the world")
	}
	return b.Memory.List(kind, like, times)
}

// Update lets other runs commit between the change and its commit. As a database does, it then calls the change again.
func (b *backend) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	how, err := b.enter()
	if err != nil {
		return err
	}
	var made store.Write
	err = b.Memory.Update(k, func(v store.Value, unread error) (w store.Write, err error) {
		b.c.look(k, true)
		w, err = change(b.withLog(v), unread)
		if err == nil && w.Data != nil && b.c.at < b.c.full {
			return store.Write{}, store.WrapProblem(store.ErrFull, "a fault of the world")
		}
		if made = w; !b.c.calm {
			b.c.sleep(time.Duration(b.c.roll(b.c.id*perActor+delays, 1000)) * time.Microsecond)
		}
		return w, err
	})
	if err != nil {
		return err
	}
	did := made.Data != nil || made.Delete
	if did {
		b.c.committed(k)
	}
	return b.leave(how, did)
}

// Hold waits for the holder unless atOnce is set. What a run holds is released when the run ends.
func (b *backend) Hold(k store.Key, atOnce bool) (store.Held, error) {
	if _, err := b.enter(); err != nil {
		return nil, err
	}
	for {
		one, err := b.Memory.Hold(k, true)
		if err == nil {
			b.c.holds = append(b.c.holds, one)
			return held{one, b.c, b}, nil
		}
		if atOnce || b.patience <= 0 {
			return nil, err
		}
		b.patience -= 100 * time.Millisecond
		b.c.sleep(100 * time.Millisecond)
	}
}

// With returns the same store: runs are killed here, and not interrupted.
func (b *backend) With(context.Context) store.Backend { return b }

// within returns the same store for a caller that waits at most so long by the world's clock.
func (b *backend) within(wait time.Duration) *backend { return &backend{b.Memory, b.c, wait} }

// ChangeNote changes the note of activity, which is stored on the machine and does not fail.
func (b *backend) ChangeNote(k store.Key, change func([]byte) []byte) error {
	defer b.c.woken(k.Name)
	return b.Memory.ChangeNote(k, change)
}

// load reads a list without a run of onward; it returns nil if there is none.
func (w *world) load(name string) *session.Document {
	lists := session.Store{Backend: w.memory, Notes: w.memory}
	at, err := session.ParseName(name)
	if err != nil {
		panic(err)
	}
	doc, err := lists.Load(at)
	if errors.Is(err, store.ErrDeleting) {
		return nil
	}
	if err != nil {
		panic(err)
	}
	return doc
}

// items returns the current items of a list; nil if there is no list.
func items(doc *session.Document) []todo.Item {
	if doc == nil {
		return nil
	}
	return doc.Todos.Current()
}

// loadShared reads the settings of the project without a run of onward; it returns nil if there are none.
func (w *world) loadShared() map[string]string {
	lists := session.Store{Backend: w.memory}
	shared, err := lists.ProjectSettings(home)
	if err != nil {
		panic(err)
	}
	return maps.Clone(shared.Current())
}
