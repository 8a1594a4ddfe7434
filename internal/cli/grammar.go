package cli

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"onward/internal/suggest"
	"onward/internal/truth"
)

// Kong is given one command at a time. The model of all commands would take longer
// to build than everything else at the start.

// grammar describes the flags and arguments of a command.
// A command with a method Words has texts in its help that only the running program knows; ${NAME} is replaced by them.
func grammar(command any) (*kong.Kong, error) {
	words := kong.Vars{}
	if c, ok := command.(interface{ Words() map[string]string }); ok {
		words = c.Words()
	}
	return kong.New(command,
		words,
		kong.Name(""),
		kong.NoDefaultHelp(),
		kong.Exit(func(code int) { panic(fmt.Sprintf("kong ends the process with %d", code)) }),
		kong.KindMapper(reflect.String, valueMapper("", func(target reflect.Value, text string) error {
			target.SetString(text)
			return nil
		})),
		kong.KindMapper(reflect.Bool, boolean{}),
		kong.KindMapper(reflect.Int, valueMapper("a whole number", setInteger)),
		kong.KindMapper(reflect.Int64, valueMapper("a whole number", setInteger)),
		kong.KindMapper(reflect.Float64, valueMapper("a number", func(target reflect.Value, text string) error {
			n, err := strconv.ParseFloat(text, 64)
			target.SetFloat(n)
			return err
		})),
	)
}

// model returns the flags and arguments of a command for the help. A command
// that kong cannot parse is a bug in the command's tags.
func model(c *Command) *kong.Node {
	k, err := grammar(c.Make())
	if err != nil {
		panic(err)
	}
	return k.Model.Node
}

// Parse sets the fields of a command from the arguments that Scan left for it.
// The command is what the row of the table makes.
func (p *Program) Parse(line Line, command any) error {
	k, err := grammar(command)
	if err != nil {
		panic(err)
	}
	var ctx *kong.Context
	if err = unvalued(k.Model.Node, line.open); err == nil {
		ctx, err = k.Parse(line.Args)
	}
	if err == nil {
		names := givenFlags(ctx)
		if g, ok := command.(interface{ record(names []string) }); ok {
			g.record(names)
		}
		err = checkGiven(k.Model.Node, names)
	}
	if err == nil {
		return nil
	}
	path := p.Name + " " + strings.Join(line.Path, " ")
	next := "see `" + path + " --help`"
	flag := strange(line, k.Model.Node)
	if word, found := strings.CutPrefix(err.Error(), "unknown flag -"); found && flag == "" { // a short one, and perhaps kong's guess
		word, _, _ = strings.Cut(word, ",")
		flag = "-" + word
		if at := slices.IndexFunc(line.Args, IsText); at >= 0 {
			flag = line.Args[at]
		}
	}
	if _, hasWords := command.(interface{ UnknownFlagHint() string }); !hasWords { // else -- is before flags of another program
		if text, args := asText(line, k.Model.Node); args != nil {
			return usageError(fmt.Sprintf("unknown flag %q", text), "if that is text, type `"+path+" "+QuoteWords(args)+line.after()+"`")
		}
	}
	for _, args := range [][]string{line.Args, quoted(k.Model.Node, line.Args)} {
		if flag == "" || p.isNearer(flag, k.Model.Node) {
			break
		}
		if args = corrected(line.Command, k.Model.Node, args); args != nil {
			return usageError("unknown flag "+flag, "did you mean `"+path+" "+QuoteWords(args)+line.after()+"`?")
		}
	}
	if c, ok := command.(interface{ UnknownFlagHint() string }); ok && (flag != "" || strings.HasPrefix(err.Error(), "unknown flag ")) {
		next = c.UnknownFlagHint()
	}
	meant := ""
	if c, ok := command.(interface{ MeantCommand(args []string) string }); ok {
		if meant = c.MeantCommand(line.Args); meant != "" {
			meant = "did you mean `" + p.Name + " " + meant + "`?"
		}
	}
	if flag != "" && meant != "" {
		return usageError("unknown flag "+flag, meant)
	}
	if flag != "" {
		unknown := p.unknownFlagError(flag, line, k.Model.Flags)
		unknown.Next = cmp.Or(unknown.Next, next)
		return unknown
	}
	message := err.Error()
	// Kong writes an optional argument in brackets, and a repeated one with dots.
	if name, rest, found := strings.Cut(message, ": "); found && strings.HasPrefix(strings.TrimPrefix(name, "["), "<") {
		message = strings.ToUpper(strings.Trim(name, "[]<>. ")) + ": " + rest
	}
	extra := ""
	if word, found := strings.CutPrefix(message, "unexpected argument "); found {
		extra, message = word, fmt.Sprintf("unexpected argument %q", word)
		if args := quoted(k.Model.Node, line.Args); args != nil && accepts(line.Command, args) {
			next = "quote a value that has spaces: `" + path + " " + QuoteWords(args) + line.after() + "`"
		}
		flagged := slices.Clone(line.Args)
		flagged[slices.Index(flagged, word)] = "--" + word
		if f := findFlag(k.Model.Node, "--"+word); f != nil && accepts(line.Command, flagged) {
			next = "did you mean `" + path + " " + QuoteWords(flagged) + line.after() + "`?"
		} else if instead := line.WithFlag(word); instead != "" {
			next = "did you mean `" + p.Name + " " + instead + line.after() + "`?"
		}
	}
	if number := (*valueError)(nil); errors.As(err, &number) {
		if instead := line.Instead(number.word, "1"); instead != "" {
			next = "for example `" + p.Name + " " + instead + "`"
		}
	}
	if extra != "" && len(k.Model.Positional) == 0 && !strings.HasPrefix(next, "did") {
		at := slices.Index(line.Args, extra)
		words := slices.DeleteFunc(slices.Clone(line.Args[at:]), func(arg string) bool { return !strings.HasPrefix(arg, "-") })
		if args := slices.Concat(line.Args[:at], words); accepts(line.Command, args) {
			next = "did you mean `" + strings.TrimSpace(path+" "+QuoteWords(args)) + "`?"
		}
	}
	var parse *kong.ParseError
	if ctx == nil && errors.As(err, &parse) {
		ctx = parse.Context
	}
	lacks := missing(ctx)
	if len(lacks) > 0 && lacks[0].Tag.Get("ask") != "" && !slices.ContainsFunc(line.Args, func(arg string) bool { return strings.Contains(arg, " ") }) {
		example := lacks[0].Tag.Get("example")
		if c, ok := command.(interface{ Example(args []string) string }); ok && example == "" {
			example = c.Example(line.Args)
		}
		if meant != "" {
			return usageError(lacks[0].Tag.Get("ask"), meant)
		}
		if at := slices.IndexFunc(line.typed, func(arg string) bool {
			return arg == "--"+lacks[0].Name || arg == "--"+lacks[0].Tag.Get("complete") || p.isNoTime(arg, line)
		}); at >= 0 { // a flag of every command, for the argument
			return usageError(lacks[0].Tag.Get("ask"), "did you mean `"+p.Name+" "+QuoteWords(slices.Concat(line.typed[:at], line.typed[at+1:]))+"`?")
		}
		return usageError(lacks[0].Tag.Get("ask"), "for example `"+p.Name+" "+QuoteWords(line.typed)+" "+example+"`; "+next)
	}
	refusal := usageError(cmp.Or(missingText(lacks), message), cmp.Or(meant, next))
	refusal.Extra = extra
	return refusal
}

