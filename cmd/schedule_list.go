package cmd

import (
	"cmp"
	"fmt"

	"onward/internal/ask"
	"onward/internal/calls/schedule"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/store"
	"onward/internal/wait"
)

type scheduleListCmd struct {
	pagerFlags `embed:""`

	Status []string `placeholder:"S" complete:"call status" help:"Only calls with one of these statuses."`
	Batch  string   `placeholder:"ID" complete:"batch" help:"Only the calls of this batch."`
}

// Run lists the calls in the order of the requests.
func (c *scheduleListCmd) Run(a *app, s find.List, doc *schedule.Document) error {
	statuses, err := schedule.ParseStatuses(c.Status)
	if err != nil {
		return err
	}
	calls := schedule.CallsWithStatus(doc.CallsOf(c.Batch), statuses...)
	switch {
	case a.JSON:
		return a.printCalls(s, doc, calls, nil)
	case len(calls) == 0:
		a.print("no calls\n")
	default:
		c.page(a, output.CallsText(calls, s.Now, a.style()))
	}
	return nil
}

type scheduleShowCmd struct {
	ID     string `arg:"" complete:"call" ask:"which call?" example:"c1" help:"The call's id."`
	Follow bool   `help:"Print the output of the call as it arrives, until it ends."`
}

// Run shows everything about one call.
func (c *scheduleShowCmd) Run(a *app, s find.List, doc *schedule.Document) error {
	if c.Follow {
		return a.followCall(s, c.ID)
	}
	calls, err := doc.CallsByID(c.ID)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.printCalls(s, doc, calls, nil)
	}
	if err := s.Storage.Outputs().FillIn(calls); err != nil {
		return err
	}
	a.print(output.CallText(calls[0], s.Storage.Local.Dir, a.style(), s.Now))
	return nil
}

type scheduleStatusCmd struct{}

// Run prints the number of calls in each state.
func (c *scheduleStatusCmd) Run(a *app, s find.List, doc *schedule.Document) error {
	if a.JSON {
		return a.printCalls(s, doc, doc.CallsOf(""), nil)
	}
	a.print(output.CountsText(doc))
	return nil
}

type scheduleWaitCmd struct {
	Batch   string  `placeholder:"ID" complete:"batch" help:"Only for the calls of this batch."`
	Timeout *string `placeholder:"D" help:"The longest wait; default: none."`
}

// Run waits until every call has ended or awaits approval. The exit code is about the calls of the batch, or without one
// about those that ended since the wait began.
func (c *scheduleWaitCmd) Run(a *app, t find.List, before *schedule.Document) error {
	limit, err := find.DurationOf("--timeout", c.Timeout, -1)
	if err != nil {
		return err
	}
	if c.Batch != "" && len(before.CallsOf(c.Batch)) == 0 {
		return fmt.Errorf("%w: batch %q", schedule.ErrNotFound, c.Batch)
	}
	waiting := wait.New(t.WatchCalls)
	defer waiting.Close()
	var doc *schedule.Document
	var did, found *schedule.Change
	if err := ask.PollUntil(waiting, limit, t.Storage.PollInterval(), func() (bool, error) {
		t, doc, did, err = a.recoverCalls()
		found = cmp.Or(did, found)
		return doc.Settled(c.Batch), err
	}); err != nil {
		return err
	}
	if err := a.printCalls(t, doc, doc.CallsOf(c.Batch), found); err != nil {
		return err
	}
	awaited := doc.CallsWaitedFor(c.Batch, before)
	if doc.WaitOver(c.Batch, awaited) {
		return a.reportOutcome(awaited, schedule.OutcomeOf(awaited))
	}
	err = fmt.Errorf("wait for the calls of session %q: %w: %d have not ended", t.Name, store.ErrBusy, doc.Open())
	return cli.WithHint(err, "try again, or wait longer with --timeout")
}
