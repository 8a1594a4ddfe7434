package continuation

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"onward/internal/session"
	"onward/internal/todo"
)

var statuses = rapid.SampledFrom(todo.Statuses())

// anyItems draws a list as agents write it, with and without ids.
func anyItems(t *rapid.T) []todo.Item {
	items := make([]todo.Item, rapid.IntRange(0, 4).Draw(t, "items"))
	for i := range items {
		items[i] = todo.Item{Content: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "text"), Status: statuses.Draw(t, "status")}
		if rapid.Bool().Draw(t, "with id") {
			items[i].ID = fmt.Sprint(i)
		}
	}
	return items
}

// anyEvent draws an event of the model, of its host or of the user.
func anyEvent(t *rapid.T, doc *session.Document) Event {
	e := Event{Type: rapid.SampledFrom([]Type{
		UserPrompt, TurnStart, TurnEnd, TurnEnd, TurnEnd, TurnEnd, AssistantMessage, ToolStart, Todos, Todos, Todos, Edited, Edited, Cleared, Loaded, Undone,
		Pause, Stop, Resume, Resume, Abort, Error, BackgroundStart, BackgroundEnd, RecoveryStart, RecoveryEnd, CompactionStart, CompactionEnd,
		QuestionAsked, QuestionAnswered, SessionEnd,
	}).Draw(t, "event")}
	switch e.Type {
	case UserPrompt:
		e.PromptKey = rapid.SampledFrom([]string{"", "1", "2", "3"}).Draw(t, "key")
		e.Text = rapid.SampledFrom([]string{"", "go on", tag}).Draw(t, "prompt")
	case TurnEnd:
		e.ToolCalls = rapid.IntRange(0, 2).Draw(t, "tools")
		e.PendingToolCalls = rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "pending")
		e.Status = rapid.SampledFrom([]TurnStatus{"", Done, Done, Done, Failed, CutOff, Aborted}).Draw(t, "end")
	case Todos:
		e.Items, e.OpenOnly = anyItems(t), rapid.Bool().Draw(t, "open only")
	case Edited, Undone:
		if e.Items = doc.Todos.Items; len(e.Items) > 0 {
			i := rapid.IntRange(0, len(e.Items)-1).Draw(t, "item")
			e.Items = set(e.Items[i].ID, statuses.Draw(t, "status"), e.Items)
		}
	case Loaded:
		e.Items, _ = todo.Carry(nil, anyItems(t), false, 0, noon)
	case Pause:
		e.Reason = "reason"
	case Error:
		e.ErrorClass = rapid.SampledFrom([]ErrorClass{ErrorAuth, ErrorRateLimit, ErrorContext, ErrorServer, ErrorTurnCutOff, ""}).Draw(t, "class")
	case BackgroundStart, BackgroundEnd:
		e.ID = rapid.SampledFrom([]string{"x", "y"}).Draw(t, "background")
	}
	return e
}

func anyFacts(t *rapid.T, doc *session.Document) Facts {
	var f Facts
	if rapid.Bool().Draw(t, "tool calls known") {
		f.ToolCalls = ptr(rapid.IntRange(0, 3).Draw(t, "tool calls"))
	}
	switch rapid.IntRange(0, 9).Draw(t, "fact") {
	case 0:
		f.Background = ptr(rapid.IntRange(0, 1).Draw(t, "background"))
	case 1:
		f.PendingToolCalls = ptr(0)
	case 2:
		f.Hook = &Hook{Cap: 8, Key: "k"}
	case 3:
		f.Owner, f.Named = new("mine"), true
	case 4:
		f.ReadRev = new(doc.Rev - min(doc.Rev, 1))
	}
	switch rapid.IntRange(0, 3).Draw(t, "gate") {
	case 0:
		f.Gate = &session.GateResult{Command: "make", Problem: "it could not be started"}
	case 1, 2:
		f.Gate = &session.GateResult{Command: "make", Code: rapid.IntRange(0, 1).Draw(t, "code"), Output: "out"}
	}
	return f
}

