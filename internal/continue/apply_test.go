package continuation

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/storetest"
)

// busy returns a ledger in which every member is set that an event can reset.
func busy() session.Ledger {
	return session.Ledger{
		PromptKey: "old", PromptAt: ago(time.Hour), Turns: 4, Attempts: 2, Stagnation: 2, TotalPrompt: 5, TotalSession: 9, ToolCalls: 6, PendingCalls: 1,
		HookBlocks: []string{noon.String()}, HighWater: map[string]todo.Status{"c": todo.Completed},
		Last:   &session.LastDecision{At: ago(time.Minute), Rev: 6, Action: "continue", Reason: "continue"},
		Paused: &session.Paused{Reason: "why", At: ago(time.Minute)}, StoppedAt: ago(time.Hour), AbortedAt: ago(time.Hour),
		Error:        &session.Failure{Class: "server", At: ago(time.Minute), Count: 2},
		RecoveringAt: ago(time.Minute), CompactingAt: ago(time.Minute), CompactedAt: ago(time.Minute), QuestionAt: ago(time.Minute),
		Background:   []session.BackgroundTask{{ID: "b", Kind: "shell", Since: ago(time.Minute)}},
		WaitingSince: ago(time.Minute), CheckIns: 1,
		Turn: &session.Turn{At: ago(time.Hour)},
	}
}

