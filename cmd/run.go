package cmd

import (
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"time"

	"onward/internal/agents"
	"onward/internal/ask"
	"onward/internal/board"
	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/ingest"
	"onward/internal/install"
	"onward/internal/night"
	"onward/internal/night/system"
	"onward/internal/process"
	"onward/internal/render"
	"onward/internal/wait"
)

type runCmd struct {
	Agent string `arg:"" optional:"" complete:"program" commas:"" help:"The agent: ${agents}; generic is the program after --. Several, separated by commas, take over from each other at usage limits. Without one, onward asks on a terminal whether to resume the last run."`
	Task  string `arg:"" optional:"" quote:"" help:"The task, or - to read it from standard input; default: continue the list that is there."`

	File         string  `placeholder:"FILE" complete:"file" help:"Read the task from a file."`
	Item         *string `placeholder:"SESSION:ID" complete:"claimed" help:"Work on an item that this worker has claimed. Its text is the task, and the run updates its status at the end."`
	As           string  `placeholder:"NAME" needs:"item" help:"The worker's name; default ONWARD_WORKER."`
	MaxWait      *string `placeholder:"D" help:"The longest wait in a row; if one would take longer, the run exits with code 13."`
	MaxOutage    *string `placeholder:"D" help:"How long servers, the network and the store may fail; default 6h."`
	Silence      *string `placeholder:"D" help:"Fail a turn that prints nothing for this long; 0: never; default 1h."`
	MaxTurn      *string `placeholder:"N|D" help:"Interrupt a turn after N tool calls, or after the time D, and continue."`
	Fresh        bool    `help:"Start a new conversation for each turn."`
	NoFirstGate  bool    `help:"Skip the gate before the first turn; then it is unknown whether it passed before."`
	RequireProof bool    `help:"Accept only what is proven: if the gate passes already, the first turn writes a check that fails."`
	ProtectFiles *string `placeholder:"PATHSPECS" complete:"file" help:"Files that the agent must not change, as git pathspecs from the top of the checkout, separated by commas; otherwise the run exits with code 11."`
	Take         bool    `help:"Take the list from the conversation that is working on it."`
	New          bool    `help:"Start a new run, and give up one that was cut off."`
	Report       string  `placeholder:"FILE" complete:"file" help:"Write the report to a file, however the run ends; replaces the file."`
	Proof        string  `placeholder:"FILE" complete:"file" help:"Write the receipt to a file as JSON, however the run ends; replaces the file."`
	Notify       *string `placeholder:"CMD" help:"Run a shell command at the end, and when a wait of ten minutes or more begins."`
	DryRun       bool    `help:"Print the command, the first prompt, the gate, the budgets and the agent's flags; start nothing."`
	Verbose      bool    `short:"v" help:"Print a line for everything that the agent says, and for each tool call."`
	Log          string  `placeholder:"FILE" complete:"file" help:"Write the agent's output, as it arrives, and the lines of the run to a file."`

	With       []string `sep:"none" placeholder:"AGENT=FLAGS" complete:"program with flags" help:"Flags for one of several agents, quoted as in a shell; repeatable. The first agent's may follow --."`
	RelayAfter *string  `placeholder:"D" help:"How long a usage limit must last for the next of several agents to take over; default 5m."`

	settingFlags `embed:"" group:"Settings, for this run:"`

	words []string // the words after --
}

// givenSettings returns the given settings by their keys.
func (c *runCmd) givenSettings() map[string]string {
	out := c.settingFlags.givenSettings()
	if c.NoFirstGate {
		out["first-gate"] = "false"
	}
	if c.MaxTurn != nil {
		out["max-turn"] = *c.MaxTurn
	}
	if c.ProtectFiles != nil {
		out["protect-files"] = *c.ProtectFiles
	}
	return out
}

// ownFiles are the files that the run itself writes; each may be empty.
func (c *runCmd) ownFiles() []string { return []string{c.Log, c.Report, c.Proof} }

// after receives the words that follow --.
func (c *runCmd) after(words []string) { c.words = words }

// UnknownFlagHint returns the next step after a flag that is not onward's.
func (c *runCmd) UnknownFlagHint() string {
	first := agents.Programs()[0]
	return "flags of the agent follow --, as in `onward run " + first.Name + " 'the task' -- " + first.Rights + "`"
}

// Words are the names of the programs, for the help.
func (*runCmd) Words() map[string]string {
	names := programNames()
	return map[string]string{"agents": alternatives(names[:len(names)-1])}
}

// Example returns an agent and a task, for a message.
func (*runCmd) Example([]string) string { return programNames()[0] + " 'make the tests pass'" }

