package cli

import (
	"reflect"
	"slices"

	"github.com/alecthomas/kong"
)

// Given is embedded by a command that has to know which flags and arguments were
// given. Their values do not show that, since a default can also be given.
type Given struct{ names []string }

// Names returns the flags and arguments that were given, by their names.
func (g *Given) Names() []string { return g.names }

// Has reports whether one of the flags or arguments was given.
func (g *Given) Has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(g.names, name) })
}

func (g *Given) record(names []string) { g.names = names }

// givenFlags returns the flags and arguments that were given, in their order.
func givenFlags(ctx *kong.Context) []string {
	var names []string
	for _, p := range ctx.Path {
		switch {
		case p.Flag != nil:
			names = append(names, p.Flag.Name)
		case p.Positional != nil:
			names = append(names, p.Positional.Name)
		}
	}
	return names
}

// checkGiven refuses empty lists, and flags that cannot be combined with the
// others. The tags of a flag say which: `needs:"wait"` names another flag that it
// requires, and `without:"pos"` a flag or an argument that it excludes.
func checkGiven(node *kong.Node, names []string) error {
	g := Given{names}
	for _, f := range node.Flags {
		if !g.Has(f.Name) {
			continue
		}
		if f.Target.Kind() == reflect.Slice && f.Target.Len() == 0 {
			return Usagef("--%s: %s", f.Name, emptyValue)
		}
		if other := f.Tag.Get("needs"); other != "" && !g.Has(other) {
			return Usagef("--%s requires --%s", f.Name, other)
		}
		if other := f.Tag.Get("without"); other != "" && g.Has(other) {
			return Usagef("--%s cannot be combined with %s", f.Name, spelled(node, other))
		}
	}
	return nil
}

// spelled returns the name of a flag or an argument as the help spells it.
func spelled(node *kong.Node, name string) string {
	for _, arg := range node.Positional {
		if arg.Name == name {
			return "<" + name + ">"
		}
	}
	return "--" + name
}
