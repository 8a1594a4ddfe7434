package continuation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"onward/internal/session"
	"onward/internal/todo"
)

// MaxReason is how many characters a pause reason may have.
const MaxReason = 500

// ErrNothingOpen answers a pause where no item is open: there is nothing to pause.
var ErrNothingOpen = errors.New("nothing is open")

// Apply changes a document by one event and says what it did, in words.
// Where the event changes nothing it says nothing, and nothing is to be written.
func Apply(doc *session.Document, e Event, now todo.Time) (session.Change, error) {
	return apply(doc, e, now, doc.Rev == 0)
}

// ApplyAll changes a document by several events, as one change.
func ApplyAll(doc *session.Document, events []Event, now todo.Time) (session.Change, error) {
	var all session.Change
	fresh := doc.Rev == 0
	for _, e := range events {
		did, err := apply(doc, e, now, fresh)
		if err != nil {
			return session.Change{}, err
		}
		if did.What == "" {
			continue
		}
		fresh = false
		if all.What != "" {
			did.What = all.What + "; " + did.What
		}
		did.List = did.List || all.List
		all = did
	}
	return all, nil
}

// ApplyReported is ApplyAll for what an agent says about itself:
// a pause where nothing is open is nothing to pause, and no reason to refuse the rest.
func ApplyReported(doc *session.Document, events []Event, now todo.Time) (session.Change, error) {
	did, err := ApplyAll(doc, events, now)
	if !errors.Is(err, ErrNothingOpen) {
		return did, err
	}
	rest := slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return e.Type == Pause })
	return ApplyAll(doc, rest, now)
}

// apply is Apply; a fresh document was never saved, nor changed by an event before.
func apply(doc *session.Document, e Event, now todo.Time, fresh bool) (session.Change, error) {
	a := applied{doc: doc, led: &doc.Continuation, event: e, now: now}
	if err := e.check(); err != nil {
		return session.Change{}, err
	}
	handle := handler(e.Type)
	if handle == nil {
		return session.Change{}, fmt.Errorf("%w: unknown event %q", todo.ErrSyntax, e.Type)
	}
	// Marks on a list that never was would only make files; what makes a list, or forbids one, does.
	if fresh && !creates(e.Type) {
		return session.Change{}, nil
	}
	if err := handle(&a); err != nil {
		return session.Change{}, err
	}
	return a.change, nil
}

// applied is one event on its way into one document.
type applied struct {
	doc    *session.Document
	led    *session.Ledger
	event  Event
	now    todo.Time
	change session.Change
}

// did notes what the event changed.
func (a *applied) did(format string, args ...any) {
	a.change.What = fmt.Sprintf(format, args...)
	a.change.By = a.event.Source
	a.change.Touched = a.event.Touched
}

// creates reports the events that make a document where there is none.
func creates(t Type) bool {
	switch t {
	case Todos, Edited, Loaded, Stop, Abort, Pause:
		return true
	}
	return false
}

// handler gives what an event does; one function an event.
func handler(t Type) func(*applied) error {
	switch t {
	case UserPrompt:
		return userPrompt
	case TurnStart:
		return turnStart
	case TurnEnd:
		return turnEnd
	case AssistantMessage, ToolStart, ToolEnd:
		// These come many times a turn; they are in the activity file, not in the document.
		return func(*applied) error { return nil }
	case Todos:
		return replaceList
	case Edited:
		return editList
	case Cleared:
		return clearList
	case Loaded:
		return loadList
	case Undone:
		return undoList
	case Pause:
		return pause
	case Stop:
		return stop
	case Resume:
		return resume
	case Abort:
		return abort
	case Error:
		return fail
	case BackgroundStart:
		return backgroundStart
	case BackgroundEnd:
		return backgroundEnd
	case RecoveryStart:
		return mark(func(l *session.Ledger) *todo.Time { return &l.RecoveringAt }, true)
	case RecoveryEnd:
		return mark(func(l *session.Ledger) *todo.Time { return &l.RecoveringAt }, false)
	case CompactionStart:
		return mark(func(l *session.Ledger) *todo.Time { return &l.CompactingAt }, true)
	case CompactionEnd:
		return compactionEnd
	case QuestionAsked:
		return mark(func(l *session.Ledger) *todo.Time { return &l.QuestionAt }, true)
	case QuestionAnswered:
		return mark(func(l *session.Ledger) *todo.Time { return &l.QuestionAt }, false)
	case SessionEnd:
		return sessionEnd
	}
	return nil
}

