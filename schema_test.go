package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas compiles docs/schema. A program that reads our output must put up with keys that it does not know;
// our own tests must not, so here every object is closed: a key that is not documented is an error.
func schemas(dir string) (map[string]*jsonschema.Schema, error) {
	files, err := filepath.Glob(filepath.Join(dir, "docs", "schema", "*.json"))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		closeObjects(doc)
		if err := c.AddResource(kindOf(file), doc); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	out := map[string]*jsonschema.Schema{}
	for _, file := range files {
		s, err := c.Compile(kindOf(file))
		if err != nil {
			return nil, err
		}
		out[kindOf(file)] = s
	}
	return out, nil
}

// kindOf returns the kind that a schema file describes.
func kindOf(file string) string {
	return "onward/" + strings.TrimSuffix(filepath.Base(file), ".json") + "/v1"
}

func closeObjects(node any) {
	switch n := node.(type) {
	case []any:
		for _, v := range n {
			closeObjects(v)
		}
	case map[string]any:
		if _, object := n["properties"].(map[string]any); object {
			if _, told := n["additionalProperties"]; !told {
				n["additionalProperties"] = false
			}
		}
		for _, v := range n {
			closeObjects(v)
		}
	}
}

// TestEverySchemaValidatesOutput finds a kind without a schema, and a schema without a script.
func TestEverySchemaValidatesOutput(t *testing.T) {
	all, err := schemas(".")
	if err != nil {
		t.Fatal(err)
	}
	scripts, code := contents(t, "testdata/script", ".txtar"), contents(t, "cmd", ".go")+contents(t, "internal", ".go")
	for _, kind := range regexp.MustCompile(`"onward/[a-z-]+/v1"`).FindAllString(code, -1) {
		if kind = strings.Trim(kind, `"`); all[kind] == nil {
			t.Errorf("docs/schema has nothing about %s", kind)
		}
	}
	for kind := range all {
		if !strings.Contains(scripts, "valid stdout "+kind) && !strings.Contains(scripts, "valid stderr "+kind) {
			t.Errorf("no script holds %s against its schema", kind)
		}
	}
}

// contents joins the files of a folder that have an ending; tests are left out.
func contents(t *testing.T, dir, ending string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ending) || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		b.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// ordered reports a member of a document that stands before one which its schema describes earlier:
// readers look for `schema` and `session` at the beginning, and for a list behind them.
func ordered(doc, schema []byte) error {
	var described struct{ Properties json.RawMessage }
	if err := json.Unmarshal(schema, &described); err != nil {
		return err
	}
	order, err := names(described.Properties)
	if err != nil {
		return err
	}
	found, err := names(doc)
	if err != nil {
		return err
	}
	var want []string
	for _, name := range order {
		if slices.Contains(found, name) {
			want = append(want, name)
		}
	}
	if !slices.Equal(found, want) {
		return fmt.Errorf("the members are in the order %q, the schema has %q", found, want)
	}
	return nil
}

// names lists the names of an object's members, in their order.
func names(object []byte) (found []string, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(object))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		found = append(found, name.String())
		if err := d.SkipValue(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// valid checks documents that a program printed, one a line or one over many lines, against the schema of their kind:
// `valid stdout onward/todos/v1`.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: valid file kind")
	}
	all, err := schemas(ts.Getenv("ROOT"))
	ts.Check(err)
	schema, known := all[args[1]]
	if !known {
		ts.Fatalf("there is no schema of %s", args[1])
	}
	found := false
	lines := strings.Lines(ts.ReadFile(args[0]))
	if whole := ts.ReadFile(args[0]); json.Valid([]byte(whole)) {
		lines = slices.Values([]string{whole})
	}
	for line := range lines {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		ts.Check(err)
		object, _ := doc.(map[string]any)
		kind := object["schema"]
		if _, event := object["eventId"]; event {
			kind = "onward/event/v1" // without a member for it
		}
		if kind != args[1] {
			continue // a line of another kind
		}
		found = true
		if err := schema.Validate(doc); err != nil {
			ts.Fatalf("%v\n%s", err, line)
		}
		described, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), "docs", "schema", strings.Split(args[1], "/")[1]+".json"))
		ts.Check(err)
		ts.Check(ordered([]byte(line), described))
	}
	if !found {
		ts.Fatalf("no line of %s is of the kind %s", args[0], args[1])
	}
}
