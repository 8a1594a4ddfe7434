package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/agent"
	"onward/internal/agents/stream"
	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/process"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// How long an agent may take to end by itself.
const (
	interruptPatience = 10 * time.Second
	endPatience       = 5 * time.Second
)

// turn is one run of the agent's program, while its output is read.
type turn struct {
	*runner
	kept     *supervise.Kept
	flow     *flow
	leave    chan struct{}
	problems *ending
	heard    listener
	is       run.Turn
	speaks   bool                    // words of the user are a part of its prompt
	status   continuation.TurnStatus // the end that the agent reported; empty if it reported none
	used     continuation.Usage      // the consumption of the open turn when it was last recorded
	lookedUp time.Time               // when the agent's own file was last asked what was used
	denied   continuation.Event      // the end of a turn in which calls were denied
	why      string                  // why it failed or ended early, in the words of the agent, its host or its program
	anew     bool                    // it begins a conversation
	began    time.Time               // when the program was started
	lasted   time.Duration           // until the program ended
	said     string                  // the agent's last message in the record
	noted    time.Time               // when these were recorded
	loop     *stream.Loop            // because of which it is ended
	list     uint64                  // the revision of the list when it was last looked at
	by       os.Signal
	silent   bool
	over     *continuation.Decision // the decision about a budget that is used up
	mu       sync.Mutex             // protects the three members above
}

// turn starts the agent's program, and reads what it prints to the end. A signal that ended it is returned.
func (r *runner) turn(act run.Action) (run.Turn, os.Signal, error) {
	t := &turn{runner: r, said: r.record.Said, leave: make(chan struct{}), problems: &ending{}, heard: make(listener, 1)}
	conversation := ""
	if act.Resume && r.program.CanResume(r.record.Conversation) {
		conversation = r.record.Conversation
	}
	anew := conversation == "" && act.Text != run.Task
	words := r.unheard(act, conversation)
	prompt, err := r.text(act, words, anew)
	if err != nil {
		return t.is, nil, err
	}
	if t.speaks = words != ""; t.speaks && act.Text == run.Prompt {
		act.Tier = continuation.TierMessage
	}
	t.anew = conversation == ""
	step := r.step(conversation)
	r.record.Turns++
	if conversation == "" {
		r.record.Heard = false
	}
	r.waits = ""
	if err := t.start(conversation, prompt); err != nil {
		return t.is, nil, err
	}
	r.tell(event{Type: "turn", Turn: r.record.Turns, Agent: r.Agent, Conversation: conversation, Prompt: act.Text.String()},
		fmt.Sprintf("turn %d: %s", r.record.Turns, act.Words(step)))
	r.shown.does(&r.record, r.t.Now, "at work", 0)
	err = t.read()
	code := t.kept.Wait()
	t.lasted = time.Since(t.began)
	if lost := t.log.news(); lost != nil {
		t.a.printNote(fmt.Sprintf("turn %d: the log ends here: %v", t.record.Turns, fileError("write", t.Log, lost)))
	}
	t.mu.Lock()
	by, silent := t.by, t.silent
	if err != nil {
		t.mu.Unlock()
		return t.is, by, err
	}
	if code != 0 || t.status != continuation.Done { // otherwise the agent ended by itself, and the signal did not matter
		t.is.Over = t.over
	}
	t.mu.Unlock()
	err = t.conclude(code, by, silent)
	return t.is, by, err
}

// step returns where the next turn stands between the conversations of the run. An agent that resumes none has nothing to tell.
func (r *runner) step(conversation string) run.Step {
	first := r.continued
	r.continued = false
	switch {
	case !r.program.Resumes():
	case conversation == "" && (first || r.record.Turns > 0 && !r.machine.Fresh):
		return run.Anew
	case conversation != "" && first:
		return run.Resumed
	}
	return run.Plain
}

// start records the keeper of the agent's program, and then lets it start the program, so that the record always shows
// what is at work, even if this process is killed.
func (t *turn) start(conversation, prompt string) error {
	own, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find onward: %w", err)
	}
	argv, input := t.program.Start(t.words, conversation, prompt)
	env := append(os.Environ(), "ONWARD_SESSION="+t.t.Name.Session, "ONWARD_RUN="+t.record.Mark)
	if at := t.t.Storage.Address; t.a.Store != nil {
		env = append(env, "ONWARD_STORE="+at.Text)
	}
	if t.queue != nil {
		env = append(env, "ONWARD_WORKER="+t.queue.worker.Name)
	}
	if t.t.Name.Agent != "" {
		env = append(env, "ONWARD_AGENT="+t.t.Name.Agent)
	}
	if text, set := find.Setting(t.a.Now, "ONWARD_NOW"); set {
		env = append(env, "ONWARD_NOW="+text)
	}
	t.kept, err = supervise.StartKept([]string{own, keepRequest}, argv, append(env, t.program.Env...), io.MultiWriter(t.problems, t.log, t.heard),
		func() { supervise.EndMarked("ONWARD_RUN", t.record.Mark) })
	if err != nil {
		return cli.Failf(cli.ExitIO, "start the agent: %v", err)
	}
	t.record.Keeper = process.Of(t.kept.PID())
	if err = t.save(); err != nil {
		t.kept.Kill()
		t.kept.Wait()
		return err
	}
	t.began = time.Now()
	t.kept.Begin(input)
	return nil
}

