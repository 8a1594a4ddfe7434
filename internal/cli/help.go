package cli

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"onward/internal/render"
)

// Overview returns the first screen: what the program is, a line for each daily command, the names of the
// others, and where to find more.
func (p *Program) Overview(width int) string {
	h := helpWriter{width: width}
	h.writeParts(append([]part{{text: p.About}, {text: "Usage: " + p.Name + " COMMAND [ARGUMENTS] [FLAGS]"}, {text: "Example: " + p.Name + " " + p.Example}}, p.dailyCommands()...))
	h.WriteByte('\n')
	if p.Alone != "" {
		h.paragraph("", p.Alone)
	}
	h.paragraph("", "Run `"+p.Name+" help commands` for all commands, `"+p.Name+" COMMAND --help` for one.")
	h.paragraph("", "Help topics, for `"+p.Name+" help TOPIC`: "+strings.Join(p.Topics(), ", ")+".")
	return h.String()
}

// dailyCommands returns the groups of commands, each with its daily commands or, if it has none, with the names of all.
func (p *Program) dailyCommands() []part {
	parts := p.groups(func(path string, c *Command) ([2]string, bool) {
		return [2]string{strings.TrimSuffix(path+" "+c.Args, " "), c.Help}, c.Daily
	})
	for i := range parts {
		if parts[i].rows != nil {
			continue
		}
		var names []string
		for _, c := range p.Commands {
			if c.Group+":" == parts[i].text {
				names = append(names, c.Name)
			}
		}
		parts[i].text += " " + strings.Join(names, ", ")
	}
	return parts
}

// groups returns a part for each group of commands, with the rows that the function row returns for its commands.
func (p *Program) groups(row func(path string, c *Command) ([2]string, bool)) []part {
	var parts []part
	for path, c := range p.leaves() {
		top, _, _ := strings.Cut(path, " ")
		title := Find(p.Commands, top).Group + ":"
		i := slices.IndexFunc(parts, func(group part) bool { return group.text == title })
		if i < 0 {
			i, parts = len(parts), append(parts, part{text: title})
		}
		if r, shown := row(path, c); shown {
			parts[i].rows = append(parts[i].rows, r)
		}
	}
	return parts
}

// Help returns the help of a command or a group.
func (p *Program) Help(path []string, width int) string {
	c, path := FindPath(p.Commands, path)
	if c == nil {
		return p.Overview(width)
	}
	name := strings.Join(path, " ")
	h := helpWriter{width: width}
	if c.Sub != nil {
		h.paragraph("", "Usage: "+p.Name+" "+name+" COMMAND [FLAGS]")
		rows := render.Map(c.Sub, func(_ int, sub *Command) [2]string { return [2]string{strings.Join(sub.names(), ", "), sub.Help} })
		h.sections([]section{{"", []part{{text: c.Help}}}, {"Commands:", []part{{rows: rows}}}})
	} else {
		node := model(c)
		h.paragraph("", "Usage: "+p.Name+" "+synopsis(name, node)+" [FLAGS]")
		h.sections(withoutRareFlags(p.commandSections(name, c, node, page.results), node))
	}
	h.WriteByte('\n')
	common := slices.DeleteFunc(slices.Clone(p.Flags), func(f Flag) bool { return f.Name == c.Own })
	flags := render.Map(common, func(_ int, f *Flag) string { return "--" + f.Name })
	h.paragraph("", "Flags of every command, which `"+p.Name+" help flags` explains: "+strings.Join(flags, ", ")+".")
	if c.Sub == nil {
		h.paragraph("", "Exit codes: `"+p.Name+" help exit-codes`.")
	}
	if docs := p.docs(path); docs != "" {
		h.paragraph("", "More: docs/"+docs)
	}
	return h.String()
}

// docs returns the page in docs about a command; empty if there is none.
func (p *Program) docs(path []string) (docs string) {
	for i := range path {
		c, _ := FindPath(p.Commands, path[:i+1])
		docs = cmp.Or(c.Docs, docs)
	}
	return docs
}

// Topic returns a page about something that is not a command, and whether there is one.
func (p *Program) Topic(name string, width int) (string, bool) {
	text, found := p.readPage("topics/" + name)
	h := helpWriter{width: width}
	h.paragraph("", text.title)
	h.sections([]section{{"", text.about}})
	return h.String(), found
}

// TopicList returns a line for each topic.
func (p *Program) TopicList(width int) string {
	h := helpWriter{width: width}
	h.writeRows(render.Map(p.Topics(), func(_ int, name *string) [2]string {
		text, _ := p.readPage("topics/" + *name)
		_, about, _ := strings.Cut(text.title, ": ")
		return [2]string{*name, cmp.Or(about, text.title)}
	}))
	return h.String()
}

