package night

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// asideTime is how long a gate may run that nobody waits for: before the first turn, and at a limit.
const asideTime = 5 * time.Minute

// gate is the gate of a run, which reports its results.
type gate struct {
	ask.Gate
	run *Runner
}

// Prove runs the gate.
func (g *gate) Prove(set continuation.Settings, shared func() *session.GateResult) (*session.GateResult, error) {
	r := g.run
	_, _ = r.now()
	r.Tell.ShowActivity(&r.record, r.at, "runs the gate", 0)
	proof, err := g.Gate.Prove(set, shared)
	if proof == nil {
		return nil, err
	}
	text := ""
	switch files := proof.Files(); {
	case proof.Problem != "":
		text = "the gate has no result: " + proof.Problem
	case r.noTurnWorked() && proof.Passed():
		text = "the gate passes already: " + proof.Command
	case r.noTurnWorked() && files.Known != 0:
		text = fmt.Sprintf("the gate failed %s on the same files, with exit code %d: %s", render.Age(files.Known, r.at.Time()), proof.Code, proof.Command)
	case r.noTurnWorked():
		text = fmt.Sprintf("the gate fails now, with exit code %d: %s", proof.Code, proof.Command)
	case files.Known != 0:
		text = "the gate passed " + render.Age(files.Known, r.at.Time()) + " on the same files: " + proof.Command
	case proof.Passed():
		text = "the gate passes: " + proof.Command
	default:
		text = fmt.Sprintf("the gate fails with exit code %d: %s", proof.Code, proof.Command)
	}
	r.tell(Event{Type: "gate", Turn: r.record.Turns, Command: proof.Command, Code: &proof.Code, Problem: proof.Problem}, text)
	r.noteGateResult(set, proof)
	return proof, err
}

// noTurnYet reports whether there was no turn yet, of this run or of those that it continues.
func (r *Runner) noTurnYet() bool {
	return r.record.Turns == 0 && (r.record.Earlier == nil || r.record.Earlier.Turns == 0)
}

// noTurnWorked reports whether no turn has worked on the task yet.
func (r *Runner) noTurnWorked() bool { return r.noTurnYet() && !r.record.Tried }

// noteGateResult notes what a result of a gate says about the work. What the gate itself wrote is no work.
func (r *Runner) noteGateResult(set continuation.Settings, is *session.GateResult) {
	f := is.Files()
	if r.noteWorkBegun(!is.Passed()); set.GateItem != "" {
		return
	}
	ran := session.ProofResult{At: cmp.Or(f.Known, r.at), Code: is.Code, Took: f.Took, Sum: f.Sum, Tree: session.TreeOf(f.After)}
	if is.Problem != "" {
		ran.Code = -1
	}
	r.record.AddGateResult(set.Gate, ran)
	if r.noTurnWorked() {
		r.record.StartGate, r.record.GateBefore = set.Gate, run.BaselineText(is)
		outputs, sameChecks := r.outputsOf(set, f)
		if r.record.GateWrites = outputs; !sameChecks && is.Failed() {
			r.record.GateBefore = ""
		}
		r.record.Start, r.record.Still = f.After, f.After
		r.record.Edited = ""
		return
	}
	r.result = is
	r.record.GateFailed = r.record.GateFailed || !is.Passed()
	if f.Before == "" || r.record.Still == "" {
		return
	}
	if f.Before != r.record.Still {
		r.noteWorkBegun(r.mayHaveWritten())
		return
	}
	if r.still = true; f.After != "" {
		r.record.Still = f.After
	}
	if was := r.record.GateBefore; was == run.FailedBefore && is.Passed() || was == run.PassedBefore && is.Failed() {
		r.record.GateBefore = run.FlakyBefore
	}
	if f.After != f.Before {
		_ = r.write(&r.record, r.at) // if the run is cut off, what the gate wrote must not pass for work
	}
}

// outputsOf returns the files that the gate wrote, without the checks that the last commit has: one that formats its tests, or somebody who
// edits one while it runs, makes none of them the gate's output. What it then said is not about the checks that are there now.
func (r *Runner) outputsOf(set continuation.Settings, f session.GateFiles) (outputs []string, sameChecks bool) {
	commit := r.LastCommit()
	if len(f.Writes) == 0 || commit == "" {
		return f.Writes, true
	}
	checks, unknown := r.Checkout.ChangedChecks(set, commit, f.After)
	outputs = slices.DeleteFunc(slices.Clone(f.Writes), func(file string) bool { return slices.Contains(checks, file) })
	return outputs, unknown == "" && len(outputs) == len(f.Writes)
}

