package cmd

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/object"
	"onward/internal/todo"
)

type scheduleSubmitCmd struct {
	cli.Given

	Tool            string   `arg:"" complete:"tool" ask:"which tool?" example:"shell --args '{\"command\":\"make test\"}'" help:"The tool; - reads calls from stdin, one JSON object per line."`
	Args            string   `placeholder:"JSON" help:"The arguments, one JSON object; - reads them from stdin."`
	ID              string   `name:"id" placeholder:"ID" help:"The call's own id; default: a new one."`
	After           []string `placeholder:"ID" complete:"call" help:"A call that must succeed first; repeatable."`
	Priority        int      `placeholder:"N" help:"Higher runs first; default 0."`
	WaitForPrevious bool     `help:"Wait for every call before it in its batch."`
	Batch           string   `placeholder:"ID" complete:"batch" help:"The batch of the call; default: a new one."`
	ApprovalMode    *string  `placeholder:"MODE" complete:"approval mode" help:"plan, default, auto_edit or yolo ($$ONWARD_APPROVAL_MODE)."`
}

// Run submits calls. Exit 20 if one awaits approval, 21 if one has failed already.
func (c *scheduleSubmitCmd) Run(a *app, s find.List) error {
	requests, err := c.requests(a)
	if err != nil {
		return err
	}
	judge, err := a.newJudge(c.ApprovalMode, false)
	if err != nil {
		return err
	}
	calls := make([]tool.Call, len(requests))
	for i, q := range requests {
		calls[i] = tool.Call{Tool: q.Tool, Args: q.Args}
	}
	if judge.Check, err = argumentCheck(judge.Tools, calls...); err != nil {
		return err
	}
	commit, err := a.updateOwnCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.Submit(d, requests, judge, s.Now)
	})
	if errors.Is(err, schedule.ErrRequest) && c.Tool != "-" {
		return cli.Usagef("%v", err)
	}
	if err != nil {
		return err
	}
	taken := commit.Doc.ExistingCalls(commit.Change.Calls)
	if err := a.printCalls(s, commit.Doc, taken, &commit.Change); err != nil {
		return err
	}
	return a.reportOutcome(taken, schedule.OutcomeOf(taken))
}

// requests returns the requests, from flags or from standard input.
func (c *scheduleSubmitCmd) requests(a *app) ([]schedule.Request, error) {
	dir, err := find.WorkingFolder()
	if err != nil {
		return nil, err
	}
	if c.Tool != "-" {
		q := schedule.Request{ID: c.ID, Tool: c.Tool, Batch: c.Batch, After: c.After, Priority: c.Priority, Barrier: c.WaitForPrevious, Cwd: dir}
		q.Args, err = a.readCallArgs(c.Args)
		return []schedule.Request{q}, err
	}
	if c.Has("id", "args", "after", "priority", "wait-for-previous") {
		return nil, cli.Usagef("submit -: each line says its id, args, after, priority and wait_for_previous itself")
	}
	data, err := a.readStdin()
	if err != nil {
		return nil, err
	}
	requests, err := schedule.ReadRequests(data)
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	for i := range requests {
		requests[i].Cwd = dir
		if requests[i].Batch == "" {
			requests[i].Batch = c.Batch
		}
	}
	return requests, nil
}

// readCallArgs reads the arguments of a call. Invalid JSON is an error of the command. JSON that is not an object makes a call
// that ends in error.
func (a *app) readCallArgs(text string) (jsontext.Value, error) {
	switch text {
	case "":
		return jsontext.Value("{}"), nil
	case "-":
		data, err := a.readStdin()
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	v := jsontext.Value(text)
	if err := v.Compact(); err != nil {
		return nil, &todo.UnknownWordError{Text: fmt.Sprintf("--args is not JSON: %v", object.DescribeError(v, err)), Word: text, Known: []string{`{"command":"ls"}`}}
	}
	if !v.IsValid() {
		return nil, cli.Usagef("--args is not JSON: a member is duplicated, or it is not UTF-8")
	}
	return v, nil
}