// finish returns the document's items with all of them closed.
func finish(doc *session.Document) *session.Document {
	out := *doc
	out.Todos.Items = nil
	for _, it := range doc.Todos.Current() {
		it.Status = todo.Completed
		out.Todos.Items = append(out.Todos.Items, it)
	}
	return &out
}

func reword(doc *session.Document) *session.Document {
	out := *doc
	out.Todos.Items = nil
	for _, it := range doc.Todos.Items {
		it.Content = "something else: " + it.ID
		out.Todos.Items = append(out.Todos.Items, it)
	}
	return &out
}

// TestRandomFaults draws events and questions in any order, and checks for each answer
// what must hold whatever came before.
func TestRandomFaults(t *testing.T) {
	continued := 0
	rapid.Check(t, func(t *rapid.T) {
		settings, _, err := Resolve()
		if err != nil {
			t.Fatal(err)
		}
		settings.MaxTotal = rapid.IntRange(1, 5).Draw(t, "max total")
		settings.MaxAttempts = rapid.IntRange(1, 5).Draw(t, "max attempts")
		settings.MaxGate = rapid.IntRange(1, 3).Draw(t, "max gate")
		settings.Gate = rapid.SampledFrom([]string{"", "make"}).Draw(t, "gate")
		doc := document()
		if rapid.Bool().Draw(t, "with an owner") {
			doc.Owner = &session.Owner{Agent: "codex", Session: "theirs", SeenAt: noon}
		}
		now := noon
		inPrompt, inList := 0, 0 // continuations that the test itself has counted
		for range rapid.IntRange(20, 80).Draw(t, "steps") {
			now += todo.Time(rapid.SampledFrom([]int{0, 1, 1000, 61_000, 600_000}).Draw(t, "later"))
			if rapid.IntRange(0, 2).Draw(t, "step") > 0 {
				e := anyEvent(t, doc)
				before := *doc
				did, err := Apply(doc, e, now)
				if err != nil || did.What == "" {
					*doc = before // a refused event is not committed
					continue
				}
				doc.Rev++
				if back := before.Continuation.TotalPrompt - doc.Continuation.TotalPrompt; back == 1 && e.ToolCalls == 0 &&
					(e.Type == Error || e.Status == Failed || e.Status == CutOff) && doc.Continuation.Refunds <= maxRefunds {
					inPrompt, inList = inPrompt-1, inList-1 // the continuation does not count
				}
				switch {
				case e.Type == UserPrompt && !hasTag(e.Text), e.Type == Resume:
					inPrompt = 0
				}
				switch {
				case e.Type == Cleared, e.Type == Loaded, e.Type == UserPrompt && !doc.Todos.Active:
					inList = 0
				}
				continue
			}

			facts := anyFacts(t, doc)
			untouched := *doc
			d, led := Decide(doc, facts, settings, now)
			if !reflect.DeepEqual(*doc, untouched) {
				t.Fatal("a decision changed the document")
			}
			again, ledAgain := Decide(doc, facts, settings, now)
			if !reflect.DeepEqual(d, again) || !reflect.DeepEqual(led, ledAgain) || Prompt(doc, d, settings) != Prompt(doc, again, settings) {
				t.Fatal("the same input and clock gave another answer")
			}
			other, _ := Decide(reword(doc), facts, settings, now)
			other.Message, again.Message = "", ""
			if !reflect.DeepEqual(other, again) {
				t.Fatalf("other words changed the decision: %+v, %+v", other, again)
			}
			ungated, open := settings, facts
			ungated.Gate, open.Gate = "", nil
			finished := finish(doc)
			finished.Continuation.Dropped = nil
			if c, _ := Decide(finished, open, ungated, now); len(doc.Todos.Current()) > 0 && place(c.Check) > place("done") {
				t.Fatalf("a finished list is %s", c.Reason)
			}

			failed := d.Gate != nil && d.Gate.Failed()
			if d.Counts.Open == 0 && doc.Todos.Active && settings.Gate != "" && doc.Continuation.Dropped == nil {
				switch {
				case d.Reason == "done" && (facts.Gate == nil || !facts.Gate.Passed()):
					t.Fatal("a finished list is done without a gate that passes")
				case facts.Gate == nil && d.Outcome == Continue, d.Outcome == Continue && !failed:
					t.Fatal("it went on without a gate that fails")
				case d.Reason == "blocked":
					t.Fatal("a gate is no blocked item")
				}
			}

			l := doc.Continuation
			switch d.Outcome {
			case Continue:
				continued++
				switch {
				case d.Tier == TierGate && d.Counts.Open == 0 && failed:
				case d.Tier == TierDropped && d.Counts.Open == 0 && l.Dropped != nil && !l.Dropped.Told:
				case !doc.Todos.Active, d.Counts.Open == 0, d.Next < 0:
					t.Fatal("it went on with nothing to do")
				case l.Paused != nil || l.StoppedAt != 0 || l.AbortedAt != 0:
					t.Fatalf("it went on although it was held: %+v", l)
				case facts.Owner != nil && facts.Named && doc.Owner != nil:
					t.Fatal("it went on with another's list")
				}
				if inPrompt++; inPrompt > settings.MaxTotal {
					t.Fatalf("%d continuations for one prompt", inPrompt)
				}
				if inList++; inList > 5*settings.MaxTotal {
					t.Fatalf("%d continuations of one list", inList)
				}
				if led.Attempts > settings.MaxAttempts {
					t.Fatalf("%d attempts", led.Attempts)
				}
				if text := Prompt(doc, d, settings); len(text) > maxPrompt+maxOutput || d.Tier != TierGate && len(text) > maxPrompt || !hasTag(text) {
					t.Fatalf("got\n%s", text)
				}
			default:
				if led.Attempts > l.Attempts || led.Stagnation != l.Stagnation || led.TotalPrompt != l.TotalPrompt ||
					led.TotalSession != l.TotalSession || len(led.HookBlocks) != len(l.HookBlocks) || led.Last != l.Last {
					t.Fatalf("%s used something up: %+v, before %+v", d.Reason, led, l)
				}
				if (d.Outcome == Wait) != (d.RetryAfter > 0) || d.Tier != "" {
					t.Fatalf("%s: retry after %v, tier %q", d.Reason, d.RetryAfter, d.Tier)
				}
			}
			doc.Continuation = led
			doc.Rev++
		}
	})
	if continued == 0 && !t.Failed() {
		t.Error("nothing was ever continued, so nothing was tested")
	}
	t.Logf("%d continuations", continued)
}

