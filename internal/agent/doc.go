// Package agent reads the JSON lines that coding agents print and says in our words what they mean:
// the todo list as it is now, a turn that began or ended, a pause.
//
// A Reader takes one line at a time and gives its updates before it asks for the next line.
// Each agent is a parser in a file of its own and one row of the table in agents.go.
// What is common to them is elsewhere: turns in turn.go, items in items.go, sessions in stream.go.
//
// Most lines have nothing to do with todos or turns.
// A parser looks over a line with a walker, which jumps from quote to quote,
// and only a line that says more than that a tool was called is read in full, by the walker too where it can tell.
// The judgement errs on one side only: what a line comes to is what it would have come to if it had been decoded.
//
// The package reads no file and no clock; readers and times come from the caller.
package agent
