package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"onward/internal/execute"
	"onward/internal/policy"
	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/tool"
)

// changeCalls changes the schedule, and shows the calls that it is about.
func (a *app) changeCalls(change func(scheduled, *schedule.Document) (schedule.Change, error)) error {
	s, err := a.scheduled()
	if err != nil {
		return err
	}
	commit, err := a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		return change(s, d)
	})
	if err != nil {
		return err
	}
	return a.answerCalls(s, commit.Doc, pick(commit.Doc, commit.Change.Calls), &commit.Change)
}

type scheduleApproveCmd struct {
	IDs          []string `arg:"" name:"id" help:"The calls."`
	Always       bool     `help:"For this session, let calls like these pass: the tool, or of a shell command the program and its sub-command."`
	Save         bool     `help:"Let them pass from now on, in every session."`
	ApprovalMode *string  `placeholder:"MODE" help:"The mode from which on such a rule holds ($$ONWARD_APPROVAL_MODE)."`
}

// Run lets calls run.
func (c *scheduleApproveCmd) Run(a *app) error {
	judge, err := a.judge(c.ApprovalMode, false)
	if err != nil {
		return err
	}
	return a.changeCalls(func(s scheduled, d *schedule.Document) (schedule.Change, error) {
		did, made, err := schedule.Approve(d, c.IDs, judge, c.Always, c.Save, s.now)
		if err != nil {
			return did, err
		}
		if (c.Always || c.Save) && len(made) == 0 {
			a.note("approved this once: no rule can be made that means these calls and no more")
		}
		if c.Save && len(made) > 0 {
			err = addRules(s, made)
		}
		return did, err
	})
}

// addRules puts rules into the configuration, each once.
func addRules(s scheduled, more []policy.Rule) error {
	return rewriteRules(s, func(rules []policy.Rule) ([]policy.Rule, error) {
		for i := range more {
			if !slices.ContainsFunc(rules, func(r policy.Rule) bool { return r.Same(&more[i]) }) {
				rules = append(rules, more[i])
			}
		}
		return rules, nil
	})
}

// rewriteRules changes the file of rules under its lock.
func rewriteRules(s scheduled, change func([]policy.Rule) ([]policy.Rule, error)) error {
	return tool.Rewrite(configDir(), "policy", s.store.LockTimeout, func(old []byte) ([]byte, error) {
		var rules []policy.Rule
		if old != nil {
			var err error
			if rules, err = policy.Decode(old); err != nil {
				return nil, &configError{"read rules " + filepath.Join(configDir(), "policy.json") + ": " + err.Error()}
			}
		}
		rules, err := change(rules)
		return policy.Encode(rules), err
	})
}

type scheduleDenyCmd struct {
	IDs    []string `arg:"" name:"id" help:"The calls."`
	Reason string   `placeholder:"R" help:"Why."`
}

// Run denies calls, and cancels what of their batches has not started.
func (c *scheduleDenyCmd) Run(a *app) error {
	return a.changeCalls(func(s scheduled, d *schedule.Document) (schedule.Change, error) {
		return schedule.Refuse(d, c.IDs, c.Reason, s.now)
	})
}

type scheduleModifyCmd struct {
	ID           string  `arg:"" help:"The call."`
	Args         string  `required:"" placeholder:"JSON" help:"Its new arguments, one JSON object; - reads them from stdin."`
	ApprovalMode *string `placeholder:"MODE" help:"plan, default, auto_edit or yolo ($$ONWARD_APPROVAL_MODE)."`
}

// Run gives a call that waits for an approval other arguments.
func (c *scheduleModifyCmd) Run(a *app) error {
	args, err := a.callArgs(c.Args)
	if err != nil {
		return err
	}
	judge, err := a.judge(c.ApprovalMode, false)
	if err != nil {
		return err
	}
	return a.changeCalls(func(s scheduled, d *schedule.Document) (schedule.Change, error) {
		return schedule.Modify(d, c.ID, args, judge, s.now)
	})
}

type scheduleCancelCmd struct {
	IDs    []string `arg:"" optional:"" name:"id" help:"The calls."`
	All    bool     `help:"Everything that has not ended; what runs is stopped."`
	Reason string   `placeholder:"R" help:"Why."`
}

// Run cancels calls, and what of their batches has not started. A call that runs is stopped by the process that runs it.
func (c *scheduleCancelCmd) Run(a *app) error {
	if c.All == (len(c.IDs) > 0) {
		return usagef("cancel takes ids, or --all")
	}
	return a.changeCalls(func(s scheduled, d *schedule.Document) (schedule.Change, error) {
		if c.All {
			return schedule.CancelAll(d, c.Reason, execute.Alive, s.now)
		}
		return schedule.Cancel(d, c.IDs, c.Reason, execute.Alive, s.now)
	})
}

