package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/output"
	"onward/internal/session"
	"onward/internal/suggest"
)

// fileFlags select where the output of a command is written.
type fileFlags struct {
	Output string `short:"o" placeholder:"FILE" complete:"file" help:"Write to a file, whole or not at all, instead of stdout."`
	Force  bool   `needs:"output" help:"Replace an existing file."`
}

// toFile reports whether the output is written to a file.
func (f *fileFlags) toFile() bool { return f.Output != "" && f.Output != "-" }

// formatFor returns the format that the user named, or JSON for --json without a file, or the format of the ending of the
// file's name. For a name without an ending it is that of standard output.
func (f *fileFlags) formatFor(a *app, asked string, known ...string) (string, error) {
	format, err := a.format(asked, f.toFile(), known...)
	if err != nil || format != "" {
		return format, err
	}
	ending := ""
	if f.toFile() {
		ending = strings.ToLower(filepath.Ext(f.Output))
	}
	switch ending {
	case "":
		if a.JSON {
			return "json", nil
		}
		return "markdown", nil
	case ".md":
		format = "markdown"
	case ".htm":
		format = "html"
	default:
		format = ending[1:]
	}
	if slices.Contains(known, format) {
		return format, nil
	}
	format = append(suggest.Values(format, known), known...)[0]
	other := strings.TrimSuffix(f.Output, filepath.Ext(f.Output)) + "." + strings.Replace(format, "markdown", "md", 1)
	return "", cli.WithHint(cli.Usagef("write %q: no format has the ending %s", f.Output, ending), "did you mean "+a.commandLinesWith(f.Output, []string{other})[0]+"?")
}

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
		a.writeJSON(output.PathJSON(name, f.Output))
		return nil
	}
	a.printNote(fmt.Sprintf("%s to %q", wrote, f.Output))
	return nil
}

// writeFile writes a file that the user named. The file appears completely or not at all:
// it is written to a temporary file in the same folder, synced, and then linked to its name, which fails if a file has
// it already, or with force renamed. A new file is for its owner only, since lists and prompts can be confidential; the mode of one
// that is replaced stays. If the name is that of a link which the user or root made, the file that it leads to is replaced.
func writeFile(path string, data []byte, force bool) error {
	target, info, err := findFileToWrite(path)
	switch {
	case err != nil:
		return err
	case info != nil && !info.Mode().IsRegular():
		return fileError("write", path, writeInto(target, data))
	case info != nil && !force:
		return alreadyThere(path)
	}
	return fileError("write", path, durable.WriteForeign(target, data, 0o600, func(temp string) error {
		if force {
			return durable.Rename(temp, target)
		}
		err := os.Link(temp, target)
		switch {
		case errors.Is(err, fs.ErrExist):
			return alreadyThere(path)
		case err != nil:
			// Some file systems have no links. The check before must be enough for them.
			err = durable.Rename(temp, target)
		}
		return err
	}))
}

// findFileToWrite returns the file that a path leads to, which the user named to be written, with what is there; nil if it is a new one.
// A file that is written only after hours is looked for before.
func findFileToWrite(path string) (target string, info fs.FileInfo, err error) {
	target, err = durable.Destination(path)
	if err != nil {
		return "", nil, fileError("write", path, err)
	}
	info, err = os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		_, err = os.Stat(filepath.Dir(target))
	case err == nil && info.IsDir():
		err = cli.Usagef("write %q: it is a folder", path)
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		if _, err = os.Stat(target); errors.Is(err, fs.ErrNotExist) {
			err = cli.Failf(cli.ExitNotFound, "write %q: it is a link to a file that does not exist", path)
		}
	}
	return target, info, fileError("write", path, err)
}

// writeInto writes to a path that cannot be replaced by a new file, such as a pipe or a device.
func writeInto(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// existsError is the error that a file of this name exists. It is fs.ErrExist in other words.
type existsError string

func (e existsError) Error() string { return fmt.Sprintf("write %q: the file exists", string(e)) }

func (existsError) Is(target error) bool { return target == fs.ErrExist }

func alreadyThere(path string) error {
	return cli.WithHint(cli.Usagef("%w", existsError(path)), "--force replaces it")
}
