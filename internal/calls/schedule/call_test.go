package schedule

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/todo"
)

// noon is the time at which these tests start.
const noon todo.Time = 1_767_258_000_000

func alive(*Process) bool { return true }
func dead(*Process) bool  { return false }

// TestEveryPairOfStatuses compares the table of transitions with the allowed ones, pair by pair.
func TestEveryPairOfStatuses(t *testing.T) {
	allowed := map[[2]Status]bool{}
	for _, line := range []string{
		"- validating",
		"validating scheduled", "validating awaiting_approval", "validating error", "validating cancelled",
		"awaiting_approval scheduled", "awaiting_approval awaiting_approval", "awaiting_approval cancelled", "awaiting_approval error",
		"scheduled executing", "scheduled cancelled",
		"executing success", "executing error", "executing cancelled",
	} {
		from, to, _ := strings.Cut(strings.Replace(line, "- ", " ", 1), " ")
		allowed[[2]Status{Status(from), Status(to)}] = true
	}
	for _, from := range append([]Status{""}, Statuses()...) {
		for _, to := range append([]Status{""}, Statuses()...) {
			c := Call{ID: "a", Status: from}
			err := c.move(to, noon)
			switch {
			case allowed[[2]Status{from, to}]:
				if err != nil || c.Status != to || len(c.Transitions) != 1 || c.Transitions[0] != (Transition{to, noon}) {
					t.Errorf("%q to %q: %v, %+v", from, to, err, c)
				}
			case !errors.Is(err, ErrState) || c.Status != from || len(c.Transitions) != 0:
				t.Errorf("%q to %q was let through: %v", from, to, err)
			}
		}
	}
}

func mustMake(t testing.TB, s *Step) {
	t.Helper()
	if _, err := s.Result(); err != nil {
		t.Fatal(err)
	}
}

func TestFailureCancelsDependents(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:view b:view,after=a c:view,after=b d:view e:edit,after=c")
	if _, _, err := Approve(d, []string{"e"}, judge(t), false, false, noon); err != nil {
		t.Fatal(err)
	}
	step := d.Step(noon)
	step.Start(d.Find("a"), Process{})
	step.End([]Ending{{ID: "a", Status: Errored, Class: ClassFailed}})
	mustMake(t, step)
	expect(t, d, "a=error b=cancelled c=cancelled d=scheduled e=cancelled")
	if got := d.Find("b").Reason; got != "it depends on a, which ended as error" {
		t.Errorf("got %q", got)
	}
	// A later call that depends on it is cancelled immediately.
	submitted(t, d, "f:view,after=a")
	if c := d.Find("f"); c.Status != Cancelled {
		t.Errorf("got %+v", c)
	}
}

func TestDenialCancelsTheRestOfTheBatch(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:edit b:view c:edit")
	submitted(t, d, "x:view y:edit")
	did, err := DenyBatch(d, []string{"a"}, "too risky", noon)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, d, "a=cancelled b=cancelled c=cancelled x=scheduled y=awaiting_approval")
	if d.Find("a").Reason != "denied: too risky" || d.Find("b").Reason != "call a of its batch was denied" || d.Find("a").Approval.Outcome != outcomeRefused {
		t.Errorf("got %+v", d.Calls)
	}
	if len(did.Complete) != 1 {
		t.Errorf("got %+v", did)
	}
	for _, id := range []string{"a", "x", "none"} {
		if _, err := DenyBatch(d, []string{id}, "", noon); err == nil {
			t.Errorf("%s was denied", id)
		}
	}
}

func TestModifyAsksAgain(t *testing.T) {
	rule := policy.Rule{Tool: "edit", Args: `"n":7`, Decision: policy.Allow}
	for args, want := range map[string]Status{`{"n":5}`: Awaiting, `{"n":7}`: Scheduled} {
		d := &Document{}
		submitted(t, d, "a:edit")
		if _, err := Modify(d, "a", jsontext.Value(args), judge(t, rule), noon+1); err != nil {
			t.Fatal(err)
		}
		c := d.Find("a")
		if c.Status != want || string(c.Args) != args || len(c.Transitions) != 3 {
			t.Errorf("%s: got %+v", args, c)
		}
		if want == Awaiting && c.Approval.Outcome != outcomeModified {
			t.Errorf("got %+v", c.Approval)
		}
	}
	d := &Document{}
	submitted(t, d, "a:edit b:view")
	if _, err := Modify(d, "a", jsontext.Value(`{"n":"x"}`), judge(t, rule), noon+1); !errors.Is(err, ErrRequest) {
		t.Errorf("got %v", err)
	}
	if c := d.Find("a"); c.Status != Awaiting || string(c.Args) != "{}" {
		t.Errorf("a refused edit left %+v", c)
	}
	if _, err := Modify(d, "b", jsontext.Value("{}"), judge(t), noon); !errors.Is(err, ErrState) {
		t.Errorf("got %v", err)
	}
}

