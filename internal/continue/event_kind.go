package continuation

// kind is a row of the table of events.
type kind struct {
	name  Type
	apply func(*transition) error // nil: it changes no document
	says  []string                // the members of its JSON form, besides those of every event
	alive bool                    // it is activity, which cancels a countdown and which the activity file remembers
	makes bool                    // it creates the document: it makes a list, or forbids or delays a continuation
	list  bool                    // it changes the list, which the history shows on its own
	quiet bool                    // it comes too often for the history
	own   bool                    // `onward event` cannot report it: it comes from a todo command, or from onward itself
}

// kinds is the table of events.
var kinds = [...]kind{
	{name: UserPrompt, apply: userPrompt, says: []string{"prompt_key", "text"}, alive: true},
	{name: TurnStart, apply: turnStart, alive: true, makes: true, quiet: true},
	{name: TurnEnd, apply: turnEnd, says: []string{"tool_calls", "denied_tool_calls", "denied_tools", "pending_tool_calls", "status", "thinking_only", "error_class", "retry_after", "retry_at"}},
	// These come many times a turn; they are in the activity file, and hardly ever in the document.
	{name: AssistantMessage, alive: true},
	{name: ToolStart, alive: true},
	{name: ToolEnd, apply: toolEnd, alive: true, quiet: true},
	{name: Todos, apply: replaceList, says: []string{"items", "partial", "open_only"}, makes: true, list: true},
	{name: Pause, apply: pause, says: []string{"reason"}, makes: true},
	{name: Stop, apply: stop, makes: true},
	{name: Resume, apply: resume},
	{name: Abort, apply: abort, makes: true},
	{name: Error, makes: true, apply: fail, says: []string{"error_class", "retry_after", "retry_at"}},
	{name: BackgroundStart, makes: true, apply: backgroundStart, says: []string{"id", "kind"}},
	{name: BackgroundEnd, apply: backgroundEnd, says: []string{"id"}},
	{name: RecoveryStart, makes: true, apply: func(a *transition) error { return a.setMark(&a.led.RecoveringAt, a.now) }},
	{name: RecoveryEnd, apply: func(a *transition) error { return a.setMark(&a.led.RecoveringAt, 0) }},
	{name: CompactionStart, makes: true, apply: func(a *transition) error { return a.setMark(&a.led.CompactingAt, a.now) }},
	{name: CompactionEnd, apply: compactionEnd},
	{name: QuestionAsked, makes: true, apply: func(a *transition) error { return a.setMark(&a.led.QuestionAt, a.now) }},
	{name: QuestionAnswered, apply: func(a *transition) error { return a.setMark(&a.led.QuestionAt, 0) }},
	{name: SessionEnd, apply: sessionEnd, alive: true},
	{name: Edited, apply: editList, makes: true, list: true, own: true},
	{name: Cleared, apply: clearList, list: true, own: true},
	{name: Loaded, apply: loadList, makes: true, list: true, own: true},
	{name: Undone, apply: undoList, list: true, own: true},
	{name: NeedsUser, alive: true, own: true},
	{name: Goal, apply: setGoal, makes: true, own: true},
	{name: Unread, apply: noteUnread, makes: true, quiet: true, own: true},
}

// kindOf returns the row of a type; one without a name if there is none.
func kindOf(t Type) kind {
	for _, k := range kinds {
		if k.name == t {
			return k
		}
	}
	return kind{}
}
