package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/agent"
	continuation "onward/internal/continue"
	"onward/internal/hook"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/store"
)

type hookCmd struct {
	Agent       string  `arg:"" complete:"hook" help:"Whose event it is: claude, codex, gemini, qwen, opencode, cursor, copilot, vscode, kimi or generic."`
	Context     bool    `help:"Tell a conversation at its beginning what is open, and how its model keeps the list where it has no todo tool."`
	OwnCode     bool    `help:"End with 40 where the agent reads 2 as \"continue\": the installed command line turns it into 2, and only it."`
	Limit       *string `placeholder:"D" help:"How long the agent waits for the answer; the gate runs only where this is known."`
	ContextText *string `placeholder:"TEXT" empty:"" help:"What --context tells such a model instead; {session} is the session's id, empty is nothing ($$ONWARD_CONTEXT_TEXT)."`
}

// maxLockWait is how long a hook waits for another writer, for the agent waits meanwhile.
const maxLockWait = 250 * time.Millisecond

// hookRun is one event on its way to its answer.
type hookRun struct {
	*hookCmd
	app   *app
	agent *hook.Agent
	call  hook.Call
	target
	doc   *session.Document // of the list, as it was first read; nil is none
	main  session.Name      // of the conversation's main list, where a sub-agent calls
	meant string            // the session that the project has
	set   continuation.Settings

	looked bool             // for the agent's process
	found  *session.Process // it, where there is one
}

// Run reads the event and answers it. An error is for the log: nothing has been written then.
func (c *hookCmd) Run(a *app) error {
	r := &hookRun{hookCmd: c, app: a, agent: hook.Find(c.Agent)}
	if r.agent == nil {
		return usagef("unknown agent %q (one of %s)", c.Agent, strings.Join(agentNames(), ", "))
	}
	reply, err := r.reply()
	if err != nil {
		return err
	}
	a.print(reply.Stdout)
	io.WriteString(a.err, reply.Stderr)
	switch {
	case reply.Code != 0 && c.OwnCode:
		return answer(hook.OwnCode)
	case reply.Code != 0:
		return answer(reply.Code)
	}
	return nil
}

func agentNames() []string {
	table := hook.Agents()
	names := make([]string, len(table))
	for i := range table {
		names[i] = table[i].Name
	}
	return names
}

// step marks a step that a test can make fail.
func (r *hookRun) step(name string) error {
	if r.app.fault == nil {
		return nil
	}
	return r.app.fault(name)
}

// reply takes an event from its bytes to the bytes of its answer.
func (r *hookRun) reply() (hook.Reply, error) {
	if err := r.step("input"); err != nil {
		return hook.Reply{}, err
	}
	data, err := r.input()
	if err != nil {
		return hook.Reply{}, err
	}
	if err := r.step("read"); err != nil {
		return hook.Reply{}, err
	}
	if r.call, err = r.agent.Read(data); err != nil {
		return hook.Reply{}, err
	}
	var said hook.Answer
	if r.call.Kind != hook.Nothing {
		if err := r.find(); err != nil {
			return hook.Reply{}, err
		}
		if said, err = r.handle(); err != nil {
			return hook.Reply{}, err
		}
	}
	if err := r.step("write"); err != nil {
		return hook.Reply{}, err
	}
	return r.agent.Write(r.call, said), nil
}

// input reads the event. What is longer than an event may be is read to its end all the same, up to a limit:
// some agents take a pipe that is closed too early for a crash.
func (r *hookRun) input() ([]byte, error) {
	const drained = 64 << 20
	data, err := io.ReadAll(io.LimitReader(r.app.in, hook.MaxInput+1))
	switch {
	case err != nil:
		return nil, failf(exitIO, "read standard input: %v", err)
	case len(data) > hook.MaxInput:
		_, _ = io.Copy(io.Discard, io.LimitReader(r.app.in, drained))
		return nil, failf(exitData, "the event has more than %d bytes", hook.MaxInput)
	}
	return data, nil
}

// find finds the list of the conversation, and reads it.
func (r *hookRun) find() error {
	if err := r.step("find"); err != nil {
		return err
	}
	if r.call.Session == "" && !r.call.Anonymous {
		return failf(exitData, "the event %q of %s has no session id", r.call.Event, r.agent.Name)
	}
	t, err := r.targeted()
	if err != nil {
		return err
	}
	r.target = t
	r.call.Process = r.process
	r.files.Wait = min(r.files.Wait, maxLockWait)
	if r.doc, err = r.store.Load(r.name); err != nil {
		return err
	}
	if r.doc != nil {
		r.doc.Release(r.call.Session, r.store.Gone, r.now)
	}
	r.main, r.meant = r.name, r.name.Session
	meantDoc := r.doc
	if !r.named {
		// Which session it is takes a setting of the one that was meant; in the end its own hold.
		if r.set, err = settings(nil, r.doc); err != nil {
			return err
		}
		meant := session.Name{Session: r.name.Session}
		seat, doc, err := r.store.Seat(meant, r.doc, r.call.Session, r.set.StaleAfter, r.now)
		if err != nil {
			return err
		}
		r.main.Session, r.name.Session, r.doc = seat.Session, seat.Session, doc
	}
	main := r.doc
	if r.call.SubAgent != "" {
		r.name.Agent = agent.SubAgentName(r.call.SubAgent)
		if r.doc, err = r.store.Load(r.name); err != nil {
			return err
		}
	}
	if r.named || r.doc != meantDoc { // else they are resolved
		r.set, err = settings(nil, r.doc, main)
	}
	return err
}