func TestOrphans(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:view b:view")
	if Orphaned(nil, dead) || Orphaned(d, dead) {
		t.Error("a call that nobody runs was taken for one whose process is gone")
	}
	step := d.Step(noon)
	step.Start(d.Find("a"), Process{PID: 1})
	mustMake(t, step)
	if Orphaned(d, alive) || !Orphaned(d, dead) {
		t.Error("whether the process is alive has no effect")
	}
}

func TestApproveAlwaysReleasesMatchingCalls(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:edit b:edit c:shell,args={\"command\":\"ls\"}")
	did, rules, err := Approve(d, []string{"a"}, judge(t), true, false, noon)
	if err != nil || len(rules) != 1 || len(d.Rules) != 1 {
		t.Fatalf("%v, %v, %v", did, rules, err)
	}
	expect(t, d, "a=scheduled b=scheduled c=awaiting_approval")
	if d.Find("a").Approval.Outcome != outcomeAlways || d.Find("b").Approval.Outcome != outcomePolicy {
		t.Errorf("got %+v", d.Calls)
	}
	submitted(t, d, "e:edit")
	if d.Find("e").Status != Scheduled {
		t.Error("the session's rule has no effect on a new call")
	}
}

func TestReviewFollowsTheMode(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:edit b:edit c:free")
	if _, _, err := Approve(d, []string{"b"}, judge(t), false, false, noon); err != nil {
		t.Fatal(err)
	}
	j := judge(t)
	j.Mode = policy.Plan
	if _, err := Review(d, j, noon); err != nil {
		t.Fatal(err)
	}
	expect(t, d, "a=cancelled b=scheduled c=cancelled")
	d = &Document{}
	submitted(t, d, "a:edit b:shell")
	submitted(t, d, `c:shell,args={"command":"ls"}`)
	j.Mode = policy.AutoEdit
	if _, err := Review(d, j, noon); err != nil {
		t.Fatal(err)
	}
	expect(t, d, "a=scheduled b=error c=awaiting_approval")
	j.Nobody = true
	if _, err := Review(d, j, noon); err != nil {
		t.Fatal(err)
	}
	expect(t, d, "a=scheduled b=error c=cancelled")
}

func TestCancel(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:view b:view c:edit")
	submitted(t, d, "x:view")
	step := d.Step(noon)
	step.Start(d.Find("a"), Process{PID: 5})
	mustMake(t, step)
	if _, err := Cancel(d, []string{"b"}, "", alive, noon); err != nil {
		t.Fatal(err)
	}
	expect(t, d, "a=executing b=cancelled c=cancelled x=scheduled")
	if d.Find("a").StopAt != 0 {
		t.Error("what runs was told to stop, though only another was cancelled")
	}
	if _, err := CancelAll(d, "enough", alive, noon); err != nil {
		t.Fatal(err)
	}
	expect(t, d, "a=executing b=cancelled c=cancelled x=cancelled")
	if c := d.Find("a"); c.StopAt == 0 || c.StopFor != "cancelled: enough" {
		t.Errorf("got %+v", c)
	}
	if _, err := CancelAll(d, "", dead, noon); err != nil {
		t.Fatal(err)
	}
	if c := d.Find("a"); c.Status != Errored || c.Class != ClassInterrupted {
		t.Errorf("got %+v", c)
	}
	if _, err := Cancel(d, []string{"a"}, "", alive, noon); !errors.Is(err, ErrState) {
		t.Errorf("got %v", err)
	}
}

func TestClearKeepsOpenCalls(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:view b:edit,after=a")
	submitted(t, d, "x:none")
	step := d.Step(noon)
	step.Start(d.Find("a"), Process{})
	step.End([]Ending{{ID: "a", Status: Success, Result: &Result{Output: "o", Kept: "k"}}})
	mustMake(t, step)
	_, files := Clear(d)
	expect(t, d, "b=awaiting_approval")
	if len(d.Find("b").After) != 0 || !slices.Equal(files, []string{"o", "k"}) || len(d.Batches) != 1 {
		t.Errorf("got %+v, %v", d, files)
	}
}

