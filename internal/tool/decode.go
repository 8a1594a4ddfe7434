package tool

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// Schema is the kind and version of a file of declarations.
const Schema = "onward/tools/v1"

// Decode reads a file of declarations. What is not known in it is an error,
// because a misspelt member would be silently without effect. Parameters that the built-in checker does not know
// are left for the caller to refuse, or to have judged.
func Decode(data []byte, source, dir string) ([]Tool, error) {
	var tools []Tool
	var kind string
	var problem error
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	r := object.NewReader(dec)
	rest := r.Object(func(name string) bool {
		switch name {
		case "schema":
			kind = r.String()
		case "tools":
			r.Array(func() {
				t := Tool{Source: source}
				if err := t.read(r, dir); problem == nil {
					problem = err
				}
				if slices.ContainsFunc(tools, func(o Tool) bool { return o.Name == t.Name }) && problem == nil {
					problem = fmt.Errorf("%w: tool %q is declared twice", ErrDeclaration, t.Name)
				}
				tools = append(tools, t)
			})
		default:
			return false
		}
		return true
	})
	switch {
	case r.Err() != nil:
		return nil, fmt.Errorf("%w: %w", ErrDeclaration, object.Problem(data, r.Err()))
	case kind != Schema:
		return nil, fmt.Errorf("%w: the schema is %q, not %q", ErrDeclaration, kind, Schema)
	case rest != nil:
		return nil, fmt.Errorf("%w: members that are not known: %s", ErrDeclaration, rest)
	}
	if err := object.End(data, dec); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDeclaration, err)
	}
	return tools, problem
}

// read reads one declaration.
func (t *Tool) read(r *object.Reader, dir string) error {
	raw := r.Raw()
	in := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(raw)))
	timeout := ""
	rest := in.Object(func(name string) bool {
		switch name {
		case "name":
			t.Name = in.String()
		case "description":
			t.Description = in.String()
		case "parameters":
			t.Parameters = in.Raw()
		case "command":
			t.Command = in.Strings()
		case "stdin":
			t.Stdin = in.String()
		case "kind":
			t.Kind = Kind(in.String())
		case "confirm":
			t.Confirm = in.String()
		case "timeout":
			timeout = in.String()
		case "env":
			t.Env = in.Strings()
		case "cwd":
			t.Cwd = in.String()
		case "max_output":
			t.MaxOutput = in.Int()
		default:
			return false
		}
		return true
	})
	switch {
	case in.Err() != nil:
		return fmt.Errorf("%w: tool %q: %w", ErrDeclaration, t.Name, in.Err())
	case rest != nil:
		return fmt.Errorf("%w: tool %q: members that are not known: %s", ErrDeclaration, t.Name, rest)
	case builtinName(t.Name):
		return fmt.Errorf("%w: tool %q: the name is that of a built-in tool", ErrDeclaration, t.Name)
	}
	if timeout != "" {
		if strings.Trim(timeout, "0123456789") == "" {
			timeout += "s"
		}
		d, err := time.ParseDuration(timeout)
		if err != nil || d <= 0 {
			return fmt.Errorf("%w: tool %q: timeout %q is no duration such as 30s", ErrDeclaration, t.Name, timeout)
		}
		t.Timeout = d
	}
	h := fnv.New64a()
	h.Write(raw)
	t.Hash = fmt.Sprintf("%016x", h.Sum64())
	if dir != "" && !isAbs(t.Cwd) {
		t.Cwd = strings.TrimSuffix(dir+"/"+t.Cwd, "/")
	}
	return t.finish()
}

// isAbs reports a path that does not depend on where one is, on any system.
func isAbs(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`) || len(p) > 1 && p[1] == ':'
}
