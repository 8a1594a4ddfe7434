package ask

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// Question is one caller's question, from the first look at the list to the answer.
type Question struct {
	List    List
	Name    session.Name       // of the list
	Said    continuation.Facts // what only the caller knows
	Input   []byte             // more of it, as one JSON object from standard input; nil if there is none
	Op      string             // makes a retry safe; empty is none
	Now     todo.Time          // when it is asked
	Real    todo.Time          // when that was by the machine's clock, independent of Now; 0 is unknown
	DryRun  bool               // decide, commit nothing
	Patient time.Duration      // how long to wait if the answer is "wait"; 0: not at all
	Resets  bool               // wait longer than that for the end of the host's limit, if it is known and at most a day ahead
	Waiting Waiting
	Notes   Notes // nil if no user reads them
	Turn    *Turn // the agent's report, if its hook asks; else nil
	Gate    Gate  // runs the gate; nil if it is not to be run
}

// asking is a question that is being answered. What time and the gate change of it is changed here, and not in the caller's.
type asking struct {
	Question

	asked   todo.Time // when it was asked; Now goes on
	told    string    // the reason of the wait that the user was told of
	yielded *userTurn
	proof   *proof
	graded  *run.Proof // what that shows
	runs    int        // how often the gate of the list has run since the last wait
	ran     []string   // the ids of the items whose gates have run
	settled bool       // and their results are committed
	idle    bool       // the user knows about calls that no process runs
}

// longestReset is how far ahead the end of a limit may be: for a later one, nobody waits.
const longestReset = 24 * time.Hour

// Notes are for the user, while the question is open.
type Notes interface {
	NoteWaiting(continuation.Decision)
	NoteCountdown(left, open int) // seconds until the agent is continued, and open items
	NoteIdleCalls(calls int)      // calls that are scheduled, and that no process runs: they block nothing
}

// Answer is the answer to the caller, and the list that it is about.
type Answer struct {
	Doc      *session.Document
	Decision continuation.Decision
	Settings continuation.Settings
	Changed  bool // something was committed
	Settled  bool // the results of items' gates were committed, before the decision

	worked bool           // it is done, and the files have changed since the user gave the task
	did    session.Change // what was reported changed
	news   bool           // there is something to commit
	facts  continuation.Facts
	ledger session.Ledger
	name   session.Name
}

// Prompt returns the text with which the agent continues; empty if it does not.
func (a *Answer) Prompt() string {
	doc := a.Doc
	switch {
	case a.Decision.Outcome != continuation.Continue:
		return ""
	case doc == nil: // a gate without a list, and nothing was committed
		doc = &session.Document{Session: a.name.Session, Agent: a.name.AgentID(), Continuation: a.ledger}
	}
	return continuation.Prompt(doc, a.Decision, a.Settings)
}

// Ask answers the question, and does not change it. Before it returns, it commits a continuation and whatever must be remembered.
func (q Question) Ask() (Answer, error) {
	if q.Input != nil {
		facts, err := continuation.ReadFacts(q.Input)
		if err != nil {
			return Answer{}, fmt.Errorf("read standard input: %w", err)
		}
		q.Said = q.Said.WithDefaults(facts)
	}
	if q.Turn != nil {
		q.Turn = new(*q.Turn)
	}
	return (&asking{Question: q, asked: q.Now}).answer()
}

// answer answers once what is to be proven is proven, and the time to wait is over.
func (q *asking) answer() (Answer, error) {
	for {
		a, err := q.answerOnce()
		a.Settled = q.settled
		if err == nil && q.dependsOnGate(a) {
			prove := q.prove
			if a.Decision.Claimed != nil {
				prove = q.proveItem
			}
			if err := prove(a); err != nil {
				return a, err
			}
			q.updateNow()
			continue
		}
		if q.Gate != nil {
			q.Gate.Release()
		}
		if err != nil || !q.waitIfAsked(a) {
			return a, err
		}
	}
}

