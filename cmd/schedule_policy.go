package cmd

import (
	"cmp"
	"strings"
	"time"

	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/store"
)

type schedulePolicyListCmd struct{}

// Run lists the rules of the configuration, numbered, and those of the session.
func (c *schedulePolicyListCmd) Run(a *app, _ find.List, doc *schedule.Document) error {
	config, err := find.Rules()
	if err != nil {
		return err
	}
	var own []policy.Rule
	if doc != nil {
		own = doc.Rules
	}
	text := output.RulesText(config, a.style())
	if len(own) > 0 {
		text += "of this session:\n" + output.RulesText(own, a.style())
	}
	a.show(output.RulesJSON(config, own), cmp.Or(text, "no rules\n"))
	return nil
}

type schedulePolicyAddCmd struct {
	Tool     string   `arg:"" complete:"tool" help:"The tool's name; * stands for any characters."`
	Decision string   `required:"" placeholder:"D" complete:"=allow|deny|ask" help:"allow, deny or ask."`
	Command  string   `aliases:"command-prefix" placeholder:"WORDS" help:"Only shell commands that begin with these words."`
	Exact    bool     `help:"Only if the command has no further words."`
	Args     string   `aliases:"args-pattern" placeholder:"RE" help:"Only if the arguments, as JSON with sorted names, match this regular expression."`
	Mode     []string `aliases:"modes" placeholder:"M" complete:"approval mode" help:"Only in this approval mode; repeatable."`
	Priority int      `placeholder:"N" help:"The highest wins; default 0."`
	Session  bool     `name:"for-session" help:"Only for this session."`
}

// Run adds a rule.
func (c *schedulePolicyAddCmd) Run(a *app, s find.List) error {
	rule := policy.Rule{
		Tool: c.Tool, Decision: policy.Decision(c.Decision), Command: strings.Join(strings.Fields(c.Command), " "),
		Exact: c.Exact, Args: c.Args, Priority: c.Priority,
	}
	for _, m := range c.Mode {
		rule.Modes = append(rule.Modes, policy.Mode(m))
	}
	if err := cmp.Or(rule.Check(), rule.CheckPlain()); err != nil {
		return cli.Usagef("%w", err)
	}
	return a.changeRules(s, "added", c.Session, func(rules []policy.Rule) ([]policy.Rule, policy.Rule, error) {
		return append(rules, rule), rule, nil
	})
}

type schedulePolicyRemoveCmd struct {
	N       int  `arg:"" complete:"rule" ask:"which rule?" example:"1" help:"The rule's number in the list."`
	Session bool `name:"for-session" help:"Remove a rule of this session."`
}

// Run removes a rule.
func (c *schedulePolicyRemoveCmd) Run(a *app, s find.List) error {
	return a.changeRules(s, "removed", c.Session, func(rules []policy.Rule) ([]policy.Rule, policy.Rule, error) {
		return policy.Remove(rules, c.N)
	})
}

// changeRules adds or removes a rule of the session or of the configuration, and reports which.
func (a *app) changeRules(s find.List, what string, ofSession bool, change func([]policy.Rule) ([]policy.Rule, policy.Rule, error)) error {
	err := store.CheckOp(a.op())
	if err != nil {
		return err
	}
	var rule policy.Rule
	if ofSession {
		rule, err = a.changeSessionRules(s, what, change)
	} else {
		rule, err = find.RuleStore(s.Storage.Local).UpdateOnce(a.op(), time.Now(), change)
		err = find.UnreadRulesError(err)
		a.committed = err == nil
	}
	if err != nil {
		return err
	}
	a.tell(output.RulesJSON([]policy.Rule{rule}, nil), what+": "+render.Text(rule.String())+"\n")
	return nil
}

// changeSessionRules keeps the rule as the text of the change, so that a retry prints the same as the first call.
func (a *app) changeSessionRules(s find.List, what string, change func([]policy.Rule) ([]policy.Rule, policy.Rule, error)) (policy.Rule, error) {
	commit, err := a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		var rule policy.Rule
		var err error
		d.Rules, rule, err = change(d.Rules)
		one := policy.File{Rules: []policy.Rule{rule}}
		return schedule.Change{What: what + " a rule", Text: string(one.Encode())}, err
	})
	if err != nil {
		return policy.Rule{}, err
	}
	one, err := policy.Decode([]byte(commit.Change.Text))
	if err != nil || len(one.Rules) != 1 {
		return policy.Rule{}, cli.Usagef("--op: operation %q was another one: %s", a.op(), commit.Change.What)
	}
	return one.Rules[0], nil
}