// userPrompt is a person speaking: what held the agent back ends, and the counters start afresh.
// A list on which nothing is left to do is put aside; any other stays.
func userPrompt(a *applied) error {
	if HasTag(a.event.Text) {
		return nil
	}
	if a.event.PromptKey != "" && a.event.PromptKey == a.led.PromptKey {
		return nil
	}
	before := *a.led
	l := a.led
	if a.event.PromptKey != "" {
		l.PromptKey = a.event.PromptKey
	}
	l.Paused, l.Error, l.QuestionAt, l.AbortedAt = nil, nil, 0, 0
	l.Attempts, l.Stagnation, l.TotalPrompt = 0, 0, 0
	l.HookBlocks = nil
	items := a.doc.Todos.Current()
	if len(items) == 0 {
		if marked(before) {
			a.did("user prompt")
		}
		return nil
	}
	l.PromptAt = a.now
	a.did("user prompt")
	if todo.Count(items).Open == 0 {
		a.putAside()
		a.did("user prompt: the finished list was cleared")
		a.change.List = true
	}
	return nil
}

// marked reports whether a user prompt has anything to end, where there is no list to keep it for.
func marked(l session.Ledger) bool {
	return l.Paused != nil || l.Error != nil || l.QuestionAt != 0 || l.AbortedAt != 0 ||
		l.Attempts != 0 || l.Stagnation != 0 || l.TotalPrompt != 0
}

// putAside makes the list inactive. Its items stay in the document as history.
func (a *applied) putAside() {
	a.doc.Todos.Active, a.doc.Todos.Emptied = false, false
	a.led.TotalSession = 0
	a.led.HighWater = nil
	a.led.WaitingSince, a.led.CheckIns = 0, 0
}

func turnStart(a *applied) error {
	if a.led.CompactedAt == 0 && a.led.PendingCalls == 0 {
		return nil
	}
	a.led.CompactedAt, a.led.PendingCalls = 0, 0
	a.did("turn started")
	return nil
}

// turnEnd adds up the model's work. A turn that used tools is work,
// so the attempts begin anew; how the turn ended opens or closes an error.
func turnEnd(a *applied) error {
	e, l := a.event, a.led
	switch e.Status {
	case "", Done:
		l.Error = nil
	case Failed:
		a.raise(orUnknown(e.ErrorClass))
	case CutOff:
		a.raise(ErrorCutOff)
	case Aborted:
		l.AbortedAt = a.now
	default:
		return fmt.Errorf("%w: turn status %q (one of done, failed, aborted, cut_off)", todo.ErrSyntax, e.Status)
	}
	l.Turns++
	l.CompactedAt = 0
	l.PendingCalls = e.PendingToolCalls
	a.usedTools(e.ToolCalls)
	a.did("turn ended")
	return nil
}

// usedTools counts tool calls since the last continuation.
func (a *applied) usedTools(n int) {
	if n > 0 {
		a.led.ToolCalls += n
		a.led.Attempts = 0
	}
}

