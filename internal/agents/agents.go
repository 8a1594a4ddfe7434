// Package agents is the registry: the list of the agents that onward knows, each in a folder of its own.
package agents

import (
	"onward/internal/agents/acp"
	"onward/internal/agents/agent"
	"onward/internal/agents/claude"
	"onward/internal/agents/cline"
	"onward/internal/agents/codex"
	"onward/internal/agents/copilot"
	"onward/internal/agents/cursor"
	"onward/internal/agents/droid"
	"onward/internal/agents/gemini"
	"onward/internal/agents/goose"
	"onward/internal/agents/grok"
	"onward/internal/agents/hook"
	"onward/internal/agents/kimi"
	"onward/internal/agents/llxprt"
	"onward/internal/agents/opencode"
	"onward/internal/agents/pi"
	"onward/internal/agents/qwen"
	"onward/internal/agents/stream"
	"onward/internal/agents/vscode"
	"onward/internal/native"
)

// all is the list, in the order in which help and reports name the agents. Where two could claim the same line, the first one gets it.
var all = [...]*agent.Agent{
	&claude.Agent,
	&codex.Agent,
	&gemini.Agent,
	&qwen.Agent,
	&llxprt.Agent,
	&opencode.Agent,
	&cursor.Agent,
	&copilot.Agent,
	&vscode.Agent,
	&kimi.Agent,
	&pi.Agent,
	&cline.Agent,
	&droid.Agent,
	&acp.Agent,
	&grok.Agent,
	&goose.Agent,
}

// All returns every agent. Nobody changes one.
func All() []*agent.Agent { return all[:] }

// Find returns the agent of a short name, or nil.
func Find(name string) *agent.Agent {
	for _, a := range all {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// TitleOf returns the name of an agent as its makers write it; the short name of one that is not known.
func TitleOf(name string) string {
	if a := Find(name); a != nil {
		return a.Title
	}
	return name
}

// Hooks returns the protocols of `onward hook`, onward's own last.
func Hooks() []*hook.Protocol {
	var out []*hook.Protocol
	for _, a := range all {
		if a.Hook != nil {
			out = append(out, a.Hook)
		}
	}
	return append(out, &hook.Generic)
}

// Hook returns the protocol of `onward hook NAME`, or nil.
func Hook(name string) *hook.Protocol {
	if a := Find(name); a != nil {
		return a.Hook
	}
	if name == hook.Generic.Name {
		return &hook.Generic
	}
	return nil
}

// FailureTexts returns what the programs of all agents write about failures.
func FailureTexts() stream.AllFailureTexts {
	return func(yield func(*stream.FailureTexts) bool) {
		for _, a := range all {
			if a.FailureTexts != nil && !yield(a.FailureTexts) {
				return
			}
		}
	}
}

// Tools returns the tools of all agents, and those of onward's own server.
func Tools() native.Registry {
	return func(yield func(*native.Tools) bool) {
		for _, a := range all {
			if a.Tools != nil && !yield(a.Tools) {
				return
			}
		}
		yield(&native.OnwardTools)
	}
}
