package cmd

import (
	"os"

	"onward/internal/cli"
	"onward/internal/session"
	"onward/internal/todo"
)

// workerFlags say which worker changes a list that several share.
type workerFlags struct {
	As   string `placeholder:"NAME" complete:"worker" help:"The worker's name; default ONWARD_WORKER, else the agent's conversation."`
	Take bool   `help:"Take over what another worker holds."`
}

// worker returns the worker that changes a list. A person at a terminal may take over any item, but not a worker that runs
// in a terminal.
func (c workerFlags) worker(a *app, t target) (todo.Worker, error) {
	name, from := c.As, "--as"
	if name == "" {
		name, from = os.Getenv("ONWARD_WORKER"), "ONWARD_WORKER"
	}
	w := t.conversation.Worker()
	if name != "" {
		if err := todo.CheckWorker(name); err != nil {
			return w, cli.Usagef("%s: %v", from, err)
		}
		w = todo.Worker{Name: name, Claims: true}
	}
	w.Host, _ = os.Hostname()
	w.Holds = func(it *todo.Item, now todo.Time) bool { return t.store.Holds(t.name, it, now) }
	w.Take = c.Take || name == "" && (a.inner || isTerminal(a.in)) && a.by(t) == todo.ByUser
	return w, nil
}

// lease adds how long the worker's claims last.
func (t target) lease(w *todo.Worker, doc *session.Document) error {
	set, err := t.settings(readConfigFile(), nil, doc)
	w.Lease = set.ClaimLease
	return err
}

// renew extends the claims of the worker that the environment names, since it is at work.
func (t target) renew(doc *session.Document) {
	if name := os.Getenv("ONWARD_WORKER"); name != "" {
		host, _ := os.Hostname()
		doc.Todos.Items = todo.Worker{Name: name, Host: host}.Renew(doc.Todos.Items, t.now)
	}
}
