package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// AllOptions returns options for all hooks that may be installed: those of the user and of the project where the user is,
// and those of every file that an install has left a receipt of. The other members are those of o.
// Besides them, the error names each receipt that cannot be read, and each file that belongs to no agent any longer:
// a hook of git whose repository is gone, say.
func AllOptions(o Options) ([]Options, error) {
	o.exclude = true
	var all []Options
	for _, r := range o.rows() {
		for _, scope := range r.scopes {
			o.Agent, o.Scope = r.Name, scope
			all = append(all, o.eachHook()...)
		}
	}
	known, err := receipts(o.Store)
	for _, r := range known {
		listed := func(at Options) bool {
			return slices.ContainsFunc(all, func(b Options) bool { return b.same(at, r.path) })
		}
		switch at := o.optionsFor(r.path); {
		case at.Agent == "" && slices.ContainsFunc(all, func(b Options) bool { return b.same(b, r.path) }): // a file of the user's
		case at.Agent == "" && r.remains():
			err = errors.Join(err, fmt.Errorf("%w: %s", ErrStray, r.path))
		case at.Agent != "" && !listed(at):
			all = append(all, at)
		}
	}
	return all, err
}

// Adds reports whether an uninstall changes a file that others do not. Two scopes of a project share files, which are still there for the
// second one in a dry run.
func (r Report) Adds(to []Report) bool {
	return r.Changed && slices.ContainsFunc(r.Files, func(f FileReport) bool {
		return f.Action != unchanged && !slices.ContainsFunc(to, func(other Report) bool {
			return slices.ContainsFunc(other.Files, func(g FileReport) bool { return g.Path == f.Path && g.Action != unchanged })
		})
	})
}

// eachHook returns the options, for git those of each hook that it may have.
func (o Options) eachHook() []Options {
	if o.Agent != "git" {
		return []Options{o}
	}
	var all []Options
	for _, o.Hook = range GitHooks() {
		all = append(all, o)
	}
	return all
}

// optionsFor returns the options with which an install writes a file; without an agent if no install does. A project's settings are
// in its folder or below it, so each folder above the file may be the project.
func (o Options) optionsFor(path string) Options {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		o.Project, o.Dir = dir, dir
		for _, r := range o.rows() {
			o.Agent, o.Scope, o.Hook = r.Name, Project, ""
			if r.Name == "git" {
				if o.Hook = filepath.Base(path); dir != filepath.Dir(path) || !slices.Contains(GitHooks(), o.Hook) {
					continue // git finds the repository from within its folder of hooks
				}
			}
			for _, o.Scope = range r.scopes {
				if o.Scope != User && o.writes(r, path) {
					return o
				}
			}
		}
	}
	return Options{}
}

// writes reports whether an install for an agent writes a file.
func (o Options) writes(r row, path string) bool {
	p, err := r.planFor(o)
	return err == nil && slices.ContainsFunc(p.files, func(f file) bool {
		target, err := resolve(f.path, p.within)
		return !f.other && (f.path == path || err == nil && target == path)
	})
}

// same reports whether two options concern the same hooks; path is one of their files.
func (o Options) same(b Options, path string) bool {
	if o.Agent != b.Agent || o.Scope != b.Scope || o.Hook != b.Hook {
		return false
	}
	r, err := o.find()
	return err == nil && o.writes(r, path)
}
