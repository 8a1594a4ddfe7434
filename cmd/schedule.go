package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/execute"
	"onward/internal/policy"
	"onward/internal/render"
	"onward/internal/schedule"
	"onward/internal/session"
	"onward/internal/tool"
)

// scheduled is what a command on tool calls works on.
type scheduled struct {
	target
	calls *schedule.Store
}

func (a *app) scheduled() (scheduled, error) {
	t, err := a.target()
	if err != nil {
		return scheduled{}, err
	}
	return scheduled{t, &schedule.Store{Dir: t.store.Dir, LockTimeout: t.store.LockTimeout}}, nil
}

// loadSchedule finds the schedule and reads it; the document is nil where there is none.
func (a *app) loadSchedule() (scheduled, *schedule.Document, error) {
	s, err := a.scheduled()
	if err != nil {
		return s, nil, err
	}
	doc, err := s.calls.Load(s.name)
	return s, doc, err
}

// updateCalls changes the schedule.
func (a *app) updateCalls(s scheduled, change func(*schedule.Document) (schedule.Change, error)) (schedule.Commit, error) {
	commit, err := s.calls.Update(s.name, a.op(), s.now, change)
	a.committed = a.committed || commit.Changed
	return commit, err
}

// configDir is where a person's own files are.
func configDir() string { return filepath.Join(xdg.ConfigHome, "onward") }

// toolFiles says where tools are declared, for the project of the working folder.
func toolFiles() (tool.Files, error) {
	dir, err := os.Getwd()
	if err != nil {
		return tool.Files{}, &inputError{fmt.Sprintf("find the working folder: %v", err)}
	}
	project, err := session.FindProject(dir)
	return tool.Files{Config: configDir(), Project: project.Dir}, err
}

// tools gives every tool that can be called, with a note where some are left out.
func (a *app) tools() (tool.Set, error) {
	files, err := toolFiles()
	if err != nil {
		return nil, err
	}
	tools, notes, err := files.Load()
	for _, n := range notes {
		a.note(n)
	}
	return tools, err
}

// rules gives the rules of the configuration.
func rules() ([]policy.Rule, error) {
	path := filepath.Join(configDir(), "policy.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var file *policy.File
	if err == nil {
		file, err = policy.Decode(data)
	}
	if err != nil {
		return nil, &configError{fmt.Sprintf("read rules %s: %v", path, err)}
	}
	return file.Rules, nil
}

// judge gives what decides about calls. The mode is the flag's, the environment's or the default.
func (a *app) judge(mode *string, nobody bool) (schedule.Judge, error) {
	text, _ := setting(mode, "ONWARD_APPROVAL_MODE")
	m, err := policy.ParseMode(text)
	if err != nil {
		return schedule.Judge{}, usagef("--approval-mode must be plan, default, auto_edit or yolo, not %q", text)
	}
	judge := schedule.Judge{Mode: m, Nobody: nobody}
	if judge.Tools, err = a.tools(); err != nil {
		return judge, err
	}
	judge.Rules, err = rules()
	return judge, err
}

// answerCalls prints calls and what was done to them.
func (a *app) answerCalls(s scheduled, doc *schedule.Document, calls []*schedule.Call, did *schedule.Change) error {
	if a.JSON {
		if err := execute.Outputs(s.calls.Dir, calls); err != nil {
			return err
		}
		a.write(render.CallsJSON(s.name, doc, calls, did, s.calls.Dir, s.now))
		return nil
	}
	if did != nil && did.What == "" {
		a.note("nothing changed")
		return nil
	}
	style, err := a.style()
	if err != nil {
		return err
	}
	a.print(render.Calls(calls, s.now, style))
	if did != nil {
		for _, id := range did.Complete {
			a.note("batch " + id + " is complete")
		}
	}
	return nil
}

// pick gives calls of a document by their ids; what is no longer there is left out.
func pick(doc *schedule.Document, ids []string) []*schedule.Call {
	var out []*schedule.Call
	for _, id := range ids {
		if c := doc.Find(id); c != nil {
			out = append(out, c)
		}
	}
	return out
}

func everyCall(doc *schedule.Document) []*schedule.Call {
	if doc == nil {
		return nil
	}
	out := make([]*schedule.Call, len(doc.Calls))
	for i := range doc.Calls {
		out[i] = &doc.Calls[i]
	}
	return out
}

// outcomeOf turns how calls stand into an exit code.
func outcomeOf(o schedule.Outcome) error {
	switch o {
	case schedule.SomeWait:
		return answer(exitAwaitingApproval)
	case schedule.SomeFailed:
		return answer(exitCallsFailed)
	}
	return nil
}

type scheduleSubmitCmd struct {
	Tool            string   `arg:"" help:"The tool; - reads calls from stdin, one JSON object a line."`
	Args            string   `placeholder:"JSON" help:"The arguments, one JSON object; - reads them from stdin."`
	ID              string   `name:"id" placeholder:"ID" help:"The call's own id; default: a new one."`
	After           []string `placeholder:"ID" help:"A call that must succeed first; may be given again."`
	Priority        int      `placeholder:"N" help:"Higher runs first; default 0."`
	WaitForPrevious bool     `help:"Wait for every call before it in its batch."`
	Batch           string   `placeholder:"ID" help:"The batch that it belongs to; default: one of its own."`
	ApprovalMode    *string  `placeholder:"MODE" help:"plan, default, auto_edit or yolo ($$ONWARD_APPROVAL_MODE)."`
}

// Run takes in calls. Exit 20 if one waits for an approval, 21 if one has failed already.
func (c *scheduleSubmitCmd) Run(a *app) error {
	requests, err := c.requests(a)
	if err != nil {
		return err
	}
	s, err := a.scheduled()
	if err != nil {
		return err
	}
	judge, err := a.judge(c.ApprovalMode, false)
	if err != nil {
		return err
	}
	commit, err := a.updateCalls(s, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.Submit(d, requests, judge, s.now)
	})
	if errors.Is(err, schedule.ErrRequest) && c.Tool != "-" {
		return &usageError{message: err.Error()}
	}
	if err != nil {
		return err
	}
	calls := pick(commit.Doc, commit.Change.Calls)
	if err := a.answerCalls(s, commit.Doc, calls, &commit.Change); err != nil {
		return err
	}
	return outcomeOf(schedule.Sum(calls))
}

