package continuation

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/internal/session"
)

func TestDecisionTable(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range rowCases {
		covered[c.row] = true
		t.Run(c.row+": "+c.name, func(t *testing.T) {
			s := &scene{doc: document(), set: defaults(t)}
			c.arrange(s)
			d, led := Decide(s.doc, s.facts, s.set, noon)
			decidedBy(t, d, c.row)
			if d.Outcome != c.outcome || d.Reason != c.reason || d.RetryAfter != c.retry {
				t.Errorf("got %d %s after %v, want %d %s after %v", d.Outcome, d.Reason, d.RetryAfter, c.outcome, c.reason, c.retry)
			}
			if d.Message == "" || (d.Outcome == Wait) != (d.RetryAfter > 0) || (d.Outcome == Continue) != (d.Tier != "") {
				t.Errorf("message %q, tier %q, retry %v", d.Message, d.Tier, d.RetryAfter)
			}
			spent := 0
			if c.outcome == Continue && c.reason != ReasonMessageSent {
				spent = 1
			}
			if got := led.TotalPrompt - s.doc.Continuation.TotalPrompt; got != spent || led.TotalSession-s.doc.Continuation.TotalSession != spent {
				t.Errorf("%d continuations were counted", got)
			}
		})
	}
	for i, c := range checks {
		if place(c.name) != i || !covered[c.name] {
			t.Errorf("row %d (%s) has no case, or not a name of its own", i+1, c.name)
		}
	}
}

// place returns the index of a row in the table.
func place(row string) int {
	return slices.IndexFunc(checks, func(c check) bool { return c.name == row })
}

func decidedBy(t *testing.T, d Decision, row string) {
	t.Helper()
	all := d.CheckTrace()
	if d.Check != row || len(all) != len(checks) {
		t.Errorf("check %s of %d decided, want %s", d.Check, len(all), row)
	}
	for i, c := range all {
		if c.Matched != (c.Name == row) || c.Asked != (i <= place(row)) {
			t.Errorf("check %s, where %s decided: matched %v, asked %v", c.Name, row, c.Matched, c.Asked)
		}
	}
}

// TestRowIsKnownByItsName adds a row in the middle of the table. This must need no other change.
func TestRowIsKnownByItsName(t *testing.T) {
	defer func(before []check) { checks = before }(checks)
	at := place("blocked")
	checks = slices.Insert(slices.Clone(checks), at, check{"full_moon", func(*question) *Decision {
		return because(NeedsHuman, "full_moon", "wait for the moon").withHint("`onward resume`")
	}})
	d, _ := Decide(document(), Facts{}, defaults(t), noon)
	if d.Reason != "full_moon" || d.Outcome != NeedsHuman {
		t.Errorf("got %+v", d)
	}
	decidedBy(t, d, "full_moon")
	if all := d.CheckTrace(); all[at].Name != "full_moon" || all[at+1].Name != "blocked" {
		t.Errorf("got %+v", all)
	}
}

// TestFirstMatchingCheckDecides makes each pair of rows match at the same time. The first one must decide.
func TestFirstMatchingCheckDecides(t *testing.T) {
	var firsts []rowCase // the first case of each row, in the order of the table
	for _, row := range checks {
		firsts = append(firsts, rowCases[slices.IndexFunc(rowCases, func(c rowCase) bool { return c.row == row.name })])
	}
	for i, first := range firsts {
		for _, second := range firsts[i+1:] {
			s := &scene{doc: document(), set: defaults(t)}
			second.arrange(s)
			first.arrange(s)
			if first.row == "working" && s.facts.Hook != nil {
				continue // a stop hook asks only at the end of a turn
			}
			d, _ := Decide(s.doc, s.facts, s.set, noon)
			want := first.row
			failure := place("host_error") <= place(want) && place(want) <= place("backoff")
			switch {
			case failure && (second.row == "done" || second.row == "gate"):
				want = second.row // the turn failed after the list was finished
			case want == ReasonPermissions && slices.Contains([]string{"message", "done", "gate"}, second.row):
				want = second.row // the work is finished all the same, or the user says what to do instead
			case want == "no_list" && s.set.Gate != "":
				continue // a gate decides instead
			}
			if d.Check != want {
				t.Errorf("%s and %s: check %s decided", first.name, second.name, d.Check)
			}
		}
	}
}

