package claude

import (
	"bytes"
	"slices"

	"onward/internal/agents/stream"
	"onward/internal/native"
	"onward/internal/todo"
)

// Variant is an agent that writes Claude Code's lines, and has a todo tool, errors and ends of turns of its own.
type Variant struct {
	// Tools are the agent's own.
	Tools *native.Tools

	// Begins reports whether a line is the first one of the agent's session.
	Begins func(*stream.Line) bool

	// Version is the member of that line with the version of the agent's program; empty if it has none.
	Version string

	// Uncached means that its counts of tokens leave those of a cache out.
	Uncached bool

	// IsTool reports whether a tool is the agent's own todo tool.
	IsTool func(name stream.Word) bool

	// Notice begins a text that represents a failure and is not the model's; nil if none does.
	Notice []byte

	// Result ends a turn, by the line that has its result.
	Result func(*Session, *Line, *stream.OpenTurn)

	// ApplyResult applies a call of the todo tool by the text of its result.
	ApplyResult func(s *stream.Session, call stream.AwaitedTodoCall, failed bool, text string, at todo.Time)
}

// variant tells how the session's agent differs; nil if it is Claude Code.
func (s *Session) variant() *Variant {
	v, _ := s.Adapter().Variant.(*Variant)
	return v
}

// anyVariant returns the agent whose variant it is, or nil.
func (c *Parser) anyVariant(meant func(*Variant) bool) *stream.Adapter {
	i := slices.IndexFunc(c.Variants, func(a *stream.Adapter) bool { return meant(a.Variant.(*Variant)) })
	if i < 0 {
		return nil
	}
	return c.Variants[i]
}

// isTodoTool reports whether a tool is about the list, in any of the agents.
func (c *Parser) isTodoTool(name stream.Word) bool {
	return isTodoTool(name) || c.anyVariant(func(v *Variant) bool { return v.IsTool(name) }) != nil
}

// isNotice reports whether a text is the program's own.
func (c *Parser) isNotice(text stream.Word) bool {
	return c.anyVariant(func(v *Variant) bool { return v.Notice != nil && bytes.HasPrefix(text, v.Notice) }) != nil
}

// becomesAny makes a session that of this agent, unless something proved that it is Claude Code's.
// A stream without its first line is mistaken for Claude Code's, until it calls the todo tool that only
// the other agent has: it is that agent's from there on.
func (s *Session) becomesAny(meant func(*Variant) bool) {
	if s.certain || s.Requested(Stream) {
		return
	}
	if a := s.c.anyVariant(meant); a != nil {
		s.SetAdapter(a)
	}
}
