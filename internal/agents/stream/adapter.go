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

	// More reports whether it writes lines of a type that has no row; nil where it writes no others.
	More func(typ []byte) bool

	// Detect is asked for lines whose type alone does not identify the agent; nil if there are none.
	Detect func(*Line) bool

	// Idle reports whether a line changes nothing, so that it need not be proven to be UTF-8, which
	// takes as long as reading it. Nil means that every line is proven.
	Idle func(Parser, *Line) bool

	// New makes the parser; it is called once an input at most.
	New func() Parser

	// As is the agent whose lines it writes, and whose parser finds out which of the two a session is of.
	As Format

	// Variant tells that parser how this agent differs; it is of a type of the parser's own.
	Variant any

	// Like is the agent whose lines, but for the first one, look like those of this one too.
	Like Format

	// Alike means that its lines look like those of other agents but for the first one: the
	// session's id identifies the agent.
	Alike bool

	// Hint names the switch of the agent's todo tool, for a stream without a list.
	Hint string

	// Silent means that the stream does not report whether the tool is on, so that the hint is printed on suspicion.
	Silent bool
}

// key names a session among all. One that an agent printed and that is in its file too is read as two,
// since neither knows how far the other is.
func (a *Adapter) key(id, sub string) string {
	return string(a.Format) + "\x00" + id + "\x00" + sub
}