// helpWriter lays out help for a width.
type helpWriter struct {
	strings.Builder
	width int
}

// sections writes sections, with an empty line before each.
func (h *helpWriter) sections(list []section) {
	for _, s := range list {
		h.WriteByte('\n')
		if s.title != "" {
			h.paragraph("", s.title)
		}
		h.writeParts(s.parts)
	}
}

// writeParts writes the parts of a section, with an empty line between two.
func (h *helpWriter) writeParts(list []part) {
	for i, p := range list {
		if i > 0 {
			h.WriteByte('\n')
		}
		if p.text != "" {
			h.paragraph("", p.text)
		}
		switch {
		case p.rows != nil:
			h.writeRows(p.rows)
		case p.flags != nil:
			h.writeRows(p.flags)
		case p.lines != nil:
			for _, l := range p.lines {
				h.WriteString(strings.TrimRight("  "+l, " ") + "\n")
			}
		}
	}
}

// flagRow spells a flag, as in `-s, --session=ID`. A flag without a short form is indented, so that the long forms are aligned.
func flagRow(short rune, long, value, help string) [2]string {
	if value != "" {
		long += "=" + value
	}
	if short == 0 {
		return [2]string{"    --" + long, help}
	}
	return [2]string{"-" + string(short) + ", --" + long, help}
}

// commandFlag returns the row of a command's own flag.
func commandFlag(f *kong.Flag) [2]string {
	long, value := f.Name, ""
	if f.Tag.Negatable != "" {
		long = "[no-]" + f.Name
	}
	if !f.IsBool() {
		value = strings.Trim(f.FormatPlaceHolder(), `"`)
	}
	return flagRow(f.Short, long, value, f.Help)
}

// globalFlags returns the rows of the flags that every command accepts.
func (p *Program) globalFlags() [][2]string {
	return render.Map(p.Flags, func(_ int, f *Flag) [2]string { return flagRow(rune(f.Short), f.Name, f.Placeholder, f.Help) })
}

// flagSections groups flags by their titles, in the order in which the titles first occur.
func flagSections(list []*kong.Flag) []section {
	var out []section
	for _, f := range list {
		title := "Flags:"
		if f.Group != nil {
			title = f.Group.Title
		}
		i := slices.IndexFunc(out, func(s section) bool { return s.title == title })
		if i < 0 {
			i, out = len(out), append(out, section{title, []part{{}}})
		}
		flags := &out[i].parts[0].flags
		*flags = append(*flags, commandFlag(f))
	}
	return out
}

// withoutRareFlags returns the sections of a page with one line instead of the flags that few users need, if there are other flags too.
func withoutRareFlags(all []section, node *kong.Node) []section {
	rare := map[string]bool{}
	for _, f := range node.Flags {
		if f.Tag.Has("rare") {
			rare[commandFlag(f)[0]] = true
		}
	}
	for i := range all {
		flags := &all[i].parts[0].flags
		var names []string
		var rest [][2]string
		for _, row := range *flags {
			if rare[row[0]] {
				name, _, _ := strings.Cut(strings.Replace(strings.TrimSpace(row[0]), "[no-]", "", 1), "=")
				names = append(names, name)
			} else {
				rest = append(rest, row)
			}
		}
		if len(names) > 0 && len(rest) > 0 {
			*flags = rest
			all[i].parts = append(all[i].parts, part{text: "Rarely needed, and explained by `onward get --help`: " + strings.Join(names, ", ") + "."})
		}
	}
	return all
}

// writeRows writes terms with their meanings next to them, or below them if the width
// is too small.
func (h *helpWriter) writeRows(rows [][2]string) {
	const gap, least = 2, 34
	left := 0
	for _, r := range rows {
		left = max(left, utf8.RuneCountInString(r[0]))
	}
	beside := 2 + left + gap
	if h.width-beside < least {
		for _, r := range rows {
			h.WriteString("  " + strings.TrimSpace(r[0]) + "\n")
			h.paragraph("      ", r[1])
		}
		return
	}
	for _, r := range rows {
		pad := strings.Repeat(" ", left-utf8.RuneCountInString(r[0])+gap)
		render.Style{Width: h.width}.WriteHanging(&h.Builder, "  "+r[0]+pad, beside, r[1])
	}
}

// paragraph writes a text, wrapped and indented.
func (h *helpWriter) paragraph(indent, text string) {
	for _, l := range render.Wrap(text, h.width-len(indent)) {
		h.WriteString(strings.TrimRight(indent+l, " ") + "\n")
	}
}
