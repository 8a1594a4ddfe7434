package ask

import (
	"time"

	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// Gate runs the gate of a list, once for all questions that are asked while it runs.
type Gate interface {
	// Prove runs the gate of the settings. If another question already runs it, Prove waits for that run, and asks shared for
	// its result; if shared returns nil, it runs the gate after all.
	// The result is nil if there was not enough time to run the gate.
	Prove(set continuation.Settings, shared func() *session.GateResult) (*session.GateResult, error)
	// Release lets the waiting questions continue; they find the result in the list.
	// It does nothing if Prove was not called since the last Release.
	Release()
}

// WorkProver is a gate that tells what its success shows about the work since a state of the files; "" if that is not known.
type WorkProver interface {
	Grade(set continuation.Settings, start string, is *session.GateResult) run.Proof
}

// addGrade adds what is known about the work to a decision that it is done. In a run, the run does that.
func (q *asking) addGrade(a *Answer) {
	d := &a.Decision
	if d.Outcome != continuation.Finished || q.Said.InRun {
		return
	}
	p := run.Proof{Gated: a.Settings.Gate != "" && a.facts.Gate != nil}
	if grader, can := q.Gate.(WorkProver); can && p.Gated {
		if q.graded == nil {
			q.graded = new(grader.Grade(a.Settings, q.List.Activity().Start, a.facts.Gate))
		}
		p = *q.graded
	}
	if d.Proof = string(p.Grade()); p.Gated {
		d.Message = d.Work + p.Words()
	}
	a.worked = p.Start != "" && !p.Unchanged
}

// proof is the result of the gate. It is valid for one question, and one revision of the list.
type proof struct {
	result *session.GateResult
	items  string
	took   time.Duration
}

// addTo adds the result to the facts, if neither the list nor the gate has changed since. Facts from the caller take precedence.
func (p *proof) addTo(doc *session.Document, set *continuation.Settings, facts *continuation.Facts) {
	if p != nil && facts.Gate == nil && p.result.Command == set.Gate && todo.Digest(doc.Current()) == p.items {
		facts.Gate = p.result
	}
}

// dependsOnGate reports whether the decision depends on the gate alone, and the gate may be run.
func (q *asking) dependsOnGate(a Answer) bool {
	return a.Decision.Reason == continuation.ReasonUnproven && !a.Decision.IsUnprovenByLostGate() && q.Gate != nil && !q.DryRun
}

// mostRuns is how often a question runs the gate of a list that changes while it runs.
const mostRuns = 3

// prove runs the gate for a list as it was read. It holds no lock of the list.
// If there is no result, the question continues without a gate.
func (q *asking) prove(a Answer) error {
	if q.runs++; q.runs > mostRuns {
		// Otherwise this would never end: each time, the gate proves another list.
		q.proof = &proof{result: &session.GateResult{Command: a.Settings.Gate, Problem: "the list changed each time that it ran"}, items: todo.Digest(a.Doc.Current())}
		return nil
	}
	q.graded = nil
	began := q.Waiting.Elapsed()
	rev := a.Doc.Revision()
	shared := func() *session.GateResult {
		doc, err := q.List.Load()
		if err != nil || doc == nil {
			return nil
		}
		g := doc.Continuation.Gate
		// If its revision is later, another question has recorded its result since. A run that ended before this
		// question was asked says nothing about later changes, however late its result was recorded.
		if g != nil && g.Rev > rev && g.At >= q.Now && g.Command == a.Settings.Gate {
			return g
		}
		return nil
	}
	result, err := q.Gate.Prove(a.Settings, shared)
	if result == nil {
		q.Gate.Release()
		q.Gate = nil
		return err
	}
	q.proof = &proof{result, todo.Digest(a.Doc.Current()), q.Waiting.Elapsed() - began}
	return err
}

// proveItem runs the gate of an item that is claimed to be done, and commits the result: the item is completed, or in
// progress again. It holds no lock of the list.
func (q *asking) proveItem(a Answer) error {
	it, began := *a.Decision.Claimed, q.Waiting.Elapsed()
	q.ran = append(q.ran, it.ID)
	result, err := q.Gate.Prove(a.Settings.ForItem(&it), func() *session.GateResult { return nil })
	q.Gate.Release()
	if err != nil || result == nil {
		return err
	}
	took := q.Waiting.Elapsed() - began
	now, ran := q.Now+todo.Time(took.Milliseconds()), continuation.NewItemGateRun(it, result)
	if grader, can := q.Gate.(WorkProver); can && ran.Passed() && it.Claim != nil {
		shown := grader.Grade(a.Settings.ForItem(&it), it.Claim.Start, result)
		ran.Grade = string(shown.Grade())
	}
	commit, err := q.List.Update("", now, func(doc *session.Document) (session.Change, error) {
		return continuation.SettleItem(doc, ran, took, now)
	})
	q.settled = q.settled || commit.Changed
	return err
}

// historyEvents returns an answer's events in the history, for a document of that revision. A run of the gate is recorded once,
// however many questions share its result.
func (q *asking) historyEvents(a *Answer, rev uint64) []session.Event {
	ran := a.ledger.Gate
	var took time.Duration
	if q.proof != nil {
		took = q.proof.took
	}
	if ran != nil && ran.Rev != rev+1 {
		ran = nil
	}
	if ran != nil && q.proof != nil {
		ran = ran.WithFiles(q.proof.result.Files())
	}
	return a.Decision.Record(ran, took)
}
