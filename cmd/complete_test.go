package cmd

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
)

// free are the values that only the user knows: a placeholder of a flag, or the name of an argument.
var free = []string{
	"N", "D", "R", "T", "K", "TIME", "TEXT", "NAME", "NAMES", "JSON", "WORDS", "RE", // of flags
	"text", "reason", // of arguments
	"--op", "--id", "--owner", // ids that are new, or of others
}

// Every value that is one of a fixed set, or that onward knows, is completed.
func TestEveryKnownValueIsCompleted(t *testing.T) {
	t.Setenv("ONWARD_STORE", t.TempDir())
	a := &app{}
	model, err := a.model()
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *kong.Node)
	check := func(n *kong.Node, v *kong.Value, what string, names ...string) {
		known := v.Tag.Get("complete") != ""
		if !known && !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(free, name) }) {
			t.Errorf("%s: %s has no completion", n.FullPath(), what)
		}
		if known {
			(&completing{app: a, node: n}).values(v) // it panics where it does not know the kind
		}
	}
	walk = func(n *kong.Node) {
		for _, f := range n.Flags {
			if !f.IsBool() && f.Name != "help" && f.Name != "version" {
				check(n, f.Value, "--"+f.Name, f.PlaceHolder, "--"+f.Name)
			}
		}
		for _, p := range n.Positional {
			check(n, p, "<"+p.Name+">", p.Name)
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(model.Node)
}
