package cmd

import (
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/todo"
)

type todoEditCmd struct {
	ofSaved     `embed:""`
	workerFlags `embed:""`

	At       string   `arg:"" name:"pos" complete:"position" ask:"which item?" example:"1 'fix the parser'" help:"N, last, N.M, N.last or id:ID."`
	Text     []string `arg:"" empty:"" name:"text" optional:"" form:"[TEXT…]" help:"The new text."`
	Priority string   `placeholder:"P" complete:"=high|medium|low|none" help:"high, medium, low or none."`
	After    []string `placeholder:"POS" complete:"item" help:"An item that must be closed first, by position or id, or none; repeatable."`
	Gate     *string  `placeholder:"COMMAND" complete:"gate" help:"The command that must pass before the item is completed, or none; only a person can set one."`

	RequireProof *bool `negatable:"" help:"Whether a run on the item must prove it; only a person can require that."`
}

// Run changes one place.
func (c *todoEditCmd) Run(a *app, t find.List) error {
	at, err := todo.ParsePosition(c.At)
	if err != nil {
		return err
	}
	if err := c.checkWords(a.line.Literal); err != nil {
		return err
	}
	r, err := todo.ParseRevision(strings.Join(c.Text, " "), len(c.Text) > 0, c.Priority, c.After, c.Gate, c.RequireProof)
	if err != nil {
		return err
	}
	if c.Gate != nil && isPerson() { // an agent changes nothing here, or is refused
		if err := t.TrustTypedItemGate(*c.Gate); err != nil {
			return err
		}
	}
	return a.edit(t, func(items []todo.Item, now todo.Time) (todo.Edit, error) {
		return todo.Revise(items, at, r, now)
	})
}

// checkWords returns an error if the words of the text, none of them after --, are the name of a flag and a value of it.
func (c *todoEditCmd) checkWords(literal int) error {
	if len(c.Text) < 2 || literal > 0 {
		return nil
	}
	name, value := c.Text[0], strings.Join(c.Text[1:], " ")
	_, badPriority := todo.ParsePriority(value)
	_, badPosition := todo.ParsePosition(value)
	if name != "gate" && (name != "priority" || badPriority != nil && value != "none") && (name != "after" || badPosition != nil && value != "none") {
		return nil
	}
	at := "onward todo edit " + shellquote.Join(c.At)
	return cli.WithHint(cli.Usagef("todo edit: %s is a flag", name), "did you mean `"+at+" "+shellquote.Join("--"+name, value)+"`? `"+at+" "+shellquote.Join(name+" "+value)+"` is a text")
}

type todoMoveToCmd struct {
	ofSaved `embed:""`

	From string `arg:"" name:"from" complete:"position" ask:"which item, and to which position?" example:"3 1" help:"N, last, N.M, N.last or id:ID."`
	To   string `arg:"" name:"to" complete:"position" ask:"to which position?" example:"1" help:"The new position."`
}

// Run moves an item among items, or a subtask among subtasks.
func (c *todoMoveToCmd) Run(a *app, t find.List) error {
	from, err := todo.ParsePosition(c.From)
	if err != nil {
		return err
	}
	to, err := todo.ParsePosition(c.To)
	if err != nil {
		return err
	}
	return a.edit(t, func(items []todo.Item, now todo.Time) (todo.Edit, error) {
		return todo.Move(items, from, to, now)
	})
}
