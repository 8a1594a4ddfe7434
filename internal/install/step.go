package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"onward/internal/durable"
	"onward/internal/store"
)

// step is the change of one file.
type step struct {
	file
	target   string // the path with links followed
	old      []byte // the file before the step; nil is no file, here and below
	now      []byte
	action   string
	was, is  presence // onward's part before and after
	receipt  *receipt // of the last install
	lost     error    // why the receipt cannot be read
	readOnly bool
	back     bool // another program's file, which was moved aside, comes back
	removing bool // onward's part
}

// steps reads every file of a plan, and calls do for it.
func (p *plan) steps(o Options, do func(*step) error) ([]step, error) {
	steps := make([]step, len(p.files))
	for i, f := range p.files {
		s := &steps[i]
		s.file = f
		within := p.within
		if f.gits {
			within = ""
		}
		err := s.read(o, within)
		if s.other { // which the agent reports itself if it cannot be read
			if _, unread := s.inspect(s.old); err != nil || unread != nil {
				s.old, err = nil, nil
			}
		}
		if err == nil {
			err = do(s)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return steps, nil
}

// run works out all files, and writes them if each of them can be written.
func (p *plan) run(o Options, r *Report, removing bool) error {
	if err := p.carryOverSettings(o, removing); err != nil {
		return err
	}
	left := false
	steps, err := p.steps(o, func(s *step) error {
		if p.runs && s.path == p.files[0].path {
			left = s.leftToTeam(o)
		}
		if s.removing = removing || s.other || left && (s.gits || s.path == p.files[0].path); s.other && !s.moves(o.Scope, removing) || s.gits && s.removing && p.inOtherWorktree(o) {
			return s.stay()
		}
		err := s.computeChange()
		if err == nil && s.readOnly && s.action != unchanged {
			err = fmt.Errorf("%w: it is read-only", store.ErrPermission)
		}
		return err
	})
	if err != nil {
		return err
	}
	var folders []string
	for i := range steps {
		s := &steps[i]
		if s.old == nil && s.now == nil || s.other && s.action == unchanged {
			continue
		}
		report := FileReport{Path: s.path, Action: s.action}
		if s.action != unchanged {
			if !r.Changed && !o.DryRun && o.May != nil {
				if err := o.May(); err != nil {
					return err
				}
			}
			r.Changed = true
			report.Diff = string(diff.Diff("before", s.old, "after", s.now))
		}
		if s.action != unchanged && !o.DryRun {
			if err := s.write(o); err != nil {
				return fmt.Errorf("%s: %w", s.path, err)
			}
			if s.receipt.matches(s.now) {
				report.Backup = s.receipt.backup
			}
		}
		if s.now == nil {
			folders = append(folders, s.receipt.folders...)
		}
		r.Files = append(r.Files, report)
	}
	if p.Changed != "" && slices.ContainsFunc(steps, func(s step) bool { return s.action == changed && !removing && !s.extra && s.was.any() }) {
		r.Notes = append(r.Notes, p.Changed)
	}
	r.Notes = append(r.Notes, p.notes...)
	if o.DryRun {
		if !removing {
			r.Needs = p.missing(o, steps)
		}
		return nil
	}
	dropFolders(folders)
	p.status(o, r, steps)
	if p.runs && !removing {
		r.Trust, r.Needs = p.trust, p.missing(o, steps)
	}
	return nil
}

// moves reports whether the file of the other scope loses its part. What names a program of this machine is one user's, regardless of the
// file; an uninstall leaves what is another scope's alone.
func (s *step) moves(scope Scope, removing bool) bool {
	is, err := s.inspect(s.old)
	if scope == Shared {
		return err == nil && is.any() && !removing
	}
	return err == nil && slices.ContainsFunc(is.programs, filepath.IsAbs)
}

// leftToTeam reports whether an install for the user alone puts nothing into the settings, because the hooks of everybody on the project
// run. What an earlier install was allowed there stays.
func (s *step) leftToTeam(o Options) bool {
	is, settings := s.content.(*settingsFile)
	if settings {
		is.team = true
	}
	return settings && !o.Allow && len(s.receipt.granted) == 0
}

// stay leaves the file as it is.
func (s *step) stay() (err error) {
	s.now, s.action = s.old, unchanged
	s.was, err = s.inspect(s.old)
	s.is = s.was
	return err
}

func (s *step) read(o Options, within string) (err error) {
	if s.beside != "" {
		// A hook may be a link, which is moved as such.
		dir, err := resolve(filepath.Dir(s.path), within)
		if err != nil {
			return err
		}
		s.target = filepath.Join(dir, filepath.Base(s.path))
	} else if s.target, err = resolve(s.path, within); err != nil {
		return err
	}
	if s.old, err = readFile(s.target); err != nil {
		return err
	}
	if info, err := os.Stat(s.target); err == nil && info.Mode().Perm()&0o200 == 0 {
		s.readOnly = true
	}
	s.receipt, s.lost = readReceipt(o.Store, s.target)
	return nil
}

// reachable refuses a link into a missing folder, which may be on a disk that is not mounted.
func (s *step) reachable() error {
	info, err := os.Lstat(s.path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 || s.beside != "" {
		return nil
	}
	dir := filepath.Dir(s.target)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: it is a link to %s, and the folder %s does not exist; make that folder, or delete the link", store.ErrPermission, s.target, dir)
	}
	return nil
}

// computeChange finds the new content of the file, and the action that this is.
func (s *step) computeChange() (err error) {
	if s.lost != nil {
		return s.lost
	}
	if s.was, err = s.inspect(s.old); err != nil {
		return err
	}
	s.action = unchanged
	if _, missing := os.Lstat(s.beside); missing == nil && s.removing && s.was.any() {
		s.back, s.action = true, restored
		s.now, err = readFile(s.beside)
		return err
	}
	switch {
	case !s.removing:
		if s.now, err = s.put(s.old, s.receipt.granted); err == nil && s.old == nil && s.now != nil {
			err = s.reachable()
		}
	case s.old == nil:
	case s.receipt.matches(s.old):
		// The file has not changed since, so its old content is restored.
		s.now, err = s.receipt.before()
		s.action = restored
	default:
		s.now, err = s.removeOwn(s.old, s.receipt.granted, s.receipt.known())
	}
	if err != nil {
		return err
	}
	switch {
	case equal(s.now, s.old):
		s.action = unchanged
	case s.now == nil:
		s.action = removed
	case s.old == nil:
		s.action = created
	case s.action != restored:
		s.action = changed
	}
	s.is, err = s.inspect(s.now)
	return err
}

// write writes the file as it was worked out.
func (s *step) write(o Options) (err error) {
	if _, missing := os.Lstat(s.target); missing == nil && s.beside != "" && !s.removing && !s.was.any() {
		// A hook of another program is moved aside. Ours runs it, and an uninstall moves it back.
		if _, err := os.Lstat(s.beside); err == nil {
			return unfit("%s is there already", s.beside)
		}
		if err := durable.Rename(s.target, s.beside); err != nil {
			return err
		}
		s.old = nil
		defer func() {
			if err != nil {
				err = errors.Join(err, durable.Rename(s.beside, s.target))
			}
		}()
	}
	if s.back {
		if err := unmoved(s.target, s.old); err != nil {
			return err
		}
		forget(o.Store, s.target)
		return durable.Rename(s.beside, s.target)
	}
	if !s.removing {
		if err := s.writeReceipt(o); err != nil {
			return err
		}
	}
	err = replace(s.target, s.now, s.old, s.mode)
	if err == nil && s.removing {
		forget(o.Store, s.target)
	}
	return err
}

// writeReceipt saves the receipt before the file, so that a crash between them loses nothing:
// the receipt then fits no file.
func (s *step) writeReceipt(o Options) error {
	r := &receipt{path: s.target, written: digest(s.now)}
	for _, name := range s.is.granted {
		if !slices.Contains(s.was.granted, name) || slices.Contains(s.receipt.granted, name) {
			r.granted = append(r.granted, name)
		}
	}
	old := s.old
	if s.receipt.matches(old) {
		// It was installed before: the content from before the first install counts.
		r.backup, r.copied, r.folders = s.receipt.backup, s.receipt.copied, s.receipt.folders
		old = nil
	} else {
		r.folders = append(foldersMade(o.Store, s.target), missingFolders(s.target)...)
		if old != nil && s.was.any() {
			// The file has changed since the first install, so only onward's part is removed.
			var err error
			if old, err = s.removeOwn(old, s.receipt.granted, s.receipt.known()); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(s.target), 0o755); err != nil {
		return durable.SystemError(err)
	}
	s.receipt = r
	return r.write(o.Store, old)
}
