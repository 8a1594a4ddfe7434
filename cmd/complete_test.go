package cmd

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"onward/internal/cli"
)

// free lists the values that only the user knows, by the placeholder of the flag or the name of the argument.
var free = []string{
	"N", "N|D", "D", "R", "T", "K", "TIME", "TEXT", "NAME", "NAMES", "CMD", "JSON", "WORDS", "RE", "REV", "AGENT=FLAGS", // of flags
	"text", "reason", "task", // of arguments
	"--op", "--id", "--owner", // new ids, or ids of other programs
}

// Every value that is one of a fixed set, or that onward knows, is completed.
func TestEveryKnownValueIsCompleted(t *testing.T) {
	t.Setenv("ONWARD_STORE", t.TempDir())
	a := &app{}
	for path, c := range cli.All(commands()) {
		if c.Sub != nil {
			continue
		}
		of := reflect.TypeOf(c.Make()).Elem()
		for _, field := range reflect.VisibleFields(of) {
			kind, known := field.Tag.Lookup("complete")
			_, position := field.Tag.Lookup("arg")
			boolean := field.Type.Kind() == reflect.Bool || field.Type == reflect.TypeFor[*bool]()
			switch {
			case field.Anonymous || !field.IsExported() || boolean:
			case !known:
				name, flag := field.Tag.Get("name"), "--"+strings.ToLower(field.Name)
				if name == "" {
					name = strings.ToLower(field.Name)
				}
				placeholder := field.Tag.Get("placeholder")
				if !slices.Contains(free, placeholder) && !slices.Contains(free, flag) && (!position || !slices.Contains(free, name)) {
					t.Errorf("%s: %s has no completion", path, field.Name)
				}
			case !strings.HasPrefix(kind, "="):
				a.values(cli.CompletionContext{Kind: kind}) // it panics if it does not know the kind
			}
		}
	}
	for _, f := range a.list() {
		if f.Text != nil && f.Complete == "" && !slices.Contains(free, f.Placeholder) && !slices.Contains(free, "--"+f.Name) {
			t.Errorf("--%s has no completion", f.Name)
		}
	}
}