type scheduleClearCmd struct{}

// Run removes the calls that have ended, with their outputs.
func (c *scheduleClearCmd) Run(a *app) error {
	s, err := a.scheduled()
	if err != nil {
		return err
	}
	var files []string
	commit, err := a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		did, gone := schedule.Clear(d)
		files = gone
		return did, nil
	})
	if err != nil {
		return err
	}
	execute.Remove(s.calls.Dir, files)
	if a.JSON {
		a.write(render.CallsJSON(s.name, commit.Doc, nil, &commit.Change, s.calls.Dir, s.now))
		return nil
	}
	if !commit.Changed {
		a.note("nothing changed")
		return nil
	}
	a.print(commit.Change.What + "\n")
	return nil
}

type schedulePolicyListCmd struct{}

// Run lists the rules of the configuration, numbered, and those of the session.
func (c *schedulePolicyListCmd) Run(a *app) error {
	_, doc, err := a.loadSchedule()
	if err != nil {
		return err
	}
	config, err := rules()
	if err != nil {
		return err
	}
	var own []policy.Rule
	if doc != nil {
		own = doc.Rules
	}
	switch {
	case a.JSON:
		a.write(render.RulesJSON(config, own))
	case len(config)+len(own) == 0:
		a.print("no rules\n")
	default:
		a.print(render.Rules(config))
		if len(own) > 0 {
			a.print("of this session:\n" + render.Rules(own))
		}
	}
	return nil
}

type schedulePolicyAddCmd struct {
	Tool     string   `arg:"" help:"The tool's name; * stands for any characters."`
	Decision string   `required:"" placeholder:"D" help:"allow, deny or ask."`
	Command  string   `aliases:"command-prefix" placeholder:"WORDS" help:"Only shell commands that begin with these words."`
	Exact    bool     `help:"Only where these are all its words."`
	Args     string   `aliases:"args-pattern" placeholder:"RE" help:"Only where the arguments, as JSON with sorted names, match this regular expression."`
	Mode     []string `aliases:"modes" placeholder:"M" help:"Only in this approval mode; may be given again."`
	Priority int      `placeholder:"N" help:"The highest wins; default 0."`
	Session  bool     `name:"for-session" help:"Only for this session."`
}

// Run adds a rule.
func (c *schedulePolicyAddCmd) Run(a *app) error {
	rule := policy.Rule{
		Tool: c.Tool, Decision: policy.Decision(c.Decision), Command: strings.Join(strings.Fields(c.Command), " "),
		Exact: c.Exact, Args: c.Args, Priority: c.Priority,
	}
	for _, m := range c.Mode {
		rule.Modes = append(rule.Modes, policy.Mode(m))
	}
	if err := rule.Check(); err != nil {
		return &usageError{message: err.Error()}
	}
	s, err := a.scheduled()
	if err != nil {
		return err
	}
	if c.Session {
		_, err = a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
			d.Rules = append(d.Rules, rule)
			return schedule.Change{What: "added a rule"}, nil
		})
	} else {
		err = addRules(s, []policy.Rule{rule})
	}
	if err != nil {
		return err
	}
	return a.ruleAnswer("added", rule)
}

type schedulePolicyRemoveCmd struct {
	N       int  `arg:"" help:"The rule's number in the list."`
	Session bool `name:"for-session" help:"Of the rules of this session."`
}

// Run removes a rule.
func (c *schedulePolicyRemoveCmd) Run(a *app) error {
	s, err := a.scheduled()
	if err != nil {
		return err
	}
	var gone policy.Rule
	remove := func(rules []policy.Rule) ([]policy.Rule, error) {
		if c.N < 1 || c.N > len(rules) {
			return nil, fmt.Errorf("%w: rule %d: there are %d", schedule.ErrNotFound, c.N, len(rules))
		}
		gone = rules[c.N-1]
		return slices.Delete(rules, c.N-1, c.N), nil
	}
	if c.Session {
		_, err = a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
			var err error
			d.Rules, err = remove(d.Rules)
			return schedule.Change{What: "removed a rule"}, err
		})
	} else {
		err = rewriteRules(s, remove)
	}
	if err != nil {
		return err
	}
	return a.ruleAnswer("removed", gone)
}

func (a *app) ruleAnswer(what string, rule policy.Rule) error {
	if a.JSON {
		a.write(render.RulesJSON([]policy.Rule{rule}, nil))
		return nil
	}
	a.print(what + ": " + render.Text(rule.String()) + "\n")
	return nil
}