// waitIfAsked waits if the answer says so and the caller has the patience, and reports whether the question is to be answered again.
func (q *asking) waitIfAsked(a Answer) bool {
	if a.Decision.Outcome != continuation.Wait || q.Patient <= 0 {
		return false
	}
	began, wait := q.Waiting.Elapsed(), a.Decision.RetryAfter
	resets := q.Resets && a.Decision.ResetAt != 0 && a.Decision.ResetAt-q.asked <= todo.Time(longestReset.Milliseconds())
	if left := q.Patient - began; !resets && left <= 0 {
		return false
	} else if !resets {
		wait = min(wait, left)
	}
	if a.Decision.Reason != q.told {
		q.told = a.Decision.Reason
		q.Notes.NoteWaiting(a.Decision)
	}
	if q.Waiting.Wait(wait) == WokeAtLimit {
		q.proof, q.runs = nil, 0 // the result may be different now
	}
	if resets {
		q.Patient += q.Waiting.Elapsed() - began
	}
	q.updateNow()
	q.ran = nil
	// The caller's facts about the last turn apply only to that turn.
	q.Said.ToolCalls = nil
	return true
}

// updateNow makes the question one of the present time.
func (q *asking) updateNow() { q.Now = q.asked + todo.Time(q.Waiting.Elapsed().Milliseconds()) }

// answerOnce answers without waiting for a better answer.
func (q *asking) answerOnce() (Answer, error) {
	doc, err := q.List.Load()
	if err != nil {
		return Answer{}, err
	}
	if q.yielded != nil {
		q.yielded.fresh = false
	}
	if q.Said.ReadRev == nil {
		q.Said.ReadRev, q.Said.AskedAt = new(doc.Revision()), q.Now // a caller that waits still asks its first question
	}
	if doc != nil && q.Op != "" {
		if err := q.List.FindOperation(doc, q.Op); err != nil {
			return Answer{}, err
		}
	}
	a, err := q.gather(doc)
	if err != nil || q.repeatAnswer(&a) {
		return a, err
	}
	q.removeDelivered(doc, &a) // what was left in the queue by a process that was killed
	if err := q.decide(&a); err != nil || q.DryRun || !a.news || q.dependsOnGate(a) {
		return a, err
	}
	op := "" // only a continuation keeps the id: any other answer is decided again
	if a.Decision.Outcome == continuation.Continue {
		op = q.Op
		if q.waitForTurn(a.Doc) {
			return q.answerOnce()
		}
		if err := q.countdown(&a); err != nil {
			return a, err
		}
	}
	return q.commit(op, a)
}

// turnLeast is the time below which a continuation can have had no turn.
const turnLeast = time.Second

// waitForTurn waits until a turn can have followed the last continuation, and reports whether it waited. No turn is that
// short. So a question that comes sooner and reports no turn was asked at the same time as the one that was continued.
// All such questions wait, and the first one that is decided afterwards makes the others duplicates.
func (q *asking) waitForTurn(doc *session.Document) bool {
	last := doc.Ledger().Last
	if q.Real == 0 || q.Turn != nil || q.Said.ToolCalls != nil || last == nil ||
		doc.Ledger().TotalPrompt == 0 && doc.Ledger().Delivering == nil {
		return false // or the user has spoken since
	}
	began := q.Waiting.Elapsed()
	left := func() time.Duration {
		return turnLeast - q.Waiting.Elapsed() - time.Duration(q.Real-last.At)*time.Millisecond
	}
	waits := 0 < left() && left() <= turnLeast // else the clock was set back since
	for waits && left() > 0 {
		q.Waiting.Wait(left())
	}
	q.Now += todo.Time((q.Waiting.Elapsed() - began).Milliseconds())
	return waits
}

// gather collects the input of the decision about a document. Every answer is made from it, whether committed or not.
func (q *asking) gather(doc *session.Document) (Answer, error) {
	a, err := q.gatherFacts(doc)
	if err == nil {
		a.facts.AtWork, err = q.List.AtWork()
	}
	if err == nil && !a.facts.InRun {
		a.facts.Removed, err = q.List.Removed(doc)
	}
	return a, err
}

// gatherFacts returns the facts of the document, of the caller, and of what is kept next to the list.
func (q *asking) gatherFacts(doc *session.Document) (Answer, error) {
	a := Answer{Doc: doc, name: q.Name}
	var err error
	var idle int
	if a.facts, idle, err = q.List.Facts(q.Said); err != nil {
		return a, err
	}
	if idle > 0 && !q.idle && q.Notes != nil {
		q.idle = true
		q.Notes.NoteIdleCalls(idle)
	}
	if a.Settings, err = q.List.Settings(doc); err != nil {
		return a, err
	}
	a.Settings = a.Settings.WithMode(a.facts.AgentMode)
	q.proof.addTo(doc, &a.Settings, &a.facts)
	a.facts.ItemGates, a.facts.Ran = q.Gate != nil && !q.DryRun, q.ran
	if doc == nil {
		return a, nil
	}
	turn := doc.Continuation.Turn
	if doc.Continuation.CompactedAt != 0 || turn != nil || doc.Continuation.Delivering != nil || q.Turn != nil {
		signs := q.List.Activity()
		a.facts.ActiveAt, a.facts.CallOpen = signs.At, signs.Open > 0 || signs.Kind == string(continuation.NeedsUser)
	}
	a.facts.TurnGone = turn != nil && q.Turn == nil && q.List.Gone(turn.Process)
	a.facts.Rest = q.remainingYield(doc)
	return a, nil
}

