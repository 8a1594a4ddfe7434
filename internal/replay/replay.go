// Package replay proves a change again, from commits alone: the gate must pass on the commit with the change, and fail without
// the change but with the same check files. Its caller makes the folders and runs the commands.
package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// Question is what is to be proven.
type Question struct {
	Gate   string
	Setup  string   // the command that prepares a folder for the gate; empty is none
	Now    string   // the commit with the change
	Base   string   // the commit before it
	Checks []string // the check files that differ between them
}

// Ports are what a replay needs from the machine.
type Ports struct {
	Make func(name, commit string, checks bool) (dir string, err error) // a folder with a commit's files, and the present check files, if so; empty if the commit lacks it
	Put  func(name string) error                                        // puts the present check files into that folder; fs.ErrNotExist if it is gone
	Run  func(command, dir string) (*session.GateResult, time.Duration, error)
	Tell func(text string) // a line for the user who waits
}

// Result is how the gate ended on one of the commits.
type Result struct {
	Gate *session.GateResult
	Took time.Duration
}

// Answer says whether the change is proven.
type Answer struct {
	Question
	With    *Result // nil if the gate was not run
	Without *Result
	Reason  string // what does not hold; empty if everything does
}

// Holds reports whether the gate fails without the change, and passes with it.
func (a *Answer) Holds() bool { return a.Reason == "" }

// SetupError is the error of a set-up that failed: nothing is known about the gate then.
type SetupError struct {
	On      string
	Gate    *session.GateResult
	Removed bool // it has removed the folder that it was to prepare
}

func (e *SetupError) Error() string {
	if e.Removed {
		return "the set-up has removed the worktree of " + e.On
	}
	return "the set-up " + ended(e.Gate) + " on " + e.On
}

// on says on which files the gate has to fail.
func (q Question) on() string {
	return ShortCommit(q.Base) + " with " + todo.Plural(len(q.Checks), "changed check")
}

// Run answers a question. It ends at the first thing that does not hold, the cheapest first.
func (q Question) Run(p Ports) (*Answer, error) {
	a := &Answer{Question: q}
	with, without := ShortCommit(q.Now), ShortCommit(q.Base)
	if len(q.Checks) == 0 {
		a.Reason = fmt.Sprintf("no check file differs between %s and %s", without, with)
		return a, nil
	}
	var err error
	if a.With, err = q.gateOn(p, "with", q.Now, with, false); err != nil {
		return nil, err
	}
	switch {
	case a.With == nil:
		a.Reason = "the folder is not in " + with
		return a, nil
	case run.BaselineText(a.With.Gate) != run.PassedBefore:
		a.Reason = fmt.Sprintf("the gate %s on %s", ended(a.With.Gate), with)
		return a, nil
	}
	of := q.on()
	if a.Without, err = q.gateOn(p, "without", q.Base, of, true); err != nil {
		return nil, err
	}
	switch {
	case a.Without == nil:
		a.Reason = "the folder is not in " + of
	case run.BaselineText(a.Without.Gate) != run.FailedBefore:
		a.Reason = fmt.Sprintf("the gate %s on %s: %s", ended(a.Without.Gate), of, render.Text(run.FirstFilesText(q.Checks)))
	}
	return a, nil
}

// gateOn runs the gate on a commit. The result is nil if the commit does not have the folder that the gate runs in.
func (q Question) gateOn(p Ports, name, commit, label string, withChecks bool) (*Result, error) {
	p.Tell("checking out " + label)
	dir, err := p.Make(name, commit, withChecks)
	if err != nil || dir == "" {
		return nil, err
	}
	if q.Setup != "" {
		p.Tell("running the set-up on " + label + ": " + q.Setup)
		is, _, err := p.Run(q.Setup, dir)
		if err != nil {
			return nil, err
		}
		if !is.Passed() {
			return nil, &SetupError{On: label, Gate: is}
		}
		switch err := p.Put(name); { // the set-up may have written some, such as snapshots
		case errors.Is(err, fs.ErrNotExist):
			return nil, &SetupError{On: label, Gate: is, Removed: true}
		case err != nil:
			return nil, err
		}
	}
	p.Tell("running the gate on " + label + ": " + q.Gate)
	r := &Result{}
	r.Gate, r.Took, err = p.Run(q.Gate, dir)
	return r, err
}

// Text says in a line what holds, or what does not.
func (a *Answer) Text() string {
	if !a.Holds() {
		return "the proof does not hold: " + a.Reason
	}
	return fmt.Sprintf("the gate %s on %s, and passes on %s", ended(a.Without.Gate), a.on(), ShortCommit(a.Now))
}

// ended says how a command ended.
func ended(is *session.GateResult) string {
	switch {
	case is.Problem != "":
		return "has no result (" + render.Text(is.Problem) + ")"
	case run.BaselineText(is) == run.CrashedBefore:
		return fmt.Sprintf("ends with exit code %d, by a signal or without having started,", is.Code)
	case is.Code != 0:
		return fmt.Sprintf("fails with exit code %d", is.Code)
	}
	return "passes"
}

// ShortCommit shortens the id of a commit for a line.
func ShortCommit(id string) string { return id[:min(len(id), 10)] }
