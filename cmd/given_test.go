package cmd

import (
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"onward/internal/cli"
	continuation "onward/internal/continue"
)

// flagFields returns the flags of a command, by their names.
func flagFields(t reflect.Type) map[string]reflect.StructField {
	out := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		_, argument := f.Tag.Lookup("arg")
		if _, embedded := f.Tag.Lookup("embed"); !f.IsExported() || f.Anonymous || argument || embedded {
			continue
		}
		name := f.Tag.Get("name")
		for i, r := range f.Name {
			if f.Tag.Get("name") == "" {
				if i > 0 && 'A' <= r && r <= 'Z' {
					name += "-"
				}
				name += strings.ToLower(string(r))
			}
		}
		out[name] = f
	}
	return out
}

// parse reads a command line by the grammar, without running the command.
func parse(args ...string) error {
	a := newApp(args, nil, io.Discard, io.Discard)
	if a.line.Err != nil {
		return a.line.Err
	}
	return a.program().Parse(a.line, a.line.Command.Make())
}

// An empty value is refused by every flag but the few whose text may be empty.
func TestEmptyValues(t *testing.T) {
	mayBeEmpty := []string{"event --text", "check-continue --owner", "check-continue --plan-agents", "run --plan-agents", "hook --context-text"}
	seen := 0
	for path, c := range cli.All(commands()) {
		if c.Make == nil {
			continue
		}
		for name, f := range flagFields(reflect.TypeOf(c.Make()).Elem()) {
			kind := f.Type
			for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
				kind = kind.Elem()
			}
			if kind.Kind() != reflect.String {
				continue
			}
			seen++
			args := append(strings.Fields(path), "--"+name, "")
			for _, arg := range reflect.VisibleFields(reflect.TypeOf(c.Make()).Elem()) {
				_, argument := arg.Tag.Lookup("arg")
				if _, optional := arg.Tag.Lookup("optional"); argument && !optional {
					args = append(args, "1")
				}
			}
			for other, f := range flagFields(reflect.TypeOf(c.Make()).Elem()) {
				if _, required := f.Tag.Lookup("required"); required && other != name {
					args = append(args, "--"+other+"=1")
				}
			}
			err := parse(args...)
			refused := err != nil && err.Error() == "--"+name+": the value is empty"
			if refused == slices.Contains(mayBeEmpty, path+" --"+name) {
				t.Errorf("onward %q: %v", args, err)
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d flags were tried", seen)
	}
	for _, f := range newApp(nil, nil, io.Discard, io.Discard).list() {
		for _, args := range [][]string{{"--" + f.Name + "="}, {"--" + f.Name, ""}} {
			if err := parse(append(args, "todo", "show")...); f.Text != nil && (err == nil || err.Error() != "--"+f.Name+": the value is empty") {
				t.Errorf("onward %q todo show: %v", args, err)
			}
		}
	}
}

// An empty argument is refused, so that an unset variable does not mean the current
// session or the working folder. Only texts may be empty here, because their commands
// report that themselves.
func TestEmptyArguments(t *testing.T) {
	seen := 0
	for path, c := range cli.All(commands()) {
		if c.Make == nil {
			continue
		}
		line := strings.Fields(path)
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c.Make()).Elem()) {
			if _, argument := f.Tag.Lookup("arg"); !argument {
				continue
			}
			err := parse(append(slices.Clone(line), "")...)
			refused := err != nil && strings.HasSuffix(err.Error(), ": the value is empty")
			if _, text := f.Tag.Lookup("empty"); refused == text {
				t.Errorf("onward %q and an empty %s: %v", line, f.Name, err)
			}
			line = append(line, "1")
			seen++
		}
	}
	if seen < 50 {
		t.Errorf("only %d arguments were tried", seen)
	}
}

// A flag of `onward event` is refused for every event that its help does not list,
// whatever its value, even its default.
func TestFlagsOfOtherEvents(t *testing.T) {
	for name, f := range flagFields(reflect.TypeFor[eventCmd]()) {
		belongs, _, _ := strings.Cut(f.Tag.Get("help"), ":")
		values := map[reflect.Kind][]string{reflect.Int: {"0", "3"}, reflect.Bool: {"false", "true"}, reflect.String: {"", "90"}}[f.Type.Kind()]
		for _, event := range continuation.Types() {
			if event == string(continuation.Todos) {
				continue
			}
			for _, value := range values {
				args := []string{"event", event, "--" + name + "=" + value}
				a := newApp(args, nil, io.Discard, io.Discard)
				c := &eventCmd{}
				err := a.program().Parse(a.line, c)
				if err == nil {
					_, _, err = c.events(a, 0)
				}
				fits := slices.Contains(strings.Split(belongs, ", "), event)
				if refused := err != nil; !fits && !refused || fits && value != "" && name != "status" && name != "error-class" && refused {
					t.Errorf("onward %q: %v", args, err)
				}
			}
		}
	}
}

// A flag that depends on another one is refused without it.
func TestDependentFlags(t *testing.T) {
	for line, want := range map[string]string{
		"check-continue --max-wait 5s":           "--max-wait requires --wait",
		"check-continue --wait --max-wait 5s":    "",
		"todo export --force":                    "--force requires --output",
		"todo export --force -o list.md":         "",
		"todo show 1 --open":                     "--open cannot be combined with <pos>",
		"todo show --status=pending last":        "--status cannot be combined with <pos>",
		"todo show --status=pending --open":      "",
		"schedule submit - --priority 0 --batch": "--batch: a value is missing",
	} {
		got := ""
		if err := parse(strings.Fields(line)...); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("onward %s: %q, want %q", line, got, want)
		}
	}
}
