package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"onward/internal/cli"
	"onward/internal/session"
)

// fileFlags select where the output of a command is written.
type fileFlags struct {
	Output string `short:"o" placeholder:"FILE" complete:"file" help:"Write to a file, whole or not at all, instead of stdout."`
	Force  bool   `needs:"output" help:"Replace an existing file."`
}

// toFile reports whether the output goes to a file.
func (f *fileFlags) toFile() bool { return f.Output != "" && f.Output != "-" }

// deliver writes the output, and reports what was written to a file.
func (f *fileFlags) deliver(a *app, name session.Name, data []byte, wrote string) error {
	if !f.toFile() {
		a.write(data)
		return nil
	}
	if err := writeFile(f.Output, data, f.Force); err != nil {
		return err
	}
	if a.JSON {
		a.writeJSON(pathJSON(name, f.Output))
		return nil
	}
	a.printNote(fmt.Sprintf("%s to %q", wrote, f.Output))
	return nil
}

// writeFile writes a file that the user named. The file appears completely or not at all:
// it is written beside the place, synced, and then linked there, which fails where a file is already,
// or with force renamed over it. An existing link leads to the file that is replaced.
func writeFile(path string, data []byte, force bool) error {
	target := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		target = resolved
	}
	mode := fs.FileMode(0)
	info, err := os.Lstat(target)
	switch {
	case err == nil && info.IsDir():
		return cli.Usagef("write %q: it is a folder", path)
	case err == nil && !info.Mode().IsRegular():
		// A pipe or a device is no file that could be replaced.
		return fileError("write", path, writeInto(target, data, os.O_WRONLY, 0))
	case err == nil && !force:
		return alreadyThere(path)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return fileError("write", path, err)
	}
	temp := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.tmp-%012x", filepath.Base(target), rand.Uint64()>>16))
	defer func() { _ = os.Remove(temp) }() // where it was renamed, it is gone already
	if err := writeInto(temp, data, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); err != nil {
		return fileError("write", path, err)
	}
	if force {
		return fileError("write", path, os.Rename(temp, target))
	}
	err = os.Link(temp, target)
	switch {
	case errors.Is(err, fs.ErrExist):
		return alreadyThere(path)
	case err != nil:
		// Some file systems have no links. There the check before must be enough.
		err = os.Rename(temp, target)
	}
	return fileError("write", path, err)
}

// writeInto writes and syncs one file; a mode of 0 leaves it to the system.
func writeInto(path string, data []byte, flags int, mode fs.FileMode) error {
	f, err := os.OpenFile(path, flags, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil && flags&os.O_CREATE != 0 {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func alreadyThere(path string) error {
	return cli.Hinted(cli.Usagef("write %q: the file exists", path), "--force replaces it")
}
