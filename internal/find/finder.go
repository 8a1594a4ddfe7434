// Package find finds what a command works on: the store, the project of the folder, the list with its settings, and which gates
// the user trusts. It reads flags, the environment, the configuration file and git's own files. It never starts git, and it
// prints nothing: it returns what the user should know.
package find

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// Flags are the values of the flags that lead to a list. For one that is nil, the environment counts.
type Flags struct{ Session, Agent, Store, LockTimeout, Now *string }

// Finder finds the store and the list that a command is about.
type Finder struct {
	Flags

	Engine func(at store.Address, wait time.Duration) (store.Backend, error) // opens a store that is not in files
	Remote Storage                                                           // the store that it opened

	Patience time.Duration // the longest wait for the store, regardless of the settings; 0 is no limit
}

// FlagOrVariable returns a flag's value, or the environment's; an empty variable counts as absent.
func FlagOrVariable(flag *string, variable string) (string, bool) {
	if flag != nil {
		return *flag, true
	}
	v := os.Getenv(variable)
	return v, v != ""
}

// FlagOrVariableName names where setting found a value: the flag, or its variable.
func FlagOrVariableName(flag *string, variable string) string {
	if flag == nil {
		return variable
	}
	return "--" + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(variable, "ONWARD_"), "_", "-"))
}

