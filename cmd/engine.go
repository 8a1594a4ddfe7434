package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"onward/internal/buildid"
	"onward/internal/cli"
	"onward/internal/companion"
	"onward/internal/find"
	"onward/internal/process"
	"onward/internal/store"
)

// Engine opens stores that are not in files. The program of an engine, such as onward-etcd, is the same program
// as onward with another store: its main calls MainOn. It is next to onward or on PATH, and
// onward becomes it if the store is a URL with the engine's scheme. So onward itself links no network.
type Engine struct {
	Scheme string // of its URLs; SCHEME+VARIANT:// is the engine's too

	// Open opens the store at a URL for a caller that waits that long at most. An invalid URL is an error of Usagef.
	Open func(url string, wait time.Duration) (store.Backend, error)
}

// Usagef makes an error about an invalid argument of the user, such as the URL of a store.
func Usagef(format string, args ...any) error { return cli.Usagef(format, args...) }

// startedBy passes the id of onward's build to the program of an engine that replaces it.
const startedBy = "ONWARD_STARTED_BY"

// execEngine becomes the program of the engine, if the store is a URL that this program does not know.
// It returns if there is no such program; opening the store then returns the reason.
// On Windows, where a process cannot become another program, it runs the program and returns its code.
func (a *app) execEngine() (code int, done bool) {
	starter := os.Getenv(startedBy)
	if starter != "" {
		_ = os.Unsetenv(startedBy) // programs that this command starts must not see it
		if own := builtFrom().id(); !buildid.Same(starter, own) {
			a.engineErr = cli.WithHint(fmt.Errorf("open the store: %w: onward is of version %q, %s of version %q", companion.ErrVersion, starter, os.Args[0], own),
				"install both of the same release; in their source, `make install` does it")
			return 0, false
		}
	}
	at := a.foreignAddress()
	if at.Scheme == "" {
		return 0, false
	}
	name := "onward-" + at.Engine()
	if starter != "" {
		a.engineErr = fmt.Errorf("open the store: %w: %s opens no store %s://", companion.ErrAbsent, os.Args[0], at.Scheme)
		return 0, false
	}
	path, err := findEngine(name)
	if err == nil {
		code, err = process.Exec(path, append([]string{path}, a.args...), append(os.Environ(), startedBy+"="+builtFrom().id()))
		if err == nil {
			return code, true
		}
		err = fmt.Errorf("%w: start %s: %w", companion.ErrFailed, path, err)
	}
	a.engineErr = engineError(at, err)
	return 0, false
}

// engineError says why no program opens a store. If the program of etcd is missing, which every release has, the
// installation is at fault; any other scheme without a program is a mistake of the user.
func engineError(at store.Address, err error) error {
	name := "onward-" + at.Engine()
	switch {
	case name == "onward-etcd":
		return cli.WithHint(fmt.Errorf("open the store %s://…: %w", at.Scheme, err),
			"install "+name+" of the same release next to onward, or name another store with --store or ONWARD_STORE")
	case errors.Is(err, companion.ErrAbsent):
		err = cli.Usagef("open the store %s://…: %v", at.Scheme, err)
	default:
		err = fmt.Errorf("open the store %s://…: %w", at.Scheme, err)
	}
	return cli.WithHint(err, "a store is a folder, file:///FOLDER or etcd://HOST,HOST/PREFIX; any other needs a program "+name+" on PATH")
}

// foreignAddress returns the address of the store, if another program must open it.
func (a *app) foreignAddress() store.Address {
	text, _ := find.FlagOrVariable(a.Store, "ONWARD_STORE")
	named := []string{text}
	if len(a.line.Path) == 2 && a.line.Path[0] == "store" && a.line.Path[1] == "copy" {
		named = a.line.Args // the flag is between other arguments
	} else if !strings.Contains(text, "://") || a.needsNoStore() {
		return store.Address{}
	}
	for _, text := range named {
		at, err := store.ParseAddress(text)
		if err == nil && at.Scheme != "" && (a.with == nil || a.with.Scheme != at.Engine()) {
			return at
		}
	}
	return store.Address{}
}

// needsNoStore reports whether the command needs no store, so that it works without the program of an engine.
func (a *app) needsNoStore() bool {
	if len(a.args) > 0 && a.args[0] == completionRequest {
		return false
	}
	if a.Help || a.Version || a.line.Err != nil || a.line.Command == nil {
		return true
	}
	switch a.line.Path[0] {
	case "hooks", "help", "completion":
		return true
	}
	return false
}

// findEngine finds the program of an engine next to this one, else on PATH. Companions that do not open stores are not
// engines.
func findEngine(name string) (string, error) {
	switch name {
	case "onward-mcp", "onward-schema":
		return "", fmt.Errorf("%s: %w as the program of a store", name, companion.ErrAbsent)
	}
	path, err := companion.Find(name)
	if !errors.Is(err, companion.ErrAbsent) {
		return path, err
	}
	if found, other := exec.LookPath(name); other == nil {
		return found, nil
	}
	return "", fmt.Errorf("%s: %w next to onward or on PATH", name, companion.ErrAbsent)
}

// openEngine opens a store by the engine of this program.
func (a *app) openEngine(at store.Address, wait time.Duration) (store.Backend, error) {
	switch {
	case a.engineErr != nil:
		return nil, a.engineErr
	case a.with == nil || a.with.Scheme != at.Engine():
		return nil, engineError(at, fmt.Errorf("onward-%s: %w in this run", at.Engine(), companion.ErrAbsent))
	}
	backend, err := a.with.Open(at.Text, wait)
	if err != nil {
		return nil, err
	}
	return backend.With(process.InterruptContext()), nil
}