func TestMessages(t *testing.T) {
	d := &Document{}
	for _, text := range []string{" one ", "", "\n\t", "two\nlines", "three"} {
		if _, err := PushMessage(d, text, "", noon); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := EditMessage(d, 3, "last"); err != nil || len(d.Messages) != 3 {
		t.Fatalf("%v, %+v", err, d.Messages)
	}
	if _, err := EditMessage(d, 4, "x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	submitted(t, d, "a:view")
	if did := PopMessages(d, false); did.What != "" || len(d.Messages) != 3 {
		t.Errorf("popped %+v while a call was open", did)
	}
	sent := d.Messages[0]
	if did := PopMessages(d, false, sent.Name()); did.Text != "" || did.What != "sent 1 message" || len(d.Messages) != 2 {
		t.Errorf("one that was sent already: %+v", did)
	}
	d.Messages = append([]Message{sent}, d.Messages...)
	if did := PopMessages(d, true); did.Text != "one\n\ntwo\nlines\n\nlast" || len(d.Messages) != 0 {
		t.Errorf("got %+v", did)
	}
	if did := PopMessages(d, true); did.What != "" || did.Text != "" {
		t.Errorf("got %+v", did)
	}
	if _, err := PushMessage(d, strings.Repeat("x", maxMessage+1), "", noon); !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
	if _, err := DropMessage(d, 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestDuration(t *testing.T) {
	c := Call{}
	if c.Duration(noon) != 0 {
		t.Error("a call that was not made has a duration")
	}
	for i, s := range []Status{Validating, Scheduled, Executing, Success} {
		if err := c.move(s, noon+todo.Time(i*1000)); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Duration(noon + 99999); got != 3*time.Second || c.EndedAt() != noon+3000 || c.ReachedAt(Executing) != noon+2000 {
		t.Errorf("got %v", got)
	}
}

func TestSelectionsOfCalls(t *testing.T) {
	d := &Document{Calls: []Call{
		{ID: "a", Batch: "x", Status: Success}, {ID: "b", Batch: "x", Status: Cancelled}, {ID: "c", Batch: "y", Status: Cancelled},
	}}
	if got := IDsWithStatus(d.CallsOf(""), Cancelled, Errored); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("cancelled: %v", got)
	}
	if got := IDsWithStatus(d.ExistingCalls([]string{"c", "gone", "a"}), Success, Cancelled); !slices.Equal(got, []string{"c", "a"}) {
		t.Errorf("picked: %v", got)
	}
	if got := CountByStatus(d.CallsOf("x")); len(got) != 2 || got[Success] != 1 || got[Cancelled] != 1 {
		t.Errorf("counts of a batch: %v", got)
	}
}

func TestOutcomeOfCalls(t *testing.T) {
	for _, c := range []struct {
		statuses []Status
		want     Outcome
	}{
		{nil, AllWell},
		{[]Status{Success, Scheduled, Executing}, AllWell},
		{[]Status{Success, Errored}, SomeFailed},
		{[]Status{Cancelled}, SomeFailed},
		{[]Status{Errored, Awaiting, Success}, SomeAwaitApproval},
	} {
		calls := make([]*Call, len(c.statuses))
		for i, s := range c.statuses {
			calls[i] = &Call{Status: s}
		}
		if got := OutcomeOf(calls); got != c.want {
			t.Errorf("%v: %d, want %d", c.statuses, got, c.want)
		}
	}
}

// TestAwaited checks which calls a wait reports when they end.
func TestAwaited(t *testing.T) {
	before := &Document{Calls: []Call{{ID: "a", Batch: "1", Status: Success}, {ID: "b", Batch: "1", Status: Executing}, {ID: "c", Batch: "2", Status: Scheduled}}}
	after := &Document{Calls: []Call{{ID: "a", Batch: "1", Status: Success}, {ID: "b", Batch: "1", Status: Errored}, {ID: "c", Batch: "2", Status: Success}, {ID: "d", Batch: "2", Status: Success}}}
	for _, c := range []struct {
		batch         string
		before, after *Document
		want          []string
	}{
		{"", before, after, []string{"b", "c", "d"}},
		{"1", before, after, []string{"a", "b"}},
		{"", nil, after, []string{"a", "b", "c", "d"}},
		{"", before, nil, nil},
	} {
		var got []string
		for _, call := range c.after.CallsWaitedFor(c.batch, c.before) {
			got = append(got, call.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("batch %q: %v, not %v", c.batch, got, c.want)
		}
	}
}

// TestWaitOver: a wait ends with the calls, or where only the user can bring it further.
func TestWaitOver(t *testing.T) {
	doc := &Document{Calls: []Call{{ID: "a", Batch: "1", Status: Success}, {ID: "b", Batch: "2", Status: Executing}, {ID: "c", Batch: "3", Status: Awaiting}, {ID: "d", Batch: "3", Status: Executing}}}
	for batch, want := range map[string]bool{"1": true, "2": false, "3": true} {
		if got := doc.WaitOver(batch, doc.CallsOf(batch)); got != want {
			t.Errorf("batch %s: %t", batch, got)
		}
	}
}

func TestCallsByStatus(t *testing.T) {
	d := &Document{}
	for _, s := range Statuses() {
		d.Calls = append(d.Calls, Call{ID: string(s), Status: s})
	}
	for _, c := range []struct {
		words []string
		want  []Status
	}{
		{nil, Statuses()},
		{[]string{"error", "success"}, []Status{Success, Errored}}, // in the order of the calls
		{[]string{"failed"}, nil},
		{[]string{""}, nil},
	} {
		statuses, err := ParseStatuses(c.words)
		var unknown *todo.UnknownWordError
		if (err != nil) != (c.want == nil) || err != nil && !errors.As(err, &unknown) {
			t.Errorf("%q: %v", c.words, err)
		}
		var want []string
		for _, s := range c.want {
			want = append(want, string(s))
		}
		if got := IDsWithStatus(d.CallsOf(""), statuses...); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", c.words, got, want)
		}
	}
	if got := len(CallsWithStatus(d.CallsOf(""), OpenStatuses()...)); got != d.Open() {
		t.Errorf("%d open calls, want %d", got, d.Open())
	}
}
