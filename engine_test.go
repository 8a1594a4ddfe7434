package main

import (
	"context"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"onward/cmd"
	"onward/internal/durable"
	"onward/internal/store"
)

// fakeEngine is the main function of onward-fake, an engine whose stores are at fake:///FOLDER. It keeps files there,
// but behaves as a database. ONWARD_FAKE makes its writes fail or hang, as those of a database can, fail as often as a
// file has lines, or delete nothing.
func fakeEngine() {
	debug.SetTraceback("crash")
	engine := &cmd.Engine{Scheme: "fake", Open: func(url string, wait time.Duration) (store.Backend, error) {
		dir, ok := strings.CutPrefix(url, "fake://")
		if !ok || !strings.HasPrefix(dir, "/") {
			return nil, cmd.Usagef("the URL of a fake store is fake:///FOLDER")
		}
		return fake{&durable.Store{Dir: dir, Wait: wait}, os.Getenv("ONWARD_FAKE")}, nil
	}}
	os.Exit(cmd.MainOn(engine, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// fake is a store of this engine.
type fake struct {
	store.Backend
	fault string
}

func (f fake) With(ctx context.Context) store.Backend { return fake{f.Backend.With(ctx), f.fault} }

// fails returns the error that ONWARD_FAKE demands, before a call does anything.
func (f fake) fails() error {
	switch f.fault {
	case "unavailable":
		return store.WrapProblem(store.ErrUnavailable, "no majority")
	case "hangs":
		select {}
	}
	if file, ok := strings.CutPrefix(f.fault, "unavailable as in "); ok {
		data, _ := os.ReadFile(file)
		if _, rest, found := strings.Cut(string(data), "\n"); found {
			if err := os.WriteFile(file, []byte(rest), 0o600); err != nil {
				return err
			}
			return store.WrapProblem(store.ErrUnavailable, "no majority")
		}
	}
	return nil
}

// Examine reports a condition as a database would.
func (f fake) Examine() (store.Condition, error) {
	c := store.Condition{Version: "7.1", Size: 1 << 20, Quota: 1 << 30}
	switch f.fault {
	case "old":
		c.Remarks = []store.Remark{{Detail: "version 7.1 is older than 7.2", Hint: "upgrade it"}}
	case "full":
		c.Remarks = []store.Remark{{Bad: true, Detail: "the store is full", Hint: "compact it"}}
	}
	return c, nil
}

func (f fake) Get(k store.Key) (store.Value, error) {
	if err := f.fails(); err != nil {
		return store.Value{}, err
	}
	return f.Backend.Get(k)
}

func (f fake) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	err := f.fails()
	if err == nil {
		err = f.Backend.Update(k, func(v store.Value, unread error) (store.Write, error) {
			w, err := change(v, unread)
			if err == nil && w.Delete && f.fault == "deletes nothing" {
				err = store.WrapProblem(store.ErrUnavailable, "no majority")
			}
			return w, err
		})
	}
	if err == nil && f.fault == "unknown" {
		err = store.WrapProblem(store.ErrUnknown, "the answer was lost")
	}
	return err
}

func (f fake) Hold(k store.Key, atOnce bool) (store.Held, error) {
	h, err := f.Backend.Hold(k, atOnce)
	if err != nil {
		return nil, err
	}
	return fakeHeld{h, fake{h, f.fault}}, nil
}

type (
	right = store.Held
	// fakeHeld is a held document, whose commits fail as those of the store do.
	fakeHeld struct {
		right
		by fake
	}
)

func (h fakeHeld) With(ctx context.Context) store.Backend { return h.by.With(ctx) }

func (h fakeHeld) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return h.by.Update(k, change)
}
