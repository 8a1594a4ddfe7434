// Package agent defines the type Agent, which contains everything that onward knows about an agent.
package agent

import (
	"onward/internal/agents/hook"
	"onward/internal/agents/settings"
	"onward/internal/agents/stream"
	"onward/internal/native"
)

// Agent is one agent, in a folder of its own below internal/agents. It is data: whoever needs a part of it is handed
// that part by the registry. A field that is nil or empty says that the agent has no such thing, or that onward does not know it.
type Agent struct {
	Name  string // short, as in commands, settings and the owner of a list
	Title string // as its makers call it

	// MadeFrom is the name of the agent that it was made from, whose marks it leaves too.
	MadeFrom string

	// RunsHooksOf are the names of the agents whose hooks in a project it runs besides its own.
	RunsHooksOf []string

	// Versions are those that were tried, the oldest first: by a recording, or by the tests with the agents' own programs.
	// It is empty if nobody has tried the agent.
	Versions []string

	Kind         stream.Kind          // its name in events
	Formats      []stream.Adapter     // the streams and the files of it that are read; the registry sets their kind and source
	FailureTexts *stream.FailureTexts // what its program writes about failures and limits
	Program      *Program             // how its program is started to work unattended

	// Command is the name by which its program is looked for, if that is another one than its own.
	Command string

	// TodoToolOn reports whether the environment switches its todo tool on; nil if no variable does.
	TodoToolOn func(env func(string) string) bool

	Hook     *hook.Protocol   // how it calls hooks, and how it is answered
	Tools    *native.Tools    // the names and forms of its todo tools, and which of its tools only read
	Settings *settings.Layout // where `onward hooks install` writes its hooks
	Files    *ListFiles       // the files in which it keeps lists
	Client   *Client          // what its client tells an MCP server

	// Markers are the variables that it sets in the shells that it starts.
	Markers []string

	// OutlivesConversations reports, by its command line, whether a process of it outlives its conversations; nil if none does.
	OutlivesConversations func(args []string) bool
}
