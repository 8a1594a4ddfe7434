package continuation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"onward/internal/todo"
)

// CheckEvent refuses an event from outside that does not exist.
// What only the user does to a list comes from the todo commands.
func CheckEvent(e Event) error {
	if k := kindOf(e.Type); k.name == "" || k.own {
		return unknownEvent(e)
	}
	return nil
}

func unknownEvent(e Event) error { return fmt.Errorf("%w: unknown event %q", todo.ErrSyntax, e.Type) }

// CheckMembers refuses an event with a member that its type does not have, or
// without one that its type requires. The members that are present are named as in its
// JSON form: a member can be present with its zero value.
func CheckMembers(e Event, said []string) error {
	allowed := append([]string{"type", "source", "change"}, kindOf(e.Type).says...)
	for _, name := range said {
		if !slices.Contains(allowed, name) {
			return fmt.Errorf("%w: %s does not apply to the event %s", todo.ErrSyntax, name, e.Type)
		}
	}
	if e.Type == Todos && e.Items == nil {
		return fmt.Errorf("%w: the event todos needs its items", todo.ErrSyntax)
	}
	return nil
}

// Types returns the names of the events that a caller may report.
func Types() (names []string) {
	for _, k := range kinds {
		if !k.own {
			names = append(names, string(k.name))
		}
	}
	return names
}

// IsActivity reports whether the agent was at work. Our own prompt coming back is not a user's.
func (e Event) IsActivity() bool {
	return kindOf(e.Type).alive && (e.Type != UserPrompt || !hasTag(e.Text))
}

// OpenCalls returns the number of open tool calls after an event, given the number before it.
func (t Type) OpenCalls(before int) int {
	switch t {
	case ToolStart:
		return before + 1
	case ToolEnd:
		return max(0, before-1) // some agents report only the ends
	case UserPrompt, TurnStart, SessionEnd:
		return 0
	}
	return before
}

// CreatesDocument reports an event that creates a missing document: it makes a list, or it forbids or delays
// the continuation of one that comes later. Any other mark without a list would only leave a file.
func (e Event) CreatesDocument() bool {
	if e.Type == TurnEnd {
		return e.PendingToolCalls > 0 || e.Status != "" && e.Status != Done
	}
	return kindOf(e.Type).makes
}

// ChangesDocument reports whether the event can change a document; the rest are activity, for which no lock is taken.
// The end of a tool call changes one that has calls still to run.
func (e Event) ChangesDocument() bool {
	k := kindOf(e.Type)
	return k.name == "" || k.apply != nil && e.Type != ToolEnd
}

// Limits of an event's members, so that no event can make a document invalid.
const (
	maxCalls = 1_000_000
	maxRetry = 30 * 24 * time.Hour
	maxName  = 1024 // bytes of an id or a key
)

// Check refuses values that have no meaning for the event, or that a document could not contain.
func (e Event) Check() error {
	switch e.Type {
	case Pause:
		if err := checkReason(e.Reason); err != nil {
			return err
		}
	case BackgroundStart, BackgroundEnd:
		if e.ID == "" {
			return fmt.Errorf("%w: background work needs an id", todo.ErrSyntax)
		}
		if _, err := todo.ParseOneOf("background kind", cmp.Or(e.Kind, "shell"), "shell", "subagent"); err != nil {
			return err
		}
	}
	for _, n := range []int{e.ToolCalls, e.DeniedToolCalls, e.PendingToolCalls} {
		if n < 0 || n > maxCalls {
			return fmt.Errorf("%w: a turn cannot have %d tool calls", todo.ErrSyntax, n)
		}
	}
	if e.DeniedToolCalls > e.ToolCalls {
		return fmt.Errorf("%w: of %s, %d cannot have been denied", todo.ErrSyntax, todo.Plural(e.ToolCalls, "tool call"), e.DeniedToolCalls)
	}
	if e.ErrorClass != "" && e.ErrorClass != ErrorTurnCutOff { // which only a stream shows
		if _, err := todo.ParseOneOf("error class", string(e.ErrorClass), ErrorAuth, ErrorBilling, ErrorRateLimit, ErrorContext, ErrorInvalidRequest, ErrorServer, ErrorUnknown); err != nil {
			return err
		}
	}
	if e.RetryAfter < 0 || e.RetryAfter > maxRetry.Milliseconds() {
		return fmt.Errorf("%w: retry after %d ms is not within 30 days", todo.ErrSyntax, e.RetryAfter)
	}
	for _, s := range append([]string{e.PromptKey, e.ID, e.Source}, e.DeniedTools...) {
		switch {
		case len(s) > maxName:
			return fmt.Errorf("%w: a name has %d bytes, at most %d are kept", todo.ErrLimit, len(s), maxName)
		case !utf8.ValidString(s):
			return fmt.Errorf("%w: %q is not valid UTF-8", todo.ErrText, s)
		}
	}
	return nil
}

// checkReason refuses a reason for a pause that is missing or too long.
func checkReason(text string) error {
	text = strings.TrimSpace(text)
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return fmt.Errorf("%w: a pause needs a reason of 1 to %d characters", todo.ErrSyntax, todo.MaxReason)
	case n > todo.MaxReason:
		return fmt.Errorf("%w: the reason has %d characters, at most %d are allowed", todo.ErrSyntax, n, todo.MaxReason)
	case !utf8.ValidString(text):
		return fmt.Errorf("%w: the reason is not valid UTF-8", todo.ErrText)
	}
	return nil
}
