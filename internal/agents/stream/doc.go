// Package stream parses the JSON lines that coding agents print, and turns them into events of onward:
// the todo list as it is now, a turn that began or ended, a pause.
//
// A Reader takes one line at a time and returns its updates before it asks for the next line.
// It knows no agent: each has a folder with its parsers, and the registry passes them to NewReader.
// What they share is here: turns in turn.go, items in items.go, calls in calls.go, sessions in stream.go.
//
// A line is indexed once (index.go), and parsers take its members by name (value.go). They are
// pieces of the line, not copies.
//
// Memory between lines is bounded for any input: calls in calls.go, sessions and turns in totals.go.
//
// The package reads no file and no clock; readers and times come from the caller.
package stream
