// Package hook contains what the hooks of all agents have in common.
//
// An agent starts a hook at each of its events, writes the event as JSON to its standard input
// and reads an answer in words of its own. A Protocol tells how one agent does that: one function reads
// the agent's JSON into a Call, which is the event in our words, the other writes an Answer as the agent wants it.
// The package knows no agent: each has its protocol in its own folder. Most speak a format that they have in common
// (ReadCommon, RenderCommon), with exceptions; Generic is onward's own.
//
// A hook fails open. A payload is not trusted: a member that is missing or of another type counts as absent,
// and no input of an agent prevents it from proceeding.
//
// The package reads no file and no clock; data and times come from the caller.
package hook