// read reads what the agent prints, and saves it as it comes.
func (t *turn) read() error {
	doc, err := t.t.Store.Load(t.t.Name)
	if err != nil {
		return err
	}
	set, err := t.settings(doc)
	if err != nil {
		return err
	}
	if doc != nil {
		t.list = doc.Todos.Rev
	}
	t.flow = &flow{
		a: t.a, out: t.out, emit: t.a.JSON, saw: t.saw,
		saver: &ask.Saver{
			InRun: true, Reader: process.Self(), Store: t.t.Store, Name: t.t.Name, Named: true, Project: t.t.Project.Label(), StaleAfter: set.StaleAfter, Now: t.t.Now,
		},
	}
	over := make(chan struct{})
	defer close(over)
	heard := &whole{io.TeeReader(io.TeeReader(t.kept.Output, t.log), t.heard), func() { t.kept.Wait() }}
	if set.MaxDuration > 0 {
		go after(set.MaxDuration-t.record.Began.Since(t.t.Now), over, func() {
			t.overspend(continuation.UsedUp(doc, continuation.Facts{ElapsedMS: new(set.MaxDuration.Milliseconds())}, set, t.record.Began))
		})
	}
	limitMemory(0)
	idle := func() error {
		err := t.flow.idle()
		if err == nil {
			t.observe(set)
			t.endLoop()
		}
		return err
	}
	t.flow.reader = agents.NewReader(newFeed(heard, idle, t.leave), stream.Options{Grows: limitMemory, Saved: t.flow.saver.Saved, Problems: t.problems.String, Clock: time.Now})
	go t.obey(over)
	if t.silence > 0 {
		go t.heard.silence(t.silence, over, func() { t.finish(nil, true) })
	}
	err = t.flow.run("", t.t.Now)
	if errors.Is(err, stream.ErrUnfinished) {
		// The turn was cut off with the run, so it does not count as ended.
		t.noted = time.Time{}
		t.observe(set)
		if err = t.flow.saver.Flush(); err == nil {
			err = t.flow.saver.End()
		}
	}
	if err != nil {
		t.kept.Kill()
		_, _ = io.Copy(io.Discard, t.kept.Output)
	}
	return err
}

// obey ends the turn at signals. The user's interrupt is passed on to the agent; a second one kills it.
func (t *turn) obey(over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		case s := <-t.signals:
			t.unread() // the turn may wait for the reader
			t.finish(s, false)
		}
	}
}

// finish ends the turn: at a signal, or because the agent was silent for too long.
func (t *turn) finish(by os.Signal, silent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case silent:
		t.silent = true
		t.kept.Terminate(endPatience)
	case t.by != nil:
		t.kept.Kill()
	case by == os.Interrupt:
		t.by = by
		t.shown.ends("is interrupted; Ctrl-C again kills it")
		t.flow.reader.Interrupt()
		t.kept.Interrupt(interruptPatience)
	default:
		t.by = by
		t.kept.Terminate(endPatience)
		close(t.leave)
	}
}

// observe notes what the open turn has used so far and what the agent said last, and interrupts it once a budget is used up.
// The record always has what a later run needs to take this one up.
func (t *turn) observe(set continuation.Settings) {
	used, said := t.flow.reader.Open()
	if total, known := t.looksUp(); known {
		used = total
	}
	t.record.Said = cmp.Or(said, t.record.Said)
	if used == t.used && (t.record.Said == t.said || time.Since(t.noted) < signEvery) {
		return
	}
	t.used, t.said, t.noted = used, t.record.Said, time.Now()
	now, err := t.a.Clock()
	if err != nil {
		return
	}
	doc, err := t.t.Store.Load(t.t.Name)
	if err != nil {
		return // the comparison is made at the turn's end
	}
	t.record.Spend(doc.Ledger())
	cut := t.record
	cut.OpenTokens, cut.OpenMicros = used.Tokens(), used.Cost
	written := cut
	if t.program.Spend != nil {
		written.OpenTokens = 0 // they are in the total of the conversation, which the next turn reports
	}
	_ = t.write(&written, now)
	cut.Spend(doc.Ledger())
	t.overspend(continuation.UsedUp(doc, t.spent(&cut, now), set, now))
}

