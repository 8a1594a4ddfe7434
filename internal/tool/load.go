package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"onward/internal/durable"
)

// Limits in bytes: of a file of declarations, and of a file that we keep in the configuration.
const (
	maxFile = 1 << 20
	maxKept = 16 << 20
)

// ErrUntrusted marks a project's declarations that the user has not trusted as they stand.
var ErrUntrusted = errors.New("not trusted")

// Files says where declarations are.
type Files struct {
	Config  string // the user's folder of configuration
	Project string // the project's folder; empty where there is none
	// Companion asks the companion whether the parameters of tools can be used. Where it is nil,
	// parameters that the built-in checker does not know are an error.
	Companion func(Set) error
}

// userPath is the file with the user's own declarations.
func (f Files) userPath() string { return filepath.Join(f.Config, "tools.json") }

// ProjectPath is the file with the project's declarations.
func (f Files) ProjectPath() string { return filepath.Join(f.Project, ".onward", "tools.json") }

// Load gives every tool that can be called. The user's declarations win over the project's of the same name,
// because a repository must not change what a name means. The project's are left out where they are not trusted;
// the notes say so.
func (f Files) Load() (tools Set, notes []string, err error) {
	tools = Builtin()
	user, err := f.User()
	if err != nil {
		return nil, nil, err
	}
	tools = append(tools, user...)
	project, err := f.ProjectTools()
	switch {
	case errors.Is(err, ErrUntrusted):
		return tools, []string{err.Error()}, nil
	case err != nil:
		return nil, nil, err
	}
	for _, t := range project {
		if tools.Find(t.Name) != nil {
			notes = append(notes, fmt.Sprintf("the project's tool %q is left out: you have declared one of that name", t.Name))
			continue
		}
		tools = append(tools, t)
	}
	return tools, notes, nil
}

// User gives the user's own declarations; none where there is no file.
func (f Files) User() (Set, error) {
	data, err := os.ReadFile(f.userPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read tools: %w", durable.SystemError(err))
	}
	return f.decode(data, f.userPath(), "user", "")
}

// ProjectTools gives the project's declarations; none where there is no file.
// They are honoured only where the file and its folder are the caller's, and its content is what the user has trusted.
func (f Files) ProjectTools() (Set, error) {
	data, err := f.projectData()
	if data == nil || err != nil {
		return nil, err
	}
	trusted, err := f.trusted()
	if err != nil {
		return nil, err
	}
	switch trusted[f.ProjectPath()] {
	case string(data):
		return f.decode(data, f.ProjectPath(), "project", filepath.ToSlash(f.Project))
	case "":
		return nil, fmt.Errorf("%w: the tools of this project, %s; read them, and then run `onward tools trust`", ErrUntrusted, f.ProjectPath())
	default:
		return nil, fmt.Errorf("%w: the tools of this project have changed, %s; read them, and then run `onward tools trust`", ErrUntrusted, f.ProjectPath())
	}
}

// projectData reads the project's file once; nil where there is none.
// Who owns it is asked of the very file that is read.
func (f Files) projectData() ([]byte, error) {
	if f.Project == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(f.Project)
	if err != nil {
		return nil, fmt.Errorf("read tools: %w", durable.SystemError(err))
	}
	defer root.Close()
	dir, err := root.Lstat(".onward")
	if errors.Is(err, fs.ErrNotExist) || err == nil && !dir.IsDir() {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read tools: %w", durable.SystemError(err))
	}
	data, info, err := durable.ReadFile(root, filepath.Join(".onward", "tools.json"), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	switch {
	case errors.Is(err, durable.ErrForeign), errors.Is(err, durable.ErrLimit), errors.Is(err, durable.ErrPermission):
		// A link, a pipe, a huge file: a repository can bring those along too, and must not hold up the rest with them.
		return nil, fmt.Errorf("%w: the tools of this project, %s: %v", ErrUntrusted, f.ProjectPath(), err)
	case err != nil:
		return nil, fmt.Errorf("read tools %s: %w", f.ProjectPath(), err)
	}
	for path, info := range map[string]fs.FileInfo{filepath.Join(f.Project, ".onward"): dir, f.ProjectPath(): info} {
		if !owned(path, info) {
			return nil, fmt.Errorf("%w: the tools of this project: %s belongs to somebody else", ErrUntrusted, path)
		}
	}
	return data, nil
}

func (f Files) decode(data []byte, path, source, dir string) (Set, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("read tools %s: %w: more than %d bytes", path, ErrDeclaration, maxFile)
	}
	tools, err := Decode(data, source, dir)
	if err != nil {
		return nil, fmt.Errorf("read tools %s: %w", path, err)
	}
	for i := range tools {
		tools[i].file = path
		if err := tools[i].unknown; err != nil && f.Companion == nil {
			return nil, fmt.Errorf("read tools %s: %w", path, err)
		}
	}
	return tools, nil
}

// Trust trusts the project's declarations as they stand, and gives them.
func (f Files) Trust(wait time.Duration) (Set, error) {
	data, err := f.projectData()
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, fmt.Errorf("read tools %s: %w", f.ProjectPath(), fs.ErrNotExist)
	}
	tools, err := f.decode(data, f.ProjectPath(), "project", filepath.ToSlash(f.Project))
	if err == nil && f.Companion != nil {
		err = f.Companion(tools)
	}
	if err != nil {
		return nil, err
	}
	err = Rewrite(f.Config, "trust", wait, func([]byte, error) ([]byte, error) {
		files, err := f.trusted()
		if err != nil {
			return nil, err
		}
		files[f.ProjectPath()] = string(data)
		return files.encode(), nil
	})
	return tools, err
}

// Missing explains why a file of the configuration, `name.json`, does not exist: nil where onward never wrote one.
func Missing(dir, name string) error {
	root, err := durable.Open(dir)
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	return place(name).Missing(root)
}

// Forget accepts that a file of the configuration is gone: from now on there never was one.
func Forget(dir, name string, wait time.Duration) error {
	t, err := durable.Begin(dir, place(name), wait)
	if err == nil {
		defer t.End()
		err = t.Remove(nil)
	}
	if err != nil {
		return fmt.Errorf("forget %s: %w", filepath.Join(dir, name+".json"), err)
	}
	return nil
}

func place(name string) durable.Document { return durable.Document{Folder: ".", Name: name} }

// Rewrite replaces a file of the configuration, `name.json`, under a lock; its old content is nil where there was none,
// and lost says why where there should be one.
func Rewrite(dir, name string, wait time.Duration, change func(old []byte, lost error) ([]byte, error)) error {
	place := place(name)
	wrong := func(err error) error { return fmt.Errorf("write %s: %w", filepath.Join(dir, name+".json"), err) }
	t, err := durable.Begin(dir, place, wait)
	if err != nil {
		return wrong(err)
	}
	defer t.End()
	data, info, err := durable.ReadFile(t.Root, place.Path(), maxKept)
	var lost error
	if errors.Is(err, fs.ErrNotExist) {
		lost, err = place.Missing(t.Root), nil
	}
	if err != nil {
		return wrong(err)
	}
	if data, err = change(data, lost); err != nil {
		return err
	}
	if err := t.Replace(data, info, time.Now(), nil); err != nil {
		return wrong(err)
	}
	return nil
}
