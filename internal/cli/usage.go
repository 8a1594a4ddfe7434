package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"onward/internal/render"
	"onward/internal/suggest"
)

// unknownCommand is the error about a word that is not a command.
type unknownCommand struct {
	path []string // of the group
	word string
	rest []string // what follows it, without global flags
}

func (e *unknownCommand) Error() string {
	return fmt.Sprintf("unknown command %q", strings.Join(append(slices.Clone(e.path), e.word), " "))
}

// ExplainError returns the error of a scanned line with a hint. For an unknown command, it suggests what
// may have been meant: a command of that name, a flag or a topic of that name, or else
// commands with similar names. In a group, the commands of other groups are about
// something else.
func (p *Program) ExplainError(line Line) error {
	err := line.Err
	unknown := (*unknownCommand)(nil)
	if !errors.As(err, &unknown) {
		if own := (*Error)(nil); errors.As(err, &own) && own.Next == "" {
			if words := p.withFlagsLast(line); words != nil {
				own.Next = "did you mean `" + p.Name + " " + QuoteWords(words) + "`?"
			} else if own.Word != "" {
				own.Next = p.unknownFlagError(own.Word, line, nil).Next
			}
			own.Next = cmp.Or(own.Next, "`"+p.Name+" help flags` explains the flags of every command")
		}
		return err
	}
	group, meant := strings.Join(unknown.path, " "), p.suggestions(unknown)
	if rest := unknown.rest; len(rest) > 0 && group == "" && rest[0] != "help" && p.meantBy(unknown.word+" "+rest[0]) != nil { // as in `gate run`
		meant, unknown.rest = slices.Clone(p.meantBy(unknown.word+" "+rest[0])), rest[1:]
	} else if path := p.swapped(unknown); path != "" { // as in `list sessions`
		meant, unknown.rest = []string{path}, rest[1:]
	} else if len(rest) > 0 && slices.Contains(meant, rest[0]) { // as in `config set`
		meant, unknown.rest = rest[:1], rest[1:]
	} else if len(rest) > 0 && len(meant) == 0 && group != "" { // as in `todo 1 done`
		args := append([]string{unknown.word}, rest[1:]...)
		if c, path := FindPath(p.Commands, append(slices.Clone(unknown.path), rest[0])); c != nil && c.Sub == nil && accepts(c, args) {
			meant, unknown.rest = []string{strings.Join(path, " ")}, args
		}
	}
	list := "`" + strings.TrimSpace(p.Name+" "+group) + " --help` lists the commands"
	if group == "" {
		list = "`" + p.Name + " help commands` lists all commands"
	}
	if len(meant) == 0 {
		return usageError(unknown.Error(), list)
	}
	for i := range meant {
		meant[i] = "`" + strings.TrimSpace(p.Name+" "+p.withRest(meant[i], unknown, line)) + "`"
	}
	return usageError(unknown.Error(), "did you mean "+JoinOr(meant)+"? "+list)
}

// NoPageError returns the error about words that name neither a command nor a topic of the manual.
func (p *Program) NoPageError(words []string) error {
	var pages []string
	if len(words) == 1 {
		pages = suggest.Names(words[0], p.Topics())
		for _, topic := range p.Topics() { // as in `help exit`
			if strings.HasPrefix(topic, words[0]+"-") {
				pages = append(pages, topic)
			}
		}
	}
	unknown := (*unknownCommand)(nil)
	if errors.As(Scan(words, p.Commands, nil).Err, &unknown) {
		for _, path := range p.suggestions(unknown) {
			if path = strings.TrimPrefix(path, "help "); pages == nil && !isFlag(path) && !slices.Contains(pages, path) {
				pages = append(pages, path)
			}
		}
	}
	for n := len(words) - 1; n > 0 && pages == nil; n-- { // as in `help run task`
		if _, path := FindPath(p.Commands, words[:n]); path != nil {
			pages = []string{strings.Join(path, " ")}
		}
	}
	next := "see `" + p.Name + " --help`; the topics are " + strings.Join(p.Topics(), ", ")
	if len(pages) > 0 {
		for i := range pages {
			pages[i] = "`" + p.Name + " help " + pages[i] + "`"
		}
		next = "did you mean " + JoinOr(pages) + "? `" + p.Name + " help` lists the commands and topics"
	}
	return usageError(fmt.Sprintf("there is no command and no topic %q", strings.Join(words, " ")), next)
}

