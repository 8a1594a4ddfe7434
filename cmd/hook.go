package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/hook"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/hooks"
	"onward/internal/install"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

type hookCmd struct {
	Agent       string  `arg:"" complete:"hook" ask:"of which agent?" help:"The agent: ${agents}."`
	Context     bool    `help:"Tell a new conversation what is open, and how to keep the list without a todo tool."`
	OwnCode     bool    `help:"Exit with 40 instead of 2, so that a crash is not mistaken for \"continue\"; the installed command line turns 40 into 2."`
	Plugin      bool    `help:"Set by the agent's plugin: do nothing if the agent's settings also have onward's hook."`
	Limit       *string `placeholder:"D" help:"How long the agent waits for the answer; without it, the hook does not run the gate."`
	ContextText *string `placeholder:"TEXT" empty:"" help:"The text that tells a model without a todo tool how to keep the list; {session} is the session's id; '' leaves it out ($$ONWARD_CONTEXT_TEXT)."`
}

// hookRun has the state of answering one event.
type hookRun struct {
	*hookCmd
	app   *app
	agent *hook.Protocol
	call  hook.Call
	find.List
	event *ask.HookHandler

	looked bool             // whether the agent's process was looked for
	found  *session.Process // the agent's process, if it was found
}

// Run reads the event and answers it. If it returns an error, it has written nothing; the caller logs the error.
func (c *hookCmd) Run(a *app) error {
	r := &hookRun{hookCmd: c, app: a, agent: agents.Hook(c.Agent)}
	if r.agent == nil {
		return cli.Usagef("unknown agent %q (one of %s)", c.Agent, strings.Join(agentNames(), ", "))
	}
	data, err := readUpTo(a.in, hook.MaxInput, "the event")
	if err != nil {
		// Standard input is still read to its end, up to a limit: some agents treat a pipe that is closed too early as a crash.
		_, _ = io.Copy(io.Discard, io.LimitReader(a.in, 64<<20))
		return err
	}
	around := hook.EventContext{
		Env:  os.Getenv,
		Head: hooks.ReadHead,
		Tail: func(path string) []byte {
			_, tail, _ := hooks.ReadTail(hooks.ExpandPath(path))
			return tail
		},
		Glob: func(pattern string) []string { paths, _ := filepath.Glob(pattern); return paths },
	}
	if r.call, err = r.agent.ReadWith(around, data, agents.Tools(), agents.FailureTexts()); err != nil {
		return err
	}
	var said hook.Answer
	if r.call.Kind != hook.Nothing && (!c.Plugin || !r.hookedBySettings()) {
		if said, err = r.answer(); err != nil {
			return err
		}
	}
	reply := r.agent.Write(r.call, said)
	a.print(reply.Stdout)
	io.WriteString(a.err, reply.Stderr)
	switch {
	case reply.Code != 0 && c.OwnCode:
		return cli.ExitCode(hook.SafeExitCode)
	case reply.Code != 0:
		return cli.ExitCode(reply.Code)
	}
	return nil
}

// hookedBySettings reports whether hooks in the agent's settings answer its events, and not those of a plugin.
// An agent that names its folder reads the project's settings there and nowhere else, wherever it runs its hooks.
func (r *hookRun) hookedBySettings() bool {
	o := install.Options{Agent: r.Agent}
	if r.app.locateHooks(hooksTarget{}, &o) != nil {
		return false
	}
	switch dir := r.folder(); {
	case dir == "":
	case dir == r.agent.ProjectFolder(os.Getenv):
		o.Project, o.Dir = dir, dir
	default:
		project, err := find.Project(dir)
		if err != nil {
			return false
		}
		o.Project, o.Dir = project.Dir, dir
	}
	return install.HooksInSettings(o)
}

// answer answers the event. While a store past this machine is down, only one hook waits for it.
func (r *hookRun) answer() (said hook.Answer, err error) {
	at, err := r.app.Address()
	if err == nil {
		err = r.limitWait(at)
	}
	if err != nil {
		return said, err
	}
	if at.Scheme == "" {
		return r.ask()
	}
	now, err := r.app.Clock()
	if err != nil {
		return said, err
	}
	known, began := hooks.ReadOutage(hooks.OutageFile(at)), time.Now()
	if err = known.TryStore(now); err == nil {
		said, err = r.ask()
		known.RecordTry(err, now+todo.Time(time.Since(began).Milliseconds()))
	}
	return said, err
}

// ask finds the list and handles the event.
func (r *hookRun) ask() (hook.Answer, error) {
	if err := r.find(); err != nil {
		return hook.Answer{}, err
	}
	return r.handle()
}

// Words are the names of the agents, for the help.
func (*hookCmd) Words() map[string]string {
	return map[string]string{"agents": alternatives(agentNames())}
}

// Example returns the name of an agent, for a message.
func (*hookCmd) Example([]string) string { return agentNames()[0] }