// TestModelAloneCannotContinueForever draws events of the model only, without a user prompt.
func TestModelAloneCannotContinueForever(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		settings, _, err := Resolve()
		if err != nil {
			t.Fatal(err)
		}
		doc := document()
		now, n := noon, 0
		for range rapid.IntRange(25, 80).Draw(t, "turns") {
			now += todo.Time(time.Minute / time.Millisecond)
			list := anyItems(t)
			for i := range list {
				list[i].ID = fmt.Sprint(rapid.IntRange(0, 999).Draw(t, "number"), "-", i)
			}
			events := []Event{{Type: Todos, Items: append(list, todo.Item{Content: "never done"})}, {Type: TurnEnd, ToolCalls: 1}}
			did, err := ApplyAll(doc, events, doc.Rev == 0, nil, now)
			if err != nil || did.What == "" {
				t.Fatal(did, err)
			}
			d, led := Decide(doc, Facts{}, settings, now)
			doc.Continuation, doc.Rev = led, doc.Rev+1
			if d.Outcome == Continue {
				n++
			}
		}
		if n > settings.MaxTotal {
			t.Fatalf("%d continuations", n)
		}
	})
}

func TestDoneRegardlessOfCounters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		settings, _, err := Resolve()
		if err != nil {
			t.Fatal(err)
		}
		doc := document(item("a", todo.Completed), item("b", todo.Cancelled))
		number := rapid.IntRange(0, 1000)
		at := rapid.SampledFrom([]todo.Time{0, noon, ago(time.Hour)})
		doc.Continuation = session.Ledger{
			Attempts: number.Draw(t, "attempts"), Stagnation: number.Draw(t, "stagnation"), TotalPrompt: number.Draw(t, "total"),
			TotalSession: number.Draw(t, "list total"), ToolCalls: number.Draw(t, "tools"),
			Error: &session.Failure{Class: "auth", Count: number.Draw(t, "errors"), At: at.Draw(t, "failed")},
		}
		if d, _ := Decide(doc, Facts{}, settings, noon); d.Reason != "done" || d.Outcome != Finished {
			t.Fatalf("got %s", d.Reason)
		}
	})
}