// mayHaveWritten reports whether a tool was called that may have changed something, or not all calls are known. Without such a call,
// files that differ are the work of somebody else: the user, or another worker in the same checkout.
func (r *Runner) mayHaveWritten() bool { return r.wrote || r.unseen || !r.Program.ShowsCalls() }

// mayHaveProvenWork reports whether the gate, which passes, may say something about the work: the checkout is not as it was before the first
// turn, and the agent may have changed it. Where its state is not known, the gate has failed, or a tool was called that may have changed something.
func (r *Runner) mayHaveProvenWork() bool {
	if r.record.Start == "" {
		return r.record.GateFailed || r.record.GateBefore == run.FailedBefore || r.wrote
	}
	return !r.still && r.mayHaveWritten()
}

// checkPathspecs returns the end of a run before its first turn if git cannot tell which of the user's protected files change, or which of
// the check files that the user has named; nil if it can, or if none are named.
func (r *Runner) checkPathspecs(set continuation.Settings) *run.Action {
	if set.ProtectFiles == "" && (set.CheckFiles == "" || set.Gate == "") {
		return nil
	}
	state, why := r.Checkout.State(set)
	if set.ProtectFiles != "" {
		if state != "" {
			_, why = r.Checkout.ChangedProtected(set, state, state)
		}
		if why != "" {
			end := run.CannotProtect("nothing would show which protected files change", why)
			return &end
		}
	}
	if set.CheckFiles != "" && set.Gate != "" && state != "" { // without a state of the files nothing is proven, and the receipt says so
		if _, why = r.Checkout.ChangedChecks(set, state, state); why != "" {
			end := run.CannotTellChecks(why)
			return &end
		}
	}
	return nil
}

// noGateSet is why a run without a gate proves nothing.
const noGateSet = "no gate is set"

// runGateBeforeWork runs the gate before the first turn, and notes the state of the files: a gate that passes already shows nothing
// about the task, and one that fails now and passes later shows that the work was done.
// It returns the end of the run if protected files cannot be told apart, or nothing would be proven, and the turn for the check alone if
// that comes first; else nil.
func (r *Runner) runGateBeforeWork() (instead *run.Action, err error) {
	if !r.noTurnWorked() || r.record.StartGate != "" {
		return nil, nil
	}
	_, set, err := r.load()
	if err != nil {
		return nil, err
	}
	if end := r.checkPathspecs(set); end != nil {
		return end, nil
	}
	if set.Gate == "" && !r.Machine.Proof {
		r.noteStartState(set) // for the receipt, and for protected files
		return nil, nil
	}
	var is *session.GateResult
	if set.Gate != "" && (set.FirstGate || r.Machine.Proof) {
		first := set
		first.GateKnown = true
		if is, err = r.runGateAside(first); err != nil {
			return nil, err
		}
		if !r.Program.ShowsCalls() && r.record.Start == "" {
			if r.noteWorkBegun(is == nil); !r.record.Acted {
				r.Tell.Note("so it shows that the task is done only with a todo list")
			}
		}
	}
	noTree := r.noteStartState(set)
	r.record.StartGate = set.Gate
	if r.Machine.Proof {
		why := noTree
		switch {
		case set.Gate == "":
			why = noGateSet
		case is != nil && is.Problem != "":
			why = "the gate has no result: " + is.Problem
		case is != nil && is.Failed() && r.record.GateBefore == "":
			why = "a check changed while the gate ran"
		}
		instead = r.Machine.RequireFailingCheck(r.record.GateBefore, why)
		r.record.CheckAsked = r.Machine.Asked
		if instead != nil {
			instead.OfItem = r.Item != nil && r.Item.Proof
		}
	}
	return instead, r.save()
}

// noteStartState notes the state of the files before the first turn, unless the gate has told it, and returns why there is none.
func (r *Runner) noteStartState(set continuation.Settings) (noTree string) {
	if r.record.Start == "" {
		r.record.Start, noTree = r.Checkout.State(set)
		r.record.Still = r.record.Start
	}
	if r.record.Start != "" {
		r.record.StartCommit = r.LastCommit()
	}
	return noTree
}

