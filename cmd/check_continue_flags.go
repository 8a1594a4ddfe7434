package cmd

import (
	"fmt"
	"reflect"

	continuation "onward/internal/continue"
	"onward/internal/find"
)

// factFlags contain what only the caller knows; an unset flag means unknown.
type factFlags struct {
	ToolCalls        *int     `placeholder:"N" help:"Tool calls in the turn that ended just now."`
	PendingToolCalls *int     `placeholder:"N" help:"Tool calls that the agent still has to run."`
	Background       *int     `placeholder:"N" help:"Background tasks that are running."`
	QueuedMessages   *int     `placeholder:"N" help:"User messages that the agent has not read yet."`
	AgentMode        string   `placeholder:"NAME" help:"The agent's name for its mode, such as plan."`
	CanWrite         *bool    `negatable:"" help:"Whether the agent may write."`
	ContextRatio     *float64 `placeholder:"R" help:"Share of the model's context that is used, 0 to 1."`
	SpendUSD         *float64 `name:"spend-usd" placeholder:"N" help:"Money spent so far."`
	SpendTokens      *int64   `placeholder:"N" help:"Tokens spent so far."`
	Elapsed          *string  `placeholder:"D" help:"Time since the work began; default: since the user's prompt."`
	Owner            *string  `placeholder:"ID" empty:"" help:"The agent session that asks; it gets no prompt for a list that another session owns."`
}

// settingFlags override the settings for one decision.
type settingFlags struct {
	TodoContinuation *string `rare:"" setting:"todo-continuation" placeholder:"BOOL" complete:"=true|false" help:"Whether to keep the agent going."`
	Yolo             *bool   `rare:"" setting:"yolo" negatable:"" help:"Use the stronger wording of the prompt."`
	MaxAttempts      *string `rare:"" setting:"max-attempts" placeholder:"N" help:"Limit on continuations in a row without work; default 3."`
	MaxStagnation    *string `rare:"" setting:"max-stagnation" placeholder:"N" help:"Limit on continuations without progress; default 3."`
	MaxTotal         *string `rare:"" setting:"max-total" placeholder:"N" help:"Limit on continuations for one user prompt; default 20."`
	Countdown        *string `rare:"" setting:"countdown" placeholder:"D" help:"Time for the user to step in before a continuation; default none; for check-continue on a terminal 2s."`
	Grace            *string `rare:"" setting:"grace" placeholder:"D" help:"Time at the start of the countdown in which a user message does not cancel it; default 500ms."`
	Cooldown         *string `rare:"" setting:"cooldown" placeholder:"D" help:"Minimum time between two continuations."`
	Subagents        *string `rare:"" setting:"subagents" placeholder:"BOOL" complete:"=true|false" help:"Whether to keep sub-agents going too."`
	PlanAgents       *string `rare:"" setting:"plan-agents" placeholder:"NAMES" empty:"" help:"Modes in which an agent is not sent back to work."`
	MaxDuration      *string `setting:"max-duration" placeholder:"D" help:"Limit on the time since the user's prompt."`
	MaxUSD           *string `setting:"max-usd" name:"max-usd" placeholder:"N" help:"Limit on the money spent."`
	MaxTokens        *string `setting:"max-tokens" placeholder:"N" help:"Limit on the tokens spent."`
	PromptStyle      *string `rare:"" setting:"prompt-style" name:"style" aliases:"prompt-style" placeholder:"STYLE" complete:"=cli|tool" help:"How the prompt tells the agent to pause: with commands (cli) or the todo_pause tool (tool)."`
	PromptTemplate   *string `rare:"" setting:"prompt-template" placeholder:"FILE" complete:"file" help:"A file with the prompt's text, which may use {task}, {status}, {list} and {prompt}; none is the built-in text."`
	StaleAfter       *string `rare:"" setting:"stale-after" placeholder:"D" help:"How long an agent may be silent before its list is free for others."`
	Gate             *string `setting:"gate" placeholder:"TEXT" help:"A command that must pass before a finished list is done, or none."`
	GateTimeout      *string `setting:"gate-timeout" placeholder:"D" help:"How long the gate may run; default 10m."`
	MaxGate          *string `rare:"" setting:"max-gate" placeholder:"N" help:"Limit on failures of the gate in a row without work; default 3."`
}

// givenSettings returns the given flags by the keys of the settings; each field has its key in its tags.
func (f *settingFlags) givenSettings() map[string]string {
	out := map[string]string{}
	if *f == (settingFlags{}) {
		return out // which is the usual case
	}
	fields := reflect.ValueOf(f).Elem()
	for i := range fields.NumField() {
		if said := fields.Field(i); !said.IsNil() {
			out[fields.Type().Field(i).Tag.Get("setting")] = fmt.Sprint(said.Elem())
		}
	}
	if file := f.PromptTemplate; file != nil && *file != "none" && *file != "" {
		out["prompt-template"] = find.Absolute(*file)
	}
	return out
}

// facts returns what the flags say.
func (f *factFlags) facts() (continuation.Facts, error) {
	said := continuation.Facts{
		ToolCalls: f.ToolCalls, PendingToolCalls: f.PendingToolCalls, Background: f.Background,
		QueuedMessages: f.QueuedMessages, AgentMode: f.AgentMode, CanWrite: f.CanWrite, ContextRatio: f.ContextRatio,
		SpendUSD: f.SpendUSD, SpendTokens: f.SpendTokens, Owner: f.Owner,
	}
	if f.Elapsed != nil {
		d, err := find.DurationOf("--elapsed", f.Elapsed, 0)
		if err != nil {
			return said, err
		}
		said.ElapsedMS = new(d.Milliseconds())
	}
	return said, said.Check()
}
