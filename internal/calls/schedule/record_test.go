package schedule

import (
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/storetest"
)

// TestRecords checks the sentences that report the results of calls, each with its time, its exit code and its output.
func TestRecords(t *testing.T) {
	at := func(n int) todo.Time { return todo.Time(n) * 60_000 }
	call := func(status Status, reason string, res *Result) Call {
		return Call{
			ID: "c", Tool: "shell", Args: []byte(`{"command":"go vet"}`), Status: status, Reason: reason, Result: res,
			Transitions: []Transition{{Validating, at(1)}, {Executing, at(2)}, {status, at(4)}},
		}
	}
	denied := func(c Call) Call {
		c.Approval = &Approval{Outcome: outcomeRefused}
		return c
	}
	for _, c := range []struct {
		call                   Call
		words, problem, output string
		code                   int
	}{
		{call(Success, "", &Result{Stdout: "ok", Stderr: "!"}), "succeeded", "", "ok!", 0},
		{call(Errored, "exit status 3", &Result{ExitCode: 3, Stderr: "bad"}), "failed with exit code 3", "exit status 3", "bad", 3},
		{call(Errored, "", nil), "failed", "error", "", -1},
		{call(Errored, "there is no tool", nil), "failed (there is no tool)", "there is no tool", "", -1},
		{denied(call(Cancelled, "denied: too early", nil)), "was denied", "denied: too early", "", -1},
		{call(Cancelled, "", nil), "was cancelled", "cancelled", "", -1},
	} {
		r := c.call.record(at(9))
		code := -1
		if r.Code != nil {
			code = *r.Code
		}
		if r.Words != c.words || r.Problem != c.problem || r.Output != c.output || code != c.code {
			t.Errorf("%s, %q: got %+v, code %d", c.call.Status, c.call.Reason, r, code)
		}
		if r.At != at(2) || r.Took != 2*time.Minute || r.Text != `shell {"command":"go vet"}` || r.Status != string(c.call.Status) {
			t.Errorf("%s, %q: got %+v", c.call.Status, c.call.Reason, r)
		}
	}
	seen := map[string]Status{}
	for _, status := range Statuses() {
		c := Call{Status: status, Transitions: []Transition{{Validating, at(1)}}}
		words := c.endWords()
		if before, twice := seen[words]; twice && (before != Validating || status != Scheduled) {
			t.Errorf("%s and %s are both %q", before, status, words)
		}
		seen[words] = status
		if r := c.record(at(3)); r.At != at(1) || r.Took != 0 || r.Code != nil {
			t.Errorf("%s never ran: got %+v", status, r)
		}
	}
}

func TestRecordsOfNothing(t *testing.T) {
	s := Store{Backend: storetest.NewMemory()}
	if got, err := s.Records(session.Name{Session: "s"}, 1); got != nil || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}
