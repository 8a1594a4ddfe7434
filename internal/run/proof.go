package run

import (
	"cmp"
	"slices"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// Grade is what is known about the work at the end of a run that is done.
type Grade string

// The grades.
const (
	Proven  Grade = "proven"  // the gate failed before the work, on the files as they were, and passes now by the same checks
	Checked Grade = "checked" // the gate passes, and may have passed before
	Claimed Grade = "claimed" // there is no gate: the list says that the work is done
)

// What a gate did before the work.
const (
	FailedBefore  = "failed"
	PassedBefore  = "passed"
	CrashedBefore = "crashed" // it ended as after a signal, which says nothing about the files
	FlakyBefore   = "flaky"   // it failed and passed on the files as they were before the work
)

// mostExitCode is the highest exit code that a gate has for files that are not right. Above it are the shell's own, of a program that
// could not be run, or that a signal ended.
const mostExitCode = 125

// highCode says that a gate had one above it.
const highCode = "an exit code above 125, as after a crash"

// BaselineText returns what the result of a gate that ran before the work says; empty if nothing.
func BaselineText(is *session.GateResult) string {
	switch {
	case is == nil || is.Problem != "":
		return ""
	case is.Files().Flaky:
		return FlakyBefore
	case is.Code > mostExitCode:
		return CrashedBefore
	case is.Code > 0:
		return FailedBefore
	}
	return PassedBefore
}

// Proof is what is known about a gate that passes at the end of a run: what it did before the work, and which files have changed since.
type Proof struct {
	Gated     bool
	Before    string   // what the gate did before the work; empty if nobody knows
	Alone     bool     // the agent had written the check alone by then: the gate passed without that
	Failed    bool     // it failed along the way
	Flaky     bool     // it has failed and passed on the files as they are now
	Start     string   // the state of the checkout before the work; empty if it is not known
	Began     string   // the state in which the gate began that passed; empty if it is not known
	Now       string   // the state that it left
	Unchanged bool     // nothing but the gate has changed the checkout since the start
	NoTree    string   // why one of the states is not known
	Checks    []string // check files that were there at the start, or that the user has changed since, and that the agent changed or deleted
	Edited    []string // check files that were there at the start, and were changed or deleted between two runs, by the user as it seems
	Writes    []string // files that the gate wrote before the work
	Unchecked string   // why it is not known which check files changed

	Protected   []string // files that the agent had to leave as they were, and that differ
	Unprotected string   // why it is not known which of them differ
}

// AsksChangedChecks reports whether it is worth asking which check files changed.
func (p *Proof) AsksChangedChecks() bool {
	return p.Before == FailedBefore && !p.Flaky && !p.Unchanged && p.Start != "" && p.Now != "" && (!p.leavesStart() || p.restoresStart())
}

// leavesStart reports whether the gate left the files as they were before the work.
func (p *Proof) leavesStart() bool { return session.TreeOf(p.Start) == session.TreeOf(p.Now) }

// restoresStart reports whether it did so although they were others when it began.
func (p *Proof) restoresStart() bool {
	return p.Began != "" && p.leavesStart() && session.TreeOf(p.Began) != session.TreeOf(p.Now)
}

// AddChecks adds the check files that differ: before the gate ran, or after it, since a check may restore itself while it runs. What
// the gate wrote before the work is its output, such as a coverage report that its command names.
func (p *Proof) AddChecks(differ []string, unknown string) {
	p.Unchecked = unknown
	p.Checks = p.withoutWrites(differ)
}

// AddEditedChecks adds the check files that differ from those at the start, of which the agent has left some as the user had changed them:
// what the gate did before says nothing about these.
func (p *Proof) AddEditedChecks(differ []string, unknown string) {
	p.Unchecked = cmp.Or(p.Unchecked, unknown)
	p.Edited = slices.DeleteFunc(p.withoutWrites(differ), func(file string) bool { return slices.Contains(p.Checks, file) })
}

func (p *Proof) withoutWrites(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool { return slices.Contains(p.Writes, file) })
}

// Grade returns what the gate shows.
func (p *Proof) Grade() Grade {
	switch {
	case !p.Gated:
		return Claimed
	case p.AsksChangedChecks() && !p.restoresStart() && len(p.Checks)+len(p.Edited) == 0 && p.Unchecked == "":
		return Proven
	}
	return Checked
}

// Words say what is known about the gate, and no more. They follow what the list says.
func (p *Proof) Words() string {
	if !p.Gated {
		return "; no gate checks it"
	}
	words := map[string]string{
		"":            ", and the gate passes; it is unknown whether it passed before",
		FailedBefore:  ", and the gate failed before the work and passes now",
		PassedBefore:  ", and the gate passed before and passes now",
		CrashedBefore: ", and the gate failed before the work with " + highCode + ", and passes now",
		FlakyBefore:   ", and the gate passes now; it is flaky: it failed and passed on the files as they were before the work",
	}[p.Before]
	if p.Alone && p.Before == FailedBefore {
		words = ", and the gate failed with the new checks before the work and passes now"
	}
	if p.Failed && p.Before == PassedBefore {
		words += "; it failed along the way"
	}
	switch {
	case p.Flaky && p.Before != FlakyBefore:
		return words + "; it is flaky: it failed and passed on the same files"
	case p.Unchanged:
		return words + "; nothing in the checkout changed"
	case len(p.Checks) > 0:
		return words + ", and the agent changed " + todo.Plural(len(p.Checks), "check") + ": " + FirstFilesText(p.Checks)
	case len(p.Edited) > 0:
		return words + ", and " + todo.Plural(len(p.Edited), "check") + map[bool]string{true: " is", false: " are"}[len(p.Edited) == 1] + " not as then: " + FirstFilesText(p.Edited)
	case p.Before == FailedBefore && (p.Start == "" || p.Now == ""):
		return words + ", but nothing shows which files changed: " + p.NoTree
	case p.Before == FailedBefore && p.Unchecked != "":
		return words + ", but nothing shows which checks changed: " + p.Unchecked
	case p.Before == FailedBefore && p.restoresStart():
		return words + ", but it put the files back as they were before the work"
	}
	return words
}

// GateWords are the words about the gate where nothing is said of a list.
func (p *Proof) GateWords() string { return strings.TrimPrefix(p.Words(), ", and ") }

// isUnknown reports whether nobody knows if the files have changed since the start.
func (p *Proof) isUnknown() bool { return !p.Unchanged && p.NoTree != "" }

// noWorkText says why the gate shows nothing if the agent has done nothing. It follows what the agent did not do.
func (p *Proof) noWorkText() string {
	switch {
	case p.Flaky || p.Before == FlakyBefore:
		return ", and the gate is flaky: it failed and passed on the same files"
	case p.Before == PassedBefore:
		return ", and the gate passed before"
	}
	return ", so the gate proves nothing"
}

// mostNamed is how many files a line names.
const mostNamed = 3

// FirstFilesText names the first of some files, for a line.
func FirstFilesText(files []string) string {
	if more := len(files) - mostNamed; more > 0 {
		return strings.Join(files[:mostNamed], ", ") + " and " + todo.Plural(more, "other")
	}
	return strings.Join(files, ", ")
}
