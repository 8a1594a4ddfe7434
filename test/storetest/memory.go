// Package storetest tests backends of package store. It has one suite that every backend must pass,
// and a backend in memory, which the tests of other packages use too.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"onward/internal/store"
)

// Memory is a backend in memory. As a database does, it locks nothing while a document is changed:
// it compares revisions when it commits, and calls the change again if another commit came first.
type Memory struct {
	Careless  bool // commits even if others have committed in the meantime: a mistake that the suite must find
	Contended bool // another writer interferes each time, so that every change is made twice

	mu      sync.Mutex
	docs    map[store.Key]*document
	held    map[store.Key]*held
	notes   map[store.Key][]byte
	watches map[chan struct{}][]store.Key
	clock   int // counts commits
}

// document is a stored document with its log. Without data it was deleted or lost.
type document struct {
	value  store.Value
	log    []byte
	rev    int // of the document and its log
	copies [][]byte
	lost   bool
}

// NewMemory returns an empty backend.
func NewMemory() *Memory {
	return &Memory{docs: map[store.Key]*document{}, held: map[store.Key]*held{}, notes: map[store.Key][]byte{}, watches: map[chan struct{}][]store.Key{}}
}

var (
	_ store.Backend = (*Memory)(nil)
	_ store.Notes   = (*Memory)(nil)
)

// Get returns a copy, as a database does.
func (m *Memory) Get(k store.Key) (store.Value, error) {
	v, _, err := m.get(k)
	return v, err
}

func (m *Memory) get(k store.Key) (v store.Value, rev int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.docs[k]
	if d == nil {
		return v, 0, nil
	}
	if log := d.log; k.Journaled() { // a journal's lines are replaced in place, so the caller gets copies
		defer func() { v.Log = bytes.Clone(log) }()
	} else {
		defer func() { v.ReadLog = func() ([]byte, error) { return bytes.Clone(log), nil } }()
	}
	switch {
	case d.lost:
		return v, d.rev, store.WrapProblem(store.ErrCorrupt, "%w", store.ErrGone)
	case len(d.value.Data) > k.Kind.Limit:
		return v, d.rev, store.WrapProblem(store.ErrLimit, "%s has %d bytes, at most %d are read", k.Name, len(d.value.Data), k.Kind.Limit)
	}
	v = d.value
	v.Data = bytes.Clone(v.Data)
	return v, d.rev, nil
}

// GetMany reads the documents one by one.
func (m *Memory) GetMany(keys []store.Key) []store.GetResult { return store.GetEach(m, keys) }

// List returns the documents of a collection.
func (m *Memory) List(kind *store.Spec, like string, _ bool) ([]store.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var entries []store.Entry
	for k, d := range m.docs {
		if k.Kind == kind && d.value.Data != nil && (like == "" || strings.EqualFold(k.Name, like)) {
			entries = append(entries, store.Entry{Name: k.Name, Changed: d.value.Changed})
		}
	}
	return entries, nil
}

// Leftovers returns the copies of damaged documents; a deletion is never cut off here.
func (m *Memory) Leftovers(kind *store.Spec, name string) ([]store.Leftover, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var traces []store.Leftover
	for k, d := range m.docs {
		if k.Kind == kind && (name == "" || k.Name == name) {
			for i := range d.copies {
				traces = append(traces, store.Leftover{Name: k.Name, Copy: d.copyPath(k, i)})
			}
		}
	}
	return traces, nil
}

func (d *document) copyPath(k store.Key, n int) string {
	return fmt.Sprintf("memory:%s/%s.copy-%d", k.Kind.Folder, k.Name, n)
}

// moves commits a change of another writer if the backend is Contended, so that the caller's commit conflicts.
func (m *Memory) moves(k store.Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.docs[k]; d != nil && m.Contended {
		m.clock++
		d.rev, d.value.Revision = m.clock, m.clock
	}
}

// Update repeats the change until there is no conflict.
func (m *Memory) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	for attempt := 0; ; attempt++ {
		v, rev, unread := m.get(k)
		w, err := change(v, unread)
		if w.Copy != nil {
			m.copyAside(k, w.Copy)
		}
		if err != nil || w.Data == nil && !w.Delete {
			return err
		}
		if attempt == 0 {
			m.moves(k)
		}
		if m.commit(k, rev, w) {
			return nil
		}
	}
}

// commit makes a write, and reports whether the document still had the revision rev.
func (m *Memory) commit(k store.Key, rev int, w store.Write) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.docs[k]
	if d == nil {
		d = &document{}
	}
	if d.rev != rev && !m.Careless {
		return false
	}
	m.docs[k] = d
	m.clock++
	d.rev, d.lost = m.clock, false
	d.value = store.Value{Data: bytes.Clone(w.Data), Changed: w.Now, Acknowledged: d.value.Acknowledged, Revision: m.clock}
	switch kind := k.Kind; {
	case w.Delete:
		d.value = store.Value{Deleted: true}
		d.log = nil
		if w.Copy == nil {
			d.copies = nil
		}
		delete(m.notes, k)
	case kind.Log != nil && kind.Log.Journal:
		d.log = nil
	case w.Line != nil:
		if w.Trim {
			lines := bytes.SplitAfter(d.log, []byte("\n"))
			d.log = bytes.Join(lines[max(0, len(lines)-kind.Log.Lines):], nil)
		}
		d.log = append(d.log, w.Line...)
	}
	m.changed(k)
	return true
}