// requests gives what is asked for, by flags or on standard input.
func (c *scheduleSubmitCmd) requests(a *app) ([]schedule.Request, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, &inputError{fmt.Sprintf("find the working folder: %v", err)}
	}
	if c.Tool != "-" {
		q := schedule.Request{ID: c.ID, Tool: c.Tool, Batch: c.Batch, After: c.After, Priority: c.Priority, Barrier: c.WaitForPrevious, Cwd: dir}
		q.Args, err = a.callArgs(c.Args)
		return []schedule.Request{q}, err
	}
	if c.ID != "" || c.Args != "" || c.After != nil || c.Priority != 0 || c.WaitForPrevious {
		return nil, usagef("submit -: each line says its id, args, after, priority and wait_for_previous itself")
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

// callArgs reads the arguments of a call. What is no JSON is no call; what is JSON and no object is one that ends in error.
func (a *app) callArgs(text string) (jsontext.Value, error) {
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
		return nil, usagef("--args is no JSON: %v", err)
	}
	if !v.IsValid() {
		return nil, usagef("--args is no JSON: it names a member twice, or is no UTF-8")
	}
	return v, nil
}

type scheduleListCmd struct {
	Status []string `placeholder:"S" help:"Only calls with one of these statuses."`
	Batch  string   `placeholder:"ID" help:"Only the calls of this batch."`
}

// Run lists the calls in the order of the requests.
func (c *scheduleListCmd) Run(a *app) error {
	want := map[schedule.Status]bool{}
	for _, word := range c.Status {
		known := false
		for _, s := range schedule.Statuses() {
			known = known || string(s) == word
		}
		if !known {
			return usagef("--status: %q is no status of a call", word)
		}
		want[schedule.Status(word)] = true
	}
	s, doc, err := a.loadSchedule()
	if err != nil {
		return err
	}
	var calls []*schedule.Call
	for _, call := range everyCall(doc) {
		if (len(want) == 0 || want[call.Status]) && (c.Batch == "" || c.Batch == call.Batch) {
			calls = append(calls, call)
		}
	}
	if len(calls) == 0 && !a.JSON {
		a.print("no calls\n")
		return nil
	}
	return a.answerCalls(s, doc, calls, nil)
}

type scheduleShowCmd struct {
	ID string `arg:"" help:"The call's id."`
}

// Run shows everything about one call.
func (c *scheduleShowCmd) Run(a *app) error {
	s, doc, err := a.loadSchedule()
	if err != nil {
		return err
	}
	if doc == nil || doc.Find(c.ID) == nil {
		return fmt.Errorf("%w: call %q", schedule.ErrNotFound, c.ID)
	}
	calls := []*schedule.Call{doc.Find(c.ID)}
	if a.JSON {
		return a.answerCalls(s, doc, calls, nil)
	}
	if err := execute.Outputs(s.calls.Dir, calls); err != nil {
		return err
	}
	a.print(render.Call(calls[0], s.calls.Dir, s.now))
	return nil
}

type scheduleStatusCmd struct{}

// Run tells how many calls stand where.
func (c *scheduleStatusCmd) Run(a *app) error {
	s, doc, err := a.loadSchedule()
	if err != nil {
		return err
	}
	if a.JSON {
		return a.answerCalls(s, doc, everyCall(doc), nil)
	}
	counts := doc.Counts()
	for _, status := range schedule.Statuses() {
		if counts[status] > 0 {
			a.print(fmt.Sprintf("%-18s %d\n", status, counts[status]))
		}
	}
	if len(counts) == 0 {
		a.print("no calls\n")
	}
	if doc != nil && len(doc.Messages) > 0 {
		a.print(fmt.Sprintf("%-18s %d\n", "messages", len(doc.Messages)))
	}
	return nil
}

type scheduleWaitCmd struct {
	Timeout *string `placeholder:"D" help:"The longest wait; default: none."`
}

// Run waits until every call has ended, or only an approval could move one.
func (c *scheduleWaitCmd) Run(a *app) error {
	limit := time.Duration(-1)
	if c.Timeout != nil {
		var err error
		if limit, err = continuation.ParseDuration(*c.Timeout); err != nil {
			return usagef("--timeout: %v", err)
		}
	}
	began := time.Now()
	for {
		s, doc, err := a.loadSchedule()
		if err != nil {
			return err
		}
		calls := everyCall(doc)
		switch {
		case doc == nil || doc.Open() == 0, doc.Stuck():
			if err := a.answerCalls(s, doc, calls, nil); err != nil {
				return err
			}
			return outcomeOf(schedule.Sum(calls))
		case limit >= 0 && time.Since(began) >= limit:
			if err := a.answerCalls(s, doc, calls, nil); err != nil {
				return err
			}
			if schedule.Sum(calls) == schedule.SomeWait {
				return answer(exitAwaitingApproval)
			}
			return fmt.Errorf("wait for the calls of session %q: %w: %d have not ended", s.name, durable.ErrBusy, doc.Open())
		}
		time.Sleep(poll)
	}
}
