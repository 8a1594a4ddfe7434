package cmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/execute"
	"onward/internal/render"
	"onward/internal/schedule"
)

type scheduleListCmd struct {
	Status []string `placeholder:"S" complete:"call status" help:"Only calls with one of these statuses."`
	Batch  string   `placeholder:"ID" complete:"batch" help:"Only the calls of this batch."`
}

// Run lists the calls in the order of the requests.
func (c *scheduleListCmd) Run(a *app) error {
	want := map[schedule.Status]bool{}
	var names []string
	for _, s := range schedule.Statuses() {
		names = append(names, string(s))
	}
	for _, word := range c.Status {
		if !slices.Contains(names, word) {
			return meant(usagef("--status: %q is no status of a call", word), word, names, "the statuses are "+strings.Join(names, ", "))
		}
		want[schedule.Status(word)] = true
	}
	s, doc, err := a.loadSchedule()
	if err != nil {
		return err
	}
	var calls []*schedule.Call
	for _, call := range everyCall(doc) {
		if (len(want) == 0 || want[call.Status]) && (c.Batch == "" || c.Batch == call.Batch) {
			calls = append(calls, call)
		}
	}
	if len(calls) == 0 && !a.JSON {
		a.print("no calls\n")
		return nil
	}
	return a.answerCalls(s, doc, calls, nil)
}

type scheduleShowCmd struct {
	ID string `arg:"" complete:"call" help:"The call's id."`
}

// Run shows everything about one call.
func (c *scheduleShowCmd) Run(a *app) error {
	s, doc, err := a.loadSchedule()
	if err != nil {
		return err
	}
	if doc == nil || doc.Find(c.ID) == nil {
		return fmt.Errorf("%w: call %q", schedule.ErrNotFound, c.ID)
	}
	calls := []*schedule.Call{doc.Find(c.ID)}
	if a.JSON {
		return a.answerCalls(s, doc, calls, nil)
	}
	if err := execute.Outputs(s.calls.Dir, calls); err != nil {
		return err
	}
	a.print(render.Call(calls[0], s.calls.Dir, a.style(), s.now))
	return nil
}

type scheduleStatusCmd struct{}

// Run tells how many calls stand where.
func (c *scheduleStatusCmd) Run(a *app) error {
	s, doc, err := a.loadSchedule()
	if err != nil {
		return err
	}
	if a.JSON {
		return a.answerCalls(s, doc, everyCall(doc), nil)
	}
	counts := doc.Counts()
	for _, status := range schedule.Statuses() {
		if counts[status] > 0 {
			a.print(fmt.Sprintf("%-18s %d\n", status, counts[status]))
		}
	}
	if len(counts) == 0 {
		a.print("no calls\n")
	}
	if doc != nil && len(doc.Messages) > 0 {
		a.print(fmt.Sprintf("%-18s %d\n", "messages", len(doc.Messages)))
	}
	return nil
}

type scheduleWaitCmd struct {
	Timeout *string `placeholder:"D" help:"The longest wait; default: none."`
}

// Run waits until every call has ended, or only an approval could move one.
func (c *scheduleWaitCmd) Run(a *app) error {
	limit := time.Duration(-1)
	if c.Timeout != nil {
		var err error
		if limit, err = continuation.ParseDuration(*c.Timeout); err != nil {
			return notDuration("--timeout", *c.Timeout)
		}
	}
	t, err := a.target()
	if err != nil {
		return err
	}
	waiting := newWaiting(t.callFiles)
	defer waiting.Close()
	var found *schedule.Change
	for {
		s, doc, err := a.loadSchedule()
		if err != nil {
			return err
		}
		if schedule.Orphaned(doc, execute.Alive) {
			commit, err := a.recoverCalls(s)
			if err != nil {
				return err
			}
			if commit.Changed {
				doc, found = commit.Doc, &commit.Change
			}
		}
		calls := everyCall(doc)
		switch {
		case doc == nil || doc.Open() == 0, doc.Stuck():
			if err := a.answerCalls(s, doc, calls, found); err != nil {
				return err
			}
			return outcomeOf(schedule.Sum(calls))
		case limit >= 0 && waiting.Elapsed() >= limit:
			if err := a.answerCalls(s, doc, calls, found); err != nil {
				return err
			}
			if schedule.Sum(calls) == schedule.SomeWait {
				return answer(exitAwaitingApproval)
			}
			return fmt.Errorf("wait for the calls of session %q: %w: %d have not ended", s.name, durable.ErrBusy, doc.Open())
		}
		next := time.Second // a runner that is killed changes no file
		if limit >= 0 {
			next = min(next, limit-waiting.Elapsed())
		}
		waiting.Wait(next)
	}
}
