package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// end ends the run, and marks its record as ended.
func (r *runner) end(act run.Action) error {
	act, err := r.withGate(act)
	if err != nil {
		return fmt.Errorf("end the run: %w", err)
	}
	if r.queue != nil {
		return r.endItem(act)
	}
	code := endCode(act)
	if err := r.noteEnd(act); err != nil {
		return fmt.Errorf("end the run: %w", err)
	}
	if act.Outcome == run.NeedsYou {
		act.Hint = r.answering(act)
	}
	return r.over(act.Outcome, act.Reason, act.Message, act.Hint, code)
}

// endCode returns the exit code of an end.
func endCode(act run.Action) int {
	if act.Outcome == run.Done {
		return cli.ExitOK
	}
	return outcomeCode(act.Answer)
}

// unrecorded ends the run where the end could not be recorded: the user is told, and how the run ended is as true as before.
// The same command takes the run up, and ends it again.
func (r *runner) unrecorded(act run.Action, why error) error {
	r.shown.end()
	r.a.fail(why)
	return r.tellEnd(act.Outcome, act.Reason, act.Message, act.Hint, endCode(act))
}

// withGate returns an end as the gate allows it, which may not be the one that the run began with.
func (r *runner) withGate(act run.Action) (run.Action, error) {
	if r.record.Gate == "" || act.Outcome != run.Done && act.Outcome != run.Unproven {
		return act, nil
	}
	set, chosen, err := r.gates()
	if err != nil {
		return act, err
	}
	return run.GateAtEnd(act, &r.record, set, chosen...), nil
}

// gates returns the settings that are in force, and what a person last chose as the gate of the session and of its project.
func (r *runner) gates() (set continuation.Settings, chosen []*session.Chosen, err error) {
	docs := make([]*session.Document, 2)
	if docs[0], err = r.t.Store.Load(r.t.Name); err == nil {
		docs[1], err = r.t.Parent()
	}
	if err != nil {
		return set, nil, err
	}
	for _, doc := range docs {
		if doc != nil {
			chosen = append(chosen, doc.ChosenGate)
		}
	}
	if set, err = r.settings(docs[0]); err != nil {
		return set, nil, err
	}
	project, err := r.t.ProjectOf(docs...)
	if err != nil {
		return set, nil, err
	}
	of, err := r.t.Store.ProjectSettings(project)
	if of != nil {
		chosen = append(chosen, of.ChosenGate)
	}
	return set, chosen, err
}

// noteEnd records how the run ended, unless the state of its session shows that by itself.
func (r *runner) noteEnd(act run.Action) error {
	state := continuation.State(act.Outcome)
	row, doc := readRow(r.t, session.Saved{Name: r.t.Name, Current: true}, find.ReadConfig())
	if doc == nil {
		return nil
	}
	shown := row.Standing.ShowsEnd(state)
	if shown && doc.Continuation.RunGate == "" {
		return nil
	}
	now, err := r.now()
	if err != nil {
		return err
	}
	_, err = r.t.Update("", func(doc *session.Document) (session.Change, error) {
		return continuation.EndRun(doc, state, continuation.Decision{Outcome: act.Answer, Reason: act.Reason, Message: act.Message}, shown, now), nil
	})
	return err
}

func (r *runner) over(outcome run.Outcome, reason, message, hint string, code int) error {
	now, err := r.now()
	if err == nil {
		var left *session.Run
		if r.queue == nil && outcome != run.Done { // else there is nothing to go on with
			r.record.Keeper = nil
			r.record.Ended = &session.RunEnd{At: now, State: string(outcome), Reason: reason, Message: session.Short(message)}
			left = &r.record
		}
		err = r.write(left, now)
	}
	if err != nil {
		return fmt.Errorf("end the run: %w", err)
	}
	return r.tellEnd(outcome, reason, message, hint, code)
}

// tellEnd reports how the run ended, and returns its exit code.
func (r *runner) tellEnd(outcome run.Outcome, reason, message, hint string, code int) error {
	r.last(event{Type: "ended", Turn: r.record.Turns, Code: &code, Outcome: string(outcome), Reason: cmp.Or(reason, string(outcome)), Message: message, Hint: hint},
		outcome.Words()+" after "+todo.Plural(r.record.Turns, "turn")+": "+message+r.queue.became())
	if code == cli.ExitOK {
		return nil
	}
	return cli.ExitCode(code)
}

// stopped ends the run by a signal: the user's own interrupt is the end, and after any other signal the run can be taken up.
func (r *runner) stopped(by os.Signal) error {
	r.unread()
	switch lost := by.(type) {
	case claimLost:
		return r.lostClaim(lost.why)
	case holdLost:
		return r.lostHold(lost.why)
	}
	if by == os.Interrupt {
		act := run.Action{Outcome: run.Interrupted, Reason: "interrupt", Message: "the user interrupted the run", Hint: "the same command starts again"}
		if r.queue != nil {
			act.Hint = ""
			return r.settleItem(todo.Pending, act, cli.ExitInterrupted)
		}
		return r.over(act.Outcome, act.Reason, act.Message, act.Hint, cli.ExitInterrupted)
	}
	code := cli.ExitTerminated
	r.last(event{Type: "ended", Turn: r.record.Turns, Code: &code, Outcome: string(run.Interrupted), Reason: by.String(), Hint: "the same command takes the run up"},
		"cut off by a signal: "+by.String())
	return cli.ExitCode(code)
}

// longWait is the least length of a wait that the user is notified of.
const longWait = 10 * time.Minute

// notify runs the user's command with the state of the session, as `watch` does.
func (r *runner) notify() {
	if r.Notify == nil {
		return
	}
	if row, _ := readRow(r.t, session.Saved{Name: r.t.Name, Current: true}, find.ReadConfig()); row != nil {
		r.news.enqueue(notification{row.Name, standingLine(row)})
	}
}

// ended runs the user's command at the end of the run, and writes the report. Their failures do not change how the run
// ended.
func (r *runner) ended(err error) error {
	r.notify()
	patience := 2 * newsTime // for the command that runs, and the one about the end
	if code := cli.ExitCode(0); errors.As(err, &code) && (int(code) == cli.ExitInterrupted || int(code) == cli.ExitTerminated) {
		patience = lastNews
	}
	r.news.close(patience)
	select {
	case problem := <-r.news.problems:
		r.a.printNote(problem)
	default:
	}
	if r.Report == "" {
		return err
	}
	failed := r.report()
	if err == nil {
		return failed
	}
	r.a.fail(failed)
	return err
}

// report writes the report on the session, as `onward report` does.
func (r *runner) report() error {
	names, err := r.t.Store.Named([]string{r.t.Name.String()})
	if err != nil {
		return err
	}
	data, err := writeReport(r.t, names, r.reports)
	if err == nil {
		err = writeFile(r.Report, data, true)
	}
	if err == nil {
		r.note(fmt.Sprintf("wrote the report to %q", r.Report))
	}
	return err
}