func TestMissingDocumentHasNoList(t *testing.T) {
	d, _ := Decide(nil, Facts{}, defaults(t), noon)
	if d.Reason != "no_list" || d.Next != -1 {
		t.Errorf("got %+v", d)
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"the model's pause", "paused: which key?"},
		{"everything is blocked", "everything open is blocked: item b (no key)"},
		{"one prompt's total", "20 continuations"},
		{"the list is another's", "codex session theirs"},
		{"two turns in which most calls were denied", "in its last 2 turns, 3 tool calls were denied (Bash)"},
		{"yesterday's list", "onward event user-prompt --session s"},
		{"the fifth failure", "the agent's last 5 turns failed"},
	} {
		for _, row := range rowCases {
			if row.name != c.name {
				continue
			}
			s := &scene{doc: document(), set: defaults(t)}
			row.arrange(s)
			if d, _ := Decide(s.doc, s.facts, s.set, noon); !strings.Contains(d.Message+"; "+d.Hint, c.want) {
				t.Errorf("%s: got %q, %q, want %q", c.name, d.Message, d.Hint, c.want)
			}
		}
	}
}

// TestEveryEndNamesACommand checks that every answer that ends or delays a loop names a command for the user's next step.
func TestEveryEndNamesACommand(t *testing.T) {
	for _, row := range rowCases {
		s := &scene{doc: document(), set: defaults(t)}
		row.arrange(s)
		d, _ := Decide(s.doc, s.facts, s.set, noon)
		if d.Outcome != Continue && (d.Message == "" || !strings.Contains(d.Hint, "`onward ")) {
			t.Errorf("%s (%s): the message is %q, the hint %q", row.name, d.Reason, d.Message, d.Hint)
		}
	}
}

func TestTiers(t *testing.T) {
	for _, c := range []struct {
		name    string
		want    Tier
		arrange func(*scene)
	}{
		{"the first", TierNormal, func(*scene) {}},
		{"nothing moved since the last", TierEscalated, func(s *scene) { s.led().Stagnation = 1 }},
		{"the last attempt", TierLast, func(s *scene) { s.led().Attempts, s.led().Stagnation = 2, 2 }},
		{"the only attempt", TierLast, func(s *scene) { s.set.MaxAttempts = 1 }},
		{"a check-in", TierCheckIn, func(s *scene) {
			s.background("shell", time.Hour)
			s.led().WaitingSince, s.led().Attempts = ago(time.Hour), 2
		}},
		{"a gate that fails, at the last attempt", TierGate, func(s *scene) {
			s.proved(1)
			s.led().Attempts = 2
		}},
	} {
		s := &scene{doc: document(), set: defaults(t)}
		c.arrange(s)
		if d, _ := Decide(s.doc, s.facts, s.set, noon); d.Tier != c.want {
			t.Errorf("%s: got %q, want %q", c.name, d.Tier, c.want)
		}
	}
}

func TestContinuationUpdatesTheLedger(t *testing.T) {
	s := &scene{doc: document(), set: defaults(t)}
	s.led().ToolCalls = 4
	s.hooked(Hook{Key: "turn 1"})
	d, led := Decide(s.doc, s.facts, s.set, noon)
	want := session.Ledger{
		Attempts: 1, Stagnation: 1, TotalPrompt: 1, TotalSession: 1, HookBlocks: []string{noon.String()},
		Last: &session.LastDecision{At: noon, Rev: 8, Action: "continue", Reason: "continue", Key: "turn 1"},
	}
	if !reflect.DeepEqual(led, want) {
		t.Errorf("got %+v, want %+v", led, want)
	}
	if d.Attempts != (CountAndLimit{1, 3}) || d.Stagnation != (CountAndLimit{1, 8}) || d.Total != (CountAndLimit{1, 20}) || d.Next != 1 {
		t.Errorf("got %+v", d)
	}
}

