package cmd

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"onward/internal/ask"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/output"
	"onward/internal/session"
	"onward/internal/todo"
)

type eventCmd struct {
	cli.Given

	Type string `arg:"" ask:"what happened?" example:"user-prompt" complete:"=user-prompt|turn-start|turn-end|assistant-message|tool-start|tool-end|pause|stop|resume|abort|error|background-start|background-end|recovery-start|recovery-end|compaction-start|compaction-end|question-asked|question-answered|session-end|-" help:"What happened: user-prompt, turn-start, turn-end, assistant-message, tool-start, tool-end, pause, stop, resume, abort, error, background-start, background-end, recovery-start, recovery-end, compaction-start, compaction-end, question-asked, question-answered, session-end; or - for JSON lines from stdin, which also have todos."`
	ID   string `arg:"" optional:"" name:"id" complete:"background" help:"background-start, background-end: names the work."`

	PromptKey        string  `placeholder:"K" help:"user-prompt: names the prompt, so that it is not counted twice."`
	Text             string  `placeholder:"T" empty:"" help:"user-prompt: its text; onward's own continuation prompt is recognised in it."`
	ToolCalls        int     `placeholder:"N" help:"turn-end: tool calls in the turn, todo tools not counted."`
	PendingToolCalls int     `placeholder:"N" help:"turn-end: tool calls that are still to run; each tool-end takes one off."`
	Status           string  `placeholder:"S" complete:"=done|failed|aborted|cut_off" help:"turn-end: done, failed, aborted or cut_off."`
	ErrorClass       string  `name:"error-class" aliases:"class" placeholder:"C" complete:"=auth|billing|rate_limit|context|invalid_request|server|unknown" help:"turn-end, error: auth, billing, rate_limit, context, invalid_request, server or unknown."`
	ThinkingOnly     bool    `help:"turn-end: the turn had no visible output."`
	RetryAfter       *string `placeholder:"D" help:"turn-end, error: when the provider can be asked again."`
	RetryAt          *string `placeholder:"TIME" help:"turn-end, error: the same as a time, such as 2026-11-23T15:00:00Z, '3pm (America/New_York)' or 12h4m; at most 8 days ahead."`
	Kind             string  `placeholder:"KIND" complete:"=shell|subagent" help:"background-start: shell or subagent."`
	Reason           string  `placeholder:"R" help:"pause: why the agent cannot continue."`
}

// Run applies one event, or many from stdin in one commit.
func (c *eventCmd) Run(a *app, t find.List) error {
	parts, prompts, err := c.events(a, t.Now)
	if err != nil {
		return err
	}
	var set continuation.Settings
	var doc *session.Document
	if prompts {
		if err := find.RequirePerson("report the user's prompt", "`onward pause 'what you need'` tells the user"); err != nil {
			return err
		}
		if doc, err = t.Store.Load(t.Name); err != nil {
			return err
		}
		if set, err = t.Settings(find.ReadConfig(), nil, doc); err != nil {
			return err
		}
	}
	writer := a.authority(t)
	gated := ask.ReportedEvents(func(yield func([]continuation.Event) bool) {
		parts(func(events []continuation.Event) bool {
			for i := range events {
				if events[i].Type == continuation.Todos {
					events[i].Writer = *writer
				}
			}
			return yield(set.AddGateToPrompts(continuation.ReportedBy(a.isPerson, events)))
		})
	})
	commit, err := gated.Apply(t.Store, t.Name, t.Now, func(change func(*session.Document) (session.Change, error)) (session.Commit, error) {
		return a.update(t, change)
	})
	if err != nil {
		return err
	}
	if err := gated.NoteTaskStart(t.Store, t.Name, gate.NewCheckoutReader(t).State, set, doc); err != nil {
		return err
	}
	if a.JSON {
		a.writeJSON(output.ChangeJSON(t.Name, commit))
	}
	return nil
}

