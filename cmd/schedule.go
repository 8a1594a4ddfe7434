package cmd

import (
	"fmt"
	"strings"

	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/find"
	"onward/internal/output"
	"onward/internal/todo"
)

// loadCalls finds the tool calls of a list and reads them; the document is nil if there is none.
func (a *app) loadCalls() (find.List, *schedule.Document, error) {
	t, err := a.target()
	if err != nil {
		return t, nil, err
	}
	doc, err := t.Calls().Load(t.Name)
	return t, doc, err
}

// updateOwnCalls changes the schedule, unless another run than that of the agent which asks for it is at work on the list.
func (a *app) updateOwnCalls(s find.List, change func(*schedule.Document) (schedule.Change, error)) (schedule.Commit, error) {
	if err := a.explainForbidden(s, s.CheckRun()); err != nil {
		return schedule.Commit{}, err
	}
	return a.updateCalls(s, change)
}

// updateCalls changes the schedule.
func (a *app) updateCalls(s find.List, change func(*schedule.Document) (schedule.Change, error)) (schedule.Commit, error) {
	commit, err := s.UpdateCalls(a.op(), a.isPerson, change)
	a.committed = a.committed || commit.Changed
	return commit, a.explainForbidden(s, err)
}

// recoverCalls is loadCalls, after it has ended the calls whose process is gone, as the next run would. It also returns that
// change, if there was one.
func (a *app) recoverCalls() (t find.List, doc *schedule.Document, did *schedule.Change, err error) {
	if t, doc, err = a.loadCalls(); err != nil {
		return t, doc, nil, err
	}
	commit, err := t.RecoverCalls(doc)
	if commit.Changed {
		a.committed, did = true, &commit.Change
	}
	return t, commit.Doc, did, err
}

// noteComplete reports the batches that a change brought to their end.
func (a *app) noteComplete(did *schedule.Change) {
	if did == nil {
		return
	}
	for _, id := range did.Complete {
		a.printNote("batch " + id + " is complete")
	}
}

// toolFiles returns the files in which tools are declared, for the project of the working folder.
func toolFiles() (tool.Files, error) {
	project, err := find.Project("")
	if err != nil {
		return tool.Files{}, err
	}
	return tool.Files{
		Disk:   durable.ForeignFiles{},
		Config: find.ConfigDir(), Project: project.Dir, May: find.RequirePersonToTrust,
		Usable: func(tools tool.Set) error { return answerInquiry(tool.InquireParameters(tools)) },
		Commands: func(data []byte, path string) error {
			_, err := decodeCommands(data, path, "project")
			return err
		},
	}, nil
}

// tools returns every tool that can be called, with a note if some are left out.
func (a *app) tools() (tool.Set, error) {
	files, err := toolFiles()
	if err != nil {
		return nil, err
	}
	tools, notes, err := files.Load()
	for _, n := range notes {
		a.printNote(n)
	}
	return tools, err
}

// newJudge returns the judge of calls. Its mode is that of the flag, the environment or the default.
func (a *app) newJudge(mode *string, nobody bool) (schedule.Judge, error) {
	text, _ := find.FlagOrVariable(mode, "ONWARD_APPROVAL_MODE")
	m, err := policy.ParseMode(text)
	if err != nil { // yolo is known too, and is no example
		return schedule.Judge{}, &todo.UnknownWordError{Text: fmt.Sprintf("%s must be plan, default, auto_edit or yolo, not %q", find.FlagOrVariableName(mode, "ONWARD_APPROVAL_MODE"), text), Word: text, Known: []string{"default", "auto_edit", "plan"}}
	}
	if m.RunsUnasked() {
		if err := find.RequirePerson("choose the approval mode "+string(m), "`onward schedule policy list` shows what runs without a question"); err != nil {
			return schedule.Judge{}, err
		}
	}
	judge := schedule.Judge{Mode: m, Nobody: nobody}
	if judge.Tools, err = a.tools(); err != nil {
		return judge, err
	}
	judge.Rules, err = find.Rules()
	return judge, err
}

// printCalls prints calls and the change that was made to them.
func (a *app) printCalls(s find.List, doc *schedule.Document, calls []*schedule.Call, did *schedule.Change) error {
	if a.JSON {
		if err := s.Storage.Outputs().FillIn(calls); err != nil {
			return err
		}
		a.writeJSON(output.CallsJSON(s.Name, doc, calls, did, s.Storage.Local.Dir, s.Now))
		return nil
	}
	if did != nil && did.What == "" {
		a.printNote("nothing changed")
		return nil
	}
	a.print(output.CallsText(calls, s.Now, a.style()))
	a.noteComplete(did)
	return nil
}

// reportOutcome returns the exit code for calls, and reports which of them await approval or did not
// succeed, with the next command.
func (a *app) reportOutcome(calls []*schedule.Call, o schedule.Outcome) error {
	code, what, next := cli.ExitCode(cli.ExitCallsFailed), "did not succeed", "`onward schedule show %s%s` shows why"
	switch o {
	case schedule.AllWell:
		return nil
	case schedule.SomeAwaitApproval:
		code, what, next = cli.ExitCode(cli.ExitAwaitingApproval), "awaiting approval", "to approve: `onward schedule approve %s%s`"
	}
	if ids := schedule.IDsWithStatus(calls, o.Statuses()...); !a.JSON {
		a.printNote(todo.Plural(len(ids), "call") + " " + what)
		if o == schedule.SomeFailed {
			ids = ids[:1]
		}
		a.hint(fmt.Sprintf(next, strings.Join(ids[:min(len(ids), 5)], " "), a.sameListFlags()))
	}
	return code
}
