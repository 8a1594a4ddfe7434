package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
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
	Config  string // the folder of the user's settings, XDG_CONFIG_HOME
	Store   string // the store, which a sandboxed agent must be able to write
	Env     func(string) string
	Windows bool
	Context bool   // a new session is told what is open
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
	Path   string
	Action string
	Backup string
	Diff   []byte
}

// Report is what an install, uninstall or status found and did.
type Report struct {
	Agent     string
	Title     string
	Scope     Scope
	Installed bool
	Changed   bool
	Programs  []string // that the hooks name
	Stale     bool     // one of them is not there, or is not the present program
	Partly    bool     // some events have no hook
	Trust     string   // what the agent's own trust step says; empty where there is none
	Files     []FileReport
	Notes     []string
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
	cut func(old []byte) ([]byte, error)
	// programs gives the programs that onward's part names, and how much of it is missing.
	programs func(data []byte) (programs []string, missing bool, err error)
}

// plan is what one agent's hooks consist of.
type plan struct {
	title string
	files []file
	notes []string // what the user has to do or know after an install
	trust func() string
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
	err = p.look(o, &r)
	return r, err
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
		return nil, r, fmt.Errorf("%w: %s has no hooks of scope %s", ErrUnfit, a.name, o.Scope)
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

// step is one file on its way from what it is to what it is to be.
type step struct {
	file
	target  string // with links followed
	old     []byte // nil is no file, here and below
	now     []byte
	action  string
	receipt *receipt
	aside   bool // somebody else's file is there, and to be kept beside
	back    bool // one that was kept beside is to come back
}

// run works out every file, and writes them if all of them can be.
func (p *plan) run(o Options, r *Report, removing bool) error {
	steps := make([]step, 0, len(p.files))
	for _, f := range p.files {
		s := step{file: f}
		err := s.read(o)
		if err == nil {
			err = s.workOut(removing)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		if s.old != nil || s.now != nil {
			steps = append(steps, s)
		}
	}
	var folders []string
	for i := range steps {
		s := &steps[i]
		report := FileReport{Path: s.path, Action: s.action}
		if s.action != Unchanged {
			r.Changed = true
			report.Diff = diff.Diff("before", s.old, "after", s.now)
		}
		if s.action != Unchanged && !o.DryRun {
			if err := s.write(o, removing); err != nil {
				return fmt.Errorf("%s: %w", s.path, err)
			}
			if kept := readReceipt(o.Store, s.target, s.now); kept != nil {
				report.Backup = kept.Backup
			}
		}
		if s.now == nil && s.receipt != nil {
			folders = append(folders, s.receipt.Folders...)
		}
		r.Files = append(r.Files, report)
	}
	r.Notes = append(r.Notes, p.notes...)
	if o.DryRun {
		return nil
	}
	dropFolders(folders)
	return p.look(o, r)
}

func (s *step) read(o Options) (err error) {
	if s.beside != "" {
		// A link is somebody's hook as well, and is moved as a link.
		dir, err := resolve(filepath.Dir(s.path), s.within)
		if err != nil {
			return err
		}
		s.target = filepath.Join(dir, filepath.Base(s.path))
	} else if s.target, err = resolve(s.path, s.within); err != nil {
		return err
	}
	if s.old, err = readFile(s.target); err != nil {
		return err
	}
	s.receipt = readReceipt(o.Store, s.target, s.old)
	return nil
}

// workOut finds what the file is to be, and what that is called.
func (s *step) workOut(removing bool) (err error) {
	s.action = Unchanged
	if s.beside != "" {
		if err := s.swap(removing); err != nil || s.back {
			return err
		}
	}
	switch {
	case !removing:
		s.now, err = s.put(s.old)
	case s.old == nil:
	case s.receipt != nil:
		// Nobody has touched the file since, so it becomes what it was.
		if s.now, err = s.receipt.before(); err == nil {
			s.action = Restored
			break
		}
		fallthrough // the copy is gone
	default:
		s.now, err = s.cut(s.old)
	}
	switch {
	case err != nil:
	case (s.now == nil) == (s.old == nil) && bytes.Equal(s.now, s.old):
		s.action = Unchanged
	case s.now == nil:
		s.action = Removed
	case s.old == nil:
		s.action = Created
	case s.action != Restored:
		s.action = Changed
	}
	return err
}

// swap finds whether a file that is not ours is to make room, or to come back.
func (s *step) swap(removing bool) (err error) {
	_, missing := os.Lstat(s.target)
	s.aside = !removing && missing == nil && s.gone(s.old)
	if !removing || s.gone(s.old) {
		return nil
	}
	if _, err := os.Lstat(s.beside); err == nil {
		s.back, s.action = true, Restored
		s.now, err = readFile(s.beside)
		return err
	}
	return nil
}

// write puts what was worked out on the disk.
func (s *step) write(o Options, removing bool) (err error) {
	if s.aside {
		if err := setAside(s.target, s.beside); err != nil {
			return err
		}
		s.old = nil
		defer func() {
			if err != nil {
				err = errors.Join(err, putBack(s.target, s.beside))
			}
		}()
	}
	if !removing {
		if err := s.keep(o); err != nil {
			return err
		}
		return replace(s.target, s.now, s.old, s.mode)
	}
	if s.back {
		if err := unmoved(s.target, s.old); err != nil {
			return err
		}
		forget(o.Store, s.target)
		return putBack(s.target, s.beside)
	}
	if s.now == nil {
		err = remove(s.target, s.old)
	} else {
		err = replace(s.target, s.now, s.old, s.mode)
	}
	if err == nil {
		forget(o.Store, s.target)
	}
	return err
}

// gone reports whether a text has nothing of onward's.
func (s *step) gone(data []byte) bool {
	if data == nil {
		return true
	}
	programs, _, err := s.programs(data)
	return err == nil && len(programs) == 0
}

// keep writes the receipt before the file, so that a crash between them loses nothing:
// the receipt then fits no file.
func (s *step) keep(o Options) error {
	r := receipt{Path: s.target, Written: digest(s.now)}
	old, again := s.old, s.receipt != nil
	switch {
	case again:
		// An install over an install: what was there before the first one counts.
		r.Backup, r.Folders = s.receipt.Backup, s.receipt.Folders
	case old != nil && !s.gone(old):
		// Somebody has changed the file since the first install, so it is to go back to itself without our part.
		var err error
		if old, err = s.cut(old); err != nil {
			return err
		}
	}
	if !again {
		r.Folders = append(foldersMade(o.Store, s.target), missingFolders(s.target)...)
	}
	if err := os.MkdirAll(filepath.Dir(s.target), 0o755); err != nil {
		return systemError(err)
	}
	return r.write(o.Store, old, again)
}

// look fills in what is installed.
func (p *plan) look(o Options, r *Report) error {
	var all [][]byte
	r.Installed, r.Partly, r.Stale, r.Programs = true, false, false, nil
	for _, f := range p.files {
		s := step{file: f}
		if err := s.read(o); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		all = append(all, s.old)
		var programs []string
		missing := true
		if s.old != nil {
			var err error
			if programs, missing, err = f.programs(s.old); err != nil {
				return fmt.Errorf("%s: %w", f.path, err)
			}
		}
		if len(r.Files) < len(p.files) && len(programs) > 0 && !hasFile(r.Files, f.path) {
			r.Files = append(r.Files, FileReport{Path: f.path, Action: Unchanged})
		}
		if f.extra {
			continue
		}
		r.Installed = r.Installed && len(programs) > 0
		r.Partly = r.Partly || missing && len(programs) > 0
		for _, program := range programs {
			r.see(program, o.Program)
		}
	}
	if r.Installed && p.trust != nil {
		r.Trust = p.trust()
	}
	if p.warn != nil && r.Installed {
		r.Notes = append(r.Notes, p.warn(all)...)
	}
	return nil
}

func hasFile(files []FileReport, path string) bool {
	for _, f := range files {
		if f.Path == path {
			return true
		}
	}
	return false
}

// see takes note of a program that a hook names.
func (r *Report) see(program, present string) {
	for _, known := range r.Programs {
		if known == program {
			return
		}
	}
	r.Programs = append(r.Programs, program)
	named, err := os.Stat(program)
	if err != nil {
		r.Stale = true
		return
	}
	if own, err := os.Stat(present); err == nil && !os.SameFile(named, own) {
		r.Stale = true
	}
}
