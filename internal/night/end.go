package night

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// end ends the run, and marks its record as ended.
func (r *Runner) end(act run.Action) error {
	act, err := r.runGateAtLimit(act)
	if err == nil {
		act, err = r.checkGateAtEnd(act)
	}
	if err != nil {
		return fmt.Errorf("end the run: %w", err)
	}
	if r.Item != nil {
		return r.endItem(act)
	}
	if act.Reason != run.ReasonRemoved {
		if err := r.noteTask(); err != nil {
			return fmt.Errorf("end the run: %w", err)
		}
	}
	code := endCode(act)
	if err := r.noteEnd(act); err != nil {
		return fmt.Errorf("end the run: %w", err)
	}
	switch noGate := r.record.Gate == ""; {
	case noGate && act.Outcome == run.NeedsYou && act.Reason == continuation.ReasonUnproven:
		act.Hint = r.Hints.AddGate()
	case act.Outcome == run.Done:
		act.Hint = r.Hints.Done(act.Grade)
	case act.Outcome == run.NeedsYou || act.Reason == run.ReasonNeverFailed:
		act.Hint = r.Hints.Answer(act)
	case noGate && act.Outcome == run.Unproven:
		act.Hint += "; " + r.Hints.AddGate()
	case act.Outcome == run.Stopped && act.Hint != "":
		if waiting, err := r.Store.Messages(); err == nil && len(waiting) > 0 { // which came after the stop
			act.Hint += ", and the next turn gets your " + strings.TrimPrefix(todo.Plural(len(waiting), "message"), "1 ")
		}
	}
	if err := r.leaveReceipt(act); err != nil {
		return fmt.Errorf("end the run: %w", err)
	}
	return r.finish(act, code)
}

// ExitCodeOf returns the exit code of a decision.
func ExitCodeOf(o continuation.Outcome) int {
	return [...]int{
		continuation.Continue:      cli.ExitOK,
		continuation.Finished:      cli.ExitDone,
		continuation.NeedsHuman:    cli.ExitNeedsHuman,
		continuation.Limit:         cli.ExitLimit,
		continuation.Wait:          cli.ExitWait,
		continuation.NotApplicable: cli.ExitNotApplicable,
		continuation.HostError:     cli.ExitHostError,
	}[o]
}

// endCode returns the exit code of an end.
func endCode(act run.Action) int {
	if act.Outcome == run.Done {
		return cli.ExitOK
	}
	return ExitCodeOf(act.Answer)
}

// endUnrecorded ends the run where the end could not be recorded: the user is told, and how the run ended is as true as before.
// The same command takes the run up, and ends it again.
func (r *Runner) endUnrecorded(act run.Action, why error) error {
	r.Tell.CloseView()
	r.tellProblem(act, why)
	return r.tellEnd(act, endCode(act))
}

// tellProblem tells the user of an error at the end of the run, unless the run ends with what that says.
func (r *Runner) tellProblem(act run.Action, err error) {
	if act.Reason != run.ReasonRemoved || r.endOfRemoved(err) == nil {
		r.Tell.Problem(err)
	}
}

// checkGateAtEnd returns an end as the gate allows it, which may not be the one that the run began with.
func (r *Runner) checkGateAtEnd(act run.Action) (run.Action, error) {
	if r.record.Gate == "" || act.Outcome != run.Done && act.Outcome != run.Unproven {
		return act, nil
	}
	set, chosen, err := r.gateSettings()
	if err != nil {
		return act, err
	}
	return run.GateAtEnd(act, &r.record, set, chosen...), nil
}

// gateSettings returns the settings that are in force, and what a person last chose as the gate of the session and of its project.
func (r *Runner) gateSettings() (set continuation.Settings, chosen []*session.ChosenGate, err error) {
	doc, set, err := r.load()
	if err != nil {
		return set, nil, err
	}
	if chosen, err = r.Store.ChosenGates(doc); err != nil {
		return set, nil, err
	}
	queue, err := r.loadQueue()
	return set, append(chosen, session.ChosenGates(nil, queue)...), err
}

// loadQueue returns the list of the item that the run works on; nil if it works on its own.
func (r *Runner) loadQueue() (*session.Document, error) {
	if r.Item == nil {
		return nil, nil
	}
	return r.Item.Queue.Load(r.Item.Name)
}

// lostGate returns the gate that the run began with, if it is gone or another one, and no person changed it.
func (r *Runner) lostGate() (*session.ChosenGate, error) {
	if r.record.Gate == "" {
		return nil, nil
	}
	set, chosen, err := r.gateSettings()
	if changed, byPerson := run.GateChange(&r.record, set, chosen...); err != nil || !changed || byPerson {
		return nil, err
	}
	return &session.ChosenGate{Gate: r.record.Gate, At: r.record.GateSince}, nil
}

// noteTask adds the task to the history, as the prompt that it was, if there was no history yet when the run began.
func (r *Runner) noteTask() error {
	doc, err := r.Store.Load()
	if err != nil || doc == nil || r.record.Task == "" || r.record.TaskNoted {
		return err
	}
	prompt := continuation.Event{Type: continuation.UserPrompt, At: r.record.Began, Text: r.record.Task}
	err = r.Store.Update(RunEnded, r.at, func(doc *session.Document) (session.Change, error) {
		if doc.Rev == 0 {
			return session.Change{}, nil
		}
		return session.Change{What: "the task of the run", By: "cli", Events: []session.Event{prompt.Record()}}, nil
	})
	r.record.TaskNoted = err == nil
	return err
}

