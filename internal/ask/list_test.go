package ask

import (
	"fmt"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/storetest"
)

// testList is a list in a store in memory. Another writer interferes with each commit,
// so that every change is made twice.
type testList struct {
	memory   *storetest.Memory
	lists    *session.Store
	queued   int
	idle     int
	atWork   bool
	settings continuation.Settings
	commits  int
	did      session.Change // the change of the last commit
}

// empty deletes the document, so that there is no list.
func (l *testList) empty() {
	l.memory = storetest.NewMemory()
	l.memory.Contended = true
	l.lists = &session.Store{Backend: l.memory, Notes: l.memory}
}

// change changes the document as another process would.
func (l *testList) change(how func(*session.Document)) {
	doc := l.doc()
	how(doc)
	data, err := session.Encode(doc)
	if err != nil {
		panic(err)
	}
	l.memory.Damage(session.Key(name), data)
}

// doc returns the saved document.
func (l *testList) doc() *session.Document {
	doc, err := l.Load()
	if err != nil {
		panic(err)
	}
	return doc
}

// sign records activity.
func (l *testList) sign(kind string, at todo.Time) {
	if err := l.lists.UpdateActivity(name, func(a *session.Activity) { a.Kind, a.At = kind, at }); err != nil {
		panic(err)
	}
}

func (l *testList) Load() (*session.Document, error) { return l.lists.Load(name) }

func (l *testList) FindOperation(doc *session.Document, op string) error {
	return l.lists.FindOperation(doc, op, 0)
}

func (l *testList) Settings(*session.Document) (continuation.Settings, error) { return l.settings, nil }

func (l *testList) Activity() session.Activity { return l.lists.Activity(name) }

func (l *testList) Gone(*session.Process) bool { return false }

func (l *testList) AtWork() (bool, error) { return l.atWork, nil }

func (l *testList) Removed(*session.Document) (bool, error) { return false, nil }

func (l *testList) RemoveMessages([]string) error { return nil }

func (l *testList) Facts(said continuation.Facts) (continuation.Facts, int, error) {
	if l.queued > 0 {
		said.QueuedMessages = ptr(l.queued)
	}
	return said, l.idle, nil
}

func (l *testList) Update(op string, now todo.Time, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	commit, err := l.lists.Update(name, op, now, change)
	if commit.Changed {
		l.commits++
		l.did = commit.Change
	}
	return commit, err
}

func list(statuses ...todo.Status) *testList {
	set, _, err := continuation.Resolve()
	if err != nil {
		panic(err)
	}
	set.Countdown = 0
	doc := &session.Document{
		Schema: session.Schema, Rev: 7, Session: "s", Agent: session.Primary,
		CreatedAt: noon - 3_600_000, Todos: session.Todos{Active: true, UpdatedAt: noon - 60_000, Rev: 7},
	}
	for i, s := range statuses {
		doc.Todos.Items = append(doc.Todos.Items, todo.Item{ID: fmt.Sprint(i), Content: "item", Status: s})
	}
	data, err := session.Encode(doc)
	if err != nil {
		panic(err)
	}
	l := &testList{settings: set}
	l.empty()
	l.memory.Damage(session.Key(name), data)
	return l
}
