package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/todo"
)

// globals are the flags that every command accepts.
// The environment counts only if the flag is absent; it is read in one place.
type globals struct {
	find.Finder
	Op, Color                  *string
	JSON, Quiet, Help, Version bool
}

// list describes the global flags.
func (g *globals) list() []cli.Flag {
	return []cli.Flag{
		{Name: "help", Short: 'h', On: &g.Help, Help: "Show the help of a command."},
		{Name: "session", Short: 's', Text: &g.Session, Placeholder: "ID", Complete: "session", Help: "The session; default: the project's ($ONWARD_SESSION)."},
		{Name: "agent", Text: &g.Agent, Placeholder: "ID", Complete: "agent", Help: "A sub-agent's own list within the session ($ONWARD_AGENT)."},
		{Name: "store", Text: &g.Store, Placeholder: "STORE", Complete: "file", Help: "Where everything is stored: a folder or a URL ($ONWARD_STORE)."},
		{Name: "op", Text: &g.Op, Placeholder: "ID", Help: "Idempotency key: a change is applied once per id within a day, so retries are safe ($ONWARD_OP)."},
		{Name: "json", On: &g.JSON, Help: "Machine output: one JSON document; errors as JSON too ($ONWARD_JSON=1)."},
		{Name: "lock-timeout", Text: &g.LockTimeout, Placeholder: "D", Help: "How long to wait for another writer; default 10s ($ONWARD_LOCK_TIMEOUT)."},
		{Name: "now", Text: &g.Now, Placeholder: "TIME", Help: "The clock, RFC 3339, for tests and replays ($ONWARD_NOW)."},
		{Name: "quiet", Short: 'q', On: &g.Quiet, Help: "Print only errors and the requested output."},
		{Name: "color", Text: &g.Color, Placeholder: "WHEN", Complete: "=auto|always|never", Help: "Colour: auto, always or never."},
		{Name: "version", On: &g.Version, Help: "Show the version."},
	}
}

// app is one run of the program.
type app struct {
	globals
	args   []string
	line   cli.Line    // the parsed arguments
	as     workerFlags // the worker that the command names
	in     io.Reader
	out    *bufio.Writer
	rawOut io.Writer
	err    io.Writer
	inner  bool // it runs within another command, which reads its text
	away   bool // the user typed it in another folder than the one it runs in
	typed  bool // that command is a hook, to which the user typed this one in the agent's window

	with      *Engine // the engine of this program; nil if it knows only files
	engineErr error   // why the program that knows the store could not be executed

	committed bool // a change was saved, so no later failure may report that nothing changed

	noted func(line string) string // in a run, returns a line for the user as that sees it; nil in every other command

	extend func(time.Duration) // in a hook, sets the time that its answer may still take
}

// op returns the id that makes a retry safe; empty if none was given.
func (a *app) op() string {
	op, _ := find.FlagOrVariable(a.Op, "ONWARD_OP")
	return op
}

// sameListFlags returns the flags by which the next command finds the list that this one worked on; none if it needs none.
func (a *app) sameListFlags() (flags string) {
	if a.Session != nil {
		flags = " --session " + *a.Session
	}
	if a.Agent != nil {
		flags += " --agent " + *a.Agent
	}
	return flags
}

// withSameListFlags makes the commands of a hint those for the list that this command worked on. A line in an agent's window needs none.
func (a *app) withSameListFlags(hint string) string {
	if a.inner || strings.HasSuffix(hint, " --help`") {
		return hint
	}
	ofList := regexp.MustCompile("`onward (?:resume|run|stop|pause|reply|report|watch|check-continue|get|set|unset|session show|proof show|todo (?:add|assert|block|done|edit|history|next|reopen|show|undo)|schedule list|message [a-z]+)([^`]*)")
	return ofList.ReplaceAllStringFunc(hint, func(command string) string {
		words := ofList.FindStringSubmatch(command)[1]
		if slices.ContainsFunc([]string{" --session ", " -s ", " --agent ", " --item "}, func(flag string) bool { return strings.Contains(words, flag) }) {
			return command
		}
		flags := a.sameListFlags()
		if strings.HasPrefix(command, "`onward run") { // which is on the session's own list
			flags, _, _ = strings.Cut(flags, " --agent ")
		}
		return strings.TrimSuffix(command, words) + flags + words
	})
}

