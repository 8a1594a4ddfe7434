package cmd

import (
	"fmt"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/night"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/todo"
	"onward/internal/wait"
)

type todoNextCmd struct {
	ofSaved     `embed:""`
	workerFlags `embed:""`

	Claim  bool   `help:"Claim the item: mark it as in progress, so that no other worker gets it."`
	Wait   bool   `help:"Wait for an item to be ready, while others are at work."`
	Format string `placeholder:"F" complete:"=plain|id|json" help:"plain (position, id and text, with tabs between them), id or json."`
}

// Run prints the item that is ready for a worker, or answers with the code that says why there is none.
func (c *todoNextCmd) Run(a *app, t find.List) error {
	format, err := a.format(c.Format, false, "plain", "id", "json")
	if err != nil {
		return err
	}
	w, err := c.worker(a, t)
	w.Take = w.Take && c.Take // an item that another worker holds is not ready, unless --take is given
	switch {
	case err != nil:
		return err
	case c.Claim && w.Name == "":
		return cli.WithHint(cli.Usagef("claiming an item needs a worker's name: --as NAME or ONWARD_WORKER"), "for example `onward todo next --claim --as w1`")
	}
	waiting := wait.New(t.Watch)
	defer waiting.Close()
	for said := false; ; {
		if t.Now, err = a.Clock(); err != nil {
			return err
		}
		got, err := c.findReady(a, t, w)
		if err != nil {
			return err
		}
		if !c.Wait || got.Outcome() != continuation.Wait {
			return c.print(a, t, got, format)
		}
		if !said {
			a.printNote("nothing is ready, and others are at work; waiting")
			said = true
		}
		waiting.Wait(got.Ready.Wait(t.Now))
	}
}

// findReady finds the item that is ready now, and claims it if that is asked for.
func (c *todoNextCmd) findReady(a *app, t find.List, w todo.Worker) (got continuation.NextItem, err error) {
	doc, err := t.Store.Load(t.Name)
	if err != nil {
		return got, err
	}
	if !doc.IsActive() {
		return got, cli.WithHint(cli.Failf(cli.ExitNotFound, "session %q has no list", t.Name), "`onward todo add TEXT` starts one")
	}
	if c.Claim {
		return gate.ClaimNext(t, w, doc, a.op() != "", a.by(t), a.update)
	}
	return continuation.FindNext(doc, w, t.Now), nil
}

// print prints the item, or why there is none.
func (c *todoNextCmd) print(a *app, t find.List, got continuation.NextItem, format string) error {
	if format == "json" {
		a.write(output.NextJSON(t.Name, got, t.Now))
	} else if got.Ready.Item >= 0 && format == "id" {
		a.print(render.Text(got.Item.ID) + "\n")
	} else if got.Ready.Item >= 0 {
		a.print(fmt.Sprintf("%d\t%s\t%s\n", got.Ready.Item+1, render.Text(got.Item.ID), render.Text(got.Item.Content)))
	} else {
		a.printNote(render.Text(got.Why()))
		if got.Outcome() == continuation.NeedsHuman {
			a.hint(a.withSameListFlags("`onward todo reopen N` lets a worker try item N again"))
		}
	}
	if code := night.ExitCodeOf(got.Outcome()); code != cli.ExitOK {
		return cli.ExitCode(code)
	}
	return nil
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
