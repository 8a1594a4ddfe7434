package cmd

import (
	"onward/internal/ask"
	"onward/internal/calls/execute"
	"onward/internal/calls/schedule"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/store"
	"onward/internal/wait"
)

// followCall prints the output of a call while it is written, until the call ends.
func (a *app) followCall(t find.List, id string) error {
	waiting := wait.New(func() store.Watch { return t.WatchCalls().And(t.Storage.WatchFile(execute.OutputPath(t.Name, id))) })
	defer waiting.Close()
	output := execute.OutputFollower{Outputs: t.Storage.Outputs(), Name: t.Name}
	var calls []*schedule.Call
	if err := ask.PollUntil(waiting, -1, t.Storage.PollInterval(), func() (ended bool, err error) {
		_, doc, _, err := a.recoverCalls()
		if err == nil {
			calls, err = doc.CallsByID(id)
		}
		if err != nil {
			return false, err
		}
		if err = output.PrintNew(calls[0], func(text string) { a.print(a.screen(text)) }); err == nil {
			err = cli.OutputError(a.out.Flush(), a.committed)
		}
		return calls[0].Status.Final(), err
	}); err != nil {
		return err
	}
	return a.reportOutcome(calls, schedule.OutcomeOf(calls))
}