// TestRewordingIsNotAnEvent checks that an agent that only rewords its list makes no progress.
func TestRewordingIsNotAnEvent(t *testing.T) {
	for _, withIDs := range []bool{true, false} {
		doc := document()
		doc.Continuation = busy()
		before := doc.Continuation
		list := reword(doc).Todos.Items
		if !withIDs {
			for i := range list {
				list[i].ID = ""
			}
		}
		mustApply(t, doc, Event{Type: Todos, Items: list})
		if !reflect.DeepEqual(doc.Continuation, before) {
			t.Errorf("with ids %v: got %+v, want %+v", withIDs, doc.Continuation, before)
		}
	}
}

// TestFailingGateReachesItsLimit lets a model finish its list again and again while the gate fails. The limit must end it.
func TestFailingGateReachesItsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		settings, _, err := Resolve()
		if err != nil {
			t.Fatal(err)
		}
		settings.Gate = "make test"
		doc := document(item("a", todo.Completed))
		idle, n := 0, 0 // failures in a row without work, and continuations
		for range rapid.IntRange(5, 40).Draw(t, "turns") {
			works := rapid.IntRange(0, 2).Draw(t, "calls")
			if _, err := Apply(doc, Event{Type: TurnEnd, ToolCalls: works}, noon); err != nil {
				t.Fatal(err)
			}
			if idle++; works > 0 {
				idle = 1
			}
			d, led := Decide(doc, Facts{Gate: &session.GateResult{Command: "make test", Code: 1}}, settings, noon)
			if d.Reason == "gate" != (idle >= settings.MaxGate) {
				t.Fatalf("after %d failures without work: %s", idle, d.Reason)
			}
			if d.Outcome != Continue {
				return
			}
			if n++; n > settings.MaxStagnation+toolBonus {
				t.Fatalf("%d continuations without progress", n)
			}
			doc.Continuation, doc.Rev = led, doc.Rev+1
		}
	})
}

func twenty() *session.Document {
	var items []todo.Item
	for i := range 20 {
		it := item(fmt.Sprint("id", i), todo.Statuses()[i%3])
		it.Content = fmt.Sprintf("Write the migration for table %d and its test, then update the schema document", i)
		items = append(items, it)
	}
	return document(items...)
}

func BenchmarkDecide(b *testing.B) {
	doc, settings := twenty(), defaults(b)
	b.ReportAllocs()
	for b.Loop() {
		Decide(doc, Facts{}, settings, noon)
	}
}

func BenchmarkPrompt(b *testing.B) {
	doc, settings := twenty(), defaults(b)
	d, _ := Decide(doc, Facts{}, settings, noon)
	b.ReportAllocs()
	for b.Loop() {
		Prompt(doc, d, settings)
	}
}
