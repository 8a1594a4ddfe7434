package cmd

import (
	"fmt"
	"strconv"

	continuation "onward/internal/continue"
)

// factFlags say what only the caller knows; what is not said is unknown.
type factFlags struct {
	ToolCalls        *int     `placeholder:"N" help:"Tool calls in the turn that ended just now."`
	PendingToolCalls *int     `placeholder:"N" help:"Tool calls that the agent still has to run."`
	Background       *int     `placeholder:"N" help:"Pieces of work that run beside the conversation."`
	QueuedMessages   *int     `placeholder:"N" help:"Messages of the user that the agent has not read yet."`
	AgentMode        string   `placeholder:"NAME" help:"The agent's name for its mode, such as plan."`
	CanWrite         *bool    `negatable:"" help:"Whether the agent may write."`
	ContextRatio     *float64 `placeholder:"R" help:"Used part of the model's context, 0 to 1."`
	SpendUSD         *float64 `name:"spend-usd" placeholder:"N" help:"Money spent so far."`
	SpendTokens      *int64   `placeholder:"N" help:"Tokens spent so far."`
	Elapsed          *string  `placeholder:"D" help:"Time since the work began; default: since the user's prompt."`
	Owner            *string  `placeholder:"ID" empty:"" help:"The agent session that asks; a list of another one is not continued."`
}

// settingFlags override the settings for one decision.
type settingFlags struct {
	TodoContinuation *string `placeholder:"BOOL" complete:"=true|false" help:"Send the agent on at all."`
	Yolo             *bool   `negatable:"" help:"The stronger wording of the prompt."`
	MaxAttempts      *string `placeholder:"N" help:"Continuations in a row without work; default 3."`
	MaxStagnation    *string `placeholder:"N" help:"Continuations without progress; default 3."`
	MaxTotal         *string `placeholder:"N" help:"Continuations for one user prompt; default 20."`
	Countdown        *string `placeholder:"D" help:"Time to step in; default 2s on a terminal, else none."`
	Grace            *string `placeholder:"D" help:"How long a user's message does not cancel the countdown; default 500ms."`
	Cooldown         *string `placeholder:"D" help:"Least time between two continuations."`
	Subagents        *string `placeholder:"BOOL" complete:"=true|false" help:"Send sub-agents on too."`
	PlanAgents       *string `placeholder:"NAMES" empty:"" help:"Modes in which an agent is not to work."`
	MaxDuration      *string `placeholder:"D" help:"Most time since the user's prompt."`
	MaxUSD           *string `name:"max-usd" placeholder:"N" help:"Most money."`
	MaxTokens        *string `placeholder:"N" help:"Most tokens."`
	PromptStyle      *string `name:"style" aliases:"prompt-style" placeholder:"STYLE" complete:"=cli|tool" help:"How the prompt names the ways out: cli or tool."`
	PromptTemplate   *string `placeholder:"FILE" complete:"file" help:"The prompt's text, with {task}, {status}, {list} or {prompt}; none is the built-in one."`
	StaleAfter       *string `placeholder:"D" help:"How long a list counts as live."`
	Gate             *string `placeholder:"TEXT" help:"A command that must pass before a finished list is done; none is no gate."`
	GateTimeout      *string `placeholder:"D" help:"How long the gate may run; default 10m."`
	MaxGate          *string `placeholder:"N" help:"Failures of the gate in a row without work; default 3."`
}

// values returns what was said, by the keys of the settings.
func (f *settingFlags) values() map[string]string {
	out := map[string]string{}
	for _, said := range []struct {
		key   string
		value *string
	}{
		{"todo-continuation", f.TodoContinuation},
		{"max-attempts", f.MaxAttempts},
		{"max-stagnation", f.MaxStagnation},
		{"max-total", f.MaxTotal},
		{"countdown", f.Countdown},
		{"grace", f.Grace},
		{"cooldown", f.Cooldown},
		{"subagents", f.Subagents},
		{"plan-agents", f.PlanAgents},
		{"max-duration", f.MaxDuration},
		{"max-usd", f.MaxUSD},
		{"max-tokens", f.MaxTokens},
		{"prompt-style", f.PromptStyle},
		{"prompt-template", f.PromptTemplate},
		{"stale-after", f.StaleAfter},
		{"gate", f.Gate},
		{"gate-timeout", f.GateTimeout},
		{"max-gate", f.MaxGate},
	} {
		if said.value != nil {
			out[said.key] = *said.value
		}
	}
	if file := f.PromptTemplate; file != nil && *file != "none" && *file != "" {
		out["prompt-template"] = absolute(*file)
	}
	if f.Yolo != nil {
		out["yolo"] = strconv.FormatBool(*f.Yolo)
	}
	return out
}

// facts joins what flags say to what standard input says; a flag wins.
func (c *checkContinueCmd) facts(a *app) (continuation.Facts, error) {
	f := continuation.Facts{
		ToolCalls: c.ToolCalls, PendingToolCalls: c.PendingToolCalls, Background: c.Background,
		QueuedMessages: c.QueuedMessages, AgentMode: c.AgentMode, CanWrite: c.CanWrite, ContextRatio: c.ContextRatio,
		SpendUSD: c.SpendUSD, SpendTokens: c.SpendTokens,
	}
	if c.Elapsed != nil {
		d, err := continuation.ParseDuration(*c.Elapsed)
		if err != nil {
			return f, notDuration("--elapsed", *c.Elapsed)
		}
		ms := d.Milliseconds()
		f.ElapsedMS = &ms
	}
	if c.Owner != nil {
		f.Owner = &continuation.Claim{Session: *c.Owner}
	}
	if err := f.Check(); err != nil {
		return f, err
	}
	switch c.Facts {
	case "":
		return f, nil
	case "-":
	default:
		return f, usagef("--facts must be -, not %q", c.Facts)
	}
	data, err := a.readStdin()
	if err != nil {
		return f, err
	}
	said, err := continuation.ReadFacts(data)
	if err != nil {
		return f, fmt.Errorf("read standard input: %w", err)
	}
	return said.With(f), nil
}
