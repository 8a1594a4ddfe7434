package cmd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	"onward/internal/ask"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/ingest"
	"onward/internal/process"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

type ingestCmd struct {
	Files       []string `arg:"" optional:"" name:"file" complete:"file" help:"Files with an agent's JSON lines; default: standard input."`
	Format      string   `placeholder:"F" complete:"stream" help:"The agent that wrote the lines; default: auto, which recognises it by its lines."`
	Save        bool     `help:"Save the lists, the turns and their ends in the session."`
	Emit        string   `placeholder:"WHAT" complete:"=events|none" help:"events or none; default: events, but none with --save on a terminal."`
	Passthrough bool     `help:"Copy the input to stdout instead of events."`
	Lenient     bool     `help:"Also read objects over several lines, several in one line, and lines prefixed by a logger."`
	Follow      bool     `help:"Keep reading as the file grows, as tail -F does, until interrupted."`
	Live        bool     `help:"Show the list on stderr while the input is read, if that is a terminal; the default with --save on a terminal."`
	liveFlags   `embed:""`
	Check       bool `help:"End with the answer and the exit code of check-continue."`
}

// Run reads the input to its end, line by line as it comes.
func (c *ingestCmd) Run(a *app, t find.List) error {
	format, err := agents.ParseFormat(c.Format)
	if err != nil {
		return cli.Usagef("--format: %w", err)
	}
	if err := oneOf("--emit", c.Emit, "events", "none"); err != nil {
		return err
	}
	if c.Passthrough && c.Emit == "events" {
		return cli.Usagef("--passthrough and --emit events cannot be used together: standard output is the input, or its events")
	}
	// The user at a terminal wants to see the list, and not events.
	if c.Save && c.Emit == "" && !c.Passthrough && !a.JSON && isTerminal(a.rawOut) && isTerminal(a.err) {
		c.Live, c.Emit = true, "none"
	}
	shown, err := c.live(a)
	if err != nil {
		return err
	}
	defer shown.End()
	out, began := cli.NewPrinter(a.rawOut), time.Now()
	f := &ingest.Flow{Note: a.printNote, Clock: a.Clock, Elapsed: func() time.Duration { return time.Since(began) }}
	if shown != nil {
		f.Show = shown.Show
	}
	if c.Emit != "none" && !c.Passthrough {
		f.Print = func(lines []byte) { out.Write(render.EscapeJSON(lines)) }
	}
	leave := make(chan struct{})
	in, closeAll, err := c.open(a, f.Idle, leave)
	if err != nil {
		return err
	}
	defer closeAll()
	// A closed standard output ends the printing, not the saving.
	signal.Ignore(syscall.SIGPIPE)
	if f.Saver, err = c.saver(t); err != nil {
		return a.explainForbidden(t, err)
	}
	if c.Passthrough {
		in = io.TeeReader(in, out)
	}
	options := stream.Options{Format: format, Lenient: c.Lenient, LineGrew: ingest.LimitMemory}
	ingest.LimitMemory(0)
	if f.Saver != nil {
		options.Saved = f.Saver.SavedList
	}
	f.Reader = agents.NewReader(in, options)
	defer endAtSignal(f.Reader, out, leave, c.Follow)()
	err = f.Run(c.Name, t.Now)
	lost := out.Finish()
	shown.End()
	left := errors.Is(err, stream.ErrInputContinues)
	if err != nil && !left {
		return err
	}
	if lost {
		a.printNote("the last events were not taken by who reads them")
	}
	if err := c.printSummary(a, t, f.Reader, out); err != nil || !left {
		return err
	}
	return cli.ExitCode(cli.ExitInterrupted)
}