func TestWaitingForBackgroundWorkIsRemembered(t *testing.T) {
	doc := document()
	doc.Continuation.Background = []session.BackgroundTask{{ID: "b", Kind: "shell", Since: noon}}
	_, led := Decide(doc, Facts{}, defaults(t), noon)
	if led.WaitingSince != noon {
		t.Fatalf("got %+v", led)
	}
	doc.Continuation = led
	// After the clock was set back, the wait must not last until the old time is reached again.
	if _, led := Decide(doc, Facts{}, defaults(t), ago(24*time.Hour)); led.WaitingSince != ago(24*time.Hour) {
		t.Errorf("since %v, at %v", led.WaitingSince, ago(24*time.Hour))
	}
	d, led := Decide(doc, Facts{}, defaults(t), in(30*time.Minute))
	if d.Tier != TierCheckIn || led.CheckIns != 1 || led.WaitingSince != noon {
		t.Errorf("got %s, %+v", d.Tier, led)
	}
	doc.Continuation = led
	_, led = Decide(doc, Facts{Background: ptr(0)}, defaults(t), in(31*time.Minute))
	if led.WaitingSince != 0 || led.CheckIns != 0 {
		t.Errorf("got %+v", led)
	}
}

func TestRepeatReturnsTheSameAnswer(t *testing.T) {
	doc := document()
	_, doc.Continuation = Decide(doc, Facts{}, defaults(t), noon)
	last := doc.Continuation.Last
	last.Op, last.Tier, last.Allowed = "op-1", string(TierNormal), 8
	doc.Operations = []session.Operation{{ID: "op-0", Rev: 1, Change: "background"}, {ID: "op-1", Rev: 2, Change: "continue"}}
	doc.Continuation.AbortedAt = noon
	d, ok := RepeatAnswer(doc, "op-1", Facts{}, defaults(t), noon)
	if !ok || d.Outcome != Continue || d.Attempts.N != 1 || d.Total.N != 1 || d.Tier != TierNormal || d.Stagnation != (CountAndLimit{1, 8}) {
		t.Errorf("got %+v", d)
	}
	// If the answer to an operation was not a continuation, the repeated question is decided again.
	for _, op := range []string{"", "op-0", "op-2"} {
		if d, ok := RepeatAnswer(doc, op, Facts{}, defaults(t), noon); ok {
			t.Errorf("%q: got %s", op, d.Reason)
		}
	}
}

// TestPendingCallsDelayOneQuestion checks that pending calls delay only one question, since their ends are not reported.
func TestPendingCallsDelayOneQuestion(t *testing.T) {
	doc := document()
	d, led := Decide(doc, Facts{PendingToolCalls: ptr(2)}, defaults(t), noon)
	if d.Reason != "tools_pending" || !reflect.DeepEqual(led, doc.Continuation) {
		t.Errorf("got %s, %+v", d.Reason, led)
	}
}

// TestFailureWithoutCount decides about a failure without a count, which another program wrote into the document.
func TestFailureWithoutCount(t *testing.T) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v", r)
		}
	}()
	s := &scene{doc: document(), set: defaults(t)}
	s.failed(ErrorServer, 0, time.Second)
	if d, _ := Decide(s.doc, s.facts, s.set, noon); d.Reason != "backoff" {
		t.Errorf("got %s", d.Reason)
	}
}

// TestClockSetBack checks that the agent does not wait for as long as the clock was set back.
func TestClockSetBack(t *testing.T) {
	for name, arrange := range map[string]func(*scene){
		"a recovery":   func(s *scene) { s.led().RecoveringAt = in(24 * time.Hour) },
		"a compaction": func(s *scene) { s.led().CompactedAt = in(24 * time.Hour) },
		"a failure":    func(s *scene) { s.failed(ErrorServer, 1, -24*time.Hour) },
		"failures":     func(s *scene) { s.failed(ErrorServer, 9, -24*time.Hour) },
		"a rate limit": func(s *scene) { s.failed(ErrorRateLimit, 1, -24*time.Hour) },
		"a cooldown": func(s *scene) {
			s.answered(-24*time.Hour, "")
			s.set.Cooldown = time.Second
		},
	} {
		s := &scene{doc: document(), set: defaults(t)}
		arrange(s)
		if d, _ := Decide(s.doc, s.facts, s.set, in(11*time.Minute)); d.Outcome != Continue {
			t.Errorf("%s: still %s after 11 minutes", name, d.Reason)
		}
	}
}
