package cli

import (
	"slices"
	"strings"

	"onward/internal/truth"
)

// Flag is a flag that every command accepts, anywhere before `--`.
// One of Text and On is set.
type Flag struct {
	Name        string
	Short       byte
	Placeholder string // names the value in the help
	Complete    string // the kind of its values, for completion
	Help        string
	Text        **string // receives the value
	On          *bool    // receives the state of a switch
}

// Line is a scanned command line. If Err is set, the other fields contain what was
// understood, so that the caller knows which command failed, and whether to report in JSON.
type Line struct {
	Path    []string // the names of the command, without aliases
	Command *Command // what the path names; nil if the arguments name no command
	Args    []string // the flags and arguments that are left for the command
	Literal int      // how many of them follow `--` and are no flags
	Off     []string // the global switches that were set to no
	Err     error    // about the first argument that could not be understood

	typed []string // all words, as they were typed
	cut   []string // the words that followed --
	open  []string // flags of the command that a global flag separated from the word after it
}

// IsPlain reports whether the line names a command and can be read without the
// grammar.
func (l *Line) IsPlain() bool {
	return l.Err == nil && l.Literal == 0 && len(l.open) == 0 && l.leaf()
}

// leaf reports whether the line names a command that can be run.
func (l *Line) leaf() bool { return l.Command != nil && l.Command.Sub == nil }

// CutLiteral removes `--` and the words after it from the arguments, and returns the words.
func (l *Line) CutLiteral() (words []string) {
	if end := slices.Index(l.Args, "--"); end >= 0 {
		words, l.Args, l.Literal = l.Args[end+1:], l.Args[:end:end], 0
		l.cut = words
	}
	return words
}

// after returns what CutLiteral removed, as it stands on the command line.
func (l *Line) after() string {
	if len(l.cut) == 0 {
		return ""
	}
	return " -- " + QuoteWords(l.cut)
}

// Instead returns the command line with another word in the place of an argument or a flag's value; empty if that is not
// there once, or if the command does not accept the other. What the user typed else stays, the flags of every command too.
func (l *Line) Instead(word, other string) string {
	typed, n := replaced(l.typed, word, other)
	if args, own := replaced(l.Args, word, other); n != 1 || own > 0 && !accepts(l.Command, args) {
		return ""
	}
	return QuoteWords(typed)
}

// replaced returns words with another one in the place of an argument or a flag's value, and how often that was there.
func replaced(words []string, word, other string) (out []string, n int) {
	out = slices.Clone(words)
	for i, arg := range out {
		if flag, value, joined := strings.Cut(arg, "="); arg == word {
			out[i], n = other, n+1
		} else if joined && isFlag(flag) && value == word {
			out[i], n = flag+"="+other, n+1
		}
	}
	return out, n
}

// Scan finds the command in the arguments and reads the global flags. It does not
// know the flags of the command. That is enough, because these follow the name of
// the command, and a value that begins with a hyphen is joined to its flag by an
// equals sign.
func Scan(args []string, table []Command, flags []Flag) Line {
	s := scanner{Line: Line{typed: args}, flags: flags, table: table}
	s.scan(args)
	return s.Line
}

// TakeFlags reads the given flags, and returns the other arguments: the words of the command, and any other flag.
func (l *Line) TakeFlags(flags []Flag) (rest []string, err error) {
	s := scanner{Line: Line{Command: l.Command}, flags: flags}
	s.scan(l.Args)
	return s.Args, s.Err
}

// isFlag reports whether an argument is a flag rather than a value.
func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// IsText reports whether an argument begins as a flag does, but has spaces where the name of a flag has none.
func IsText(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return isFlag(arg) && strings.Contains(name, " ")
}

type scanner struct {
	Line
	flags []Flag
	table []Command       // the commands that the next word can name
	lost  *unknownCommand // the word that named no command; nil if each did
	gap   bool            // a global flag was removed after the last argument
}

func (s *scanner) scan(args []string) {
	for len(args) > 0 {
		arg := args[0]
		switch {
		case arg == "--":
			if s.leaf() {
				s.Args = append(s.Args, args...)
				s.Literal = len(args) - 1
			} else {
				s.fail(Usagef("a command comes before --"))
			}
			return
		case isFlag(arg):
			n := s.readFlag(args)
			args = args[n:]
		default:
			s.readWord(arg)
			args = args[1:]
		}
	}
}