// looksUp returns what the open turn has used by a file of the agent, where its output tells that only at the turn's end. The
// totals that the turns before have reported are left out.
func (t *turn) looksUp() (used continuation.Usage, known bool) {
	p := &t.program
	if p.Spend == nil || t.record.Conversation == "" || t.status != "" || time.Since(t.lookedUp) < signEvery {
		return t.used, p.Spend != nil && t.status == ""
	}
	t.lookedUp = time.Now()
	total, found := spentBy(p.Spend, t.record.Conversation)
	doc, err := t.t.Store.Load(t.t.Name)
	if !found || err != nil {
		return t.used, true
	}
	return continuation.OpenTurn(doc, total), true
}

// spentBy reads what a conversation has used from the agent's own file. Any trouble with it means that nothing is known.
func spentBy(s *agent.Spend, conversation string) (total continuation.Usage, known bool) {
	home, err := os.Getenv(s.Variable), error(nil)
	if home == "" {
		if home, err = os.UserHomeDir(); err != nil {
			return total, false
		}
		home = filepath.Join(home, s.Folder)
	}
	pattern := s.File(conversation)
	if pattern == "" {
		return total, false
	}
	found, err := fs.Glob(os.DirFS(home), pattern) // the folder itself is not a pattern
	if err != nil || len(found) == 0 {
		return total, false
	}
	f, err := os.Open(filepath.Join(home, filepath.FromSlash(found[len(found)-1])))
	if err != nil {
		return total, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return total, false
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-agent.SpendTail), agent.SpendTail))
	if err != nil {
		return total, false
	}
	return s.Total(tail, conversation)
}

// overspend interrupts the agent if the decision says that a budget is used up; it may be nil.
func (t *turn) overspend(budget *continuation.Decision) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if budget != nil && t.over == nil {
		t.over = budget
		t.kept.Interrupt(interruptPatience)
	}
}

// saw notes the agent's conversation and how its turn ended, from its reports.
func (t *turn) saw(updates []stream.Update) {
	for _, u := range updates {
		if u.SubAgent != "" {
			continue
		}
		begins, hears := u.Session != "" && u.Session != t.record.Conversation, t.speaks && !t.record.Heard
		if begins {
			t.record.Conversation = u.Session
		}
		if t.record.Heard = t.record.Heard || hears; begins || hears {
			// The conversation is recorded before it owns the list, so that a run that takes this one up knows it. It has begun, so it has
			// its prompt. If that fails, it is recorded at the turn's end.
			_ = t.write(&t.record, t.t.Now)
		}
		switch e := u.Event; e.Type {
		case continuation.Todos:
			t.is.Worked, t.is.Acted = true, t.is.Acted || !e.Partial
		case continuation.TurnStart:
			t.status, t.why = "", ""
		case continuation.TurnEnd:
			t.status, t.why = e.Status, u.Why
			t.is.Worked = t.is.Worked || e.ToolCalls > e.DeniedToolCalls && e.Repeats == 0
			if e.DeniedToolCalls > 0 || len(e.DeniedTools) > 0 {
				t.denied = e
			}
			t.is.Acted = t.is.Acted || e.Acted
			t.record.Said = cmp.Or(u.Said, t.record.Said)
			t.is.Failed, t.is.Class = (e.Status == continuation.Failed || e.Status == continuation.CutOff) && e.Repeats == 0, e.ErrorClass
		}
	}
}

// conclude records how the turn ended if the agent did not report that, and tells the user.
func (t *turn) conclude(code int, by os.Signal, silent bool) error {
	now, err := t.now()
	if err != nil {
		return err
	}
	t.record.Keeper = nil
	if isCutOff(by) {
		return nil // the record shows that the turn was cut off
	}
	status, problem := continuation.Done, stream.Problem{}
	if t.status == "" || t.why == "" {
		problem = agents.Texts().Problem(t.problems.String())
	}
	switch {
	case by == os.Interrupt:
		status = continuation.Aborted
	case by != nil || t.is.Over != nil:
		status = continuation.CutOff
	case t.status == continuation.Done && t.why != "": // the exit code of an end at the agent's own limit says nothing more
	case t.loop != nil: // the agent was interrupted, whatever its exit code
	case silent || code != 0:
		status, t.is.Failed = continuation.Failed, true
		t.is.Class = cmp.Or(t.is.Class, problem.Class, continuation.ErrorUnknown)
	case t.is.Failed:
		status = continuation.Failed
	}
	if t.status == "" {
		_, err = t.t.Update("", func(doc *session.Document) (session.Change, error) {
			return continuation.ApplyAll(doc, []continuation.Event{
				{Type: continuation.TurnStart, Source: t.Agent}, {Type: continuation.TurnEnd, Status: status, ErrorClass: t.is.Class, Reset: problem.Reset, Source: t.Agent},
			}, doc.Rev == 0, nil, now)
		})
	}
	if t.is.Failed {
		t.is.Why = continuation.Fold(cmp.Or(t.why, problem.Line))
		t.is.Usage = problem.Usage && t.is.Class == continuation.ErrorUnknown && t.beganNothing()
	}
	switch {
	case t.is.Tried():
		t.record.Tried = true
		t.record.Worked()
	default:
		t.record.Heard = false
		t.record.GiveBack()
	}
	t.record.Acted = t.record.Acted || t.is.Acted
	if err == nil {
		err = t.save()
	}
	if by == nil && t.is.Over == nil {
		t.report(code, silent)
		t.tellDenied()
	}
	return err
}

