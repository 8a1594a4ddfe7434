package cmd

import (
	"bytes"
	"cmp"
	"strings"

	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/session"
)

type eventCmd struct {
	cli.Given

	Type string `arg:"" complete:"=user-prompt|turn-start|turn-end|assistant-message|tool-start|tool-end|pause|stop|resume|abort|error|background-start|background-end|recovery-start|recovery-end|compaction-start|compaction-end|question-asked|question-answered|session-end|-" help:"What happened: user-prompt, turn-start, turn-end, assistant-message, tool-start, tool-end, pause, stop, resume, abort, error, background-start, background-end, recovery-start, recovery-end, compaction-start, compaction-end, question-asked, question-answered, session-end; or - for JSON lines from stdin, which also have todos."`
	ID   string `arg:"" optional:"" name:"id" complete:"background" help:"background-start, background-end: names the work."`

	PromptKey        string  `placeholder:"K" help:"user-prompt: names the prompt, so that it is not counted twice."`
	Text             string  `placeholder:"T" empty:"" help:"user-prompt: its text; onward's own continuation prompt is recognised in it."`
	ToolCalls        int     `placeholder:"N" help:"turn-end: tool calls in the turn, todo tools not counted."`
	PendingToolCalls int     `placeholder:"N" help:"turn-end: tool calls that are still to run."`
	Status           string  `placeholder:"S" complete:"=done|failed|aborted|cut_off" help:"turn-end: done, failed, aborted or cut_off."`
	ErrorClass       string  `name:"error-class" aliases:"class" placeholder:"C" complete:"=auth|billing|rate_limit|context|invalid_request|server|unknown" help:"turn-end, error: auth, billing, rate_limit, context, invalid_request, server or unknown."`
	ThinkingOnly     bool    `help:"turn-end: the turn had no visible output."`
	RetryAfter       *string `placeholder:"D" help:"turn-end, error: when the host can be asked again."`
	Kind             string  `placeholder:"KIND" complete:"=shell|subagent" help:"background-start: shell or subagent."`
	Reason           string  `placeholder:"R" help:"pause: why the agent cannot continue."`
}

// Run applies one event, or many from stdin in one commit.
func (c *eventCmd) Run(a *app, t target) error {
	events, err := c.events(a)
	if err != nil {
		return err
	}
	commit, err := ask.ApplyEvents(events, t.now,
		func(sign func(*session.Activity)) error { return t.store.Touch(t.name, sign) },
		func(change func(*session.Document) (session.Change, error)) (session.Commit, error) {
			return a.update(t, change)
		})
	if err != nil {
		return err
	}
	if a.JSON {
		a.writeJSON(changeJSON(t.name, commit))
	}
	return nil
}

func (c *eventCmd) events(a *app) ([]continuation.Event, error) {
	if c.Type == "-" {
		if len(c.Names()) > 1 {
			return nil, cli.Usagef("event -: each line says itself what belongs to its event; no flags are accepted")
		}
		return readEvents(a)
	}
	e := continuation.Event{
		Type: continuation.Type(c.Type), PromptKey: c.PromptKey, Text: c.Text,
		ToolCalls: c.ToolCalls, PendingToolCalls: c.PendingToolCalls,
		Status: continuation.TurnStatus(c.Status), ErrorClass: continuation.ErrorClass(c.ErrorClass),
		ThinkingOnly: c.ThinkingOnly, ID: c.ID, Kind: c.Kind, Reason: c.Reason, Source: "cli",
	}
	retry, err := duration("--retry-after", c.RetryAfter, 0)
	if err != nil {
		return nil, err
	}
	e.RetryAfter = retry.Milliseconds()
	return []continuation.Event{e}, c.check(e)
}

// check refuses an event that there is not, and flags that mean nothing for it.
func (c *eventCmd) check(e continuation.Event) error {
	if err := checkEvent(e); err != nil {
		return err
	}
	if e.Type == continuation.Todos {
		return cli.Hinted(cli.Usagef("the event todos has its list on standard input"), "`onward todo write` reads a list, `onward event -` events with their items")
	}
	if err := continuation.CheckMembers(e, c.members()); err != nil {
		return cli.Hinted(err, "`onward event --help` lists the flags of each event")
	}
	return nil
}

// members returns the given members of the event, by the names of its JSON form.
func (c *eventCmd) members() []string {
	var names []string
	for _, name := range c.Names() {
		names = append(names, strings.ReplaceAll(name, "-", "_"))
	}
	return names
}

// checkEvent refuses an event that there is not, with the one that may have been meant.
func checkEvent(e continuation.Event) error {
	if err := continuation.CheckEvent(e); err != nil {
		return suggest(err, string(e.Type), continuation.Types(), "`onward event --help` lists the events")
	}
	return nil
}

// readEvents reads one JSON object a line.
func readEvents(a *app) ([]continuation.Event, error) {
	data, err := a.readStdin()
	if err != nil {
		return nil, err
	}
	var events []continuation.Event
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, said, err := continuation.ReadEvent(line)
		e.Source = "cli"
		if err == nil {
			err = cmp.Or(checkEvent(e), continuation.CheckMembers(e, said), e.Check())
		}
		if err != nil {
			return nil, cli.Hinted(cli.Failf(exitData, "read standard input, line %d: %v", number, err), failures().Hint(err))
		}
		events = append(events, e)
	}
	return events, nil
}
