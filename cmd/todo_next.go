package cmd

import (
	"errors"
	"fmt"
	"time"

	"onward/internal/output"
	"onward/internal/wait"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type todoNextCmd struct {
	ofSaved     `embed:""`
	workerFlags `embed:""`

	Claim  bool   `help:"Claim the item in the same commit: it is in progress, and no other worker gets it."`
	Wait   bool   `help:"Wait until an item is ready, as long as others are at work."`
	Format string `placeholder:"F" complete:"=plain|id|json" help:"plain (position, id and text, with tabs between them), id or json."`
}

// Run prints the item that is ready for a worker, or answers with the code that says why there is none.
func (c *todoNextCmd) Run(a *app, t find.List) error {
	format, err := a.format(c.Format, false, "plain", "id", "json")
	if err != nil {
		return err
	}
	w, err := c.worker(a, t)
	w.Take = c.Take // an item that another worker holds is not ready, unless --take is given
	switch {
	case err != nil:
		return err
	case c.Claim && w.Name == "":
		return cli.Hinted(cli.Usagef("claiming an item needs a worker's name: --as NAME or ONWARD_WORKER"), "for example `onward todo next --claim --as w1`")
	}
	waiting := wait.New(t.Watch)
	defer waiting.Close()
	for said := false; ; {
		if t.Now, err = a.Clock(); err != nil {
			return err
		}
		got, err := c.look(a, t, w)
		if err != nil {
			return err
		}
		if got.ready.Item >= 0 || !c.Wait || !got.ready.Working {
			return c.print(a, t, got, format)
		}
		if !said {
			a.printNote("nothing is ready, and others are at work; waiting")
			said = true
		}
		waiting.Wait(got.ready.Wait(t.Now))
	}
}

// nextItem is the item that is ready, or the reason why there is none.
type nextItem struct {
	ready   todo.Ready
	item    todo.Item
	claimed bool
	rev     uint64
}

// look finds the item that is ready now, and claims it if that is asked for.
func (c *todoNextCmd) look(a *app, t find.List, w todo.Worker) (got nextItem, err error) {
	doc, err := t.Store.Load(t.Name)
	if err != nil {
		return got, err
	}
	if doc == nil || !doc.Todos.Active {
		return got, cli.Hinted(cli.Failf(cli.ExitNotFound, "session %q has no list", t.Name), "`onward todo add TEXT` starts one")
	}
	if c.Claim {
		if err := w.Elsewhere(doc.Todos.Items, t.Now); err != nil {
			return got, err
		}
	}
	got.rev = doc.Rev
	if got.ready = todo.ReadyFor(doc.Todos.Items, w, t.Now); got.ready.Item >= 0 {
		got.item = doc.Todos.Items[got.ready.Item]
	}
	// A retry gets the item that it claimed before, whatever is ready now.
	if !c.Claim || got.ready.Item < 0 && a.op() == "" {
		return got, nil
	}
	if err := t.Lease(&w, doc); err != nil {
		return got, err
	}
	if c := t.Conversation; c.Process != nil && w.Name == c.Worker().Name {
		w.Process = c.Process(nil)
	}
	commit, err := a.update(t, func(doc *session.Document) (session.Change, error) {
		e, ready, err := todo.ClaimNext(doc.Todos.Current(), w, t.Now)
		got.ready = ready
		if err != nil || ready.Item < 0 {
			return session.Change{}, err
		}
		got.item = e.Items[ready.Item]
		return continuation.Apply(doc, continuation.Event{
			Type: continuation.Edited, Items: e.Items, Touched: e.Touched, Change: e.What, Source: "cli", By: a.by(t),
		}, t.Now)
	})
	if err != nil || !commit.Changed && !commit.Again {
		got.claimed = got.ready.Item >= 0 // a claim that is renewed within a millisecond changes nothing
		return got, err
	}
	got.claimed, got.rev = true, commit.Doc.Rev
	for _, touched := range commit.Change.Touched {
		at, err := todo.ParsePosition("id:" + touched.ID)
		if err != nil {
			return got, err
		}
		ref, err := todo.Find(commit.Doc.Todos.Items, at)
		if errors.Is(err, todo.ErrNotFound) {
			return got, fmt.Errorf("the item that was claimed before is gone: %w", err)
		}
		if err != nil {
			return got, err
		}
		got.ready.Item, got.item = ref.Item, commit.Doc.Todos.Items[ref.Item]
	}
	return got, nil
}

// print prints the item, or why there is none.
func (c *todoNextCmd) print(a *app, t find.List, got nextItem, format string) error {
	if format == "json" {
		a.write(nextJSON(t.Name, got, t.Now))
	} else if got.ready.Item >= 0 && format == "id" {
		a.print(render.Text(got.item.ID) + "\n")
	} else if got.ready.Item >= 0 {
		a.print(fmt.Sprintf("%d\t%s\t%s\n", got.ready.Item+1, render.Text(got.item.ID), render.Text(got.item.Content)))
	} else {
		a.printNote(got.ready.Why())
	}
	switch {
	case got.ready.Item >= 0:
		return nil
	case !got.ready.Open:
		return cli.ExitCode(cli.ExitDone)
	case got.ready.Working:
		return cli.ExitCode(cli.ExitWait)
	}
	return cli.ExitCode(cli.ExitNeedsHuman)
}

// nextJSON is onward/next/v1: the item that is ready for a worker, or why there is none.
func nextJSON(name session.Name, got nextItem, now todo.Time) []byte {
	w := output.Begin("onward/next/v1", name, 1024)
	w.Uint("rev", got.rev)
	w.Bool("claimed", got.claimed)
	if got.ready.Item >= 0 {
		w.Name("item")
		output.WriteItem(w, &got.item, got.ready.Item)
	} else {
		w.String("reason", got.ready.Reason())
		w.String("message", got.ready.Why())
		if got.ready.Working {
			w.Int("retry_after_ms", int(got.ready.Wait(now)/time.Millisecond))
		}
	}
	w.Close('}')
	return output.End(w)
}

type todoReleaseCmd struct {
	ofSaved     `embed:""`
	workerFlags `embed:""`

	Ranges []string `arg:"" name:"range" complete:"held" ask:"which item?" example:"1" help:"N, last, id:ID, N-M or all."`
}

// Run gives items back.
func (c *todoReleaseCmd) Run(a *app, t find.List) error {
	ranges, err := todo.ParseRanges(c.Ranges)
	if err != nil {
		return err
	}
	w, err := c.worker(a, t)
	if err != nil {
		return err
	}
	return a.edit(t, func(items []todo.Item, now todo.Time) (todo.Edit, error) {
		return todo.Release(items, ranges, w, now)
	})
}
