package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/testscript"
)

// schemaFile returns the path of a kind's schema.
func schemaFile(root, kind string) string {
	return filepath.Join(root, "docs", "schema", strings.Split(kind, "/")[1]+".json")
}

// closed reads a schema of docs/schema, and forbids undocumented keys in all its objects. Programs that read onward's
// output must ignore keys that they do not know; these tests must find them.
func closed(file string) (described, closed []byte, err error) {
	if described, err = os.ReadFile(file); err != nil {
		return nil, nil, err
	}
	var doc any
	if err = json.Unmarshal(described, &doc); err != nil {
		return nil, nil, err
	}
	closeObjects(doc)
	closed, err = json.Marshal(doc)
	return described, closed, err
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

// TestEverySchemaValidatesOutput fails if a kind of output has no schema, or no script validates output by a schema.
func TestEverySchemaValidatesOutput(t *testing.T) {
	files, err := filepath.Glob("docs/schema/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d schemas, %v", len(files), err)
	}
	all := map[string]bool{}
	for _, file := range files {
		all["onward/"+strings.TrimSuffix(filepath.Base(file), ".json")+"/v1"] = true
	}
	scripts, code := contents(t, "testdata/script", ".txtar"), contents(t, "cmd", ".go")+contents(t, "internal", ".go")
	for _, kind := range regexp.MustCompile(`"onward/[a-z-]+/v1"`).FindAllString(code, -1) {
		if kind = strings.Trim(kind, `"`); !all[kind] {
			t.Errorf("docs/schema has nothing about %s", kind)
		}
	}
	for kind := range all {
		if !strings.Contains(scripts, "valid stdout "+kind) && !strings.Contains(scripts, "valid stderr "+kind) {
			t.Errorf("no script holds %s against its schema", kind)
		}
	}
}

// contents joins the files of a folder with an ending, except tests.
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

// ordered reports a member of a document that comes before one which its schema describes earlier. Readers expect
// `schema` and `session` at the beginning, and a list after them.
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

// valid returns the script command that validates the documents a program printed, one per line or one on many lines,
// by the schema of their kind: `valid stdout onward/todos/v1`. It asks onward-schema.
func valid(program string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 2 {
			ts.Fatalf("usage: valid file kind")
		}
		described, schema, err := closed(schemaFile(ts.Getenv("ROOT"), args[1]))
		ts.Check(err)
		docs := documents(ts, ts.ReadFile(args[0]), args[1])
		if len(docs) == 0 {
			ts.Fatalf("no line of %s is of the kind %s", args[0], args[1])
		}
		var questions bytes.Buffer
		ask := json.NewEncoder(&questions)
		ts.Check(ask.Encode(map[string]json.RawMessage{"schema": schema}))
		for _, doc := range docs {
			ts.Check(ask.Encode(map[string]json.RawMessage{"value": json.RawMessage(doc)}))
		}
		cmd := exec.Command(program)
		cmd.Stdin = &questions
		out, err := cmd.Output()
		ts.Check(err)
		answers := json.NewDecoder(bytes.NewReader(out))
		for i := range len(docs) + 1 {
			var a struct {
				OK          bool
				At, Problem string
				Ignored     []string
			}
			ts.Check(answers.Decode(&a))
			switch {
			case i == 0 && (!a.OK || len(a.Ignored) > 0):
				ts.Fatalf("the schema of %s: %s: %s; without effect: %q", args[1], a.At, a.Problem, a.Ignored)
			case !a.OK:
				ts.Fatalf("%s: %s\n%s", a.At, a.Problem, docs[i-1])
			case i > 0:
				ts.Check(ordered([]byte(docs[i-1]), described))
			}
		}
	}
}

// documents returns the documents of a kind in the output of a program.
func documents(ts *testscript.TestScript, text, kind string) (docs []string) {
	lines := strings.Lines(text)
	if json.Valid([]byte(text)) {
		lines = slices.Values([]string{text})
	}
	for line := range lines {
		var doc any
		ts.Check(json.Unmarshal([]byte(line), &doc))
		object, _ := doc.(map[string]any)
		is := object["schema"]
		if _, event := object["eventId"]; event {
			is = "onward/event/v1" // events have no member `schema`
		}
		if is == kind {
			docs = append(docs, line)
		}
	}
	return docs
}
