package cmd

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"onward/internal/agents"
	"onward/internal/calls/schedule"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/process"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// changeMessages changes the queue, and reports the change.
func (a *app) changeMessages(s find.List, change func(*schedule.Document) (schedule.Change, error)) error {
	commit, err := a.updateCalls(s, change)
	if errors.Is(err, schedule.ErrNotFound) {
		return cli.WithHint(err, "`onward message list` shows the messages")
	}
	if err != nil {
		return err
	}
	if !commit.Changed && !a.JSON {
		a.printNote("nothing changed")
		return nil
	}
	a.tell(output.MessagesJSON(s.Name, commit.Doc, &commit.Change, false), commit.Change.What+"\n")
	return nil
}

// messageText returns the words of a command line as one text, or standard input for a dash.
func (a *app) messageText(words []string) (string, error) {
	if a.isDash(words) {
		data, err := a.readStdin()
		return string(data), err
	}
	return strings.Join(words, " "), nil
}

// isDash reports whether the words of a command line are a single dash, which means standard input.
func (a *app) isDash(words []string) bool {
	return len(words) == 1 && words[0] == "-" && a.line.Literal == 0
}

type messagePushCmd struct {
	Text []string `arg:"" empty:"" ask:"which message?" example:"'run the tests before you stop'" help:"The message; - reads it from stdin."`
}

// author names the agent that runs the command on its own behalf; empty is the user.
func (a *app) author(t find.List) string {
	return schedule.MessageAuthor(a.by(t), a.isPerson(), agents.RunningAgent(os.LookupEnv), t.Conversation.Agent, t.Name.Agent)
}

// Run queues a message for the agent. A blank one is dropped.
func (c *messagePushCmd) Run(a *app, s find.List) error {
	text, err := a.messageText(c.Text)
	if err != nil {
		return err
	}
	if err = a.pushMessage(s, text); err != nil || a.isAgent() {
		return err
	}
	to, last, err := s.Store.FindRecipient(s.Name, s.Now)
	if err != nil || to != session.RecipientEndedRun {
		return nil // the message is queued, and a turn comes by itself
	}
	if doc, err := s.Store.Load(s.Name); err == nil {
		a.hint(goOnHint(last, doc.Ledger().Stopped()))
	}
	return nil
}

// pushMessage queues a message.
func (a *app) pushMessage(s find.List, text string) error {
	return a.changeMessages(s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.PushMessage(d, strings.ToValidUTF8(text, "\uFFFD"), a.author(s), s.Now)
	})
}

type messageListCmd struct{}

// Run lists the queued messages.
func (c *messageListCmd) Run(a *app, s find.List, doc *schedule.Document) error {
	a.show(output.MessagesJSON(s.Name, doc, nil, false), output.MessagesText(doc, a.style()))
	return nil
}

type messageEditCmd struct {
	N    int      `arg:"" complete:"message" ask:"which message?" example:"1 'run the tests before you stop'" help:"Its number in the list."`
	Text []string `arg:"" empty:"" help:"Its new text; - reads it from stdin."`
}

// Run changes the text of a message; a blank one drops it.
func (c *messageEditCmd) Run(a *app, s find.List) error {
	text, err := a.messageText(c.Text)
	if err != nil {
		return err
	}
	return a.changeMessages(s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.EditMessage(d, c.N, strings.ToValidUTF8(text, "\uFFFD"))
	})
}

type messageDropCmd struct {
	N string `arg:"" complete:"message or all" ask:"which message?" example:"1" help:"Its number in the list, or all."`
}

// Run removes one message from the queue, or all.
func (c *messageDropCmd) Run(a *app, s find.List) error {
	n := 0
	if c.N != "all" {
		var err error
		if n, err = strconv.Atoi(c.N); err != nil || n < 1 {
			return cli.WithHint(cli.Usagef("message drop takes a number from 1 on, or all, not %q", c.N), "`onward message list` shows the messages with their numbers")
		}
	}
	return a.changeMessages(s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.DropMessage(d, n)
	})
}

type messagePopCmd struct {
	Force bool `help:"Print them even if a tool call has not ended."`
}

// Run prints all messages as one text, joined by an empty line, and empties the queue. Exit 1 if
// there was nothing to print.
func (c *messagePopCmd) Run(a *app) error {
	s, _, found, err := a.recoverCalls()
	if err != nil {
		return err
	}
	a.noteComplete(found)
	if process.IsClosed(a.rawOut) {
		return cli.OutputError(os.ErrClosed, false)
	}
	list, err := s.Store.Load(s.Name)
	if err != nil {
		return err
	}
	sent := list.Ledger().Delivering.IDs()
	commit, err := a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.PopMessages(d, c.Force, sent...), nil
	})
	if err != nil {
		return err
	}
	if err := a.printMessages(s, commit.Doc, &commit.Change); err != nil {
		if len(commit.Change.Messages) == 0 {
			return err
		}
		// Messages that could not be printed are put back.
		back, failed := s.Calls().Update(s.Name, "", s.Now, func(d *schedule.Document) (schedule.Change, error) {
			return schedule.PutBackMessages(d, commit.Change.Messages), nil
		})
		if failed == nil && back.Changed {
			a.committed = false
		}
		return errors.Join(err, failed)
	}
	if commit.Change.Text == "" {
		switch n := len(commit.Doc.Messages); {
		case n > 0:
			a.printNote(fmt.Sprintf("the messages wait for %s to end; --force prints them now", todo.Plural(commit.Doc.Open(), "call")))
		case a.inner:
			// A loop reads the exit code, but the user who typed a line sees only text.
			a.printNote("the queue is empty")
		}
		return cli.ExitCode(cli.ExitNo)
	}
	return nil
}

// printMessages prints the removed messages, and returns once they are written.
func (a *app) printMessages(s find.List, doc *schedule.Document, did *schedule.Change) error {
	switch {
	case a.JSON:
		a.writeJSON(output.MessagesJSON(s.Name, doc, did, did.Text == "" && len(doc.Messages) > 0))
	case did.Text != "":
		a.print(a.screen(did.Text) + "\n")
	}
	return cli.OutputError(a.out.Flush(), false)
}

// screen makes a text of several lines safe for a terminal. In a pipe, only lines are changed that a CI system would take
// for commands in its log; with --json, nothing is changed.
func (a *app) screen(text string) string {
	if !isTerminal(a.rawOut) {
		return render.EscapeCICommands(text)
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = render.Text(lines[i])
	}
	return strings.Join(lines, "\n")
}
