package continuation

import (
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// TestStateTransitions checks what each event does to the list and to the attempts.
func TestStateTransitions(t *testing.T) {
	finished := []todo.Item{item("a", todo.Completed), item("b", todo.Cancelled)}
	for _, c := range []struct {
		name     string
		items    []todo.Item // nil: one completed item, one in progress and one pending
		events   []Event
		asked    int // number of questions after the events
		active   bool
		attempts int
		reason   string // the reason of the last decision
	}{
		{"user prompt, work remains", nil, []Event{{Type: UserPrompt, PromptKey: "k"}}, 0, true, 0, "continue"},
		{"user prompt, all completed", finished, []Event{{Type: UserPrompt, PromptKey: "k"}}, 0, false, 0, "no_list"},
		{"pause", nil, []Event{{Type: Pause, Reason: "which key?"}}, 0, true, 2, "paused"},
		{"pause, then a turn", nil, []Event{{Type: Pause, Reason: "which key?"}, {Type: TurnEnd, ToolCalls: 1}}, 0, true, 0, "paused"},
		{"pause, then a user prompt", nil, []Event{{Type: Pause, Reason: "which key?"}, {Type: UserPrompt}}, 0, true, 0, "continue"},
		{"turn with tool calls", nil, []Event{{Type: TurnEnd, ToolCalls: 1}}, 0, true, 0, "continue"},
		{"turn without tool calls", nil, []Event{{Type: TurnEnd}}, 0, true, 2, "continue"},
		{"turn without tool calls, continued", nil, []Event{{Type: TurnEnd}}, 1, true, 3, "attempts"},
		{"attempts used up", nil, []Event{{Type: TurnEnd}}, 2, true, 3, "attempts"},
		{"todo clear", nil, []Event{{Type: Cleared, By: todo.ByUser}}, 0, false, 2, "no_list"},
		{"todo load", nil, []Event{{Type: Loaded, Items: []todo.Item{item("x", todo.Pending)}, By: todo.ByUser}}, 0, true, 0, "continue"},
		{"todo load of a finished list", nil, []Event{{Type: Loaded, Items: finished, By: todo.ByUser}}, 0, true, 0, "done"},
		{"an agent loads a finished list, which starts nothing anew", nil, []Event{{Type: Loaded, Items: finished}}, 0, true, 2, "continue"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := document(c.items...)
			if c.items == nil {
				doc = document()
			}
			doc.Continuation.Attempts = 2
			before := len(doc.Todos.Items)
			mustApply(t, doc, c.events...)
			for range c.asked {
				ask(t, doc, Facts{})
			}
			if doc.Todos.Active != c.active || doc.Continuation.Attempts != c.attempts {
				t.Errorf("active %v with %d attempts", doc.Todos.Active, doc.Continuation.Attempts)
			}
			// A cleared list stays in the history.
			if !c.active && len(doc.Todos.Items) != before {
				t.Errorf("%d items are left", len(doc.Todos.Items))
			}
			if d, _ := Decide(doc, Facts{}, defaults(t), noon); d.Reason != c.reason {
				t.Errorf("decided %s, want %s", d.Reason, c.reason)
			}
		})
	}
}

// TestStopAfterLastAttempt lets turns without tool calls follow each other until no attempt is left.
func TestStopAfterLastAttempt(t *testing.T) {
	doc := document()
	for n, tier := range []Tier{TierNormal, TierEscalated, TierLast} {
		mustApply(t, doc, Event{Type: TurnEnd})
		d := ask(t, doc, Facts{})
		if d.Outcome != Continue || d.Tier != tier || doc.Continuation.Attempts != n+1 {
			t.Fatalf("attempt %d: %s, tier %s, %d attempts", n+1, d.Reason, d.Tier, doc.Continuation.Attempts)
		}
	}
	mustApply(t, doc, Event{Type: TurnEnd})
	for range 3 { // the answer stays the same however often the question is asked
		if d := ask(t, doc, Facts{}); d.Reason != "attempts" || !doc.Todos.Active {
			t.Fatalf("got %s, active %v", d.Reason, doc.Todos.Active)
		}
	}
	mustApply(t, doc, Event{Type: UserPrompt, PromptKey: "next"})
	if d := ask(t, doc, Facts{}); d.Outcome != Continue || d.Tier != TierNormal {
		t.Errorf("after a prompt: %s, %s", d.Reason, d.Tier)
	}
}

// TestTimeBeginsWithThePrompt sends a prompt after the old list was archived. The time limit of the new list must start with the prompt.
func TestTimeBeginsWithThePrompt(t *testing.T) {
	doc := document(item("a", todo.Completed))
	set := defaults(t)
	set.MaxDuration = time.Hour
	for n, key := range []string{"archives", "asks something", "asks for more work"} {
		at := noon + todo.Time(n)*todo.Time(2*time.Hour/time.Millisecond)
		if _, err := Apply(doc, Event{Type: UserPrompt, PromptKey: key}, at); err != nil {
			t.Fatal(err)
		}
		doc.Rev++
		if n < 2 {
			continue
		}
		if _, err := Apply(doc, Event{Type: Todos, Items: []todo.Item{item("b", todo.Pending)}}, at); err != nil {
			t.Fatal(err)
		}
		if d, _ := Decide(doc, Facts{}, set, at); d.Outcome != Continue {
			t.Errorf("a moment after the prompt: %s", d.Message)
		}
	}
}

// TestTimeBeginsWithTheDocument lets a gate fail before there is a document. No time may have been used.
func TestTimeBeginsWithTheDocument(t *testing.T) {
	set := defaults(t)
	set.Gate, set.MaxDuration = "make test", time.Hour
	proof := &session.GateResult{Command: set.Gate, Code: 1}
	if d, _ := Decide(nil, Facts{Gate: proof}, set, noon); d.Outcome != Continue {
		t.Errorf("%s: %s", d.Reason, d.Message)
	}
}