// replaceList takes a list as an agent wrote it. An empty one clears.
func replaceList(a *applied) error {
	t := &a.doc.Todos
	if len(a.event.Items) == 0 {
		if !t.Active {
			return nil
		}
		t.Active, t.Emptied = false, true
		a.list("the list was emptied")
		return nil
	}
	saved := t.Current()
	if t.Emptied {
		// Agents clear a list and write it again; that is still the same list.
		saved = t.Items
	}
	list := a.event.Items
	if a.event.Partial {
		list = todo.Merge(saved, list)
	}
	items, from := todo.Carry(saved, list, a.event.OpenOnly, a.now)
	if t.Active && todo.Equal(items, t.Items) {
		return nil
	}
	a.progress(saved, items, from)
	t.Items, t.Active, t.Emptied = items, true, false
	a.list("the list was written")
	return nil
}

// editList takes a list that a person or a command changed in place.
func editList(a *applied) error {
	t := &a.doc.Todos
	if t.Active && todo.Equal(t.Items, a.event.Items) {
		return nil
	}
	if !t.Active && len(a.event.Items) == 0 {
		return nil // a list that was put aside, or never was, does not become an empty one
	}
	old := t.Current()
	a.progress(old, a.event.Items, sameIDs(old, a.event.Items))
	t.Items, t.Active, t.Emptied = a.event.Items, true, false
	a.list("the list was edited")
	return nil
}

func clearList(a *applied) error {
	if !a.doc.Todos.Active {
		return nil
	}
	a.putAside()
	a.list("the list was cleared")
	return nil
}

// loadList is a person's choice of another list, so it starts afresh.
func loadList(a *applied) error {
	a.putAside()
	a.doc.Todos.Items, a.doc.Todos.Active = a.event.Items, true
	a.led.Attempts, a.led.Stagnation = 0, 0
	a.list("a list was loaded")
	return nil
}

func undoList(a *applied) error {
	t := &a.doc.Todos
	old := t.Current()
	a.progress(old, a.event.Items, sameIDs(old, a.event.Items))
	t.Items, t.Active, t.Emptied = a.event.Items, !a.event.Inactive, false
	a.list("a change was undone")
	a.change.Undo, a.change.Back = true, a.event.Back
	return nil
}

// list notes a change of the list itself.
func (a *applied) list(what string) {
	if a.event.Change != "" {
		what = a.event.Change
	}
	if a.event.Source != "" {
		a.doc.Todos.Source = a.event.Source
	}
	a.did("%s", what)
	a.change.List = true
}

// progress resets the counters where an item went further than it ever stood.
// Adding, rewording, reordering and reopening are no progress,
// and neither is an item that arrives finished.
func (a *applied) progress(old, items []todo.Item, from []int) {
	moved := false
	water := map[string]todo.Status{}
	for i := range items {
		if from[i] < 0 {
			continue
		}
		was := &old[from[i]]
		furthest := was.Status
		if high, ok := a.led.HighWater[was.ID]; ok && high.Rank() > furthest.Rank() {
			furthest = high
		}
		switch is := items[i].Status; {
		case is.Rank() > furthest.Rank():
			moved = true
		case is.Rank() < furthest.Rank():
			water[items[i].ID] = furthest
		}
	}
	a.led.HighWater = water
	if moved {
		a.led.Attempts, a.led.Stagnation = 0, 0
	}
}

// sameIDs pairs items by id. Most lists change in few places, so the same index is tried first.
func sameIDs(old, items []todo.Item) []int {
	from := make([]int, len(items))
	var byID map[string]int
	for i := range items {
		if i < len(old) && old[i].ID == items[i].ID {
			from[i] = i
			continue
		}
		if byID == nil {
			byID = make(map[string]int, len(old))
			for j := range old {
				byID[old[j].ID] = j
			}
		}
		from[i] = -1
		if j, ok := byID[items[i].ID]; ok {
			from[i] = j
		}
	}
	return from
}

