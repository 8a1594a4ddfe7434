package cmd

import (
	"os"

	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/todo"
)

// workerFlags say which worker changes a list that several share.
type workerFlags struct {
	As   string `placeholder:"NAME" complete:"worker" help:"The worker's name; default ONWARD_WORKER, else the agent's conversation."`
	Take bool   `help:"Take over what another worker holds."`
}

// worksAs returns the flags themselves, for what a command is embedded in.
func (c workerFlags) worksAs() workerFlags { return c }

// worker returns the worker that changes a list.
func (c workerFlags) worker(a *app, t find.List) (todo.Worker, error) {
	name, from := c.As, "--as"
	if name == "" {
		name, from = os.Getenv("ONWARD_WORKER"), "ONWARD_WORKER"
	}
	take := c.Take && a.isPerson() // what another worker holds, only a person takes over
	w, err := t.Conversation.WorkerNamed(name, take, func() bool { return (a.inner || isTerminal(a.in)) && a.by(t) == todo.ByUser && a.isPerson() })
	if err != nil {
		return w, cli.Usagef("%s: %v", from, err)
	}
	w.Host, _ = os.Hostname()
	w.Holds = func(it *todo.Item, now todo.Time) bool { return t.Store.ClaimHolds(t.Name, it, now) }
	return w, nil
}