// TestToolsWithoutProgressStall lets each turn use tools without progress, a loop that the limit of attempts would never end.
func TestToolsWithoutProgressStall(t *testing.T) {
	doc := document()
	n := 0
	for ; n < 50; n++ {
		mustApply(t, doc, Event{Type: TurnEnd, ToolCalls: 3})
		if d := ask(t, doc, Facts{}); d.Outcome != Continue {
			if d.Reason != "stalled" {
				t.Errorf("got %s", d.Reason)
			}
			break
		}
	}
	if n != 8 {
		t.Errorf("%d continuations", n)
	}
}

// TestAlternatingStatusEndsAtTheTotal adds and completes new items forever, a loop that only the total limit ends.
func TestAlternatingStatusEndsAtTheTotal(t *testing.T) {
	doc := document()
	n := 0
	for ; n < 500; n++ {
		// Each turn completes a new item, so there is always progress.
		doc.Todos.Items = append(doc.Todos.Items, item(string(rune('A'+n)), todo.Pending))
		last := doc.Todos.Items[len(doc.Todos.Items)-1].ID
		mustApply(t, doc, Event{Type: Todos, Items: set(last, todo.Completed, doc.Todos.Items)}, Event{Type: TurnEnd, ToolCalls: 3})
		if d := ask(t, doc, Facts{}); d.Outcome != Continue {
			if d.Reason != "total" {
				t.Errorf("got %s", d.Reason)
			}
			break
		}
	}
	if n != 20 {
		t.Errorf("%d continuations", n)
	}
}

func TestTotalOfList(t *testing.T) {
	doc := document()
	doc.Continuation.TotalSession = 100
	for _, e := range []Event{{Type: UserPrompt}, {Type: Resume}, {Type: TurnEnd, ToolCalls: 1}, {Type: Todos, Items: set("b", todo.Completed, doc.Todos.Items)}} {
		mustApply(t, doc, e)
		if d, _ := Decide(doc, Facts{}, defaults(t), noon); d.Reason != "total" {
			t.Errorf("%s: got %s", e.Type, d.Reason)
		}
	}
	for _, e := range []Event{{Type: Cleared, By: todo.ByUser}, {Type: Loaded, Items: doc.Todos.Items, By: todo.ByUser}} {
		other := *doc
		mustApply(t, &other, e)
		if other.Continuation.TotalSession != 0 {
			t.Errorf("%s: the total is %d", e.Type, other.Continuation.TotalSession)
		}
	}
}

// TestWaitsAreBounded checks for each mark that expires on its own how long it delays a continuation.
func TestWaitsAreBounded(t *testing.T) {
	for _, e := range []Event{
		{Type: RecoveryStart},
		{Type: CompactionStart},
		{Type: CompactionEnd},
		{Type: Error, ErrorClass: ErrorServer},
		{Type: Error, ErrorClass: ErrorRateLimit},
		{Type: Error, ErrorClass: ErrorRateLimit, RetryAfter: 120_000},
		{Type: TurnEnd, Status: CutOff},
	} {
		doc := document()
		mustApply(t, doc, e)
		now := noon
		for n := 0; ; n++ {
			d, led := Decide(doc, Facts{}, defaults(t), now)
			doc.Continuation = led
			if d.Outcome == Continue {
				break
			}
			if d.Outcome != Wait || n > 1000 {
				t.Errorf("%s: %s", e.Type, d.Reason)
				break
			}
			now += todo.Time(d.RetryAfter / time.Millisecond)
		}
		if now == noon || now > in(10*time.Minute+time.Second) {
			t.Errorf("%s: it went on after %v", e.Type, noon.Since(now))
		}
	}
}

func TestSubagentsHaveTheirOwnList(t *testing.T) {
	doc := document()
	doc.Agent = "helper"
	set := defaults(t)
	set.Subagents = false
	if d, _ := Decide(doc, Facts{}, set, noon); d.Reason != "subagent" {
		t.Errorf("got %s", d.Reason)
	}
	doc.Agent = session.Primary
	if d, _ := Decide(doc, Facts{}, set, noon); d.Outcome != Continue {
		t.Errorf("got %s", d.Reason)
	}
}

// TestFailedTurnIsNoAttempt asks after each of several failed turns. They must not count as attempts.
func TestFailedTurnIsNoAttempt(t *testing.T) {
	doc := document()
	now := noon
	for n := 1; ; n++ {
		d, led := Decide(doc, Facts{}, defaults(t), now)
		if n > failuresInARow {
			if d.Reason != "failures" || d.Hint == "" {
				t.Errorf("after %d failures: %s", n-1, d.Reason)
			}
			return
		}
		if d.Outcome != Continue || led.Attempts != 1 || led.Stagnation != 1 {
			t.Fatalf("after %d failures: %s, %+v", n-1, d.Reason, led)
		}
		doc.Continuation = led
		now += 1000
		if _, err := Apply(doc, Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorUnknown}, now); err != nil {
			t.Fatal(err)
		}
		// A host may report the same failure twice.
		if _, err := Apply(doc, Event{Type: Error, ErrorClass: ErrorUnknown}, now); err != nil {
			t.Fatal(err)
		}
		doc.Continuation.Error.Count = n
		if doc.Continuation.Attempts != 0 {
			t.Fatalf("after %d failures: %d attempts", n, doc.Continuation.Attempts)
		}
		now += todo.Time(backoffLongest.Milliseconds())
	}
}