// isNearer reports whether a flag of every command is one typing error away from a name, and none of the command's own is.
func (p *Program) isNearer(name string, node *kong.Node) bool {
	word := strings.TrimLeft(name, "-")
	is := func(flag string) bool { return suggest.IsMisspelled(word, flag) }
	return len(word) > 2 && slices.ContainsFunc(p.Flags, func(f Flag) bool { return is(f.Name) }) && !slices.ContainsFunc(flagNames(node), is)
}

// isNoTime reports whether an argument is a flag of every command for a time, and what follows it is none, as in `reply --now TEXT`.
func (p *Program) isNoTime(arg string, line Line) bool {
	at := slices.Index(line.typed, arg) + 1
	if at >= len(line.typed) || !slices.ContainsFunc(p.Flags, func(f Flag) bool { return "--"+f.Name == arg && f.Placeholder == "TIME" }) {
		return false
	}
	_, err := time.Parse(time.RFC3339, line.typed[at])
	return err != nil
}

// asText finds an argument that starts with a hyphen but is meant as text. It returns that text, and the arguments that the user could type
// instead: the same ones, with -- and the text at the end. args is nil if nothing looks like text, or if the command would refuse them.
func asText(line Line, node *kong.Node) (text string, args []string) {
	at := slices.IndexFunc(line.Args, func(arg string) bool { return arg == "--" || IsText(arg) })
	switch {
	case at < 0 || line.Args[at] == "--":
		return "", nil
	case at+1 < len(line.Args) && !isFlag(line.Args[at+1]): // the words would be in another order
		return "", nil
	case at > 0 && takesValue(node, line.Args[at-1]): // it is the value of that flag
		return "", nil
	}
	if args = slices.Concat(line.Args[:at], line.Args[at+1:], []string{"--", line.Args[at]}); accepts(line.Command, args) {
		return line.Args[at], args
	}
	return "", nil
}