// runner is `onward run` for its user: it hands the store, the clock, the programs and the screen to a night.
type runner struct {
	*runCmd
	a       *app
	t       find.List
	night   *night.Runner
	store   system.Store
	signals chan os.Signal
	log     *system.Log
	reports string // the format of the report, as the ending of its file says
	news    *board.Notifier
	shown   *board.RunView
	out     *cli.Printer
	unread  func() // gives up events that nobody reads

	onTerminal bool // its user sees each line as it comes
}

// A run on an item has a session that is named after the item's list.
func (c *runCmd) all() bool { return c.Item != nil }

// Run keeps the agent going until the work is done and proven.
func (c *runCmd) Run(a *app, t find.List) error {
	if !c.DryRun {
		if err := mayStart(); err != nil {
			return err
		}
	}
	if c.Agent == "" {
		return c.runLast(a, t)
	}
	r := &runner{runCmd: c, a: a, t: t, night: &night.Runner{}, log: &system.Log{In: io.Discard}, onTerminal: isTerminal(a.err)}
	err := r.prepare()
	if err != nil {
		return err
	}
	if c.Log != "" && !c.DryRun {
		f, err := durable.Append(c.Log)
		if err != nil {
			return fileError("write", c.Log, err)
		}
		defer f.Close()
		r.log.In = f
	}
	n := r.night
	n.Name, n.Take, n.New = r.t.Name, c.Take, c.New
	n.Self, n.Mark = process.Self(), process.NewMark()
	if n.Folder, err = find.WorkingFolder(); err != nil {
		return err
	}
	n.Command = r.continueWords()
	clock := &system.Clock{Finder: &a.Finder, List: &r.t, Began: time.Now()}
	r.store = r.listStore()
	n.Store, n.Clock, n.Tell, n.Hints, n.Errors = r.store, clock, runTeller{r}, runHints{r}, userErrors{}
	n.Programs = system.Programs{
		Finder: &a.Finder, List: &r.t, Night: n, Keep: keepRequest, Log: r.log,
		LogError: func(err error) error { return fileError("write", c.Log, err) },
	}
	n.Style = a.style()
	n.Style.Width = 80 // a task is cut in a log too
	n.NoteLineLength = ingest.LimitMemory
	n.LastCommit, n.ReadUsage = system.LastCommit, system.UsageOf
	n.Checkout = gate.NewCheckoutReader(r.t, c.ownFiles()...)
	n.Version = builtFrom().id()
	n.ChangedSince = func(since time.Time) bool {
		return system.FilesChanged(".", []string{c.Log, t.Storage.Address.Text}, since)
	}
	if a.JSON {
		n.Print = func(lines []byte) { r.out.Write(render.EscapeJSON(lines)) }
	}
	if c.DryRun {
		return r.showPlan()
	}
	a.noted = r.logNote
	if err := n.Acquire(); err != nil {
		return err
	}
	r.signals = process.Interrupts()
	clock.Signals = r.signals
	defer signal.Stop(r.signals)
	r.out = cli.NewPrinter(a.rawOut)
	r.unread = sync.OnceFunc(r.out.Abandon)
	defer r.waitUntilPrinted()
	ingest.LimitMemory(0)
	return n.Run()
}

// mayStart returns an error if an agent starts one.
func mayStart() error {
	return find.RequirePerson("start an agent", "`onward todo add 'the task'` adds it to the list of the agent at work")
}

// listStore returns the list of the run in its store.
func (r *runner) listStore() system.Store {
	return system.Store{
		List: &r.t, Began: find.ReadConfig(), Flags: func() map[string]string { return r.givenSettings() }, Signals: func() chan os.Signal { return r.signals },
		Notes: func(w *wait.Waiting) ask.Notes { return askNotes{r.a, w} },
		Gate: func() ask.Gate {
			g := r.a.gate(r.t)
			g.Own = r.ownFiles()
			return g
		},
		Changed: func() { r.a.committed = true },
	}
}

// userErrors are the errors as failure.go maps them.
type userErrors struct{}

func (userErrors) Code(err error) int    { return codeOf(err) }
func (userErrors) Hint(err error) string { return hintOf(failures(), err) }

// teachesTodos reports whether installed hooks or the MCP server tell an agent's model how to keep the list.
func (r *runner) teachesTodos(agent string) bool {
	installed, err := (&hooksStatusCmd{Agent: agent}).reports(r.a)
	return err == nil && slices.ContainsFunc(installed, func(i install.Report) bool { return i.TeachesTodos() })
}
