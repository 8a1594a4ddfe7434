package cmd

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// atWork reports who holds the session.
func (r *runner) atWork() error {
	who := "another run"
	if other, _ := r.t.store.ReadRun(r.t.name); other != nil && other.Process != nil {
		who = fmt.Sprintf("process %d on %s", other.Process.PID, other.Process.Host)
	}
	return cli.Hinted(fmt.Errorf("start a run: %w: %s keeps an agent going on session %q", store.ErrBusy, who, r.t.name),
		"`onward watch --session "+r.t.name.Session+"` shows it, and Ctrl-C in its own terminal ends it; another session is named with --session")
}

// begin records the run, or takes up one that was cut off.
func (r *runner) begin() (takenUp bool, err error) {
	now, err := r.now()
	if err != nil {
		return false, err
	}
	before, err := r.t.store.ReadRun(r.t.name)
	if err != nil {
		return false, err
	}
	if before != nil {
		if !r.ends(before) {
			return false, fmt.Errorf("take up a run: %w: what the last run of session %q started is still at work", store.ErrBusy, r.t.name)
		}
	}
	if takenUp, err = r.takesUp(before); err != nil || r.queue != nil && r.queue.settled != "" {
		return false, err
	}
	doc, err := r.t.store.Load(r.t.name)
	if err != nil {
		return false, err
	}
	set, err := r.settings(doc)
	if err != nil {
		return false, err
	}
	if err := r.free(doc, set, before, now); err != nil {
		return false, err
	}
	r.record = session.Run{Agent: r.Agent, Task: r.task, Began: now, Process: process.Self(), Mark: newMark()}
	r.record.CountFrom(doc.Ledger())
	if q := r.queue; q != nil {
		r.record.Queue, r.record.Item, r.record.Claim = q.list.name.String(), q.held.ID, q.held.Number
	}
	had := doc.Ledger().RunGate
	if takenUp {
		err = r.takeUp(before, set)
	} else {
		err = r.prompted(doc, set)
	}
	if err != nil {
		return false, err
	}
	if r.gate = set.Gate; set.Gate == "" {
		r.note("no gate is set: the list alone says what is done; `--gate COMMAND` proves it")
	}
	if takenUp && had != "" && had != set.Gate {
		r.gate = had
		r.note("the run that was cut off had another gate: " + continuation.Fold(had))
	}
	return takenUp, r.save()
}

// takesUp reports whether this run continues the one that was cut off, if there is one.
func (r *runner) takesUp(before *session.Run) (bool, error) {
	switch {
	case r.queue != nil:
		return r.takesUpItem(before)
	case before == nil || r.New:
		return false, nil
	case before.Queue != "":
		return false, r.otherRun("the item "+before.Queue+":"+before.Item, "`onward run "+r.Agent+" --item "+before.Queue+":"+before.Item+"` takes it up")
	case r.task != "" && r.task != before.Task:
		return false, r.otherRun(r.otherTask(before), "the command that began it takes it up")
	}
	return true, nil
}

// otherTask names what a run that was cut off was about, with the first words of its task.
func (r *runner) otherTask(before *session.Run) string {
	if before.Task == "" {
		return "the list, without a task,"
	}
	style := r.a.style()
	style.Width = 80 // a task is cut in a log too
	return fmt.Sprintf("another task, %q,", style.Cut(strings.Join(strings.Fields(before.Task), " "), 40))
}

// otherRun returns an error if a run on another task or item was cut off here.
func (r *runner) otherRun(what, hint string) error {
	return cli.Hinted(fmt.Errorf("start a run: %w: a run of %s on session %q was cut off", store.ErrBusy, what, r.t.name), hint+", and --new gives it up")
}

// newMark returns a value that identifies the run: no other run has it.
func newMark() string {
	start, _ := process.Start(os.Getpid())
	return strconv.Itoa(os.Getpid()) + "." + start + "." + strconv.FormatInt(time.Now().UnixNano(), 10)
}

// ends waits until no process of a run that was cut off is at work any more, and reports whether that is so.
func (r *runner) ends(before *session.Run) bool {
	for began := time.Now(); before.Keeper != nil && process.Of(before.Keeper.PID).Is(before.Keeper); time.Sleep(keeperLook) {
		if time.Since(began) > keeperLimit {
			return false
		}
	}
	return supervise.EndMarked("ONWARD_RUN", before.Mark)
}

// How long the keeper of a run that was cut off may take to end its agent.
const (
	keeperLimit = 10 * time.Second
	keeperLook  = 20 * time.Millisecond
)

// free returns an error if another live conversation owns the list.
func (r *runner) free(doc *session.Document, set continuation.Settings, before *session.Run, now todo.Time) error {
	if doc == nil {
		return nil
	}
	ours := ""
	if before != nil {
		ours = before.Conversation
	}
	doc.Release("", r.t.store.Gone, now)
	o := doc.Owner
	if !o.Excludes(ours, set.StaleAfter, now) {
		return nil
	}
	if !r.Take {
		return cli.Hinted(fmt.Errorf("start a run: %w: %s session %s is at work on the list of session %q", store.ErrBusy, o.Agent, o.Session, r.t.name),
			"--take takes the list from it, and --session names another one")
	}
	_, err := r.t.update("", func(doc *session.Document) (session.Change, error) {
		return doc.Take(session.Conversation{}, now), nil
	})
	return err
}

// prompted reports the user's prompt, which ends an interrupt and a pause, and resets the counters.
func (r *runner) prompted(doc *session.Document, set continuation.Settings) error {
	if r.task == "" && len(doc.Current()) == 0 && set.Gate == "" {
		return cli.Hinted(cli.Failf(exitNotFound, "there is no task, and session %q has no list", r.t.name),
			"`onward run "+r.Agent+" 'the task'` gives it one, and `onward todo add TEXT` starts a list")
	}
	if r.queue != nil {
		return r.beginItem(set)
	}
	// Without a task there is nothing new, so a finished list stays, and is done.
	prompt := continuation.Event{Type: continuation.UserPrompt, Source: "cli", Stays: r.task == ""}
	_, err := r.t.update("", func(doc *session.Document) (session.Change, error) {
		change, err := continuation.ApplyAll(doc, set.WithGate([]continuation.Event{prompt}), doc.Rev == 0, nil, r.t.now)
		return change.Then(continuation.ExpectGate(doc, set)), err
	})
	return err
}

// takeUp continues the run that was cut off.
func (r *runner) takeUp(before *session.Run, set continuation.Settings) error {
	is := r.record
	r.record = *before
	r.record.Process, r.record.Mark, r.record.Keeper, r.record.Agent = is.Process, is.Mark, nil, is.Agent
	if before.Agent != is.Agent {
		r.record.Conversation = ""
	}
	r.task, r.machine.Task, r.machine.Tried = before.Task, before.Task != "", before.Tried
	r.tell(event{Type: "resumed", Turn: before.Turns}, fmt.Sprintf("taking up the run that was cut off in turn %d", before.Turns))
	_, err := r.t.update("", func(doc *session.Document) (session.Change, error) {
		change := session.Change{}
		if doc.Rev != 0 && continuation.TakeUp(doc, before.Conversation, r.t.now) {
			change = session.Change{What: "the turn was cut off with its run", By: "cli"}
		}
		return change.Then(continuation.ExpectGate(doc, set)), nil
	})
	return err
}
