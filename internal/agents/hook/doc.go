// Package hook contains what the hooks of all agents have in common.
//
// An agent starts a hook at each of its events, writes the event as JSON to its standard input
// and reads an answer in its own format. A Protocol describes that for one agent: one function reads
// the agent's JSON into a Call, which is the event in onward's terms, and the other writes an Answer as the agent expects it.
// The package knows no agent: each has its protocol in its own folder. Most share a format
// (ReadSharedFormat, RenderCommon), with exceptions; Generic is onward's own.
//
// A hook fails open. A payload is not trusted: a member that is missing or of another type counts as absent,
// and no input of an agent prevents it from proceeding.
//
// The package reads no file and no clock; data and times come from the caller.
package hook
