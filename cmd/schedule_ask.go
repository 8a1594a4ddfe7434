package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/render"
)

// asking asks the user about the calls that await approval, one after the other.
type asking struct {
	a     *app
	s     find.List
	judge schedule.Judge
	in    *bufio.Reader
	later []string // the ids of the calls that the user left undecided
}

// askForApprovals asks at a terminal for each call that awaits approval under the rules and the mode of this run.
func (a *app) askForApprovals(s find.List, judge schedule.Judge) error {
	_, doc, err := a.loadCalls()
	if err != nil || len(doc.AwaitingIDs("")) == 0 {
		return err
	}
	if _, err := a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.Review(d, judge, s.Now)
	}); err != nil {
		return err
	}
	q := &asking{a: a, s: s, judge: judge, in: bufio.NewReader(a.in)}
	for {
		c, err := q.next()
		if c == nil || err != nil {
			return err
		}
		if err := q.ask(c); errors.Is(err, io.EOF) {
			q.print("\n")
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (q *asking) print(text string) { io.WriteString(q.a.err, text) }

// line reads an answer; the end of the input is io.EOF.
func (q *asking) line(question string) (string, error) {
	q.print(question)
	text, err := q.in.ReadString('\n')
	if err != nil && text == "" {
		return "", err
	}
	return strings.TrimSpace(text), nil
}

// ask asks about one call, and carries out the answer.
func (q *asking) ask(c *schedule.Call) error {
	q.print(fmt.Sprintf("%s  %s  %s\n", c.ID, render.Text(c.Tool), render.Text(output.ArgsAndReason(c))))
	text, err := q.line("Run it? [y]es, [n]o, [e]dit, [a]lways, Enter leaves it waiting: ")
	if err != nil {
		return err
	}
	switch text = strings.ToLower(text); text {
	case "y", "yes", "a", "always", "n", "no":
		err = q.respond(c.ID, rune(text[0]))
	case "e", "edit":
		return q.edit(c)
	case "":
		q.later = append(q.later, c.ID)
	}
	return q.askAgain(err) // any other answer repeats the question
}

// respond carries out the user's answer about a call: y is yes, a is always, n is no.
func (q *asking) respond(id string, answer rune) error {
	once := sync.OnceFunc(q.a.printNoRule)
	_, err := q.a.updateCalls(q.s, func(d *schedule.Document) (schedule.Change, error) {
		if answer == 'n' {
			return schedule.DenyBatch(d, []string{id}, "", q.s.Now)
		}
		did, made, err := schedule.Approve(d, []string{id}, q.judge, answer == 'a', false, q.s.Now)
		if answer == 'a' && err == nil && len(made) == 0 {
			once()
		}
		return did, err
	})
	return err
}

// next returns the first call that awaits approval and was not left undecided; nil if there is none.
func (q *asking) next() (*schedule.Call, error) {
	doc, err := q.s.Calls().Load(q.s.Name)
	return doc.NextAwaiting(q.later), err
}

// edit changes the arguments of a call, which awaits approval again if the rules require it.
func (q *asking) edit(c *schedule.Call) error {
	text, err := q.line(fmt.Sprintf("Its arguments are %s\nNew ones, one JSON object: ", render.Text(string(c.Args))))
	if err != nil || text == "" {
		return err
	}
	args, err := q.a.readCallArgs(text)
	if err != nil {
		return q.askAgain(err)
	}
	judge := q.judge
	if judge.Check, err = argumentCheck(judge.Tools, tool.Call{Tool: c.Tool, Args: args}); err != nil {
		return q.askAgain(err)
	}
	_, err = q.a.updateCalls(q.s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.Modify(d, c.ID, args, judge, q.s.Now)
	})
	return q.askAgain(err)
}

// askAgain shows an error that the user can correct, and the question is asked again. Any other error ends the questions.
func (q *asking) askAgain(err error) error {
	if err == nil || codeOf(err) != cli.ExitUsage && !errors.Is(err, schedule.ErrState) && !errors.Is(err, schedule.ErrRequest) && !errors.Is(err, schedule.ErrFull) && !errors.Is(err, schedule.ErrNotFound) {
		return err
	}
	q.print("onward: " + render.Text(err.Error()) + "\n")
	return nil
}
