package install

import (
	"path/filepath"
	"slices"
)

// An agent's plugin brings the hooks that an install writes into settings, and names no path of a machine.
// They do nothing if an install has written its own, so that no event is answered twice.

// HooksInSettings reports whether the settings of the user or the project have a hook of onward for an agent, and its program exists.
// Unreadable settings count as none.
func HooksInSettings(o Options) bool {
	r, err := o.find()
	if err != nil {
		return false
	}
	for _, o.Scope = range r.scopes {
		if slices.ContainsFunc(r.folders(o), func(dir string) bool { return r.hooked(o, dir) }) {
			return true
		}
	}
	return false
}

// hooked reports whether the settings in a folder have a hook of onward whose program exists.
func (r row) hooked(o Options, dir string) bool {
	o.Project, o.Root, o.Dir = dir, "", ""
	p, err := r.planFor(o)
	return err == nil && slices.ContainsFunc(p.files, func(f file) bool { return !f.extra && f.hasWorkingHook(p.within) })
}

// teamHooks reports whether a project's settings for everybody have hooks of onward, none with a path of one machine, and whether
// they run on this one.
func (f file) teamHooks(within string) (there, run bool) {
	path, err := resolve(f.path, within)
	if err != nil {
		return false, false
	}
	data, err := readFile(path)
	if err != nil {
		return false, false
	}
	found, err := f.inspect(data)
	there = err == nil && len(found.programs) > 0 && !slices.ContainsFunc(found.programs, filepath.IsAbs)
	return there, there && f.hasWorkingHook(within)
}

// hasWorkingHook reports whether a file has a hook whose program exists.
func (f file) hasWorkingHook(within string) bool {
	path, err := resolve(f.path, within)
	if err != nil {
		return false
	}
	data, err := readFile(path)
	if err != nil || data == nil {
		return false
	}
	found, err := f.inspect(data)
	return err == nil && found.some && slices.ContainsFunc(found.programs, func(program string) bool {
		_, err := stat(program)
		return err == nil
	})
}

// absent is what a plugin says at the start of a conversation if onward is not installed. The agent shows it to its user.
const absent = "The onward plugin does nothing until onward is installed: run make install in its repository."
