// Package hook speaks the hook protocols of the coding agents.
//
// An agent starts a hook at each of its events, writes the event as JSON to its standard input
// and reads an answer in words of its own. Each agent is a file with two functions and one row of
// the table in agents.go: one function reads the agent's JSON into a Call, which is the event in
// our words, the other writes an Answer as the agent wants it. What is the same for all of them is
// elsewhere: payloads in payload.go, todo tools in tools.go, what a call does to a list in take.go,
// the question at the end of a turn in stop.go.
//
// A hook fails open. A payload is not trusted: a member that is missing or of another type counts as absent,
// and no input of an agent prevents it from proceeding.
//
// The package reads no file and no clock; data and times come from the caller.
package hook