// retryAfter reads the time that a provider's answer names, which is a number of seconds in HTTP.
func (c *eventCmd) retryAfter() (time.Duration, error) {
	if c.RetryAfter == nil {
		return 0, nil
	}
	d, err := continuation.ParseDuration(*c.RetryAfter)
	if err != nil {
		return 0, &todo.UnknownWordError{Text: fmt.Sprintf("--retry-after: %q is not a duration such as 90s, or a number of seconds", *c.RetryAfter), Word: *c.RetryAfter, Known: []string{"90s"}}
	}
	return d, nil
}

// events returns the reported events, in parts, and whether a prompt of the user is among them.
func (c *eventCmd) events(a *app, now todo.Time) (parts iter.Seq[[]continuation.Event], prompts bool, err error) {
	if c.Type == "-" {
		if len(c.Names()) > 1 {
			return nil, false, cli.Usagef("event -: each line says itself what belongs to its event; no flags are accepted")
		}
		return readEvents(a)
	}
	e := continuation.Event{
		Type: continuation.Type(c.Type), PromptKey: c.PromptKey, Text: c.Text,
		ToolCalls: c.ToolCalls, PendingToolCalls: c.PendingToolCalls,
		Status: continuation.TurnStatus(c.Status), ErrorClass: continuation.ErrorClass(c.ErrorClass),
		ThinkingOnly: c.ThinkingOnly, ID: c.ID, Kind: c.Kind, Reason: c.Reason, Source: "cli",
	}
	retry, err := c.retryAfter()
	if err != nil {
		return nil, false, err
	}
	e.RetryAfter = retry.Milliseconds()
	if c.RetryAt != nil {
		if e.Reset, err = continuation.ParseReset(*c.RetryAt); err != nil {
			return nil, false, cli.Usagef("--retry-at: %v", err)
		}
		if e.Reset.Instant(now.Time().Local()) == 0 {
			return nil, false, cli.Usagef("--retry-at: %s is past, or more than 8 days ahead", *c.RetryAt)
		}
	}
	return slices.Values([][]continuation.Event{{e}}), e.Type == continuation.UserPrompt, c.check(e)
}

// check returns an error for an unknown event, and for flags that the event does not have.
func (c *eventCmd) check(e continuation.Event) error {
	if err := checkEvent(e); err != nil {
		return err
	}
	if e.Type == continuation.Todos {
		return cli.WithHint(cli.Usagef("the event todos has its list on standard input"), "`onward todo write` reads a list, `onward event -` events with their items")
	}
	if err := continuation.CheckMembers(e, c.members()); err != nil {
		return cli.WithHint(err, "`onward event --help` lists the flags of each event")
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

// checkEvent returns an error for an unknown event, with the one that the user may have meant.
func checkEvent(e continuation.Event) error {
	if err := continuation.CheckEvent(e); err != nil {
		return cli.SuggestNames(err, string(e.Type), continuation.Types(), "`onward event --help` lists the events")
	}
	return nil
}

// eventsAtOnce is how many events are in memory at a time.
const eventsAtOnce = 1000

// readEvents reads one JSON object a line. All lines are checked first. An event takes many times the memory of its
// line, so only the lines are kept, and are read again for each use.
func readEvents(a *app) (parts iter.Seq[[]continuation.Event], prompts bool, err error) {
	data, err := a.readStdin()
	if err != nil {
		return nil, false, err
	}
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
			return nil, false, cli.WithHint(cli.Failf(cli.ExitData, "read standard input, line %d: %v", number, err), failures().Hint(err))
		}
		prompts = prompts || e.Type == continuation.UserPrompt
	}
	return func(yield func([]continuation.Event) bool) {
		var events []continuation.Event
		for line := range bytes.Lines(data) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			e, _, _ := continuation.ReadEvent(line) // the line was readable before
			e.Source = "cli"
			if events = append(events, e); len(events) == eventsAtOnce {
				if !yield(events) {
					return
				}
				events = nil
			}
		}
		if len(events) > 0 {
			yield(events)
		}
	}, prompts, nil
}