func (s *scanner) fail(err error) {
	if s.Err == nil {
		s.Err = err
	}
}

// readWord reads an argument that is not a flag: the name of a command, or an argument of it.
func (s *scanner) readWord(arg string) {
	switch {
	case s.leaf():
		if n := len(s.Args); s.gap && isFlag(s.Args[n-1]) && !strings.Contains(s.Args[n-1], "=") {
			s.open = append(s.open, s.Args[n-1])
		}
		s.Args, s.gap = append(s.Args, arg), false
		return
	case s.lost != nil:
		s.lost.rest = append(s.lost.rest, arg)
		return
	}
	c := Find(s.table, arg)
	if c == nil {
		s.lost = &unknownCommand{path: s.Path, word: arg}
		s.fail(s.lost)
		return
	}
	s.Command, s.Path, s.table = c, append(s.Path, c.Name), c.Sub
}

// readFlag reads a flag and returns how many arguments it consists of.
// It leaves a flag that is not global to the command.
func (s *scanner) readFlag(args []string) int {
	arg := args[0]
	if IsText(arg) { // its first letters may be those of flags
		s.deferFlag(arg)
		return 1
	}
	if name, long := strings.CutPrefix(arg, "--"); long {
		name, value, joined := strings.Cut(name, "=")
		if i := slices.IndexFunc(s.flags, func(f Flag) bool { return f.Name == name }); i >= 0 && (joined || !s.leaf() || s.Command.Own != name) {
			return s.setFlag(&s.flags[i], value, joined, args)
		}
		s.deferFlag(arg)
		return 1
	}
	for at := 1; at < len(arg); at++ { // -qs ID is -q -s ID
		i := slices.IndexFunc(s.flags, func(f Flag) bool { return f.Short == arg[at] })
		if i < 0 {
			s.deferFlag("-" + arg[at:])
			return 1
		}
		f := &s.flags[i]
		if rest := arg[at+1:]; f.On == nil {
			return s.setFlag(f, rest, rest != "", args)
		}
		if value, joined := strings.CutPrefix(arg[at+1:], "="); joined {
			return s.setFlag(f, value, true, args)
		}
		s.setFlag(f, "", false, args)
	}
	return 1
}

// setFlag sets a global flag and returns how many arguments it consists of, with its
// value. If joined is set, the value is in the same argument.
func (s *scanner) setFlag(f *Flag, value string, joined bool, args []string) int {
	s.gap = len(s.Args) > 0
	switch {
	case f.On != nil && !joined:
		*f.On = true
	case f.On != nil:
		on, ok := truth.Parse(value)
		if !ok {
			s.fail(NotBoolError("--"+f.Name, value))
		}
		*f.On = on
		if !on {
			s.Off = append(s.Off, f.Name)
		}
	case joined && value == "":
		s.fail(Usagef("--%s: %s", f.Name, emptyValue))
	case joined:
		*f.Text = &value
	case len(args) == 1:
		s.fail(Usagef("--%s: %s", f.Name, missingValue("")))
	case isFlag(args[1]):
		s.fail(Usagef("--%s: %s", f.Name, missingValue(args[1])))
	case args[1] == "":
		s.fail(Usagef("--%s: %s", f.Name, emptyValue))
		return 2
	default:
		*f.Text = &args[1]
		return 2
	}
	return 1
}

// deferFlag leaves a flag to the command, or refuses it if there is no command.
func (s *scanner) deferFlag(arg string) {
	if s.leaf() {
		s.Args, s.gap = append(s.Args, arg), false
		return
	}
	if s.lost != nil {
		s.lost.rest = append(s.lost.rest, arg)
	}
	name, _, _ := strings.Cut(arg, "=")
	unknown := usageError("unknown flag "+name, "")
	unknown.Word = name
	s.fail(unknown)
}

// NotBoolError returns the error about a value of a flag or a variable that is neither yes nor no.
func NotBoolError(name, value string) error {
	return Usagef("%s: %q is neither true nor false", name, value)
}

const emptyValue = "the value is empty"

// missingValue reports that a flag has no value; next is the flag that is there instead.
func missingValue(next string) string {
	if next == "" {
		return "a value is missing"
	}
	return "a value is missing; if " + next + " is the value, join it with an equals sign"
}
