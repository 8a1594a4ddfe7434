package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/exchange"
	"onward/internal/find"
	"onward/internal/session"
)

type todoImportCmd struct {
	File    string `arg:"" complete:"file" ask:"which file?" example:"list.md" help:"The file, - for stdin, or a folder in which an agent keeps one file per task."`
	Format  string `placeholder:"F" complete:"list format" help:"${formats}; default auto."`
	Replace bool   `help:"Replace the list; without it, the items are appended."`

	planFlags `embed:""`
}

// planFlags say how the file of a plan is read.
type planFlags struct {
	Tag  string `placeholder:"NAME" help:"The list to read from a file that has several; task-master has one for each tag."`
	Dash string `placeholder:"S" complete:"=cancelled|in-progress" help:"What the box [-] of markdown means: cancelled or in-progress; default: what the file or its folder says, else cancelled."`
}

// source is what the flags say about a file.
func (f *planFlags) source(name, format string) (exchange.Source, error) {
	whole, err := filepath.Abs(name) // a folder above the working folder can tell what a file means
	if err != nil {
		return exchange.Source{}, fileError("read", name, err)
	}
	s := exchange.Source{Name: whole, Tag: f.Tag}
	if s.Format, err = importable().ParseFormat(format); err != nil {
		return s, err
	}
	s.Dash, err = exchange.ParseDash(f.Dash)
	return s, err
}

// Words are the names of the formats, for the help.
func (*todoImportCmd) Words() map[string]string {
	return map[string]string{"formats": alternatives(importable().Formats())}
}

// Run imports a list from a file, completely or not at all.
func (c *todoImportCmd) Run(a *app, t find.List) error {
	source, err := c.source(c.File, c.Format)
	if err != nil {
		return err
	}
	list, err := c.read(a, source)
	if err != nil {
		return err
	}
	commit, err := a.update(t, func(doc *session.Document) (session.Change, error) {
		did, err := continuation.Import(doc, list.Items, c.Replace, a.by(t), t.Now)
		if err != nil {
			return did, fmt.Errorf("import %s: %w", c.name(), err)
		}
		return did, nil
	})
	if err != nil {
		return err
	}
	if commit.IsNew() {
		for _, note := range list.Notes(c.Dash != "") {
			a.printNote(note)
		}
		if c.Replace {
			a.tellHeld(t, commit)
		}
	}
	return a.changed(t, commit)
}

// importable returns the agents whose files can be imported.
func importable() exchange.Agents {
	var out exchange.Agents
	for _, a := range agents.All() {
		if a.Files != nil {
			out = append(out, exchange.AgentFormat{Name: a.Name, Title: a.Title, ListFiles: a.Files})
		}
	}
	return out
}

// name is the name of the file in messages.
func (c *todoImportCmd) name() string {
	if c.File == "-" {
		return "standard input"
	}
	return fmt.Sprintf("%q", c.File)
}

// read reads the file, or the folder.
func (c *todoImportCmd) read(a *app, source exchange.Source) (exchange.List, error) {
	format := source.Format
	if c.File == "-" {
		data, err := a.readStdin()
		if err != nil {
			return exchange.List{}, err
		}
		source.Name = ""
		return c.decoded(importable().Decode(source, data))
	}
	if err := checkInside(c.File); err != nil {
		return exchange.List{}, err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return exchange.List{}, fileError("import", c.File, err)
	}
	if info.IsDir() {
		if folders := importable().FolderFormats(); format != exchange.Auto && !slices.Contains(folders, string(format)) {
			return exchange.List{}, cli.Usagef("import %q: it is a folder; only %s keep one file a task", c.File, strings.Join(folders, " and "))
		}
		files, err := readFolder(c.File)
		if err != nil {
			return exchange.List{}, err
		}
		return c.decoded(importable().DecodeFolder(format, files))
	}
	data, err := readWhole(c.File, maxImport)
	if err != nil {
		return exchange.List{}, err
	}
	return c.decoded(importable().Decode(source, data))
}

// decoded puts the name of the file before an error.
func (c *todoImportCmd) decoded(list exchange.List, err error) (exchange.List, error) {
	var at *exchange.Error
	switch {
	case err == nil:
		return list, nil
	case errors.As(err, &at) && at.File != "":
		return list, fmt.Errorf("import %q: %w", filepath.Join(c.File, at.File), err)
	}
	return list, hintListFlag(fmt.Errorf("import %s: %w", c.name(), err))
}

// hintListFlag adds the flag that chooses one of several lists to the error about them.
func hintListFlag(err error) error {
	var several *exchange.ListsError
	if !errors.As(err, &several) {
		return err
	}
	return cli.WithHint(err, "--tag "+shellquote.Join(several.Names[0])+" chooses that one")
}

// maxImport is how large a file may be, and the files of a folder together, in bytes: as large as standard input.
const maxImport = 16 << 20

// readFolder reads the task files of a folder: those that end in .json and are not hidden.
func readFolder(dir string) ([]exchange.File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fileError("import", dir, err)
	}
	var files []exchange.File
	room := int64(maxImport)
	for _, e := range entries {
		if !exchange.IsTaskFile(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err != nil {
			return nil, fileError("import", path, err)
		} else if !info.Mode().IsRegular() {
			continue
		}
		data, err := readWhole(path, room)
		if err != nil {
			return nil, err
		}
		room -= int64(len(data))
		files = append(files, exchange.File{Name: e.Name(), Data: data})
	}
	return files, nil
}

// checkInside returns an error if a file below the working folder is a link that leads out of it. The list of a project may be such a link
// in what somebody proposes to change there, and lead to a file of the machine that is then shown.
func checkInside(path string) error {
	target, err := durable.LinkOut(path)
	if err != nil || target == "" {
		return fileError("import", path, err)
	}
	return cli.WithHint(cli.Failf(cli.ExitPermission, "import %q: it is a link that leads out of this folder", path), "if that is the list: `onward todo import "+shellquote.Join(target)+"`")
}

// readWhole reads a file of a limited size.
func readWhole(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError("import", path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fileError("import", path, err)
	}
	if int64(len(data)) > limit {
		return nil, cli.Failf(cli.ExitData, "import %q: more than %d bytes", path, maxImport)
	}
	return data, nil
}