// suggestions returns what may have been meant by an unknown command: paths, flags and topics of the help.
func (p *Program) suggestions(unknown *unknownCommand) []string {
	group := strings.Join(unknown.path, " ")
	meant := p.meantBy(strings.TrimSpace(group + " " + unknown.word))
	near := func(path string) bool { return group == "" || parent(path) == "" || parent(path) == group }
	for path, c := range p.leaves() {
		if near(path) && c.is(unknown.word) && len(meant) < suggest.Most && !slices.Contains(meant, path) {
			meant = append(meant, path)
		}
	}
	for _, f := range p.Flags {
		if f.On != nil && f.Name == unknown.word {
			meant = append(meant, "--"+unknown.word)
		}
	}
	if group == "" && slices.Contains(p.Topics(), unknown.word) && !slices.Contains(meant, "help "+unknown.word) {
		meant = append(meant, "help "+unknown.word)
	}
	if meant == nil {
		meant = p.similar(unknown.word, func(path string) bool { return parent(path) == group })
	}
	if meant == nil && group == "" { // in a group, a name of another one is about something else
		meant = p.similar(unknown.word, near)
	}
	return meant
}

// meantBy returns the commands that users mean by a path that does not exist.
func (p *Program) meantBy(path string) []string {
	if p.MeantCommand == nil {
		return nil
	}
	return p.MeantCommand(path)
}

// withRest adds to a command line what followed the unknown command, if the command takes it. After a command that is about a
// session, it names one.
func (p *Program) withRest(meant string, unknown *unknownCommand, line Line) string {
	if c, _ := FindPath(p.Commands, strings.Fields(meant)); c != nil && c.Own != "" && slices.Contains(line.typed, "--"+c.Own) {
		// Scan took the flag for the one that every command has, as in `stp --now`, but this command has its own.
		of := *unknown
		of.rest = slices.Concat(unknown.rest, []string{"--" + c.Own})
		unknown = &of
	}
	rest := QuoteWords(unknown.rest)
	words := slices.Concat(strings.Fields(meant), unknown.rest)
	for n := range words {
		c, _ := FindPath(p.Commands, words[:n+1])
		switch {
		case rest == "" || strings.Contains(meant, "'") || strings.HasSuffix(meant, " "+unknown.word) && len(unknown.path) > 0 && words[n] == unknown.word:
		case c == nil || c.Sub != nil:
		case slices.Equal(unknown.path, []string{"session"}) && parent(meant) == "" && len(unknown.rest) > 1 && !isFlag(rest) && accepts(c, unknown.rest[1:]):
			return meant + " " + QuoteWords(unknown.rest[1:]) + " --session " + QuoteWords(unknown.rest[:1])
		case n > 0 && n < len(words)-1 && words[n] == words[len(words)-1] && accepts(c, words[n+1:len(words)-1]): // as in `mark 2 done`
			return meant + " " + QuoteWords(unknown.rest[:len(unknown.rest)-1])
		case n < len(strings.Fields(meant)) && unknown.rest[0] == words[n] && accepts(c, unknown.rest[1:]): // as in `mark done 2`
			return strings.TrimSpace(meant + " " + QuoteWords(unknown.rest[1:]))
		case len(unknown.rest) > 2 && unknown.rest[1] == "to" && accepts(c, slices.Delete(slices.Clone(unknown.rest), 1, 2)): // as in `rename 2 to TEXT`
			return meant + " " + QuoteWords(slices.Delete(slices.Clone(unknown.rest), 1, 2))
		case accepts(c, words[n+1:]):
			return meant + " " + rest
		case slices.Equal(unknown.path, []string{"session"}) && len(unknown.rest) == 1 && !isFlag(rest):
			return meant + " --session " + rest
		}
	}
	return meant
}

// swapped returns the command of a group that was named before its group, with the group in the singular or the plural; empty if there is none.
func (p *Program) swapped(unknown *unknownCommand) string {
	if len(unknown.path) > 0 || len(unknown.rest) == 0 {
		return ""
	}
	of := unknown.rest[0]
	for _, group := range []string{of, strings.TrimSuffix(of, "s"), of + "s"} {
		if c, path := FindPath(p.Commands, []string{group, unknown.word}); c != nil && c.Sub == nil {
			return strings.Join(path, " ")
		}
	}
	return ""
}

// parent returns the path of a command's group; empty if it is in none.
func parent(path string) string { return path[:max(strings.LastIndexByte(path, ' '), 0)] }