// judgeCheckTurn returns what the agent has made of a turn for the check alone. The gate has run, or runs now.
func (r *Runner) judgeCheckTurn(set continuation.Settings) (*run.CheckTurn, error) {
	if r.result == nil {
		if _, err := r.runGateAside(set); err != nil {
			return nil, err
		}
	}
	f := r.result.Files()
	is := &run.CheckTurn{Gate: run.BaselineText(r.result), Problem: "another command runs it"}
	if r.result != nil {
		is.Problem = r.result.Problem
	}
	if is.Unknown = f.NoTree; f.Before != "" && f.After != "" {
		is.Checks, is.Others, is.Unknown = r.Checkout.ChecksAndOthers(set, r.record.Start, f.Before)
	}
	if is.Unknown == "" && session.TreeOf(f.Before) != session.TreeOf(f.After) {
		changed, unknown := r.Checkout.ChangedChecks(set, f.Before, f.After)
		outputs := func(file string) bool { return slices.Contains(r.record.GateWrites, file) }
		if is.Unknown = unknown; len(slices.DeleteFunc(changed, outputs)) > 0 {
			is.Unknown = "the checks changed while the gate ran"
		}
	}
	return is, nil
}

// acceptFailingCheck takes it that the agent has written a check that fails: the work begins now.
func (r *Runner) acceptFailingCheck(gate string) {
	r.record.Edited = ""
	r.record.StartGate = gate // it may be another one than that of the run which this one continues
	r.record.BeforeCheck = session.Files{Tree: r.record.Start, Commit: r.record.StartCommit}
	r.record.Start, r.record.GateBefore, r.record.GateFailed = r.result.Files().After, run.FailedBefore, false
	r.record.Still, r.record.StartCommit = r.record.Start, r.LastCommit()
}

// runGateAside runs the gate where the run goes on without its result.
func (r *Runner) runGateAside(set continuation.Settings) (is *session.GateResult, err error) {
	set.GateTimeout = min(set.GateTimeout, asideTime)
	err = r.Store.WithGate(func(of ask.Gate) error {
		gate := &gate{of, r}
		defer gate.Release()
		is, err = gate.Prove(set, func() *session.GateResult { return nil })
		return err
	})
	return is, err
}

// proof returns what the last result of the gate shows, if nothing is left to do.
func (r *Runner) proof(set continuation.Settings) run.Proof {
	f := r.result.Files()
	p := run.Proof{Gated: set.Gate != "", Failed: r.record.GateFailed, Flaky: f.Flaky, Began: f.Before, Now: f.After, NoTree: f.NoTree, Unchanged: r.still}
	if set.ProtectFiles != "" && !r.noTurnYet() {
		before, after, why := f.Before, f.After, f.NoTree
		if !p.Gated {
			after, why = r.Checkout.State(set)
			before = after
		}
		if r.record.Start == "" || after == "" {
			p.Unprotected = cmp.Or(why, "the files at the start are not known")
		} else {
			p.Protected, p.Unprotected = r.Checkout.ChangedProtected(set, r.record.FilesToKeep(), before, after)
		}
	}
	if r.noTurnYet() || r.record.StartGate != set.Gate {
		return p
	}
	p.Before, p.Writes, p.Start, p.Alone = r.record.GateBefore, r.record.GateWrites, r.record.Start, r.record.BeforeCheck.Tree != ""
	if p.Start == "" {
		p.NoTree = cmp.Or(p.NoTree, "the files at the start are not known")
	}
	if p.AsksChangedChecks() {
		p.AddChecks(r.Checkout.ChangedChecks(set, r.record.FilesToKeep(), f.Before, f.After))
		if r.record.Edited != "" {
			p.AddEditedChecks(r.Checkout.ChangedChecks(set, p.Start, f.Before, f.After))
		}
	}
	r.checks = slices.Concat(p.Checks, p.Edited)
	return p
}

// runGateAtLimit runs the gate once at the end of a run that was stopped with open items: the agent may have done all of it, and never have
// said so in its list. How the run ends stays the same.
func (r *Runner) runGateAtLimit(act run.Action) (run.Action, error) {
	if !act.AsksGate() {
		return act, nil
	}
	doc, set, err := r.load()
	open := todo.Count(doc.Current()).Open
	late := set.MaxDuration > 0 && r.record.Worked(r.at) >= set.MaxDuration
	if err != nil || set.Gate == "" || open == 0 || late || doc.Ledger().Error != nil {
		return act, err
	}
	is, err := r.runGateAside(set)
	if errors.As(err, new(cli.ExitCode)) {
		return act, nil // the user does not want to wait for it
	}
	if err == nil && is != nil && is.Passed() {
		act.Message += act.GatePassesSuffix(open)
	}
	return act, err
}