func agentNames() []string {
	var names []string
	for _, p := range agents.Hooks() {
		names = append(names, p.Name)
	}
	return names
}

// find finds the list of the conversation, and reads it.
func (r *hookRun) find() error {
	if r.call.Session == "" && !r.call.Anonymous {
		return cli.Failf(cli.ExitData, "the event %q of %s has no session id", r.call.Event, r.agent.Name)
	}
	t, err := r.listOfEvent()
	if err != nil {
		return err
	}
	if err := t.CheckRun(); err != nil {
		return err
	}
	r.List = t
	for _, name := range r.call.Unusable {
		hooks.Log(r.agent.Name, fmt.Errorf("the event %q: %s has the wrong kind of value: ignored", r.call.Event, name))
	}
	r.call.Process = r.process
	r.call.Writer = t.Writer(r.call.List != nil)
	r.event = &ask.HookHandler{
		Agent: r.agent, Call: r.call, Lists: r.Store, Calls: r.Calls(), Name: r.Name, Named: r.Named, Project: r.Project.Label(), Now: r.Now,
		Settings: func(docs ...*session.Document) (continuation.Settings, error) {
			return r.Resolve(find.ReadConfig(), nil, docs...)
		},
		Undurable: func(err error) { hooks.Log(r.agent.Name, err) },
		Tree:      gate.NewCheckoutReader(r.List).State,
	}
	err = r.event.Find()
	r.Name = r.event.Name
	if err == nil {
		_, set := r.event.DocumentAndSettings()
		gate.EndAbandonedGate(r.List, set)
	}
	return err
}

// limitWait limits how long this hook waits for the store: for another writer of files, or for all requests to a store past
// this machine.
func (r *hookRun) limitWait(at store.Address) error {
	if r.app.Patience = hooks.FileWait; at.Scheme == "" {
		return nil
	}
	set, err := find.ReadConfig().Settings(nil, nil)
	if err != nil {
		return err
	}
	limit, wait := hooks.StoreLimits(set.HookTimeout, r.call.Activity)
	r.app.Patience = wait
	r.app.extend(limit)
	return nil
}

// process looks for the agent's process once.
func (r *hookRun) process(recorded *session.Process) *session.Process {
	if r.call.Elsewhere {
		return recorded
	}
	if !r.looked {
		r.looked, r.found = true, process.FindAgent(r.call.Agent, agents.OutlivesConversations(r.call.Agent), recorded)
	}
	return r.found
}

// listOfEvent returns the list that the event is about.
func (r *hookRun) listOfEvent() (find.List, error) {
	var server func() string
	if r.agent.ServesConversations {
		server = func() string {
			return process.ServerFolder(r.agent.Name, agents.OutlivesConversations(r.agent.Name))
		}
	}
	t, ignored, err := r.app.ListForHook(r.folder(), server)
	if err == nil && r.agent.ProjectFolder(os.Getenv) == "" {
		t = r.app.ListAround(t, r.call.Session)
	}
	if t.MovedFrom != "" {
		hooks.Log(r.agent.Name, errors.New(t.MovedText()))
	}
	if ignored != nil {
		hooks.Log(r.agent.Name, ignored)
	}
	return t, err
}

// folder returns the folder of the project that the event is about.
func (r *hookRun) folder() string { return r.agent.FolderOf(r.call, os.Getenv, find.IsFolder) }

// handle applies an event, and returns the answer to the agent.
func (r *hookRun) handle() (hook.Answer, error) {
	switch r.event.ChooseAction(r.InRun(), find.WithoutUser, r.beginning) {
	case ask.Decide:
		return r.stop()
	case ask.RunCommand:
		return hook.Answer{Refused: r.command()}, nil
	case ask.ApplyAndTellList:
		if err := r.event.Report(); err != nil {
			return hook.Answer{}, err
		}
		r.Name = r.event.Name // another conversation may have become the owner of the project's list in the meantime
		if err := hooks.ExportSession(r.agent.ShellFile, r.List); err != nil {
			hooks.Log(r.agent.Name, err)
		}
		return hook.Answer{Context: r.opening()}, nil
	case ask.ApplyEvent:
		if r.call.Unread {
			_, tail, _ := hooks.ReadTail(r.transcript())
			r.call.NoteVersion(tail)
		}
		return hook.Answer{}, r.event.Report()
	}
	return hook.Answer{}, nil
}

// opening returns the context for a new conversation.
func (r *hookRun) opening() string {
	o := hook.OpeningContext{Name: r.Name, List: r.Context, Apart: r.event.HasOwnList()}
	if r.Context {
		text, given := find.FlagOrVariable(r.ContextText, "ONWARD_CONTEXT_TEXT")
		o.Help = r.agent.ListHelp(r.call, os.Getenv, text, given)
	}
	doc, _ := r.event.DocumentAndSettings()
	return o.Text(doc)
}
