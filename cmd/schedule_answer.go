package cmd

import (
	"cmp"
	"errors"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/store"
)

// changeCalls changes the schedule, and shows the changed calls.
func (a *app) changeCalls(s find.List, change func(*schedule.Document) (schedule.Change, error)) error {
	commit, err := a.updateOwnCalls(s, change)
	if err != nil {
		return err
	}
	return a.printCalls(s, commit.Doc, commit.Doc.ExistingCalls(commit.Change.Calls), &commit.Change)
}

type scheduleApproveCmd struct {
	IDs          []string `arg:"" optional:"" name:"id" complete:"waiting call" help:"The calls."`
	All          bool     `help:"Every call that awaits approval."`
	Batch        string   `placeholder:"ID" complete:"batch" help:"Every call of this batch that awaits approval."`
	Args         string   `placeholder:"JSON" help:"Run the call with these arguments instead, one JSON object; - reads them from stdin."`
	Always       bool     `help:"Allow such calls in this session: the tool, or for a shell command the program and its sub-command."`
	Save         bool     `help:"Allow such calls from now on, in every session."`
	ApprovalMode *string  `placeholder:"MODE" complete:"approval mode" help:"The least permissive mode in which such a rule applies ($$ONWARD_APPROVAL_MODE)."`
}

// Run lets calls run.
func (c *scheduleApproveCmd) Run(a *app, s find.List) error {
	if len(c.IDs) > 0 && (c.All || c.Batch != "") || c.All && c.Batch != "" || len(c.IDs) == 0 && !c.All && c.Batch == "" {
		return cli.WithHint(cli.Usagef("which call?"), "for example `onward schedule approve c1`, or --all, or --batch; `onward schedule list` shows the calls")
	}
	if c.Args != "" && len(c.IDs) != 1 {
		return cli.Usagef("approve --args takes one id: the arguments are of one call")
	}
	judge, err := a.newJudge(c.ApprovalMode, false)
	if err != nil {
		return err
	}
	var with *newArgs
	if c.Args != "" {
		if with, err = a.readNewArgs(s, c.IDs[0], c.Args, &judge); err != nil {
			return err
		}
	}
	var saved error
	// The store may call this function again.
	once := sync.OnceFunc(a.printNoRule)
	err = a.changeCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		ids := c.IDs
		if len(ids) == 0 {
			if ids = d.AwaitingIDs(c.Batch); len(ids) == 0 {
				return schedule.Change{}, nil
			}
		}
		did, made, err := c.approve(d, ids, with, judge, s)
		if err != nil {
			return did, err
		}
		if (c.Always || c.Save) && len(made) == 0 {
			once()
		}
		if c.Save && len(made) > 0 {
			err = find.RewriteRules(s, func(f *policy.File) error {
				f.Rules = policy.AppendMissing(f.Rules, made...)
				return nil
			})
			if errors.Is(err, store.ErrNotDurable) {
				// The rules are saved by now, so the calls are approved as well before anything is reported.
				saved, err = err, nil
			}
		}
		return did, err
	})
	return cmp.Or(err, saved)
}

// approve approves calls, or one with other arguments.
func (c *scheduleApproveCmd) approve(d *schedule.Document, ids []string, with *newArgs, judge schedule.Judge, s find.List) (schedule.Change, []policy.Rule, error) {
	if with == nil {
		return schedule.Approve(d, ids, judge, c.Always, c.Save, s.Now)
	}
	if err := d.CheckTool(with.id, with.tool); err != nil {
		return schedule.Change{}, nil, err
	}
	return schedule.ApproveWith(d, with.id, with.args, judge, c.Always, c.Save, s.Now)
}

// newArgs are the arguments that a call gets.
type newArgs struct {
	id, tool string // the id and the tool of the call when the arguments were validated
	args     jsontext.Value
}

// readNewArgs reads the new arguments of a call and validates them for its tool, before the lock is acquired.
func (a *app) readNewArgs(s find.List, id, text string, judge *schedule.Judge) (*newArgs, error) {
	args, err := a.readCallArgs(text)
	if err != nil {
		return nil, err
	}
	doc, err := s.Calls().Load(s.Name)
	if err != nil {
		return nil, err
	}
	n := &newArgs{id: id, args: args}
	var of tool.Call
	if call := doc.Find(id); call != nil {
		n.tool = call.Tool
		of = tool.Call{Tool: call.Tool, Args: args}
	}
	judge.Check, err = argumentCheck(judge.Tools, of)
	return n, err
}

// printNoRule says that an approval has made no rule.
func (a *app) printNoRule() {
	a.printNote("approved this once: no rule can be made that means these calls and no more")
}

type scheduleDenyCmd struct {
	IDs    []string `arg:"" name:"id" complete:"waiting call" ask:"which call?" example:"c1" help:"The calls."`
	Reason string   `placeholder:"R" help:"Why."`
}

// Run denies calls, and cancels the calls of their batches that have not started.
func (c *scheduleDenyCmd) Run(a *app, s find.List) error {
	return a.changeCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.DenyBatch(d, c.IDs, c.Reason, s.Now)
	})
}

type scheduleModifyCmd struct {
	ID           string  `arg:"" complete:"waiting call" ask:"which call?" example:"c1" help:"The call."`
	Args         string  `required:"" placeholder:"JSON" help:"Its new arguments, one JSON object; - reads them from stdin."`
	ApprovalMode *string `placeholder:"MODE" complete:"approval mode" help:"plan, default, auto_edit or yolo ($$ONWARD_APPROVAL_MODE)."`
}

// Run changes the arguments of a call that waits for an approval.
func (c *scheduleModifyCmd) Run(a *app, s find.List) error {
	judge, err := a.newJudge(c.ApprovalMode, false)
	if err != nil {
		return err
	}
	with, err := a.readNewArgs(s, c.ID, c.Args, &judge)
	if err != nil {
		return err
	}
	return a.changeCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		if err := d.CheckTool(with.id, with.tool); err != nil {
			return schedule.Change{}, err
		}
		return schedule.Modify(d, with.id, with.args, judge, s.Now)
	})
}

type scheduleCancelCmd struct {
	IDs    []string `arg:"" optional:"" name:"id" complete:"open call" help:"The calls."`
	All    bool     `help:"Every call that has not ended; running calls are stopped."`
	Reason string   `placeholder:"R" help:"Why."`
}

// Run cancels calls, and the calls of their batches that have not started. A call that runs is stopped by the
// process that runs it.
func (c *scheduleCancelCmd) Run(a *app, s find.List, doc *schedule.Document) error {
	if c.All == (len(c.IDs) > 0) {
		return cli.Usagef("cancel takes ids, or --all")
	}
	alive, release, err := s.AliveCalls(doc)
	if err != nil {
		return err
	}
	defer release()
	return a.changeCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		if c.All {
			return schedule.CancelAll(d, c.Reason, alive, s.Now)
		}
		return schedule.Cancel(d, c.IDs, c.Reason, alive, s.Now)
	})
}

type scheduleClearCmd struct{}

// Run removes the calls that have ended, with their outputs.
func (c *scheduleClearCmd) Run(a *app, s find.List) error {
	var files []string
	commit, err := a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		did, gone := schedule.Clear(d)
		files = gone
		return did, nil
	})
	if err != nil {
		return err
	}
	s.Storage.Outputs().Remove(files)
	if commit.Changed && !a.JSON {
		a.report(commit.Change.What + "\n")
	}
	return a.printCalls(s, commit.Doc, nil, &commit.Change)
}