// pause is the model's own word that it cannot go on.
// It holds until the user's next prompt, whatever happens in between.
func pause(a *applied) error {
	reason := strings.TrimSpace(a.event.Reason)
	switch n := utf8.RuneCountInString(reason); {
	case n == 0:
		return fmt.Errorf("%w: a pause needs a reason of 1 to %d characters", todo.ErrSyntax, MaxReason)
	case n > MaxReason:
		return fmt.Errorf("%w: the reason has %d characters, at most %d are allowed", todo.ErrSyntax, n, MaxReason)
	case !utf8.ValidString(reason):
		return fmt.Errorf("%w: the reason is not valid UTF-8", todo.ErrText)
	}
	if todo.Count(a.doc.Todos.Current()).Open == 0 {
		return ErrNothingOpen
	}
	a.led.Paused = &session.Paused{Reason: reason, At: a.now}
	a.did("paused")
	return nil
}

// stop is the user's own switch: it holds across prompts.
func stop(a *applied) error {
	if a.led.StoppedAt != 0 {
		return nil
	}
	a.led.StoppedAt = a.now
	a.did("stopped")
	return nil
}

func resume(a *applied) error {
	l := a.led
	if !marked(*l) && l.StoppedAt == 0 {
		return nil
	}
	l.StoppedAt, l.AbortedAt, l.Paused, l.Error = 0, 0, nil, nil
	l.Attempts, l.Stagnation, l.TotalPrompt = 0, 0, 0
	a.did("resumed")
	return nil
}

func abort(a *applied) error {
	a.led.AbortedAt = a.now
	a.did("aborted")
	return nil
}

func fail(a *applied) error {
	class := orUnknown(a.event.ErrorClass)
	a.raise(class)
	a.did("error %s", class)
	return nil
}

// raise opens an error, or counts one more in a row.
func (a *applied) raise(class ErrorClass) {
	f := session.Failure{Class: string(class), At: a.now, Count: 1}
	if a.led.Error != nil {
		f.Count = a.led.Error.Count + 1
	}
	if a.event.RetryAfter > 0 {
		f.RetryAt = a.now + todo.Time(a.event.RetryAfter)
	}
	a.led.Error = &f
}

func orUnknown(c ErrorClass) ErrorClass {
	if c == "" {
		return ErrorUnknown
	}
	return c
}

func backgroundStart(a *applied) error {
	e := a.event
	if e.ID == "" {
		return fmt.Errorf("%w: background work needs an id", todo.ErrSyntax)
	}
	if e.Kind == "" {
		e.Kind = "shell"
	}
	if e.Kind != "shell" && e.Kind != "subagent" {
		return fmt.Errorf("%w: background kind %q (one of shell, subagent)", todo.ErrSyntax, e.Kind)
	}
	if slices.ContainsFunc(a.led.Background, func(t session.Task) bool { return t.ID == e.ID }) {
		return nil
	}
	// What does not count any more is dropped here, so that the list stays short.
	a.led.Background = append(running(a.led.Background, a.now), session.Task{ID: e.ID, Kind: e.Kind, Since: a.now})
	a.did("background work %q started", e.ID)
	return nil
}

func backgroundEnd(a *applied) error {
	if a.event.ID == "" {
		return fmt.Errorf("%w: background work needs an id", todo.ErrSyntax)
	}
	rest := slices.DeleteFunc(slices.Clone(a.led.Background), func(t session.Task) bool { return t.ID == a.event.ID })
	if len(rest) == len(a.led.Background) {
		return nil
	}
	a.led.Background = rest
	if len(rest) == 0 {
		a.led.WaitingSince, a.led.CheckIns = 0, 0
	}
	a.did("background work %q ended", a.event.ID)
	return nil
}

// running gives the background work that still counts:
// an end may have been lost, so nothing counts for ever.
func running(tasks []session.Task, now todo.Time) []session.Task {
	return slices.DeleteFunc(slices.Clone(tasks), func(t session.Task) bool {
		limit := 24 * time.Hour
		if t.Kind == "subagent" {
			limit = 30 * time.Minute
		}
		return t.Since.Since(now) > limit
	})
}