// similar lists the commands with a name like that word.
func (p *Program) similar(word string, among func(path string) bool) []string {
	var names, out []string
	paths := map[string]string{} // by name, the first command that has it
	for path, c := range All(p.Commands) {
		if !among(path) {
			continue
		}
		for _, name := range c.names() {
			if _, seen := paths[name]; !seen {
				paths[name] = path
				names = append(names, name)
			}
		}
	}
	for _, name := range suggest.Names(word, names) {
		if !slices.Contains(out, paths[name]) {
			out = append(out, paths[name])
		}
	}
	return out
}

// JoinOr joins alternatives: "a, b or c".
func JoinOr(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// unknownFlagError returns the error about a flag of a line that neither the command nor the program has.
func (p *Program) unknownFlagError(name string, line Line, own []*kong.Flag) *Error {
	flags := p.Flags
	known := slices.Concat(
		render.Map(own, func(_ int, f **kong.Flag) string { return (*f).Name }),
		render.Map(flags, func(_ int, f *Flag) string { return f.Name }))
	err := usageError("unknown flag "+name, "")
	others := suggest.Flags(name)
	var meant []string
	if others == nil {
		meant = similarFlags(name, known)
	}
	for _, like := range others {
		if like = strings.TrimPrefix(like, "--"); len(meant) == 0 && slices.Contains(known, like) {
			meant = []string{like}
		}
	}
	if leaf := Find(p.Commands, strings.TrimLeft(name, "-")); len(meant) == 0 && leaf != nil && leaf.Sub == nil && len(line.Args) > 0 && line.Args[0] == name && accepts(leaf, line.Args[1:]) { // as in `run --reply TEXT`
		err.Next = "did you mean `" + p.Name + " " + QuoteWords(append([]string{leaf.Name}, line.Args[1:]...)) + "`?"
	}
	for i := range meant {
		meant[i] = "--" + meant[i]
	}
	if len(meant) == 1 {
		if words := p.withFlag(line, name, meant[0]); words != nil {
			meant[0] = "`" + p.Name + " " + QuoteWords(words) + "`"
		}
	}
	if len(meant) > 0 {
		err.Next = "did you mean " + JoinOr(meant) + "?"
	}
	return err
}

// withFlag returns the words of a line with a flag of every command in the place of an unknown one; nil if the line is refused still.
func (p *Program) withFlag(line Line, name, instead string) []string {
	words := slices.Clone(line.typed)
	for i, word := range words {
		if flag, value, joined := strings.Cut(word, "="); flag == name {
			switch words[i] = instead; {
			case "--"+value == instead: // as in `--format=json`
			case joined:
				words[i] += "=" + value
			case i+1 < len(words) && "--"+words[i+1] == instead:
				words = slices.Delete(words, i+1, i+2)
			}
			break
		}
	}
	if !p.takes(words) {
		return nil
	}
	return words
}

// withFlagsLast returns the words of a line with the flags that precede its command, and are its own, at the end; nil if the line is
// refused still.
func (p *Program) withFlagsLast(line Line) []string {
	for at, word := range line.typed {
		if word == "--" {
			return nil
		}
		if isFlag(word) && !slices.ContainsFunc(p.Flags, func(f Flag) bool { return "--"+f.Name == word }) {
			for n := at + 1; n <= min(at+2, len(line.typed)); n++ { // the flag may have a value
				words := slices.Concat(line.typed[:at], line.typed[n:])
				end := slices.Index(append(words, "--"), "--")
				if words = slices.Insert(words, end, line.typed[at:n]...); p.takes(words) {
					return words
				}
			}
			return nil
		}
	}
	return nil
}

// takes reports whether a command line is accepted.
func (p *Program) takes(words []string) bool {
	flags := slices.Clone(p.Flags)
	for i := range flags { // the values are not kept
		if flags[i].Text != nil {
			flags[i].Text = new(*string)
		} else {
			flags[i].On = new(bool)
		}
	}
	line := Scan(words, p.Commands, flags)
	line.CutLiteral()
	return line.Err == nil && line.leaf() && accepts(line.Command, line.Args)
}

// similarFlags returns the names of flags that are like one that is not known, and else those that begin with it.
func similarFlags(name string, known []string) []string {
	word := strings.TrimLeft(name, "-")
	near := slices.DeleteFunc(suggest.Nearest(word, known), func(flag string) bool { // another store looks as if all lists were lost
		return flag == "store" && !suggest.IsMisspelled(word, flag)
	})
	if len(near) > 0 && len(word) > 1 {
		return near
	}
	if len(word) == 1 {
		word = strings.ToLower(word)
	}
	begin := slices.DeleteFunc(slices.Clone(known), func(flag string) bool { return !strings.HasPrefix(flag, word) })
	return begin[:min(len(begin), suggest.Most)]
}