// removeDelivered removes messages from the queue that a committed decision has sent. If that fails, the next question does it:
// the document says that they were.
func (q *asking) removeDelivered(doc *session.Document, a *Answer) {
	ids := continuation.DeliveredIDs(*doc.Ledger(), a.facts)
	if len(ids) == 0 || q.DryRun || q.List.RemoveMessages(ids) != nil {
		return
	}
	a.facts.Messages = slices.DeleteFunc(slices.Clone(a.facts.Messages), func(m continuation.Queued) bool { return slices.Contains(ids, m.ID) })
}

// decide applies the agent's report, then runs the checks.
func (q *asking) decide(a *Answer) error {
	var before session.Ledger
	if a.Doc != nil {
		before = a.Doc.Continuation
	}
	if q.Turn != nil {
		var err error
		if a.did, err = q.Turn.report(a.Doc, &a.facts); err != nil {
			return err
		}
	}
	a.Decision, a.ledger = continuation.Decide(a.Doc, a.facts, a.Settings, q.Now)
	q.addGrade(a)
	switch {
	case a.Doc == nil:
		// Only the gate's result makes a document, to count in, and a message that was sent, to note that.
		a.news = a.ledger.Gate != nil || a.ledger.Delivering != nil
	case q.Turn != nil:
		a.news = q.Turn.needsCommit(a.Decision, a.did, before, a.ledger)
	default:
		a.news = !reflect.DeepEqual(a.ledger, before)
	}
	return nil
}

// repeatAnswer returns the earlier answer to the operation, and returns the document to its revision.
func (q *asking) repeatAnswer(a *Answer) bool {
	if a.Doc == nil {
		return false
	}
	var ok bool
	if a.Decision, ok = continuation.RepeatAnswer(a.Doc, q.Op, a.facts, a.Settings, q.Now); !ok {
		return false
	}
	if last := a.Doc.Continuation.Last; last != nil && last.Op == q.Op {
		a.Doc.Rev = last.Rev
	}
	return true
}

// commit decides again on the list as it is under the lock, and commits the ledger.
// The input gathered before still holds if nothing has changed since.
func (q *asking) commit(op string, a Answer) (Answer, error) {
	read := a.Doc.Revision()
	commit, err := q.List.Update(op, q.Now, func(doc *session.Document) (session.Change, error) {
		if doc.Rev == read {
			a.Doc = doc
		} else if fresh, err := q.gather(doc); err != nil {
			return session.Change{}, err
		} else {
			a = fresh
		}
		if err := q.decide(&a); err != nil || !a.news || q.dependsOnGate(a) {
			return session.Change{}, err
		}
		if a.Decision.Outcome == continuation.Continue && op != "" {
			a.ledger.Last.Op, a.ledger.Last.Tier, a.ledger.Last.Allowed = op, string(a.Decision.Tier), a.Decision.Stagnation.Max
		}
		doc.Continuation = a.ledger
		did := a.did
		if did.What, did.By = a.Decision.Reason, "cli"; q.Turn != nil {
			did.By = "hook"
		}
		did.Events = append(slices.Clip(did.Events), q.historyEvents(&a, doc.Rev)...)
		return did, nil
	})
	if err != nil {
		return Answer{}, err
	}
	if !commit.Again {
		if ran := a.facts.Gate; ran != nil && a.ledger.Gate != nil {
			ran.Rev = a.ledger.Gate.Rev
		}
		if a.Changed = commit.Changed; commit.Doc != nil {
			a.Doc = commit.Doc
		}
		q.removeDelivered(a.Doc, &a)
		return a, nil
	}
	if a, err = q.gather(commit.Doc); err != nil || q.repeatAnswer(&a) {
		return a, err
	}
	return q.commit("", a)
}