// noteEnd records how the run ended, unless the state of its session shows that already.
func (r *Runner) noteEnd(act run.Action) error {
	state := continuation.State(act.Outcome)
	standing, doc := r.Store.Standing()
	if doc == nil {
		return nil
	}
	lost, err := r.lostGate()
	if err != nil {
		return err
	}
	shown := standing.ShowsEnd(state)
	if shown && doc.Continuation.RunGate == "" && lost == nil && doc.Continuation.LostGate == nil {
		return nil
	}
	now, err := r.now()
	if err != nil {
		return err
	}
	err = r.Store.Update(RunEnded, now, func(doc *session.Document) (session.Change, error) {
		return continuation.EndRun(doc, state, continuation.Decision{Outcome: act.Answer, Reason: act.Reason, Message: act.Message}, shown, lost, now), nil
	})
	return err
}

// noteLostGate records the gate that the run lost, however it ends, also in the list of its item: what comes after it must not take the work
// for proven.
func (r *Runner) noteLostGate() error {
	lost, err := r.lostGate()
	if err != nil || lost == nil {
		return err
	}
	now, err := r.now()
	if err != nil {
		return err
	}
	note := func(doc *session.Document) (session.Change, error) {
		if doc.Rev == 0 {
			return session.Change{}, nil
		}
		return continuation.RecordLostGate(doc, *lost), nil
	}
	if r.Item != nil {
		err = r.Item.Queue.Update(now, note)
	}
	return errors.Join(err, r.Store.Update(RunEnded, now, note))
}

// noteInterrupt records that the user interrupted the run, unless the state of the session shows that the list needs something else.
func (r *Runner) noteInterrupt(message string) error {
	if standing, doc := r.Store.Standing(); doc == nil || !standing.GoesOn() && doc.Continuation.AbortedAt == 0 {
		return nil
	}
	now, err := r.now()
	if err != nil {
		return err
	}
	return r.Store.Update(Interrupted, now, func(doc *session.Document) (session.Change, error) {
		return continuation.InterruptRun(doc, message, now)
	})
}

func (r *Runner) finish(act run.Action, code int) error {
	if err := r.noteLostGate(); err != nil {
		r.tellProblem(act, err)
	}
	now, err := r.now()
	if err == nil {
		var left *session.Run
		if r.Item == nil && act.Outcome != run.Done { // else there is nothing to go on with
			r.record.Keeper = nil
			r.record.Ended = &session.RunEnd{At: now, State: string(act.Outcome), Reason: act.Reason, Message: session.ShortText(act.Message)}
			if act.Outcome == run.NeedsYou && act.NextStep() == run.FollowHint {
				r.record.Ended.Next = act.Hint
			}
			if r.Receipt != nil {
				r.record.Ended.Tree = r.Receipt.End.Tree
			}
			left = &r.record
		}
		err = r.write(left, now)
	}
	if err != nil {
		return fmt.Errorf("end the run: %w", err)
	}
	return r.tellEnd(act, code)
}

// tellEnd reports how the run ended, and returns its exit code.
func (r *Runner) tellEnd(act run.Action, code int) error {
	e := Event{
		Type: "ended", Turn: r.record.Turns, Code: &code, Outcome: string(act.Outcome), Reason: cmp.Or(act.Reason, string(act.Outcome)), Message: act.Message, Hint: act.Hint,
	}
	if act.Outcome == run.Done {
		e.Proof = string(act.Grade)
	}
	r.tellLast(e, act.Outcome.Words()+" after "+todo.Plural(r.record.Turns, "turn")+": "+act.Message+r.Item.settledText())
	if code == cli.ExitOK {
		return nil
	}
	return cli.ExitCode(code)
}

// tellFailure reports that an error of onward itself has ended the run, as every run reports its end. The error follows, for the caller.
func (r *Runner) tellFailure(failed error) error {
	if failed == nil || errors.As(failed, new(cli.ExitCode)) {
		return failed
	}
	code := r.Errors.Code(failed)
	e := Event{Type: "ended", Turn: r.record.Turns, Code: &code, Outcome: string(run.Interrupted), Reason: "error", Message: failed.Error()}
	if r.Item == nil {
		e.Hint = "run the same command to pick up where it left off"
	}
	r.tellLast(e, "cut off by an error"+r.Item.settledText())
	return failed
}

// endBySignal ends the run by a signal: the user's own interrupt is the end, and after any other signal the run can be resumed.
func (r *Runner) endBySignal(by os.Signal) error {
	r.Tell.AbandonOutput()
	switch lost := by.(type) {
	case claimLostSignal:
		return r.endAtLostClaim(lost.why)
	case holdLostSignal:
		return r.endAtLostHold(lost.why)
	}
	if by == os.Interrupt {
		act := run.Action{Outcome: run.Interrupted, Reason: "interrupt", Message: "the user interrupted the run", Hint: "`" + r.Hints.Continue() + "` goes on"}
		if r.Item != nil {
			act.Hint = ""
			return r.settleItem(todo.Pending, act, cli.ExitInterrupted)
		}
		if err := errors.Join(r.noteInterrupt(act.Message), r.leaveReceipt(act)); err != nil {
			r.Tell.Problem(err)
		}
		return r.finish(act, cli.ExitInterrupted)
	}
	code := cli.ExitTerminated
	r.tellLast(Event{Type: "ended", Turn: r.record.Turns, Code: &code, Outcome: string(run.Interrupted), Reason: by.String(), Hint: "run the same command to pick up where it left off"},
		"cut off by a signal: "+by.String())
	return cli.ExitCode(code)
}
