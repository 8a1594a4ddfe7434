package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/render"
	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/todo"
)

// globals are the flags that every command accepts.
// The environment counts only if the flag is absent; it is read in one place.
type globals struct {
	Session, Agent, Store, Op, LockTimeout, Now, Color *string
	JSON, Quiet, Help, Version                         bool
}

// flags describes the global flags.
func (g *globals) flags() []cli.Flag {
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
	line   cli.Line // the parsed arguments
	in     io.Reader
	out    *bufio.Writer
	rawOut io.Writer
	err    io.Writer
	inner  bool // it runs within another command, which reads its text
	typed  bool // that command is a hook, to which the user typed this one in the agent's window

	engine *Engine // the engine of this program; nil if it knows only files
	remote storage // the store that the engine opened
	away   error   // why the program that knows the store could not be executed

	committed bool // a change was saved, so no later failure may report that nothing changed

	patience time.Duration // the longest wait for the store, whatever the user has set; 0 is no limit

	extend func(time.Duration) // in a hook, sets the time that its answer may still take
}

// setting returns a flag's value, or the environment's; an empty variable counts as absent.
func setting(flag *string, variable string) (string, bool) {
	if flag != nil {
		return *flag, true
	}
	v := os.Getenv(variable)
	return v, v != ""
}

// sourceOf names where setting found a value: the flag, or its variable.
func sourceOf(flag *string, variable string) string {
	if flag == nil {
		return variable
	}
	return "--" + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(variable, "ONWARD_"), "_", "-"))
}

// clock returns the present time.
func (a *app) clock() (todo.Time, error) {
	text, ok := setting(a.Now, "ONWARD_NOW")
	if !ok {
		return todo.TimeOf(time.Now()), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if year := at.UTC().Year(); err != nil || year < 1970 || year > 9999 {
		return 0, cli.Usagef("%s: %q is not an RFC 3339 time such as 2026-11-21T09:30:00Z", sourceOf(a.Now, "ONWARD_NOW"), text)
	}
	return todo.TimeOf(at), nil
}

// op returns the id that makes a retry safe; empty where none was given.
func (a *app) op() string {
	op, _ := setting(a.Op, "ONWARD_OP")
	return op
}

// sameList returns the flags by which the next command finds the list that this one worked on; none if it needs none.
func (a *app) sameList() (flags string) {
	if a.Session != nil {
		flags = " --session " + *a.Session
	}
	if a.Agent != nil {
		flags += " --agent " + *a.Agent
	}
	return flags
}

// target describes which list a command works on.
type target struct {
	files   storage
	store   *session.Store // the store's lists
	name    session.Name
	now     todo.Time
	project session.Project
	named   bool   // the user named the session by a flag or a variable
	came    string // the folder from which the project was moved, if this command found one
	dir     string // the folder that the command is about; empty is the working folder

	conversation session.Conversation // the agent's conversation that runs the command on its own behalf
}

// target finds the list: the one that the user named, the one that was chosen for the project or is derived from its
// folder, or the one of the conversation that runs the command.
func (a *app) target() (target, error) {
	t, err := a.targetFrom("")
	a.noteCame(t)
	if err == nil {
		t.conversation, err = theConversation()
	}
	if err == nil && t.conversation.ID != "" && !t.named {
		err = t.chooseList()
	}
	return t, err
}

// targetFrom is target for another folder; empty is the working folder.
func (a *app) targetFrom(dir string) (target, error) {
	t := target{dir: dir}
	var err error
	if t.files, err = a.storage(); err != nil {
		return t, err
	}
	t.store = t.files.sessions()
	if t.now, err = a.clock(); err != nil {
		return t, err
	}
	if t.name.Agent, _ = setting(a.Agent, "ONWARD_AGENT"); t.name.Agent == session.Primary {
		t.name.Agent = "" // the main list, whose name has no agent
	}
	if t.name.Session, t.named = setting(a.Session, "ONWARD_SESSION"); t.named {
		return t, a.checkName(t)
	}
	project, err := findProject(dir)
	if err != nil {
		return t, err
	}
	return t, a.ofProject(&t, project)
}

// ofProject makes the target the list of a project.
func (a *app) ofProject(t *target, project session.Project) (err error) {
	why := t.files.identify(&project)
	t.project, t.named = project, false
	if t.name.Session, err = t.store.Chosen(project); err != nil {
		return unnamed(err, why)
	}
	if err = a.checkName(*t); err == nil {
		err = t.follow()
	}
	return err
}

// checkName returns an error for a name that no document can have, and says where the name comes from.
func (a *app) checkName(t target) error {
	err := session.CheckName(t.name)
	switch {
	case err == nil:
	case session.CheckName(session.Name{Session: t.name.Session}) == nil:
		err = fmt.Errorf("%s: %w", sourceOf(a.Agent, "ONWARD_AGENT"), err)
	case t.named:
		err = fmt.Errorf("%s: %w", sourceOf(a.Session, "ONWARD_SESSION"), err)
	}
	return err
}

func workingFolder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", cli.Failf(cli.ExitIO, "find the working folder: %v", err)
	}
	return dir, nil
}

