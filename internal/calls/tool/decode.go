package tool

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/store"
)

// Schema is the kind and version of a file of declarations.
const Schema = "onward/tools/v1"

// Decode reads a file of declarations. An unknown member is an error, because a misspelt one would silently have no
// effect. Whether parameters are valid schemas is found by an Inquiry.
func Decode(data []byte, source, dir string) ([]Tool, error) {
	d := declarations{source: source, dir: dir}
	if source != builtIn {
		d.own = Builtin()
	}
	if err := object.Parse(data, Schema, &d); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDeclaration, err)
	}
	return d.tools, d.problem
}

// declarations are the content of a file, and the first problem of a tool.
type declarations struct {
	tools       []Tool
	source, dir string
	own         Set // the program's, whose names no other tool can have
	problem     error
}

func (d *declarations) Fields(f *object.Fields) { f.Value("tools", d.read, nil) }

func (d *declarations) read(r *object.Reader) {
	r.Array(func() {
		t := Tool{Source: d.source}
		if err := t.read(r, d.dir, d.own); d.problem == nil {
			d.problem = err
		}
		if slices.ContainsFunc(d.tools, func(o Tool) bool { return o.Name == t.Name }) && d.problem == nil {
			d.problem = fmt.Errorf("%w: tool %q is declared twice", ErrDeclaration, t.Name)
		}
		d.tools = append(d.tools, t)
	})
}

// declared is a declaration as it is written.
type declared struct {
	*Tool
	timeout string
	unknown jsontext.Value
}

func (d *declared) Fields(f *object.Fields) {
	object.Text(f, "name", &d.Name)
	object.Text(f, "description", &d.Description)
	f.Raw("parameters", &d.Parameters)
	object.Strings(f, "command", &d.Command)
	object.Text(f, "stdin", &d.Stdin)
	object.Text(f, "kind", &d.Kind)
	object.Text(f, "confirm", &d.Confirm)
	object.Text(f, "timeout", &d.timeout)
	object.Strings(f, "env", &d.Env)
	object.Text(f, "cwd", &d.Cwd)
	f.Int("max_output", &d.MaxOutput)
	f.Unknown(&d.unknown)
}

// read reads one declaration.
func (t *Tool) read(r *object.Reader, dir string, own Set) error {
	raw := r.Raw()
	in := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(raw)))
	d := declared{Tool: t}
	in.Read(&d)
	switch {
	case in.Err() != nil:
		return fmt.Errorf("%w: tool %q: %w", ErrDeclaration, t.Name, in.Err())
	case d.unknown != nil:
		return fmt.Errorf("%w: tool %q: members that are not known: %s", ErrDeclaration, t.Name, d.unknown)
	case own.Find(t.Name) != nil:
		return fmt.Errorf("%w: tool %q: the name is that of a built-in tool", ErrDeclaration, t.Name)
	}
	if timeout := d.timeout; timeout != "" {
		if strings.Trim(timeout, "0123456789") == "" {
			timeout += "s"
		}
		limit, err := time.ParseDuration(timeout)
		if err != nil || limit <= 0 {
			return fmt.Errorf("%w: tool %q: timeout %q is not a duration such as 30s", ErrDeclaration, t.Name, timeout)
		}
		t.Timeout = limit
	}
	t.Hash = store.Checksum(raw)
	if dir != "" && !isAbs(t.Cwd) {
		t.Cwd = strings.TrimSuffix(dir+"/"+t.Cwd, "/")
	}
	return t.complete()
}

// isAbs reports whether a path is absolute on any system.
func isAbs(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`) || len(p) > 1 && p[1] == ':'
}