// copyAside keeps a copy of a damaged document, one for each content.
func (m *Memory) copyAside(k store.Key, tell func(string)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.docs[k]
	if d == nil || d.value.Data == nil || d.lost {
		return
	}
	at := slices.IndexFunc(d.copies, func(c []byte) bool { return bytes.Equal(c, d.value.Data) })
	if at < 0 {
		at = len(d.copies)
		d.copies = append(d.copies, d.value.Data)
	}
	tell(d.copyPath(k, at))
}

// Hold fails immediately if the document is held: this store never waits.
func (m *Memory) Hold(k store.Key, _ bool) (store.Held, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held[k] != nil {
		return nil, store.WrapProblem(store.ErrBusy, "%s is held", k.Name)
	}
	m.held[k] = &held{m, k}
	return m.held[k], nil
}

// Held reports whether the document is held.
func (m *Memory) Held(k store.Key) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.held[k] != nil, nil
}

type held struct {
	*Memory
	k store.Key
}

func (h *held) Release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held[h.k] == h { // otherwise it was released before, and another holder has it now
		delete(h.held, h.k)
	}
}

func (h *held) Replaced(seen store.Value) bool {
	v, err := h.Get(h.k)
	return err != nil || v.Revision != seen.Revision
}

func (h *held) Append(seen store.Value, change func(store.Value, error) (store.Line, error)) (store.Value, error) {
	v := seen
	for attempt := 0; ; attempt++ {
		var err error
		if v.Data == nil || h.Replaced(v) {
			v, err = h.Get(h.k)
		}
		line, err := change(v, err)
		if err != nil || line.Data == nil {
			return v, err
		}
		if attempt == 0 {
			h.moves(h.k)
		}
		if h.append(v, line) {
			v.Acknowledged = line.Acknowledged
			return v, nil
		}
	}
}

func (h *held) append(v store.Value, line store.Line) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	d := h.docs[h.k]
	if d == nil || d.value.Revision != v.Revision {
		return false
	}
	h.clock++
	d.rev = h.clock
	d.log, d.value.Acknowledged = append(d.log[:line.At], line.Data...), line.Acknowledged
	h.changed(h.k)
	return true
}

// Watch is notified of every commit.
func (m *Memory) Watch(keys ...store.Key) store.Watch {
	m.mu.Lock()
	defer m.mu.Unlock()
	changes := make(chan struct{}, 1)
	m.watches[changes] = keys
	return store.Watch{Changes: changes, Close: func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.watches, changes)
	}}
}

func (m *Memory) changed(k store.Key) {
	for changes, keys := range m.watches {
		if slices.Contains(keys, k) || slices.Contains(keys, store.Key{Kind: k.Kind}) {
			select {
			case changes <- struct{}{}:
			default:
			}
		}
	}
}

// With returns the same store bound to a context. Since the store never waits, the context ends only
// the calls that are made after its end.
func (m *Memory) With(ctx context.Context) store.Backend { return bound{m, ctx} }

// bound is a store in memory whose calls fail after the end of a context.
type bound struct {
	*Memory
	ctx context.Context
}

func (b bound) interrupted() error {
	if errors.Is(b.ctx.Err(), context.Canceled) {
		return store.WrapProblem(store.ErrInterrupted, "before it began")
	}
	return nil
}

func (b bound) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	if err := b.interrupted(); err != nil {
		return err
	}
	return b.Memory.Update(k, change)
}

func (b bound) Hold(k store.Key, atOnce bool) (store.Held, error) {
	if err := b.interrupted(); err != nil {
		return nil, err
	}
	return b.Memory.Hold(k, atOnce)
}

// Path returns a name of the document for messages.
func (m *Memory) Path(k store.Key) string {
	return "memory:" + strings.TrimPrefix(k.Kind.Folder+"/"+k.Name, "./")
}

// Note returns the note of a document.
func (m *Memory) Note(k store.Key) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.notes[k]
}

// ChangeNote changes the note of a document.
func (m *Memory) ChangeNote(k store.Key, change func([]byte) []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes[k] = change(m.notes[k])
	m.changed(k)
	return nil
}

// Damage replaces the content of a document without a commit.
func (m *Memory) Damage(k store.Key, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.docs[k] == nil {
		m.docs[k] = &document{}
	}
	m.clock++
	m.docs[k].rev, m.docs[k].value.Data, m.docs[k].value.Revision = m.clock, data, m.clock
}

// DamageLog replaces the log of a document and its mark without a commit.
func (m *Memory) DamageLog(k store.Key, data []byte, mark string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.docs[k].log, m.docs[k].value.Acknowledged = data, mark
}

// Lose removes a document without a commit, as a disk does that loses a file.
func (m *Memory) Lose(k store.Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	m.docs[k].rev, m.docs[k].lost = m.clock, true
}

// at is the time of the suite's commits.
var at = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