// TestEventChangesOnlyItsMembers checks which members of a full ledger each event changes, and that it changes no others.
func TestEventChangesOnlyItsMembers(t *testing.T) {
	for _, c := range []struct {
		name  string
		event Event
		want  func(*session.Ledger) // turns busy into the expected ledger; nil if the event changes nothing
	}{
		{"a user prompt", Event{Type: UserPrompt, PromptKey: "new"}, func(l *session.Ledger) {
			l.PromptKey, l.PromptAt = "new", noon
			l.Paused, l.Error, l.QuestionAt, l.AbortedAt = nil, nil, 0, 0
			l.Attempts, l.Stagnation, l.TotalPrompt, l.Resets, l.HookBlocks = 0, 0, 0, 1, nil
		}},
		{"a user prompt without a key", Event{Type: UserPrompt, Text: "go on"}, func(l *session.Ledger) {
			l.PromptAt = noon
			l.Paused, l.Error, l.QuestionAt, l.AbortedAt = nil, nil, 0, 0
			l.Attempts, l.Stagnation, l.TotalPrompt, l.Resets, l.HookBlocks = 0, 0, 0, 1, nil
		}},
		{"the same user prompt again", Event{Type: UserPrompt, PromptKey: "old"}, nil},
		{"our own prompt", Event{Type: UserPrompt, PromptKey: "new", Text: "> " + tag + " onward:0"}, nil},
		{"a turn's start", Event{Type: TurnStart}, func(l *session.Ledger) {
			l.CompactedAt, l.PendingCalls, l.Turn = 0, 0, &session.Turn{At: noon}
		}},
		{"a turn's end", Event{Type: TurnEnd}, func(l *session.Ledger) {
			l.Error, l.CompactedAt, l.PendingCalls, l.Turns = nil, 0, 0, 5
			l.Turn = nil
		}},
		{"a turn's end with tool calls", Event{Type: TurnEnd, Status: Done, ToolCalls: 2, PendingToolCalls: 3}, func(l *session.Ledger) {
			l.Error, l.CompactedAt, l.Turns = nil, 0, 5
			l.Turn = nil
			l.PendingCalls, l.ToolCalls, l.Attempts = 3, 8, 0
		}},
		{"a turn that failed", Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorAuth}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "auth", At: noon, Since: noon, Count: 1}
			l.CompactedAt, l.PendingCalls, l.Turns = 0, 0, 5
			l.Turn = nil
		}},
		{"a turn that failed somehow", Event{Type: TurnEnd, Status: Failed}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "unknown", At: noon, Since: ago(time.Minute), Count: 1}
			l.CompactedAt, l.PendingCalls, l.Turns = 0, 0, 5
			l.Turn = nil
		}},
		{"a turn that was cut off", Event{Type: TurnEnd, Status: CutOff}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "cut_off", At: noon, Since: ago(time.Minute), Count: 1}
			l.CompactedAt, l.PendingCalls, l.Turns = 0, 0, 5
			l.Turn = nil
		}},
		{"a turn that the user ended", Event{Type: TurnEnd, Status: Aborted}, func(l *session.Ledger) {
			l.AbortedAt, l.CompactedAt, l.PendingCalls, l.Turns = noon, 0, 0, 5
			l.Turn = nil
		}},
		{"a turn whose calls were denied", Event{Type: TurnEnd, ToolCalls: 5, DeniedToolCalls: 4, DeniedTools: []string{"Bash", "Bash", "Edit"}}, func(l *session.Ledger) {
			l.Denied = &session.DeniedCalls{At: noon, Turns: 1, Calls: 4, Tools: []string{"Bash", "Edit"}}
			l.Error, l.CompactedAt, l.Turns = nil, 0, 5
			l.Turn = nil
			l.PendingCalls, l.ToolCalls, l.Attempts = 0, 7, 0 // one of them was work
		}},
		{"a message", Event{Type: AssistantMessage}, nil}, // it is in the activity file
		{"a tool's start", Event{Type: ToolStart}, nil},   // it is in the activity file
		{"a tool's end", Event{Type: ToolEnd}, func(l *session.Ledger) { l.PendingCalls = 0 }},
		{"a pause", Event{Type: Pause, Reason: " which key? "}, func(l *session.Ledger) { l.Paused = &session.Paused{Reason: "which key?", At: noon} }},
		{"a stop of a stopped session", Event{Type: Stop}, nil},
		{"resume", Event{Type: Resume}, func(l *session.Ledger) {
			l.StoppedAt, l.AbortedAt, l.Paused, l.Error = 0, 0, nil, nil
			l.Attempts, l.Stagnation, l.TotalPrompt, l.Resets = 0, 0, 0, 1
		}},
		{"an abort", Event{Type: Abort}, func(l *session.Ledger) { l.AbortedAt, l.Turn = noon, nil }},
		{"an error", Event{Type: Error, ErrorClass: ErrorRateLimit, RetryAfter: 90_000}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "rate_limit", At: noon, Since: noon, Count: 1, RetryAt: in(90 * time.Second)}
		}},
		{"an error that names a time", Event{Type: Error, ErrorClass: ErrorRateLimit, Reset: Reset{in: time.Hour}}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "rate_limit", At: noon, Since: noon, Count: 1, RetryAt: in(time.Hour)}
		}},
		{"an error that names a time long before it is saved", Event{Type: Error, At: ago(time.Hour), ErrorClass: ErrorRateLimit, Reset: Reset{in: 2 * time.Hour}}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "rate_limit", At: noon, Since: noon, Count: 1, RetryAt: in(time.Hour)}
		}},
		{"an error that names a time too far ahead", Event{Type: Error, ErrorClass: ErrorRateLimit, Reset: Reset{in: 9 * 24 * time.Hour}}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "rate_limit", At: noon, Since: noon, Count: 1}
		}},
		{"a server that fails again", Event{Type: Error, ErrorClass: ErrorServer}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "server", At: noon, Since: ago(time.Minute), Count: 3}
		}},
		{"an error of no class", Event{Type: Error}, func(l *session.Ledger) {
			l.Error = &session.Failure{Class: "unknown", At: noon, Since: ago(time.Minute), Count: 1}
		}},
		{"background work", Event{Type: BackgroundStart, ID: "b2", Kind: "subagent"}, func(l *session.Ledger) {
			l.Background = append(l.Background, session.BackgroundTask{ID: "b2", Kind: "subagent", Since: noon})
		}},
		{"background work of no kind", Event{Type: BackgroundStart, ID: "b2"}, func(l *session.Ledger) {
			l.Background = append(l.Background, session.BackgroundTask{ID: "b2", Kind: "shell", Since: noon})
		}},
		{"background work that runs", Event{Type: BackgroundStart, ID: "b"}, nil},
		{"the last background work's end", Event{Type: BackgroundEnd, ID: "b"}, func(l *session.Ledger) {
			l.Background, l.WaitingSince, l.CheckIns = []session.BackgroundTask{}, 0, 0
		}},
		{"the end of unknown background work", Event{Type: BackgroundEnd, ID: "x"}, nil},
		{"a recovery's start", Event{Type: RecoveryStart}, func(l *session.Ledger) { l.RecoveringAt = noon }},
		{"a recovery's end", Event{Type: RecoveryEnd}, func(l *session.Ledger) { l.RecoveringAt = 0 }},
		{"a compaction's start", Event{Type: CompactionStart}, func(l *session.Ledger) { l.CompactingAt = noon }},
		{"a compaction's end", Event{Type: CompactionEnd}, func(l *session.Ledger) { l.CompactingAt, l.CompactedAt = 0, noon }},
		{"a question", Event{Type: QuestionAsked}, func(l *session.Ledger) { l.QuestionAt = noon }},
		{"an answer", Event{Type: QuestionAnswered}, func(l *session.Ledger) { l.QuestionAt = 0 }},
		{"an error that ends the turn", Event{Type: Error, EndsTurn: true}, func(l *session.Ledger) {
			l.Error, l.Turn = &session.Failure{Class: "unknown", At: noon, Since: ago(time.Minute), Count: 1}, nil
		}},
		{"a session's end", Event{Type: SessionEnd}, func(l *session.Ledger) {
			l.RecoveringAt, l.CompactingAt, l.CompactedAt, l.QuestionAt = 0, 0, 0, 0
			l.Background, l.WaitingSince, l.CheckIns, l.PendingCalls, l.Turn = nil, 0, 0, 0, nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := document()
			doc.Continuation = busy()
			want := busy()
			if c.want != nil {
				c.want(&want)
			}
			did, err := Apply(doc, c.event, noon)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(doc.Continuation, want) {
				t.Errorf("got  %+v\nwant %+v", doc.Continuation, want)
			}
			// An event that changes nothing has no description, so that nothing is written.
			if (did.What == "") != (c.want == nil) || did.List {
				t.Errorf("it says %+v", did)
			}
		})
	}
}

