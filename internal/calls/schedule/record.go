package schedule

import (
	"cmp"
	"fmt"

	"onward/internal/calls"
	"onward/internal/session"
	"onward/internal/todo"
)

// Records describes each call of a list and how it ended, in the order of the requests.
func (s *Store) Records(name session.Name, now todo.Time) ([]calls.Record, error) {
	doc, err := s.Load(name)
	if err != nil || doc == nil {
		return nil, err
	}
	records := make([]calls.Record, 0, len(doc.Calls))
	for c := range doc.all() {
		records = append(records, c.record(now))
	}
	return records, nil
}

func (c *Call) record(now todo.Time) calls.Record {
	r := calls.Record{
		At: cmp.Or(c.ReachedAt(Executing), c.ReachedAt(Validating)), Text: c.Tool + " " + string(c.Args),
		Status: string(c.Status), Class: c.Class, Words: c.endWords(),
	}
	if ran, started := c.RunTime(now); started {
		r.Took = ran
	}
	if c.Result != nil {
		code := c.Result.ExitCode
		r.Code, r.Output = &code, c.Result.Stdout+c.Result.Stderr
	}
	if c.Status == Errored || c.Status == Cancelled {
		if r.Problem = c.Reason; r.Code == nil {
			r.Problem = cmp.Or(c.Reason, string(c.Status))
		}
	}
	return r
}

// endWords says how a call ended.
func (c *Call) endWords() string {
	switch c.Status {
	case Success:
		return "succeeded"
	case Awaiting:
		return "waits for approval"
	case Executing:
		return "is running"
	case Cancelled:
		if c.Approval != nil && c.Approval.Outcome == outcomeRefused {
			return "was denied"
		}
		return "was cancelled"
	case Errored:
		switch {
		case c.Result != nil && c.Result.ExitCode != 0:
			return fmt.Sprintf("failed with exit code %d", c.Result.ExitCode)
		case c.Reason != "":
			return "failed (" + c.Reason + ")"
		}
		return "failed"
	}
	return "waits for its turn"
}