// Clock returns the present time.
func (f Flags) Clock() (todo.Time, error) {
	text, ok := FlagOrVariable(f.Now, "ONWARD_NOW")
	if !ok {
		return todo.TimeOf(time.Now()), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if year := at.UTC().Year(); err != nil || year < 1970 || year > 9999 {
		const example = "2026-11-21T09:30:00Z"
		return 0, &todo.UnknownWordError{Text: fmt.Sprintf("%s: %q is not an RFC 3339 time such as %s", FlagOrVariableName(f.Now, "ONWARD_NOW"), text, example), Word: text, Known: []string{example}}
	}
	return todo.TimeOf(at), checkClock(todo.TimeOf(at))
}

// mostAhead is how far the clock of an agent's command may be ahead of the machine's: those of several machines differ.
const mostAhead = todo.Time(5 * 60 * 1000)

// checkClock refuses a clock that an agent sets ahead: the claims of others, and whatever else ends with time, would be over.
func checkClock(now todo.Time) error {
	is := todo.TimeOf(time.Now())
	if now <= is+mostAhead || AnyAgentVariable() == "" {
		return nil
	}
	return cli.WithHint(
		cli.Failf(cli.ExitPermission, "an agent may not set the clock ahead: it is %s, not %s (%s)", is, now, AgentSign()),
		"`onward` has the machine's clock without --now, and with ONWARD_NOW unset")
}

// DurationOf reads the duration of a flag or of its variable; both may be missing.
func DurationOf(flag string, text *string, otherwise time.Duration) (time.Duration, error) {
	if text == nil {
		return otherwise, nil
	}
	d, err := continuation.TypedDuration(*text)
	if bare := (*todo.UnknownWordError)(nil); errors.As(err, &bare) && strings.Trim(bare.Word, "0123456789.") == "" && 0 < otherwise && otherwise < time.Hour { // few mean hours
		unit := "s"
		if otherwise >= time.Minute {
			unit = "m"
		}
		bare.Known = []string{bare.Word + unit}
	}
	if err != nil {
		return 0, cli.Usagef("%s: %w", flag, err)
	}
	return d, nil
}

// Wait is how long this command waits for another writer, or for a store that does not answer.
func (f *Finder) Wait() (wait time.Duration, err error) {
	wait = 10 * time.Second
	if text, ok := FlagOrVariable(f.LockTimeout, "ONWARD_LOCK_TIMEOUT"); ok {
		if wait, err = DurationOf(FlagOrVariableName(f.LockTimeout, "ONWARD_LOCK_TIMEOUT"), &text, wait); err != nil {
			return 0, err
		}
	}
	if f.Patience > 0 {
		wait = min(wait, f.Patience)
	}
	return wait, nil
}

// Address returns the address of the store.
func (f *Finder) Address() (store.Address, error) {
	text, named := FlagOrVariable(f.Store, "ONWARD_STORE")
	if !named {
		if runtime.GOOS != "windows" && os.Getenv("HOME") == "" && !filepath.IsAbs(os.Getenv("XDG_STATE_HOME")) {
			return store.Address{}, cli.WithHint(cli.Failf(cli.ExitConfig, "find the store: HOME is not set"), "set HOME, or name the store with --store or ONWARD_STORE")
		}
		return store.Address{Text: DefaultStoreFolder()}, nil
	}
	return AddressOf(FlagOrVariableName(f.Store, "ONWARD_STORE"), text)
}

// AddressOf reads an address; its origin is for messages.
func AddressOf(from, text string) (store.Address, error) {
	at, err := store.ParseAddress(text)
	if err != nil {
		return at, cli.Usagef("%s: %v", from, err)
	}
	if at.Scheme == "" {
		if at.Text, err = filepath.Abs(at.Text); err != nil {
			return at, cli.Usagef("store %q: %v", text, err)
		}
	}
	return at, nil
}

// Storage opens the store that this command works on.
func (f *Finder) Storage() (Storage, error) {
	at, err := f.Address()
	if err != nil {
		return Storage{}, err
	}
	return f.Open(at)
}

// Open opens a store.
func (f *Finder) Open(at store.Address) (Storage, error) {
	wait, err := f.Wait()
	if err != nil {
		return Storage{}, err
	}
	if at.Scheme == "" {
		if info, err := os.Stat(at.Text); err == nil && !info.IsDir() {
			return Storage{}, cli.WithHint(cli.Failf(cli.ExitIO, "store %q is not a folder", at.Text), "choose another store with --store or ONWARD_STORE")
		}
		files := &durable.Store{Dir: at.Text, Wait: wait, Trusts: func() bool { return gateTrust().TrustsStore(at.Text) }}
		return Storage{files, files, at}, nil
	}
	if f.Remote.Address == at && f.Remote.Local.Wait == wait {
		return f.Remote, nil
	}
	backend, err := f.Engine(at, wait)
	if err != nil {
		return Storage{}, err
	}
	local := &durable.Store{Dir: LocalFolder(at), Wait: wait, Local: true}
	f.Remote = Storage{backend, local, at}
	return f.Remote, nil
}

// List is target for another folder; empty is the working folder.
func (f *Finder) List(dir string) (List, error) {
	t := List{dir: dir}
	var err error
	if t.Storage, err = f.Storage(); err != nil {
		return t, err
	}
	t.Store = t.Storage.Sessions()
	t.Store.Here = t.CurrentProject
	if t.Now, err = f.Clock(); err != nil {
		return t, err
	}
	if t.Name.Agent, _ = FlagOrVariable(f.Agent, "ONWARD_AGENT"); t.Name.Agent == session.Primary {
		t.Name.Agent = "" // the main list, whose name has no agent
	}
	t.ByFlag = f.Session != nil
	if t.Name.Session, t.Named = FlagOrVariable(f.Session, "ONWARD_SESSION"); t.Named {
		return t, f.checkName(t)
	}
	project, err := Project(dir)
	if err != nil {
		return t, err
	}
	return t, f.SetProjectList(&t, project)
}

// ListForHook is List for a hook. A server of the agent's runs the hooks of all conversations with the environment in which it was
// started, so ONWARD_SESSION counts only for the project of that start; if it was ignored, ignored says so. The function server
// returns the folder of that start, or nothing if no server runs the hook; it is nil if the agent has none.
func (f *Finder) ListForHook(dir string, server func() string) (t List, ignored, err error) {
	t, err = f.List(dir)
	if err != nil || !t.Named || f.Session != nil || server == nil || dir == "" {
		return t, nil, err
	}
	started := server()
	if started == "" {
		return t, nil, nil
	}
	meant, err := Project(dir)
	if err != nil {
		return t, nil, err
	}
	if began, err := Project(started); err != nil || began.Dir == meant.Dir {
		return t, nil, err
	}
	ignored = fmt.Errorf("ONWARD_SESSION is of the server's start in %s, not of %s: ignored", started, meant.Dir)
	err = f.SetProjectList(&t, meant)
	return t, ignored, err
}

// ListAround returns the list of a repository around that of the given list, if the conversation owns it and does not own the given one. An
// agent's program may run its hooks wherever a command has gone, such as in a repository within the one that the conversation works on.
func (f *Finder) ListAround(t List, conversation string) List {
	owns := func(t *List) bool {
		doc, err := t.Store.Load(session.Name{Session: t.Name.Session})
		return err == nil && doc != nil && doc.Owner != nil && doc.Owner.Session == conversation // an error is reported when the list is read
	}
	if t.Named || conversation == "" {
		return t
	}
	top, _, found := repositoryAround(filepath.Dir(t.Project.Dir))
	if !found || owns(&t) { // most are in no other one, so their list is not read twice
		return t
	}
	for found {
		outer, err := f.List(top)
		switch {
		case err != nil || outer.Named || top == filepath.Dir(top):
			return t
		case owns(&outer):
			return outer
		}
		top, _, found = repositoryAround(filepath.Dir(top))
	}
	return t
}

// SetProjectList makes the target the list of a project.
func (f *Finder) SetProjectList(t *List, project session.Project) (err error) {
	why := t.Storage.Identify(&project)
	t.Project, t.Named = project, false
	if t.Name.Session, err = t.Store.ChosenSession(project); err != nil {
		return UnnamedProjectError(err, why)
	}
	if err = f.checkName(*t); err == nil {
		err = t.followMovedProject()
	}
	return err
}

// checkName returns an error for a name that no document can have, and says where the name comes from.
func (f *Finder) checkName(t List) error {
	err := session.CheckName(t.Name)
	switch {
	case err == nil:
	case session.CheckName(session.Name{Session: t.Name.Session}) == nil:
		err = fmt.Errorf("%s: %w", FlagOrVariableName(f.Agent, "ONWARD_AGENT"), err)
	case t.Named:
		err = fmt.Errorf("%s: %w", FlagOrVariableName(f.Session, "ONWARD_SESSION"), err)
	}
	return err
}