// mark sets or ends one of the marks that expire by themselves.
func mark(field func(*session.Ledger) *todo.Time, set bool) func(*applied) error {
	return func(a *applied) error {
		at := field(a.led)
		switch {
		case set:
			*at = a.now
		case *at == 0:
			return nil
		default:
			*at = 0
		}
		a.did("%s", a.event.Type)
		return nil
	}
}

// compactionEnd frees the context, so a context error is over with it.
func compactionEnd(a *applied) error {
	a.led.CompactingAt, a.led.CompactedAt = 0, a.now
	if a.led.Error != nil && ErrorClass(a.led.Error.Class) == ErrorContext {
		a.led.Error = nil
	}
	a.did("compaction-end")
	return nil
}

func sessionEnd(a *applied) error {
	l := a.led
	a.doc.Owner = nil
	l.RecoveringAt, l.CompactingAt, l.CompactedAt, l.QuestionAt = 0, 0, 0, 0
	l.Background, l.WaitingSince, l.CheckIns, l.PendingCalls = nil, 0, 0, 0
	a.did("session ended")
	return nil
}

// CheckEvent refuses an event from outside that does not exist.
// What only a person does to a list comes from the todo commands.
func CheckEvent(e Event) error {
	switch e.Type {
	case Edited, Cleared, Loaded, Undone:
	default:
		if handler(e.Type) != nil {
			return nil
		}
	}
	return fmt.Errorf("%w: unknown event %q (one of user-prompt, turn-start, turn-end, assistant-message, tool-start, tool-end, todos, pause, stop, resume, abort, error, background-start, background-end, recovery-start, recovery-end, compaction-start, compaction-end, question-asked, question-answered, session-end)", todo.ErrSyntax, e.Type)
}

// IsActivity reports the events that cancel a countdown, and that the activity file remembers.
// Our own prompt coming back is not a user's.
func (e Event) IsActivity() bool {
	switch e.Type {
	case UserPrompt:
		return !HasTag(e.Text)
	case TurnStart, AssistantMessage, ToolStart, ToolEnd, SessionEnd:
		return true
	}
	return false
}

// Changing gives the events that can change a document;
// the rest are signs of life, for which no lock is taken.
func Changing(events []Event) []Event {
	return slices.DeleteFunc(slices.Clone(events), func(e Event) bool {
		return e.Type == AssistantMessage || e.Type == ToolStart || e.Type == ToolEnd
	})
}

// Limits of what an event may say, so that no event can spoil a document.
const (
	maxCalls = 1_000_000
	maxRetry = 30 * 24 * time.Hour
	maxName  = 1024 // bytes of an id or a key
)

// check refuses values that no document could hold.
func (e Event) check() error {
	for _, n := range []int{e.ToolCalls, e.PendingToolCalls} {
		if n < 0 || n > maxCalls {
			return fmt.Errorf("%w: a turn cannot have %d tool calls", todo.ErrSyntax, n)
		}
	}
	switch e.ErrorClass {
	case "", ErrorAuth, ErrorBilling, ErrorRateLimit, ErrorContext, ErrorInvalidRequest, ErrorServer, ErrorUnknown, ErrorCutOff:
	default:
		return fmt.Errorf("%w: error class %q (one of auth, billing, rate_limit, context, invalid_request, server, unknown)", todo.ErrSyntax, e.ErrorClass)
	}
	if e.RetryAfter < 0 || e.RetryAfter > maxRetry.Milliseconds() {
		return fmt.Errorf("%w: retry after %d ms is not within 30 days", todo.ErrSyntax, e.RetryAfter)
	}
	for _, s := range []string{e.PromptKey, e.ID, e.Source} {
		switch {
		case len(s) > maxName:
			return fmt.Errorf("%w: a name has %d bytes, at most %d are kept", todo.ErrLimit, len(s), maxName)
		case !utf8.ValidString(s):
			return fmt.Errorf("%w: %q is not valid UTF-8", todo.ErrText, s)
		}
	}
	return nil
}
