package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"onward/internal/store"
)

// maxFile is the limit of a file of declarations in bytes.
const maxFile = 1 << 20

// ErrUntrusted marks a project's declarations that the user has not trusted in their present form.
var ErrUntrusted = errors.New("not trusted")

// ErrNoToolsFile is returned if the project declares nothing.
var ErrNoToolsFile = errors.New("no such file")

// Disk reads files that onward did not write.
type Disk interface {
	// Read reads a file; if there is none, the error is fs.ErrNotExist.
	Read(path string, limit int64) ([]byte, error)
	// ReadOwned reads a file in a folder of a project. If others could have written it, foul says why.
	ReadOwned(dir, folder, name string, limit int64) (data []byte, foul, err error)
}

// Files describes where declarations are.
type Files struct {
	Disk    Disk   // required
	Config  string // the user's folder of configuration
	Project string // the project's folder; empty if there is none
	// Usable asks whether the parameters of tools can be used; tools with others are not trusted.
	Usable func(Set) error
	// Commands checks a file of slash commands, which a project declares under the same trust.
	Commands func(data []byte, path string) error
	May      func() error // asked before something is trusted; nil allows it
}

// The files of declarations, in the user's folder and in a project's .onward, without their ending.
const (
	toolsFile    = "tools"
	commandsFile = "commands"
)

// userPath is a file of the user.
func (f Files) userPath(name string) string { return filepath.Join(f.Config, name+".json") }

// CommandsPath is the file with the user's own slash commands.
func (f Files) CommandsPath() string { return f.userPath(commandsFile) }

// ProjectPath is the file with the project's tools.
func (f Files) ProjectPath() string { return f.projectPath(toolsFile) }

func (f Files) projectPath(name string) string {
	return filepath.Join(f.Project, ".onward", name+".json")
}

// UserCommands reads the user's slash commands; nil if there are none.
func (f Files) UserCommands() ([]byte, error) { return f.userData(commandsFile) }

// ProjectCommands reads the project's slash commands, if they are trusted; nil if there are none.
func (f Files) ProjectCommands() ([]byte, error) { return f.trustedData(commandsFile) }

// Load returns every tool that can be called, with the notes of DeclaredTools.
func (f Files) Load() (Set, []string, error) {
	declared, notes, err := f.DeclaredTools()
	return append(Builtin(), declared...), notes, err
}

// DeclaredTools returns the tools of the user and the project, as MergeProject does.
func (f Files) DeclaredTools() (tools Set, notes []string, err error) {
	if tools, err = f.UserTools(); err != nil {
		return nil, nil, err
	}
	project, err := f.ProjectTools()
	return MergeProject(tools, project, err, func(t *Tool) string { return fmt.Sprintf("tool %q", t.Name) })
}

// MergeProject adds the tools that a project declares to those of the user, or returns the error of reading them. The user's declarations
// win over the project's of the same name, because a repository must not change what a name means. The project's are
// left out if they are not trusted; the notes report it.
func MergeProject[L ~[]T, T any](own, project L, err error, name func(*T) string) (all L, notes []string, _ error) {
	if errors.Is(err, ErrUntrusted) {
		return own, []string{err.Error()}, nil
	}
	taken := make(map[string]bool, len(own))
	for i := range own {
		taken[name(&own[i])] = true
	}
	for i := range project {
		if n := name(&project[i]); taken[n] {
			notes = append(notes, fmt.Sprintf("the project's %s is left out: you have declared one of that name", n))
			continue
		}
		own = append(own, project[i])
	}
	return own, notes, err
}

// UserTools returns the user's own declarations, or none if the file does not exist.
func (f Files) UserTools() (Set, error) {
	data, err := f.userData(toolsFile)
	if data == nil || err != nil {
		return nil, err
	}
	return f.decode(data, f.userPath(toolsFile), "user", "")
}

// userData reads a file of the user; nil if there is none. Anything but a regular file, or a file that is too large,
// is refused like an invalid declaration.
func (f Files) userData(name string) ([]byte, error) {
	data, err := f.Disk.Read(f.userPath(name), maxFile)
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrLimit):
		err = fmt.Errorf("%w: %v", ErrDeclaration, err)
	}
	return nil, fmt.Errorf("read %s %s: %w", name, f.userPath(name), err)
}

// ProjectTools returns the project's declarations, or none if the file does not exist.
// They count only if the file and its folder belong to the user, and its content is the one that the user has trusted.
func (f Files) ProjectTools() (Set, error) {
	data, err := f.trustedData(toolsFile)
	if data == nil || err != nil {
		return nil, err
	}
	return f.decode(data, f.ProjectPath(), "project", filepath.ToSlash(f.Project))
}

// trustedData reads a file of the project that the user has trusted as it is; nil if there is none.
func (f Files) trustedData(name string) ([]byte, error) {
	data, err := f.projectData(name)
	if data == nil || err != nil {
		return nil, err
	}
	trusted, err := f.trusted()
	if err != nil {
		return nil, err
	}
	path := f.projectPath(name)
	switch content, known := trusted.files[path]; {
	case known && content == string(data):
		return data, nil
	case !known:
		return nil, fmt.Errorf("%w: the %s of this project, %s; read them, and then run `onward tools trust`", ErrUntrusted, name, path)
	default:
		return nil, fmt.Errorf("%w: the %s of this project have changed, %s; read them, and then run `onward tools trust`", ErrUntrusted, name, path)
	}
}

// projectData reads a file of the project; nil if there is none.
// A repository may contain links, pipes and huge files, which must not block or break other commands.
func (f Files) projectData(name string) ([]byte, error) {
	if f.Project == "" {
		return nil, nil
	}
	data, foul, err := f.Disk.ReadOwned(f.Project, ".onward", name+".json", maxFile)
	switch {
	case foul != nil:
		return nil, fmt.Errorf("%w: the %s of this project, %s: %v", ErrUntrusted, name, f.projectPath(name), foul)
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read %s %s: %w", name, f.projectPath(name), err)
	}
	return data, nil
}

func (f Files) decode(data []byte, path, source, dir string) (Set, error) {
	tools, err := Decode(data, source, dir)
	if err != nil {
		return nil, fmt.Errorf("read tools %s: %w", path, err)
	}
	for i := range tools {
		tools[i].file = path
	}
	return tools, nil
}

// Trust trusts the project's tools and slash commands as they are, and returns the tools and the paths of the files.
func (f Files) Trust(b store.Backend, now time.Time) (tools Set, paths []string, err error) {
	found := map[string]string{}
	for _, name := range []string{toolsFile, commandsFile} {
		data, err := f.projectData(name)
		if err != nil {
			return nil, nil, err
		}
		if data == nil {
			continue
		}
		path := f.projectPath(name)
		if name == commandsFile {
			err = f.Commands(data, path)
		} else if tools, err = f.decode(data, path, "project", filepath.ToSlash(f.Project)); err == nil {
			err = f.Usable(tools)
		}
		if err != nil {
			return nil, nil, err
		}
		found[path], paths = string(data), append(paths, path)
	}
	if len(found) == 0 {
		return nil, nil, fmt.Errorf("read tools %s: %w", f.ProjectPath(), ErrNoToolsFile)
	}
	return tools, paths, f.trust(b, found, now)
}