// open returns the input as one stream. It calls idle before its reader has to wait, and ends when leave is closed.
// All files are opened first, so that a missing one is found before anything is saved.
func (c *ingestCmd) open(a *app, idle func() error, leave <-chan struct{}) (in io.Reader, closeAll func(), err error) {
	names := c.Files
	if len(names) == 0 {
		names = []string{"-"}
	}
	if slices.Contains(names, "-") {
		a.announceStdin()
	}
	if c.Follow {
		f, err := c.follow(a, idle, leave)
		return f, func() { _ = f.Close() }, err
	}
	var parts []io.Reader
	var opened []*os.File
	closeAll = func() {
		for _, f := range opened {
			f.Close()
		}
	}
	waits := false
	for _, name := range names {
		if name == "-" {
			parts = append(parts, a.in)
			waits = waits || !isFile(a.in)
			continue
		}
		f, err := os.Open(name)
		if err == nil {
			opened = append(opened, f)
			var info fs.FileInfo
			if info, err = f.Stat(); err == nil && info.IsDir() {
				err = cli.Failf(cli.ExitData, "read %q: it is a folder, not a file", name)
			}
		}
		if err != nil {
			closeAll()
			return nil, nil, fileError("read", name, err)
		}
		parts = append(parts, f)
		waits = waits || !isFile(f)
	}
	for i, part := range parts[:len(parts)-1] {
		parts[i] = &ingest.LineEnder{In: part}
	}
	in = io.MultiReader(parts...)
	if waits {
		return ingest.NewFeed(in, idle, leave), closeAll, nil
	}
	return &ingest.StoppableReader{In: in, Stop: leave}, closeAll, nil
}

// isFile reports whether the input is a file on disk, not a pipe or a terminal.
func isFile(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// saver returns the saver of the stream's events in the store, or nil.
func (c *ingestCmd) saver(t find.List) (*ask.Saver, error) {
	if !c.Save {
		return nil, nil
	}
	if err := t.CheckRun(); err != nil {
		return nil, err
	}
	doc, err := t.Store.Load(t.Name)
	if err != nil {
		return nil, err
	}
	set, err := t.Resolve(find.ReadConfig(), nil, doc)
	if err != nil {
		return nil, err
	}
	var reader *session.Process
	if !c.Follow { // the writer of a file continues after this command has ended
		reader = process.Self()
	}
	return &ask.Saver{
		Reader: reader,
		Store:  t.Store, Name: t.Name, Named: t.Named && isPerson(), Project: t.Project.Label(), // an agent's stream takes no list from its live owner
		StaleAfter: set.StaleAfter, Now: t.Now, Writer: t.Writer(true), ByAgent: func() bool { return !isPerson() },
	}, nil
}

// listed reports whether the session that events are saved in has had a list: if so, the todo tool was on before.
func (c *ingestCmd) listed(t find.List) bool {
	if !c.Save {
		return false
	}
	doc, err := t.Store.Load(t.Name)
	return err == nil && doc != nil && doc.HasList()
}

// printSummary prints the totals, and all that was left out.
func (c *ingestCmd) printSummary(a *app, t find.List, reader *stream.Reader, out *cli.Printer) error {
	sum := reader.Summary()
	if a.JSON {
		out.Write(render.EncodeJSON(sum.JSONDocument()))
		out.Finish()
	} else {
		for _, line := range sum.TextLines() {
			if hint, ok := strings.CutPrefix(line, "hint: "); ok {
				if !c.listed(t) {
					a.hint(hint)
				}
			} else {
				a.printNote(line)
			}
		}
	}
	if sum.Lines > 0 && !sum.Recognised() {
		problem := "no line of the input is from a known agent (" + strings.Join(agents.Formats()[1:], ", ") + ")"
		if why := reader.WhyUnrecognised(); why != "" {
			problem += "; " + why
		}
		return cli.Failf(cli.ExitData, "%s", problem)
	}
	if sum.Cut > 0 {
		return cli.Failf(cli.ExitData, "%s of an agent cut short without the rest: updates may be lost", todo.Plural(sum.Cut, "line"))
	}
	if c.Check {
		return a.start(&checkContinueCmd{DryRun: true})
	}
	return nil
}

// endAtSignal ends the input at a signal of the user or the system; the updates that were read by then are saved and printed.
// The first interrupt of a pipe goes to the agent as well, whose last lines are still read; a file that is followed is
// left at once. It returns a function that undoes it.
func endAtSignal(reader *stream.Reader, out *cli.Printer, leave chan<- struct{}, follows bool) (stop func()) {
	process.OwnSignals()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer func() { _ = recover() }()
		if s := <-signals; s == os.Interrupt && !follows {
			reader.Interrupt()
			<-signals
		}
		// A third signal ends the program immediately; the store is consistent at any time.
		signal.Stop(signals)
		out.Abandon()
		close(leave)
	}()
	return func() { signal.Stop(signals) }
}