// target finds the list that the command is about.
func (a *app) target() (find.List, error) {
	t, err := a.ListOfCaller()
	a.noteMovedHere(t)
	return t, err
}

// load finds the list and reads it; the document is nil if there is none.
func (a *app) load() (find.List, *session.Document, error) {
	t, err := a.target()
	if err != nil {
		return t, nil, err
	}
	doc, err := t.Store.Load(t.Name)
	return t, doc, err
}

// isAgent reports whether an agent runs the command, and not a line that the user typed in its window.
func (a *app) isAgent() bool { return find.AgentVariable() != "" && !a.typed }

// update changes the list of a target.
func (a *app) update(t find.List, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	asPerson, no := t.Store, (*todo.Forbidden)(nil)
	if !a.typed {
		of := *t.Store
		of.Agent = a.authority(t)
		t.Store = &of
	}
	commit, err := t.Update(a.op(), change)
	if errors.As(err, &no) && isPerson() { // which is found out only if it matters
		t.Store = asPerson
		commit, err = t.Update(a.op(), change)
	}
	a.committed = a.committed || commit.Changed
	return commit, a.explainForbidden(t, err)
}

// authority returns what an agent may do to a list that runs this command.
func (a *app) authority(t find.List) *todo.Authority {
	who := t.Authority()
	if w, err := a.as.worker(a, t); err == nil { // the command itself reports a wrong name
		who.Worker = w
	}
	return who
}

// explainForbidden adds to an error about a forbidden change of a list what shows that the command is an agent's, what may be done instead,
// and where a person types it whose shell an agent has opened.
func (a *app) explainForbidden(t find.List, err error) error {
	no := (*todo.Forbidden)(nil)
	if !errors.As(err, &no) {
		return err
	}
	next := no.Next
	if no.User != "" {
		next += "; the user can " + a.CommandOfUser(t.Name, no.User)
	}
	return cli.WithHint(fmt.Errorf("%w (%s)", err, find.AgentSign()), next)
}

// apply changes the list of a target by one event.
func (a *app) apply(t find.List, e continuation.Event) (session.Commit, error) {
	return a.update(t, func(doc *session.Document) (session.Change, error) {
		return continuation.Apply(doc, e, t.Now)
	})
}

// style describes what standard output can show.
func (a *app) style() render.Style { return a.styleOf(a.rawOut) }

// styleOf describes what a stream can show.
func (a *app) styleOf(stream any) render.Style {
	style := render.Style{ASCII: !utf8Locale()}
	if over, ok := stream.(*screen.Above); ok {
		stream = over.Underlying()
	}
	tty := isTerminal(stream)
	if f, ok := stream.(*os.File); ok && tty {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			style.Width = width
		}
	}
	switch a.color() {
	case "always":
		style.Color = true
	case "never":
	default:
		style.Color = tty && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if force := os.Getenv("FORCE_COLOR"); force != "" && force != "0" {
			style.Color = true
		}
	}
	return style
}

// color returns the value of --color: when output is coloured.
func (a *app) color() string {
	if a.Color == nil {
		return "auto"
	}
	return *a.Color
}

// utf8Locale reports whether the locale can show more than ASCII.
// If none is set, as in many containers and on Windows, it counts as one that can.
func utf8Locale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToLower(strings.ReplaceAll(v, "-", ""))
			return strings.Contains(v, "utf8")
		}
	}
	return true
}

// isTerminal reports whether a stream is the user's screen or keyboard.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
