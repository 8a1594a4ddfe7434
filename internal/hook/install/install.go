package install

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Scope says whose settings are meant.
type Scope string

// The scopes: one project's settings, or all of a user's.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// Options say where and what.
type Options struct {
	Agent   string
	Scope   Scope  // empty is the agent's default
	Program string // the absolute path of onward, as the hook is to name it
	Project string // the project's folder
	Home    string // the user's folder
	Dir     string // where the user is, in the project
	Config  string // the folder of the user's settings, XDG_CONFIG_HOME
	Store   string // the store, which a sandboxed agent must be able to write
	Env     func(string) string
	Windows bool
	Context bool   // a new session is told what is open
	Allow   bool   // permissions and switches are written beside the hooks
	OnPath  bool   // a model's shell finds onward by its name
	Hook    string // of git: pre-push, pre-commit or commit-msg; empty is pre-push
	DryRun  bool
}

// Actions of a FileReport.
const (
	Created   = "created"
	Changed   = "changed"
	Removed   = "removed"
	Restored  = "restored" // it has the very bytes of before
	Unchanged = "unchanged"
)

// FileReport says what happened to one file, or would.
type FileReport struct {
	Path   string `json:"path"`
	Action string `json:"action"`
	Backup string `json:"backup,omitzero"`
	Diff   string `json:"diff,omitzero"`
}

// Report is what an install, uninstall or status found and did.
type Report struct {
	Agent     string       `json:"agent"`
	Title     string       `json:"-"`
	Scope     Scope        `json:"scope"`
	Installed bool         `json:"installed"`
	Changed   bool         `json:"changed"`
	Partly    bool         `json:"partly"`         // some events have no hook
	Stale     bool         `json:"stale"`          // one of the programs is not there, or is not the present one
	Programs  []string     `json:"programs"`       // that the hooks name
	Trust     string       `json:"trust,omitzero"` // what the agent's own trust step says; empty where there is none
	Files     []FileReport `json:"files"`
	Needs     []string     `json:"needs,omitempty"` // what the user still has to do
	Notes     []string     `json:"notes,omitempty"`
}

// file is one file of an agent that onward writes.
type file struct {
	path   string
	within string      // a folder that it must not lead out of; empty is none
	mode   fs.FileMode // of a new one
	extra  bool        // the hooks work without it, so status does not ask for it
	beside string      // where somebody else's file of that name is kept meanwhile; empty is nowhere
	// put gives the file with onward's part in it, and cut the file without; nil is no file.
	put func(old []byte) ([]byte, error)
	// granted are the grants that an install added.
	cut func(old []byte, granted []string) ([]byte, error)
	// granted returns the names of the grants in the file, and what is needed for the others; nil where there are none.
	granted func(data []byte) (names, needs []string)
	// programs gives the programs that onward's part names, and how much of it is missing.
	programs func(data []byte) (programs []string, missing bool, err error)
}

// plan is what one agent's hooks consist of.
type plan struct {
	title string
	files []file
	notes []string // what the user has to do or know after an install
	trust func() string
	again string                       // what the user has to do once a hook that was there has changed
	needs []string                     // what the user has to do in any case, which no setting can
	warn  func(data [][]byte) []string // what in the settings keeps the hooks from running
}

// Install puts the hooks in. All files are read and changed in memory before the first is written,
// so that a settings file which cannot be parsed leaves everything as it is.
func Install(o Options) (Report, error) {
	p, r, err := prepare(&o)
	if err != nil {
		return r, err
	}
	if err := checkProgram(o.Program); err != nil {
		return r, err
	}
	err = p.run(o, &r, false)
	return r, err
}

// Uninstall takes the hooks out.
func Uninstall(o Options) (Report, error) {
	p, r, err := prepare(&o)
	if err != nil {
		return r, err
	}
	p.notes = nil
	err = p.run(o, &r, true)
	return r, err
}

// Status says what is installed.
func Status(o Options) (Report, error) {
	p, r, err := prepare(&o)
	if err != nil {
		return r, err
	}
	if err := p.look(o, &r); err != nil {
		return Report{Agent: r.Agent, Title: r.Title, Scope: r.Scope}, err
	}
	return r, nil
}

func prepare(o *Options) (*plan, Report, error) {
	a, err := find(o.Agent)
	if err != nil {
		return nil, Report{}, err
	}
	if o.Scope == "" {
		o.Scope = a.scopes[0]
	}
	r := Report{Agent: a.name, Title: a.title, Scope: o.Scope}
	fits := false
	for _, s := range a.scopes {
		fits = fits || s == o.Scope
	}
	if !fits {
		return nil, r, unfit("%s has no hooks of scope %s", a.name, o.Scope)
	}
	p, err := a.plan(*o)
	return p, r, err
}

// checkProgram refuses to hook in what does not run.
func checkProgram(path string) error {
	info, err := os.Stat(path)
	switch {
	case !filepath.IsAbs(path):
		return fmt.Errorf("%w: %q is no absolute path", ErrProgram, path)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrProgram, err)
	case info.IsDir():
		return fmt.Errorf("%w: %s is a folder", ErrProgram, path)
	case !ourName(path):
		return fmt.Errorf("%w: %s: its name must have onward in it, by which the hook is found again", ErrProgram, path)
	}
	return nil
}
