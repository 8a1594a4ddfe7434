package cmd

import (
	"fmt"

	"onward/internal/schedule"
	"onward/internal/session"
)

// start runs a command whose flags and arguments are filled in. The parameters of its Run declare what it needs:
// nothing else, the list that is meant, or the tool calls of its session; and whether it wants the document as it is,
// which is nil if there is none.
func (a *app) start(command any) error {
	switch c := command.(type) {
	case interface{ Run(*app) error }:
		return c.Run(a)
	case interface{ Run(*app, target) error }:
		return on(a, (*app).target, c.Run)
	case interface{ Run(*app, scheduled) error }:
		return on(a, (*app).scheduled, c.Run)
	case interface {
		Run(*app, target, *session.Document) error
	}:
		return onDocument(a, (*app).load, c.Run)
	case interface {
		Run(*app, scheduled, *schedule.Document) error
	}:
		return onDocument(a, (*app).loadSchedule, c.Run)
	}
	panic(fmt.Sprintf("nothing runs a %T", command))
}

func on[T any](a *app, find func(*app) (T, error), run func(*app, T) error) error {
	t, err := find(a)
	if err != nil {
		return err
	}
	return run(a, t)
}

func onDocument[T, D any](a *app, load func(*app) (T, *D, error), run func(*app, T, *D) error) error {
	t, doc, err := load(a)
	if err != nil {
		return err
	}
	return run(a, t, doc)
}
