package cmd

import (
	"fmt"
	"strings"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/night"
	"onward/internal/night/system"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/todo"
)

// findItem finds the item of --item, and the session of the worker's own; it does nothing without the flag.
func (r *runner) findItem() error {
	if r.Item == nil {
		return nil
	}
	queue, id, ok := strings.Cut(*r.Item, ":")
	switch {
	case !ok || queue == "" || id == "":
		return cli.WithHint(cli.Usagef("--item: %q is not SESSION:ID", *r.Item), fmt.Sprintf(
			"for example `--item %s:ID`, with the id that `onward todo next --claim --as NAME --format id` prints", r.t.Name.Session))
	case r.Task != "" || r.File != "":
		return cli.Usagef("--item has the task: leave out the task and --file")
	case r.a.Session != nil:
		return cli.Usagef("--item and --session cannot be used together: the session of a run on an item is named after its list and the worker")
	}
	name, err := session.ParseName(queue)
	if err != nil {
		return fmt.Errorf("--item: %w", err)
	}
	list := r.t
	list.Name, list.Named = name, true
	w, err := workerFlags{As: r.As}.worker(r.a, list)
	w.Process = process.Self()
	switch {
	case err != nil:
		return err
	case w.Name == "":
		return cli.Usagef("--item needs the name of the worker that holds the item: --as NAME or ONWARD_WORKER")
	}
	list.Conversation = session.Conversation{}
	q := night.NewItem(id)
	q.Queue, q.Name, q.Worker, q.Label = system.ItemList{List: list}, name, w, *r.Item
	q.Clock = r.a.Clock // which its own goroutine reads
	doc, err := list.Store.Load(name)
	switch {
	case err != nil:
		return err
	case doc == nil:
		return list.Store.CheckExists(name, doc)
	}
	it, err := q.Find(doc)
	if err != nil {
		return err
	}
	r.night.Item, r.night.Task = q, continuation.ItemTask(it)
	r.t.Name, r.t.Named, r.t.Conversation = name.WorkerSession(w.Name), true, session.Conversation{}
	r.RequireProof = r.RequireProof || q.Proof
	return r.joinGate(list, it)
}

// joinGate makes the item's own gate, which must be trusted here, the first part of the run's.
func (r *runner) joinGate(list find.List, it *todo.Item) error {
	if it.Gate == nil {
		return nil
	}
	if err := r.night.Item.CheckGate(it, list.TrustsGate); err != nil {
		return err
	}
	set, err := r.settings()
	if err != nil {
		return err
	}
	joined, proves, err := r.night.Item.JoinGate(it.Gate.Command, set, r.t.TrustsGate)
	if proves {
		r.Gate = &joined
	}
	return err
}
