package cmd

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// root is what kong fills in: the global flags, and a command.
type root struct {
	globals
	kong.Plugins
}

// branch is a command that only holds other commands.
type branch struct{ kong.Plugins }

// version is set by the release build.
var version = "dev"

// parseAndRun parses the arguments with kong and runs the command.
// The grammar holds only what the arguments name; where that does not parse,
// or help is asked for, it is built again whole, for the sake of what kong then says.
func (a *app) parseAndRun() error {
	if len(a.args) == 0 {
		return a.help(nil, exitUsage)
	}
	named := func(name string) bool { return slices.Contains(a.args, name) }
	if !slices.ContainsFunc(a.args, func(s string) bool { return s == "--help" || s == "-h" }) {
		g, command, err := a.parse(named, a.args)
		if err == nil {
			return a.runWith(g, command)
		}
	}
	g, command, err := a.parse(func(string) bool { return true }, a.args)
	var asked helpAsked
	switch {
	case errors.As(err, &asked):
		return nil
	case err != nil:
		return a.misused(err)
	}
	return a.runWith(g, command)
}

// runWith runs a command with the global flags that were given.
func (a *app) runWith(g globals, command runner) error {
	a.adopt(g)
	if err := a.checkColor(); err != nil {
		return err
	}
	return command.Run(a)
}

// help shows the help of a command, or the whole help.
func (a *app) help(path []string, code int) error {
	if code != exitOK {
		a.out.Reset(a.err)
	}
	_, _, err := a.parse(func(string) bool { return true }, append(slices.Clone(path), "--help"))
	var asked helpAsked
	if err != nil && !errors.As(err, &asked) {
		return a.misused(err)
	}
	if code != exitOK {
		a.out.Flush()
		return answer(code)
	}
	return nil
}

// helpAsked ends a parse that printed help or the version; kong itself would end the process.
type helpAsked struct{}

func (helpAsked) Error() string { return "help was asked for" }

// parse builds the grammar of the commands that are named, and parses arguments with it.
func (a *app) parse(named func(string) bool, args []string) (g globals, r runner, err error) {
	defer func() {
		if p := recover(); p != nil {
			asked, ok := p.(helpAsked)
			if !ok {
				panic(p)
			}
			err = asked
		}
	}()
	grammar, err := a.grammar(named)
	if err != nil {
		return g, nil, err
	}
	ctx, err := grammar.parser.Parse(args)
	if err != nil {
		return g, nil, err
	}
	path := commandPath(ctx)
	r, ok := grammar.runners[path]
	if !ok {
		return g, nil, &internalError{panicked: "no command " + path}
	}
	return grammar.root.globals, r, nil
}

// grammar is the command line as kong knows it.
type grammar struct {
	parser *kong.Kong
	root   struct {
		root    `embed:""`
		Version kong.VersionFlag `help:"Show the version."`
	}
	runners map[string]runner // by the path of the command
}

func (a *app) grammar(named func(string) bool) (*grammar, error) {
	g := &grammar{runners: map[string]runner{}}
	g.root.Plugins = plugins(commands(), named, "", g.runners)
	titles := kong.Groups{
		"global":   "Global flags:",
		"facts":    "What only the caller knows (what is not said is unknown):",
		"settings": "Settings, for this decision:",
	}
	for _, group := range groups() {
		titles[group.key] = group.title
	}
	var err error
	g.parser, err = kong.New(
		&g.root, titles,
		kong.Name("onward"),
		kong.Description("onward keeps a coding agent's todo list on disk and keeps the agent going until the list is done."),
		kong.Vars{"version": "onward " + version},
		kong.Writers(a.out, a.err),
		kong.Exit(func(int) { panic(helpAsked{}) }),
		kong.Help(a.printHelp),
		kong.KindMapper(reflect.String, value("", func(target reflect.Value, text string) error {
			target.SetString(text)
			return nil
		})),
		kong.KindMapper(reflect.Int, value("a whole number", setInteger)),
		kong.KindMapper(reflect.Int64, value("a whole number", setInteger)),
		kong.KindMapper(reflect.Float64, value("a number", func(target reflect.Value, text string) error {
			n, err := strconv.ParseFloat(text, 64)
			target.SetFloat(n)
			return err
		})),
	)
	if err != nil {
		return nil, &internalError{panicked: err}
	}
	g.parser.Model.HelpFlag.Help = "Show the help of a command."
	return g, nil
}

// model is the whole command line, for those who read it: completion and the manual.
func (a *app) model() (*kong.Application, error) {
	g, err := a.grammar(func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	return g.parser.Model, nil
}

// commandPath names the chosen command: `todo add`.
func commandPath(ctx *kong.Context) string {
	var names []string
	for _, p := range ctx.Path {
		if p.Command != nil {
			names = append(names, p.Command.Name)
		}
	}
	return strings.Join(names, " ")
}

// plugins makes kong's form of a table: one struct a command, each with one field.
// The value of each command is entered in runners under its path.
func plugins(table []command, named func(string) bool, prefix string, runners map[string]runner) kong.Plugins {
	var out kong.Plugins
	for _, c := range table {
		wanted := named(c.name)
		for alias := range strings.SplitSeq(c.alias, ",") {
			wanted = wanted || alias != "" && named(alias)
		}
		if !wanted {
			continue
		}
		var value reflect.Value
		if c.sub != nil {
			value = reflect.ValueOf(branch{plugins(c.sub, named, prefix+c.name+" ", runners)})
		} else {
			value = reflect.ValueOf(c.make()).Elem()
		}
		tag := fmt.Sprintf("cmd:\"\" name:%q help:%q", c.name, c.help)
		if c.alias != "" {
			tag += fmt.Sprintf(" aliases:%q", c.alias)
		}
		if c.group != "" {
			tag += fmt.Sprintf(" group:%q", c.group)
		}
		field := reflect.StructField{Name: "Command", Type: value.Type(), Tag: reflect.StructTag(tag)}
		holder := reflect.New(reflect.StructOf([]reflect.StructField{field}))
		filled := holder.Elem().Field(0)
		filled.Set(value)
		if r, ok := filled.Addr().Interface().(runner); ok && c.sub == nil {
			runners[prefix+c.name] = r
		}
		out = append(out, holder.Interface())
	}
	return out
}

// misused turns what kong says about the arguments into our error.
func (a *app) misused(err error) error {
	var parse *kong.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	message, hint := err.Error(), "onward --help"
	if name, rest, optional := strings.Cut(strings.TrimPrefix(message, "["), ">]: "); optional {
		message = name + ">: " + rest
	}
	if parse.Context != nil {
		if path := commandPath(parse.Context); path != "" {
			hint = "onward " + path + " --help"
		}
		if what := missing(parse.Context); what != "" {
			message = what
		}
	}
	return &usageError{message, "see `" + hint + "`"}
}
