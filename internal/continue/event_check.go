package continuation

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"onward/internal/todo"
)

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
	return fmt.Errorf("%w: unknown event %q", todo.ErrSyntax, e.Type)
}

// CheckMembers refuses an event that says what means nothing for its type, or
// lacks what it cannot do without. The members that were said are named as in its
// JSON form: a member can be said with the value that it has without.
func CheckMembers(e Event, said []string) error {
	allowed := members(e.Type)
	for _, name := range said {
		if !slices.Contains(allowed, name) {
			return fmt.Errorf("%w: %s means nothing for the event %s", todo.ErrSyntax, name, e.Type)
		}
	}
	if e.Type == Todos && e.Items == nil {
		return fmt.Errorf("%w: the event todos needs its items", todo.ErrSyntax)
	}
	return nil
}

// members names what an event of a type may say.
func members(t Type) []string {
	return append(ownMembers(t), "type", "source", "change")
}

func ownMembers(t Type) []string {
	switch t {
	case UserPrompt:
		return []string{"prompt_key", "text"}
	case TurnEnd:
		return []string{"tool_calls", "pending_tool_calls", "status", "thinking_only", "error_class", "retry_after"}
	case Error:
		return []string{"error_class", "retry_after"}
	case Pause:
		return []string{"reason"}
	case BackgroundStart:
		return []string{"id", "kind"}
	case BackgroundEnd:
		return []string{"id"}
	case Todos:
		return []string{"items", "partial", "open_only"}
	}
	return nil
}

// Types names the events that a caller may tell.
func Types() []string {
	return []string{
		string(UserPrompt), string(TurnStart), string(TurnEnd), string(AssistantMessage), string(ToolStart), string(ToolEnd),
		string(Todos), string(Pause), string(Stop), string(Resume), string(Abort), string(Error),
		string(BackgroundStart), string(BackgroundEnd), string(RecoveryStart), string(RecoveryEnd),
		string(CompactionStart), string(CompactionEnd), string(QuestionAsked), string(QuestionAnswered), string(SessionEnd),
	}
}

// IsActivity reports the events that cancel a countdown, and that the activity file remembers.
// Our own prompt coming back is not a user's.
func (e Event) IsActivity() bool {
	switch e.Type {
	case UserPrompt:
		return !hasTag(e.Text)
	case TurnStart, AssistantMessage, ToolStart, ToolEnd, SessionEnd:
		return true
	}
	return false
}

// Changing returns the events that can change a document;
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