// findProject returns the project of a folder; empty is the working folder. It is the nearest one
// upwards that holds .git, which in a worktree is a file, else the folder itself. Git is never
// started.
func findProject(dir string) (p session.Project, err error) {
	// A folder that is reached by two paths is one project.
	if dir == "" {
		if dir, err = currentFolder(); err != nil {
			return p, cli.Failf(cli.ExitIO, "find the working folder: %v", err)
		}
	} else if dir, err = filepath.Abs(dir); err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return p, fmt.Errorf("find project: %w", durable.SystemError(err))
	}
	top, linked := dir, false
	for at := dir; ; at = filepath.Dir(at) {
		if git, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			top, linked = at, git.Mode().IsRegular()
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	p = session.NewProject(top, filepath.Base(top))
	if linked {
		p.Repository, p.Claimed = repositoryOf(top)
	}
	return p, nil
}

// load finds the list and reads it; the document is nil if there is none.
func (a *app) load() (target, *session.Document, error) {
	t, err := a.target()
	if err != nil {
		return t, nil, err
	}
	doc, err := t.store.Load(t.name)
	return t, doc, err
}

// parent returns the main list of the session of a sub-agent's list, whose settings hold for it too; else nil.
func (t target) parent() (*session.Document, error) {
	if t.name.Agent == "" {
		return nil, nil
	}
	return t.store.Load(session.Name{Session: t.name.Session})
}

// update changes the list of a target.
func (a *app) update(t target, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	sign := agentSign()
	if sign != "" && !a.typed {
		of := *t.store
		of.Agent = &todo.Authority{Alone: ownSign() != ""}
		t.store = &of
	}
	commit, err := t.update(a.op(), change)
	a.committed = a.committed || commit.Changed
	if no := (*todo.Forbidden)(nil); errors.As(err, &no) {
		err = cli.Hinted(fmt.Errorf("%w (%s is set)", err, sign), no.Instead())
	}
	return commit, err
}

// update changes the list. An operation id that was used before changes nothing.
func (t target) update(op string, change func(*session.Document) (session.Change, error)) (session.Commit, error) {
	return t.store.Update(t.name, op, t.now, func(doc *session.Document) (session.Change, error) {
		if doc.Rev == 0 {
			doc.Project = t.project.Label()
		}
		did, err := change(doc)
		if err == nil && did.What != "" {
			t.renew(doc)
		}
		if err != nil || did.What == "" || !t.conversation.Owns || !doc.HasList() {
			return did, err
		}
		set, err := t.resolve(readConfigFile(), nil, doc)
		if err == nil {
			doc.Claim(t.conversation, set.StaleAfter, t.now)
		}
		return did, err
	})
}

// apply changes the list of a target by one event.
func (a *app) apply(t target, e continuation.Event) (session.Commit, error) {
	return a.update(t, func(doc *session.Document) (session.Change, error) {
		return continuation.Apply(doc, e, t.now)
	})
}

// style describes what standard output can show.
func (a *app) style() render.Style { return a.styleOf(a.rawOut) }

// styleOf describes what a stream can show.
func (a *app) styleOf(stream any) render.Style {
	style := render.Style{ASCII: !utf8Locale()}
	if over, ok := stream.(*screen.Above); ok {
		stream = over.Under()
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
