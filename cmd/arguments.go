package cmd

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// value reads what stands behind a flag, or an argument. Kong's own mappers do the same;
// these say in a user's words what is missing or does not fit.
func value(kind string, set func(target reflect.Value, text string) error) kong.MapperFunc {
	return func(ctx *kong.DecodeContext, target reflect.Value) error {
		token := ctx.Scan.Peek()
		switch {
		case token.IsEOL():
			return fmt.Errorf("a value is missing")
		case !token.IsValue():
			return fmt.Errorf("a value is missing, or is taken for a flag: %s is to be joined to it by an equals sign", token)
		}
		text := fmt.Sprint(ctx.Scan.Pop().Value)
		if err := set(target, text); err != nil {
			return fmt.Errorf("%q is not %s", text, kind)
		}
		return nil
	}
}

func setInteger(target reflect.Value, text string) error {
	n, err := strconv.ParseInt(text, 10, target.Type().Bits())
	target.SetInt(n)
	return err
}

// missing says what a command line lacks that could be parsed as far as it goes: a command of a group, or arguments.
// It is empty where something else is wrong.
func missing(ctx *kong.Context) string {
	node := ctx.Selected()
	if node == nil || ctx.Error != nil {
		return ""
	}
	if len(node.Children) > 0 {
		names := make([]string, len(node.Children))
		for i, c := range node.Children {
			names[i] = c.Name
		}
		return node.Name + " needs a command: " + strings.Join(names, ", ")
	}
	given := map[*kong.Positional]bool{}
	for _, p := range ctx.Path {
		given[p.Positional] = p.Positional != nil
	}
	var words []string
	for _, arg := range node.Positional {
		if arg.Required && !given[arg] {
			words = append(words, arg.Summary())
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "missing: " + strings.Join(words, " ")
}
