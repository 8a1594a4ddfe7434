package cmd

import (
	"errors"
	"fmt"

	"onward/internal/calls/schedule"
	"onward/internal/find"
	"onward/internal/session"
)

// start runs a command whose flags and arguments are filled in. The parameters of its Run say what it needs apart from
// the app: nothing, the target, or the target with the present document of its list or of its tool calls, which is nil
// if there is none.
func (a *app) start(command any) error {
	if c, ok := command.(interface{ worksAs() workerFlags }); ok {
		a.as = c.worksAs()
	}
	switch c := command.(type) {
	case interface{ Run(*app) error }:
		return c.Run(a)
	case interface{ Run(*app, find.List) error }:
		t, err := a.target()
		if errors.Is(err, session.ErrUnnamed) && isOfAll(command) {
			err = nil
		}
		if err == nil && isOfSaved(command) && a.mustExist() {
			var doc *session.Document
			if doc, err = t.Store.Load(t.Name); err == nil {
				err = a.checkEverExisted(t, doc)
			}
		}
		if err != nil {
			return err
		}
		return c.Run(a, t)
	case interface {
		Run(*app, find.List, *session.Document) error
	}:
		return onDocument(a, command, (*app).load, func(a *app, t find.List, doc *session.Document) error {
			a.noteLeftBehind(t.PossiblyLeftProjects(doc))
			if isOfSaved(command) {
				if err := a.checkEverExisted(t, doc); err != nil {
					return err
				}
			}
			return c.Run(a, t, doc)
		})
	case interface {
		Run(*app, find.List, *schedule.Document) error
	}:
		return onDocument(a, command, (*app).loadCalls, c.Run)
	}
	panic(fmt.Sprintf("nothing runs a %T", command))
}

func onDocument[D any](a *app, command any, load func(*app) (find.List, *D, error), run func(*app, find.List, *D) error) error {
	t, doc, err := load(a)
	if err != nil && (!errors.Is(err, session.ErrUnnamed) || !isOfAll(command)) {
		return err
	}
	return run(a, t, doc)
}