// quoted returns the arguments with those that are too many as words of the last one, if its tag `quote:""` says that it may
// contain spaces, or of a flag's text.
func quoted(node *kong.Node, args []string) []string {
	for i, arg := range args { // of a flag
		end := i + 2
		for end < len(args) && !isFlag(args[end]) {
			end++
		}
		if f := findFlag(node, arg); f != nil && slices.Contains([]string{"TEXT", "CMD", "COMMAND"}, f.PlaceHolder) && end > i+2 {
			return slices.Concat(args[:i+1], []string{strings.Join(args[i+1:end], " ")}, args[end:])
		}
	}
	at, end := len(node.Positional)-1, slices.IndexFunc(args, isFlag)
	if end < 0 {
		end = len(args)
	}
	if at < 0 || end <= at || !node.Positional[at].Tag.Has("quote") {
		return nil
	}
	return slices.Concat(args[:at], []string{strings.Join(args[at:end], " ")}, args[end:])
}

// unvalued refuses a flag that needs a value and is followed by a global flag. Scan
// has removed the global flag, so kong would read the word after it as the value.
func unvalued(node *kong.Node, open []string) error {
	for _, name := range open {
		if f := findFlag(node, name); f != nil && !f.IsBool() {
			return errors.New("--" + f.Name + ": " + missingValue(""))
		}
	}
	return nil
}

// strange returns the first long flag that the command does not have.
func strange(line Line, node *kong.Node) string {
	for _, arg := range line.Args {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			return ""
		case strings.HasPrefix(arg, "--") && findFlag(node, name) == nil:
			return name
		}
	}
	return ""
}

// findFlag returns the flag of a command by its spelling on the command line.
func findFlag(node *kong.Node, name string) *kong.Flag {
	long, isLong := strings.CutPrefix(name, "--")
	for _, f := range node.Flags {
		switch {
		case isLong && (long == f.Name || slices.Contains(f.Aliases, long)),
			isLong && f.Tag.Negatable != "" && long == "no-"+f.Name,
			f.Short != 0 && name == "-"+string(f.Short):
			return f
		}
	}
	return nil
}

func takesValue(node *kong.Node, arg string) bool {
	f := findFlag(node, arg)
	return f != nil && !f.IsBool()
}

// valueMapper reads the value of a flag or an argument, as kong's own mappers do, but
// with errors in words that users know.
func valueMapper(kind string, set func(target reflect.Value, text string) error) kong.MapperFunc {
	return func(ctx *kong.DecodeContext, target reflect.Value) error {
		token := ctx.Scan.Peek()
		switch {
		case token.IsEOL():
			return errors.New(missingValue(""))
		case !token.IsValue():
			return errors.New(missingValue(token.String()))
		}
		text := fmt.Sprint(ctx.Scan.Pop().Value)
		// An empty value usually comes from a variable that is not set. Going on as if
		// the flag or the argument were absent would do something that was not meant.
		if text == "" && !ctx.Value.Tag.Has("empty") {
			return errors.New(emptyValue)
		}
		if err := set(target, text); err != nil {
			return &valueError{word: text, kind: kind}
		}
		return nil
	}
}

// valueError is about a word that is no number.
type valueError struct{ word, kind string }

func (e *valueError) Error() string { return fmt.Sprintf("%q is not %s", e.word, e.kind) }

// boolean reads a switch, which can have a value, as in --flag=off.
type boolean struct{}

func (boolean) IsBool() bool { return true }

func (boolean) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		target.SetBool(true)
		return nil
	}
	text := fmt.Sprint(ctx.Scan.Pop().Value)
	on, ok := truth.Parse(text)
	if !ok {
		return fmt.Errorf("%q is neither true nor false", text)
	}
	target.SetBool(on)
	return nil
}

func setInteger(target reflect.Value, text string) error {
	n, err := strconv.ParseInt(text, 10, target.Type().Bits())
	target.SetInt(n)
	return err
}

// missing lists the arguments that a command line lacks; none if something else
// is wrong with it.
func missing(ctx *kong.Context) (lacks []*kong.Positional) {
	if ctx == nil || ctx.Error != nil {
		return nil
	}
	names := givenFlags(ctx)
	for _, arg := range ctx.Model.Positional {
		if arg.Required && !slices.Contains(names, arg.Name) {
			lacks = append(lacks, arg)
		}
	}
	return lacks
}

// missingText names the missing arguments, and explains the first one that has a help text.
func missingText(lacks []*kong.Positional) string {
	if len(lacks) == 0 {
		return ""
	}
	var words []string
	help := ""
	for _, arg := range lacks {
		words = append(words, form(arg))
		help = cmp.Or(help, ": "+strings.TrimSuffix(arg.Help, "."))
	}
	return "missing: " + strings.Join(words, " ") + help
}