// report tells the user how the turn ended.
func (t *turn) report(code int, silent bool) {
	switch {
	case t.loop != nil:
		t.tell(event{Type: "loop", Turn: t.record.Turns, Command: t.loop.Call, Calls: t.loop.Count},
			fmt.Sprintf("turn %d was ended: the agent called %s %d times in a row with the same result", t.record.Turns, continuation.Quoted(t.loop.Call), t.loop.Count))
	case silent:
		t.note(fmt.Sprintf("turn %d was ended: nothing was printed for %s", t.record.Turns, todo.Span(t.silence)))
	case t.is.Failed:
		why := cmp.Or(t.is.Why, t.is.Class.Cause(), "its agent named no reason")
		if t.is.Why == "" && code != 0 && t.status == "" {
			why = fmt.Sprintf("exit code %d", code)
		}
		t.note(fmt.Sprintf("turn %d failed: %s", t.record.Turns, why))
		if !t.is.Usage && t.program.Rights != "" && mayLackRights(t.is.Class) && !t.hinted && !t.a.JSON {
			t.hinted = true
			t.a.hint("if it may not work without being asked: `onward run " + t.Agent + " … -- " + t.program.Rights + "`")
		}
	case t.why != "":
		t.note(fmt.Sprintf("turn %d ended: %s%s", t.record.Turns, continuation.Fold(t.why), t.progress()))
	default:
		t.note(fmt.Sprintf("turn %d ended%s", t.record.Turns, t.progress()))
	}
}

// refusalTime is how long a program takes at most to refuse its command line.
const refusalTime = 2 * time.Second

// beganNothing reports whether the program of a new conversation ended at once, and printed no line of a stream: whatever a
// program of the user's own prints is one.
func (t *turn) beganNothing() bool {
	sum := t.flow.reader.Summary()
	return t.anew && t.lasted < refusalTime && (sum.Lines == 0 || t.program.ShowsCalls() && sum.Lines == sum.Skipped.NotJSON)
}

// tellDenied tells the user, for the first turn in which the agent's host denied calls, which tools it denied, and what allows them.
func (t *turn) tellDenied() {
	e := t.denied
	if e.Type == "" || t.toldDenied {
		return
	}
	t.toldDenied = true
	calls := max(e.ToolCalls, len(e.DeniedTools)) // those of the todo tool are not counted
	denied := max(e.DeniedToolCalls, len(e.DeniedTools))
	t.tell(event{Type: "denied", Turn: t.record.Turns, Denied: denied, Calls: calls, Tools: e.DeniedTools, Hint: t.allows(e.DeniedTools)},
		fmt.Sprintf("turn %d: the agent was not allowed to make %d of its %s%s", t.record.Turns, denied, todo.Plural(calls, "tool call"), continuation.DeniedText(e.DeniedTools)))
}

// allows returns what lets the agent use tools that were denied.
func (r *runner) allows(tools []string) string {
	switch flags := r.program.Allow(tools); {
	case flags == "":
		return "allow what the agent needs in its own settings"
	case flags[0] != '-':
		return flags + " allows what the agent needs"
	default:
		return "`onward run " + r.Agent + " … -- " + flags + "` allows that"
	}
}

// mayLackRights reports whether a turn that failed for such a reason may have lacked permissions.
func mayLackRights(class continuation.ErrorClass) bool {
	return slices.Contains([]continuation.ErrorClass{"", continuation.ErrorUnknown, continuation.ErrorCutOff}, class)
}

// jump moves a fixed clock of the user to the end of a wait, and reports whether there is such a clock.
func (a *app) jump(d time.Duration) bool {
	now, err := a.Clock()
	if _, set := find.Setting(a.Now, "ONWARD_NOW"); !set || err != nil {
		return false
	}
	a.Now = new((now + todo.Time(d.Milliseconds())).String())
	return true
}
