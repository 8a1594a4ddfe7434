package schedule

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"

	"onward/internal/durable"
	"onward/internal/session"
	"onward/internal/todo"
)

// Diagnosis is what repair found.
type Diagnosis struct {
	Problem error  // what is wrong with the schedule; nil where it is sound or there is none
	Copy    string // of the damaged file, once it is repaired; empty where the file was gone

	Accepted bool // the document was edited by hand, and is valid from now on
}

// Diagnose looks at a schedule and writes nothing. Its error is one that repair cannot help with.
func (s *Store) Diagnose(name session.Name) (Diagnosis, error) {
	_, err := s.Load(name)
	if err != nil && !errors.Is(err, durable.ErrCorrupt) && !errors.Is(err, durable.ErrForeign) && !errors.Is(err, durable.ErrLimit) {
		return Diagnosis{}, err
	}
	return Diagnosis{Problem: err}, nil
}

// Repair moves a damaged schedule aside, so that the session has no calls and no messages. There is no history
// to bring them back from: a call that may have run must not come to be one that has not.
// While a process runs the calls nothing is done, and the error is durable.ErrBusy.
func (s *Store) Repair(name session.Name) (Diagnosis, error) {
	d, err := s.Diagnose(name)
	if d.Problem == nil || err != nil {
		return d, err
	}
	run, err := s.Begin(name)
	if err != nil {
		return d, err
	}
	defer run.End()
	t, err := s.begin(name)
	if err == nil {
		defer t.End()
		if d.Copy, err = moveAside(t.Root, name); err == nil {
			err = t.Remove(nil, journalPath(name))
		}
	}
	if err != nil {
		return d, fmt.Errorf("repair schedule %q: %w", name, err)
	}
	if d.Copy != "" {
		d.Copy = filepath.Join(s.Dir, d.Copy)
	}
	return d, nil
}

// Accept makes a schedule valid that was edited by hand: one that is sound but for its checksum.
// While a process runs the calls nothing is done, and the error is durable.ErrBusy.
func (s *Store) Accept(name session.Name, now todo.Time) (Diagnosis, error) {
	d, err := s.Diagnose(name)
	if d.Problem == nil || err != nil {
		return d, err
	}
	if !errors.Is(d.Problem, durable.ErrChecksum) {
		return d, d.Problem
	}
	run, err := s.Begin(name)
	if err != nil {
		return d, err
	}
	defer run.End()
	_, err = s.update(name, "", now, true, func(*Document) (Change, error) {
		return Change{What: "accepted an edit by hand"}, nil
	})
	d.Accepted = err == nil
	return d, err
}

// moveAside gives the file a name of its own, by its size and time, and none where the file is gone.
// A folder or a link that stands there is for a person to move away.
func moveAside(root *os.Root, name session.Name) (string, error) {
	path := Path(name)
	info, err := root.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", durable.SystemError(err)
	}
	if err := durable.Regular(path, info); err != nil {
		return "", err
	}
	sum := fnv.New32a()
	sum.Write(fmt.Append(nil, info.Size(), info.ModTime().UnixNano()))
	to := fmt.Sprintf("%s.corrupt-%08x", path, sum.Sum32())
	return to, durable.SystemError(root.Rename(path, to))
}

// damaged lists what was moved aside of a name.
func damaged(root *os.Root, name session.Name) []string {
	paths, _ := fs.Glob(root.FS(), filepath.ToSlash(Path(name))+".corrupt-????????")
	return paths
}