// TestEndWithoutBeginningIsIgnored checks that events that find nothing to end or to change leave the document as it is.
func TestEndWithoutBeginningIsIgnored(t *testing.T) {
	for _, e := range []Event{
		{Type: AssistantMessage},
		{Type: ToolStart},
		{Type: ToolEnd},
		{Type: Resume},
		{Type: RecoveryEnd},
		{Type: QuestionAnswered},
		{Type: BackgroundEnd, ID: "b"},
		{Type: Edited, Items: document().Todos.Items},
		{Type: Todos, Items: document().Todos.Items},
	} {
		doc := document()
		did, err := Apply(doc, e, noon)
		if err != nil || did.What != "" || !reflect.DeepEqual(doc, document()) {
			t.Errorf("%s: %+v, %v", e.Type, did, err)
		}
	}
	put := document()
	put.Todos.Active = false
	for _, e := range []Event{{Type: Cleared, By: todo.ByUser}, {Type: Todos}} {
		if did, err := Apply(put, e, noon); err != nil || did.What != "" {
			t.Errorf("%s on a list that was archived: %+v, %v", e.Type, did, err)
		}
	}
}

// TestMarksThatCreateTheDocument checks which events create a document before there is a list: those that forbid or delay
// the continuation of a later list. The others would only leave files behind.
func TestMarksThatCreateTheDocument(t *testing.T) {
	makes := map[Type]bool{
		Todos: true, Edited: true, Loaded: true, Stop: true, Abort: true,
		Error: true, BackgroundStart: true, RecoveryStart: true, CompactionStart: true, QuestionAsked: true, TurnStart: true,
	}
	for _, e := range []Event{
		{Type: UserPrompt, PromptKey: "k"},
		{Type: TurnStart},
		{Type: TurnEnd, ToolCalls: 2},
		{Type: ToolStart},
		{Type: Todos, Items: []todo.Item{{Content: "a"}}},
		{Type: Edited, Items: []todo.Item{item("a", todo.Pending)}},
		{Type: Loaded, Items: []todo.Item{item("a", todo.Pending)}},
		{Type: Stop},
		{Type: Resume},
		{Type: Abort},
		{Type: Error},
		{Type: BackgroundStart, ID: "b"},
		{Type: RecoveryStart},
		{Type: CompactionStart},
		{Type: CompactionEnd},
		{Type: QuestionAsked},
		{Type: SessionEnd},
		{Type: Todos},
		{Type: Cleared, By: todo.ByUser},
	} {
		doc := &session.Document{Agent: session.Primary}
		did, err := Apply(doc, e, noon)
		want := makes[e.Type] && (e.Type != Todos || e.Items != nil)
		if err != nil || (did.What != "") != want {
			t.Errorf("%s: %+v, %v", e.Type, did, err)
		}
		if !want && !reflect.DeepEqual(doc, &session.Document{Agent: session.Primary}) {
			t.Errorf("%s changed the document", e.Type)
		}
	}
	// Events that follow the list in the same commit are kept with it.
	doc := &session.Document{}
	did, err := ApplyAll(doc, []Event{{Type: TurnEnd}, {Type: Todos, Items: []todo.Item{{Content: "a"}}}, {Type: TurnEnd, ToolCalls: 1}}, doc.Rev == 0, nil, noon)
	if err != nil || did.What != "the list was written; turn ended" || !did.List || doc.Continuation.Turns != 1 {
		t.Errorf("got %+v, %v, %+v", did, err, doc.Continuation)
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		event Event
		want  error
	}{
		{"an unknown event", Event{Type: "prompt"}, todo.ErrSyntax},
		{"no event", Event{}, todo.ErrSyntax},
		{"a turn with fewer than no calls", Event{Type: TurnEnd, ToolCalls: -1}, todo.ErrSyntax},
		{"a turn with fewer than no pending calls", Event{Type: TurnEnd, PendingToolCalls: -1}, todo.ErrSyntax},
		{"an unknown end of a turn", Event{Type: TurnEnd, Status: "ok"}, todo.ErrSyntax},
		{"an unknown class", Event{Type: Error, ErrorClass: "bad"}, todo.ErrSyntax},
		{"a time in the past", Event{Type: Error, RetryAfter: -1}, todo.ErrSyntax},
		{"a pause without a reason", Event{Type: Pause, Reason: " \n"}, todo.ErrSyntax},
		{"a pause with a long reason", Event{Type: Pause, Reason: strings.Repeat("ä", todo.MaxReason+1)}, todo.ErrSyntax},
		{"a pause with bytes that are no text", Event{Type: Pause, Reason: "\xff"}, todo.ErrText},
		{"background work without an id", Event{Type: BackgroundStart}, todo.ErrSyntax},
		{"the end of background work without an id", Event{Type: BackgroundEnd}, todo.ErrSyntax},
		{"background work of an unknown kind", Event{Type: BackgroundStart, ID: "b", Kind: "x"}, todo.ErrSyntax},
	} {
		doc := document()
		if _, err := Apply(doc, c.event, noon); !errors.Is(err, c.want) || !reflect.DeepEqual(doc, document()) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	if _, err := Apply(document(), Event{Type: Pause, Reason: strings.Repeat("ä", todo.MaxReason)}, noon); err != nil {
		t.Errorf("a reason of just the limit: %v", err)
	}
	if _, err := Apply(document(item("a", todo.Completed)), Event{Type: Pause, Reason: "r"}, noon); !errors.Is(err, ErrNothingOpen) {
		t.Errorf("a pause with nothing open: %v", err)
	}
}

// TestUnknownErrorClassInTurn checks that an unknown class of errors is refused, because no check of the decision would act on it.
func TestUnknownErrorClassInTurn(t *testing.T) {
	if _, err := Apply(document(), Event{Type: TurnEnd, Status: Failed, ErrorClass: "bad"}, noon); !errors.Is(err, todo.ErrSyntax) {
		t.Errorf("got %v", err)
	}
}

func TestUserEventsAreRefusedFromCallers(t *testing.T) {
	for _, e := range []Type{Edited, Cleared, Loaded, Undone, "", "x"} {
		if err := CheckEvent(Event{Type: e}); !errors.Is(err, todo.ErrSyntax) {
			t.Errorf("%q: got %v", e, err)
		}
	}
	for _, e := range []Type{
		UserPrompt, TurnStart, TurnEnd, AssistantMessage, ToolStart, ToolEnd, Todos, Pause, Stop, Resume, Abort, Error, BackgroundStart, BackgroundEnd,
		RecoveryStart, RecoveryEnd, CompactionStart, CompactionEnd, QuestionAsked, QuestionAnswered, SessionEnd,
	} {
		if e := (Event{Type: e}); CheckEvent(e) != nil || !slices.Contains(Types(), string(e.Type)) {
			t.Errorf("%s is not accepted, or not named", e.Type)
		}
	}
}

func TestListsAndTheirHistory(t *testing.T) {
	doc := document()
	did := mustApply(t, doc, Event{Type: Cleared, By: todo.ByUser, Source: "cli", Change: "cleared the list"})
	if doc.Todos.Active || len(doc.Todos.Items) != 3 || !did.List || did.What != "cleared the list" || did.By != "cli" || doc.Todos.Source != "cli" {
		t.Errorf("cleared: %+v, %+v", did, doc.Todos)
	}
	mustApply(t, doc, Event{Type: Undone, Items: doc.Todos.Items})
	if !doc.Todos.Active {
		t.Error("undone: it is not active")
	}
	mustApply(t, doc, Event{Type: Undone, Items: doc.Todos.Items, Inactive: true})
	if doc.Todos.Active {
		t.Error("undone: it is active")
	}
	// A list that follows an archived one is a new list.
	mustApply(t, doc, Event{Type: Todos, Items: []todo.Item{{Content: "item a"}}})
	if it := doc.Todos.Items[0]; len(doc.Todos.Items) != 1 || it.ID == "a" || it.Status != todo.Pending {
		t.Errorf("got %+v", it)
	}
	// A list that follows one that the agent itself emptied is still the same list.
	doc = document()
	mustApply(t, doc, Event{Type: Todos}, Event{Type: Todos, Items: []todo.Item{{Content: "item b"}}})
	if it := doc.Todos.Items[0]; it.ID != "b" || !doc.Todos.Active {
		t.Errorf("got %+v", it)
	}
	doc = document()
	mustApply(t, doc, Event{Type: Todos, Partial: true, Items: []todo.Item{item("d", todo.Pending)}})
	if len(doc.Todos.Items) != 4 {
		t.Errorf("a partial list dropped items: %+v", doc.Todos.Items)
	}
}

func TestStopHoldsAcrossPrompts(t *testing.T) {
	doc := document()
	mustApply(t, doc, Event{Type: Stop}, Event{Type: UserPrompt, PromptKey: "k"}, Event{Type: SessionEnd})
	if d, _ := Decide(doc, Facts{}, defaults(t), noon); d.Reason != "stopped" {
		t.Errorf("got %s", d.Reason)
	}
	mustApply(t, doc, Event{Type: Resume})
	if d, _ := Decide(doc, Facts{}, defaults(t), noon); d.Outcome != Continue {
		t.Errorf("got %s", d.Reason)
	}
}

func TestSessionEndReleasesList(t *testing.T) {
	doc := document()
	doc.Owner = &session.Owner{Agent: "claude", Session: "x", SeenAt: noon}
	mustApply(t, doc, Event{Type: SessionEnd})
	if doc.Owner != nil || !doc.Todos.Active {
		t.Errorf("got %+v", doc)
	}
}

func TestOldBackgroundWorkIsDropped(t *testing.T) {
	doc := document()
	doc.Continuation.Background = []session.BackgroundTask{
		{ID: "1", Kind: "shell", Since: ago(25 * time.Hour)}, {ID: "2", Kind: "subagent", Since: ago(time.Hour)}, {ID: "3", Kind: "shell", Since: ago(time.Hour)},
	}
	mustApply(t, doc, Event{Type: BackgroundStart, ID: "4"})
	if got := doc.Continuation.Background; len(got) != 2 || got[0].ID != "3" || got[1].ID != "4" {
		t.Errorf("got %+v", got)
	}
}

// TestNoEventSpoilsTheDocument checks that a document can be read again after any event. For example, a time with a
// five-digit year could be written, but not read.
func TestNoEventSpoilsTheDocument(t *testing.T) {
	for _, ms := range []int64{math.MaxInt64, 1 << 60, 9_000_000_000_000_000, 300_000_000_000_000} {
		backend := storetest.NewMemory()
		backend.Contended = true // every change is made twice, which must make no difference
		s := &session.Store{Backend: backend, Notes: backend}
		name := session.Name{Session: "s"}
		_, err := s.Update(name, "", noon, func(doc *session.Document) (session.Change, error) {
			return ApplyAll(doc, []Event{
				{Type: Todos, Items: []todo.Item{{Content: "a"}}},
				{Type: Error, ErrorClass: ErrorRateLimit, RetryAfter: ms},
			}, doc.Rev == 0, nil, noon)
		})
		if err != nil {
			continue // the event may also be refused
		}
		doc, err := s.Load(name)
		if err != nil {
			t.Errorf("%d: the document cannot be read: %v", ms, err)
		} else if doc.Continuation.Error.RetryAt < noon {
			t.Errorf("%d: the time lies in the past: %s", ms, doc.Continuation.Error.RetryAt)
		}
	}
}

func TestWhichEventsAreActivity(t *testing.T) {
	for _, c := range []struct {
		event            Event
		active, changing bool
	}{
		{Event{Type: UserPrompt, Text: "go on"}, true, true},
		{Event{Type: UserPrompt, Text: tag}, false, true}, // onward's own prompt, reported as one of the user
		{Event{Type: TurnStart}, true, true},
		{Event{Type: AssistantMessage}, true, false},
		{Event{Type: ToolStart}, true, false},
		{Event{Type: ToolEnd}, true, false},
		{Event{Type: SessionEnd}, true, true},
		{Event{Type: TurnEnd}, false, true},
		{Event{Type: Pause}, false, true},
		{Event{Type: BackgroundEnd}, false, true},
	} {
		if got := c.event.IsActivity(); got != c.active {
			t.Errorf("%s %q: activity %v", c.event.Type, c.event.Text, got)
		}
		// No lock is acquired for an event that changes nothing.
		if got := c.event.ChangesDocument(); got != c.changing {
			t.Errorf("%s: changing %v", c.event.Type, got)
		}
	}
}

// TestToolEndReducesPendingCalls reports the ends of the calls that a wrapper reported as pending at the end of a turn.
func TestToolEndReducesPendingCalls(t *testing.T) {
	doc, end := document(), Event{Type: ToolEnd}
	mustApply(t, doc, Event{Type: TurnEnd, PendingToolCalls: 2})
	for left := 2; left > 0; left-- {
		if d, _ := Decide(doc, Facts{}, defaults(t), noon); d.Reason != "tools_pending" {
			t.Errorf("%d left: %s", left, d.Reason)
		}
		if did := mustApply(t, doc, end); did.What == "" || len(did.Events) != 0 {
			t.Errorf("%d left: %+v", left, did)
		}
	}
	if d, _ := Decide(doc, Facts{}, defaults(t), noon); d.Outcome != Continue {
		t.Errorf("none left: %s", d.Reason)
	}
	if did := mustApply(t, doc, end); did.What != "" {
		t.Errorf("one more: %+v", did)
	}
}

// TestOpenCalls checks the count of concurrent calls. It is 0 at the start of a turn, and the end of a call whose start was not
// reported does not change it.
func TestOpenCalls(t *testing.T) {
	open := 0
	for i, step := range []struct {
		event Type
		want  int
	}{
		{ToolStart, 1},
		{ToolStart, 2},
		{ToolEnd, 1},
		{AssistantMessage, 1},
		{ToolEnd, 0},
		{ToolEnd, 0},
		{ToolStart, 1},
		{TurnStart, 0},
		{ToolStart, 1},
		{UserPrompt, 0},
		{ToolStart, 1},
		{SessionEnd, 0},
	} {
		if open = step.event.OpenCalls(open); open != step.want {
			t.Fatalf("step %d, %s: %d, want %d", i, step.event, open, step.want)
		}
	}
}
