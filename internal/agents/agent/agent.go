// Package agent has the type that tells everything onward knows of an agent.
package agent

import (
	"onward/internal/agents/hook"
	"onward/internal/agents/settings"
)

// Agent is one agent, in a folder of its own below internal/agents. It is data: whoever needs a part of it is handed
// that part by the registry. A field that is nil or empty says that the agent has no such thing, or that onward does not know it.
type Agent struct {
	Name     string         // short, as in commands, settings and the owner of a list
	Title    string         // as its makers call it
	Hook     *hook.Protocol // how it calls hooks, and how it is answered
	Settings *settings.Row  // where `onward hooks install` writes its hooks
}
