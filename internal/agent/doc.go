// Package agent reads the JSON lines that coding agents print and says in our words what they mean:
// the todo list as it is now, a turn that began or ended, a pause.
//
// A Reader takes one line at a time and returns its updates before it asks for the next line.
// Each agent is a parser and one row of the table in agents.go. The file that has its name says what it recognises
// and how a line becomes updates; where that is long, what is read of a line stands in …_line.go.
// What is common to them is elsewhere: turns in turn.go, items in items.go, calls in calls.go, sessions in stream.go.
//
// A walker reads a line: it jumps from quote to quote, and what it gives are pieces of the line, not copies.
//
// What is kept between lines is bounded, whatever the input: calls in calls.go, sessions and turns in totals.go.
//
// The package reads no file and no clock; readers and times come from the caller.
package agent
