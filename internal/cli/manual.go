package cli

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"onward/internal/render"
)

// The manual has a page for each command, named by its path, and one for each
// topic. A page is Markdown: what the command does, examples as sessions at a
// terminal, and its exit codes; or the title and the text of the topic.
// The help and the man pages are made from the same pages.

// page is one page of the manual.
type page struct {
	title    string // of a topic
	about    []part
	examples []string // lines
	exits    []exit
}

// exit is an exit code of a command. A result has a meaning of its own for the command; the others mean the same for all commands.
type exit struct {
	row    [2]string
	result bool
}

// codes lists all exit codes of a page; results lists those with a meaning of their own.
func (p page) codes() [][2]string {
	return render.Map(p.exits, func(_ int, e *exit) [2]string { return e.row })
}

func (p page) results() [][2]string {
	p.exits = slices.DeleteFunc(slices.Clone(p.exits), func(e exit) bool { return !e.result })
	return p.codes()
}

// part is a piece of a page: a paragraph, which may be followed by rows of terms and
// their meanings, by lines that are shown unchanged, or by flags.
type part struct {
	text  string
	rows  [][2]string
	lines []string
	flags [][2]string
}

// section is some parts under a title, which is empty for the beginning of a page.
type section struct {
	title string
	parts []part
}

// commandSections returns the help of a command: the part from the grammar, and the part from the manual with some of its exit codes.
func (p *Program) commandSections(name string, c *Command, node *kong.Node, exits func(page) [][2]string) []section {
	text, _ := p.readPage(strings.ReplaceAll(name, " ", "-"))
	out := []section{{"", append([]part{{text: c.Help}}, text.about...)}}
	add := func(title string, some bool, content part) {
		if some {
			out = append(out, section{title, []part{content}})
		}
	}
	add("Aliases:", c.Alias != "", part{lines: []string{strings.Join(c.names()[1:], ", ")}})
	var arguments [][2]string
	for _, arg := range node.Positional {
		arguments = append(arguments, [2]string{form(arg), arg.Help})
	}
	add("Arguments:", arguments != nil, part{rows: arguments})
	out = append(out, flagSections(node.Flags)...)
	add("Examples:", text.examples != nil, part{lines: text.examples})
	codes := exits(text)
	add("Exit status:", len(codes) > 0, part{rows: codes})
	return out
}

// readPage reads a page, and reports whether there is one. An indented block is an example on the page of a command,
// and a part of the text on the page of a topic. If all lines of a topic's block have a gap of two spaces, the
// term is before the gap, and its meaning after it.
func (p *Program) readPage(name string) (page, bool) {
	text, err := fs.ReadFile(p.Manual, name+".md")
	if err != nil {
		return page{}, false
	}
	var out page
	for paragraph := range strings.SplitSeq(strings.Trim(string(text), "\n"), "\n\n") {
		title, isTitle := strings.CutPrefix(paragraph, "# ")
		codes, isExits := strings.CutPrefix(paragraph, "Exit status:")
		switch {
		case isTitle:
			out.title = title
		case isExits:
			out.exits = p.exitRows(codes)
		case paragraph == "    (all commands)":
			out.about = append(out.about, p.allCommands()...)
		case strings.HasPrefix(paragraph, "    ("):
			out.about = append(out.about, part{rows: p.table(strings.Trim(paragraph, " ()"))})
		case strings.HasPrefix(paragraph, "    ") && out.title != "":
			out.about = append(out.about, blockOf(outdented(paragraph)))
		case strings.HasPrefix(paragraph, "    "):
			if len(out.examples) > 0 {
				out.examples = append(out.examples, "")
			}
			out.examples = append(out.examples, outdented(paragraph)...)
		default:
			out.about = append(out.about, part{text: strings.ReplaceAll(paragraph, "\n", " ")})
		}
	}
	return out, true
}

// outdented returns the lines of a block, which is indented by four spaces.
func outdented(block string) []string {
	lines := strings.Split(block, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "    ")
	}
	return lines
}

// exitRows reads the end of a page: codes separated by commas, or a list. An entry
// of the list such as "- 1 something is open" gives a code its meaning for this
// command.
func (p *Program) exitRows(text string) []exit {
	var rows []exit
	for entry := range strings.SplitSeq("\n"+text, "\n- ") {
		word, own, _ := strings.Cut(strings.TrimSpace(entry), " ")
		if code, err := strconv.Atoi(word); err == nil && own != "" {
			rows = append(rows, exit{p.exitRow(code, strings.ReplaceAll(own, "\n", " ")), true})
			continue
		}
		for word := range strings.FieldsFuncSeq(entry, func(r rune) bool { return r < '0' || r > '9' }) {
			if code, err := strconv.Atoi(word); err == nil {
				rows = append(rows, exit{p.exitRow(code, ""), 0 < code && code < firstError})
			}
		}
	}
	return rows
}

// exitRow returns a code with its meaning for the command, or with that of the table.
// From the latter it leaves out the parts about a single command.
func (p *Program) exitRow(code int, own string) [2]string {
	i := slices.IndexFunc(p.Exits, func(e Exit) bool { return e.Code == code })
	if i < 0 {
		return [2]string{strconv.Itoa(code), own}
	}
	e := p.Exits[i]
	if own == "" {
		own = e.Meaning
		for _, c := range p.Commands {
			own, _, _ = strings.Cut(strings.TrimPrefix(own, c.Name+": "), "; "+c.Name+": ")
		}
	}
	return [2]string{e.label(), own}
}

// firstError is the first of the codes that mean the same for every command; those below it are results.
const firstError = 64

// label is a code next to its name, so that the codes of a list are aligned.
func (e Exit) label() string { return fmt.Sprintf("%3d  %s", e.Code, e.Name) }

func (p *Program) exitTable() [][2]string {
	return render.Map(p.Exits, func(_ int, e *Exit) [2]string { return [2]string{e.label(), e.Meaning} })
}

// table returns the rows that a topic shows instead of a line such as "(all exit
// codes)"; nil if no table has that name.
func (p *Program) table(name string) [][2]string {
	switch name {
	case "all exit codes":
		return p.exitTable()
	case "all flags":
		return p.globalFlags()
	}
	if make, ok := p.Tables[name]; ok {
		return make()
	}
	return nil
}

// allCommands lists every command that can be run, by groups.
func (p *Program) allCommands() []part {
	return p.groups(func(path string, c *Command) ([2]string, bool) { return [2]string{path, c.Help}, true })
}

func blockOf(lines []string) part {
	rows := make([][2]string, len(lines))
	for i, l := range lines {
		term, meaning, gap := strings.Cut(l, "  ")
		if !gap || term == "" {
			return part{lines: lines}
		}
		rows[i] = [2]string{term, strings.TrimSpace(meaning)}
	}
	return part{rows: rows}
}

// Topics names the pages that are about no command.
func (p *Program) Topics() []string {
	entries, err := fs.ReadDir(p.Manual, "topics")
	if err != nil {
		return nil
	}
	return render.Map(entries, func(_ int, e *fs.DirEntry) string { return strings.TrimSuffix((*e).Name(), ".md") })
}