// process looks for the agent's process once.
func (r *hookRun) process(recorded *session.Process) *session.Process {
	if !r.looked {
		r.looked, r.found = true, process.Agent(r.call.Agent, recorded)
	}
	return r.found
}

// targeted returns the list that is meant. A server of the agent's runs the hooks of all conversations with the
// environment of its own start, so ONWARD_SESSION counts for the project of that start only.
func (r *hookRun) targeted() (target, error) {
	dir := r.folder()
	t, err := r.app.targetFrom(dir)
	if err != nil || !t.named || r.app.Session != nil || !r.agent.Serves || dir == "" {
		return t, err
	}
	server := process.Server(r.agent.Name)
	if server == "" {
		return t, nil
	}
	meant, err := findProject(dir)
	if err != nil {
		return t, err
	}
	if began, err := findProject(server); err != nil || began.Dir == meant.Dir {
		return t, err
	}
	r.app.logHook(r.agent.Name, fmt.Errorf("ONWARD_SESSION is of the server's start in %s, not of %s: ignored", server, meant.Dir))
	return t, r.app.ofProject(&t, meant)
}

// folder returns the folder whose project is meant: the host's own word for it, else where the agent stands,
// else nothing, which is where the hook was started.
func (r *hookRun) folder() string {
	for _, dir := range []string{r.agent.Folder(os.Getenv), r.call.Dir} {
		if filepath.IsAbs(dir) {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				return dir
			}
		}
	}
	return ""
}

// handle does what an event means, and says what the agent is to be told.
func (r *hookRun) handle() (hook.Answer, error) {
	if err := r.step("handle"); err != nil {
		return hook.Answer{}, err
	}
	switch r.call.Kind {
	case hook.Stop, hook.SubagentStop:
		return r.stop()
	case hook.Start:
		if err := r.report(); err != nil {
			return hook.Answer{}, err
		}
		if err := r.tellShell(); err != nil {
			r.app.logHook(r.agent.Name, err)
		}
		return hook.Answer{Context: r.opening()}, nil
	case hook.Prompt:
		if r.call.IsCommand() && r.agent.Refuses() {
			return hook.Answer{Refused: r.command()}, nil
		}
	}
	return hook.Answer{}, r.report()
}

// report brings what happened into the list.
func (r *hookRun) report() error {
	if r.doc != nil && r.call.Activity != "" {
		if err := r.live(); err != nil {
			return err
		}
	}
	if len(r.call.Events) == 0 && r.call.List == nil && r.call.Activity != "" {
		return nil // a sign of life takes no lock
	}
	if r.doc == nil && r.call.List == nil {
		return nil // there is no list to which it could have happened
	}
	if r.doc != nil {
		// Most events change nothing, and what changes nothing needs no lock.
		if did, err := r.call.Take(r.doc, r.set.StaleAfter, r.now); err != nil || did.What == "" {
			return err
		}
	}
	_, err := r.commit(func(doc *session.Document) (session.Change, error) {
		return r.call.Take(doc, r.set.StaleAfter, r.now)
	})
	return err
}

// tellShell names the session in the file that the agent's shell reads, so that a command of the model's
// works on the conversation's list wherever the shell stands.
func (r *hookRun) tellShell() error {
	path := os.Getenv(r.agent.ShellFile)
	if r.agent.ShellFile == "" || !filepath.IsAbs(path) || r.named {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s names %s, which is no file", r.agent.ShellFile, path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "export ONWARD_SESSION='%s'\n", r.name.Session)
	return errors.Join(err, f.Close())
}

// live notes a sign of life; a prompt of our own is none.
func (r *hookRun) live() error {
	a := session.Activity{Kind: string(r.call.Activity), At: r.now}
	if err := r.step("activity"); err != nil {
		return err
	}
	switch {
	case r.call.Counts:
		return r.store.CountCall(r.name, a)
	case continuation.Event{Type: r.call.Activity, Text: r.call.Text}.IsActivity():
		return r.store.Touch(r.name, a)
	}
	return nil
}

// commit changes the list under its lock. That it may not survive a crash of the machine is no reason to act as if it had not been made.
func (r *hookRun) commit(change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	if err := r.step("commit"); err != nil {
		return session.Commit{}, err
	}
	if r.doc == nil {
		r.process(nil) // before the lock is taken; of a list that there was, it is known by now
	}
	commit, err := r.store.Update(r.name, "", r.now, func(doc *session.Document) (session.Change, error) {
		if doc.Rev == 0 {
			doc.Project = r.project.Dir
		}
		doc.Release(r.call.Session, r.store.Gone, r.now)
		return change(doc)
	})
	if errors.Is(err, store.ErrNotDurable) {
		r.app.logHook(r.agent.Name, err)
		return commit, nil
	}
	return commit, err
}

// opening returns what a new conversation is told.
func (r *hookRun) opening() string {
	o := hook.Opening{Name: r.name, List: r.Context, Apart: !r.named && r.name.Session != r.meant}
	if r.Context && r.agent.TodoToolOff(r.call, os.Getenv) {
		o.Help = hook.DefaultHelp
		if text, ok := setting(r.ContextText, "ONWARD_CONTEXT_TEXT"); ok {
			o.Help = text
		}
		if o.Help != "" {
			o.Help = strings.TrimRight(o.Help, "\n") + "\n"
		}
	}
	return o.Text(r.doc)
}
