package night

import (
	"errors"
	"strconv"

	continuation "onward/internal/continue"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/store"
)

// errReplaced is the error of a run whose list was removed while the run was at work, also if there is another one in its place.
var errReplaced = errors.New("the list was removed while the run was at work")

// checkNotReplaced returns an error if a document is not the one that this process saw before: the run counts there, and would go on for
// ever if that started over each time. One that was rolled back, and changed since, lacks the commit that was seen last.
func (r *Runner) checkNotReplaced(doc *session.Document) error {
	if r.rev > 0 && (doc == nil || doc.Rev < r.rev || doc.CreatedAt != r.created || !doc.HasCommit(r.rev, r.op)) {
		return errReplaced
	}
	if doc != nil {
		r.rev, r.op, r.created = doc.Rev, doc.Op, doc.CreatedAt
	}
	return nil
}

// endOfRemoved returns the end of a run that misses what was saved; nil for any other error.
func (r *Runner) endOfRemoved(err error) *run.Action {
	act := run.Action{Kind: run.EndRun, Outcome: run.NeedsYou, Answer: continuation.NeedsHuman, Reason: run.ReasonRemoved, Message: err.Error()}
	switch {
	case errors.Is(err, errReplaced):
		act.Message = "the list of session " + strconv.Quote(r.Name.String()) + " was removed while the run was at work"
		act.Hint = "look at what the agent did"
	case errors.Is(err, store.ErrGone):
		act.Hint = r.Errors.Hint(err)
	default:
		return nil
	}
	return &act
}
