package stream

// Adapter is one format that is read: how its lines are recognised, and what parses them.
type Adapter struct {
	Format Format
	Kind   Kind
	Source string // Event.Source of its updates
	Title  string // as its makers call it

	// What the manual says of it: what writes it, how it shows the list, and whether it was never tried with the agent itself.
	From    string
	List    string
	Untried bool

	// Unrecorded is the reason why testdata/streams has no recording of it.
	Unrecorded string

	// Lines are the types of lines that the agent writes.
	Lines []LineType

	// HasMoreTypes reports whether it writes lines of a type that has no row; nil if it writes no others.
	HasMoreTypes func(typ []byte) bool

	// Detect is asked for lines whose type alone does not identify the agent; nil if there are none.
	Detect func(*Line) bool

	// ChangesNothing reports whether a line changes nothing. The reader does not check that such a line is valid UTF-8, which takes
	// as long as reading it. Nil means that every line is checked.
	ChangesNothing func(Parser, *Line) bool

	// New makes the parser; it is called once an input at most.
	New func() Parser

	// WritesAs is the format of another agent that this one writes too. That agent's parser finds out which of the two a session is of.
	WritesAs Format

	// Variant tells that parser how this agent differs. The parser defines its type.
	Variant any

	// LooksLike is the format of an agent whose lines look like this one's, except for the first line of a session.
	LooksLike Format

	// LooksLikeOthers means that, except for the first line, its lines look like those of other agents, so that only the session's id
	// tells whose a line is.
	LooksLikeOthers bool

	// Hint names the switch of the agent's todo tool, for a stream without a list.
	Hint string

	// NeverTellsTool means that the stream never says whether the todo tool is on. The hint is then printed whenever no list was seen.
	NeverTellsTool bool
}

// key names a session among all that are read. A session that an agent both prints and keeps in a file is two sessions here,
// since nothing shows how far one is behind the other.
func (a *Adapter) key(id, sub string) string {
	return string(a.Format) + "\x00" + id + "\x00" + sub
}
