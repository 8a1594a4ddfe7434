package cli

import (
	"slices"
	"strings"

	"onward/internal/render"
)

// Markdown returns the manual as one page: every command by its group, the flags of all commands, and the named topics.
// It has the same source as the help, so that the two cannot differ.
func (p *Program) Markdown(topics ...string) string {
	w := markdown{program: p}
	w.WriteString("# Commands\n\n`" + p.Name + " help COMMAND` shows this in a terminal.\n")
	groups := p.groups(func(path string, c *Command) ([2]string, bool) { return [2]string{path, c.Help}, true })
	w.contents(groups, topics)
	for _, group := range groups {
		w.WriteString("\n## " + titleOf(group) + "\n\n")
		for _, row := range group.rows {
			w.WriteString("- [" + row[0] + "](#" + p.Name + "-" + strings.ReplaceAll(row[0], " ", "-") + "): " + prose(row[1]) + "\n")
		}
		for _, row := range group.rows {
			w.command(row[0])
		}
	}
	w.WriteString("\n## " + flagsTitle + "\n")
	w.writeParts([]part{{flags: p.globalFlags()}})
	for _, name := range topics {
		text, _ := p.readPage("topics/" + name)
		w.WriteString("\n## " + text.title + "\n")
		w.writeParts(text.about)
	}
	return w.String()
}

// markdown lays out the manual as a page for the web.
type markdown struct {
	strings.Builder
	program *Program
}

// flagsTitle is the title of what is the same for all commands.
const flagsTitle = "Flags of every command"

func titleOf(group part) string { return strings.TrimSuffix(group.text, ":") }

// contents lists the parts of the page: the groups with their commands, and the topics. Of a command with commands of its own, the link leads to the first.
func (w *markdown) contents(groups []part, topics []string) {
	w.WriteByte('\n')
	for _, group := range groups {
		var names []string
		for _, row := range group.rows {
			if top, _, _ := strings.Cut(row[0], " "); len(names) == 0 || !strings.HasPrefix(names[len(names)-1], "["+top+"]") {
				names = append(names, "["+top+"](#"+w.program.Name+"-"+strings.ReplaceAll(row[0], " ", "-")+")")
			}
		}
		w.WriteString("- " + link(titleOf(group)) + ": " + strings.Join(names, ", ") + "\n")
	}
	w.WriteString("- " + link(flagsTitle) + "\n")
	for _, name := range topics {
		text, _ := w.program.readPage("topics/" + name)
		w.WriteString("- " + link(text.title) + "\n")
	}
}

// link returns a link to the part of the page with a title.
func link(title string) string {
	anchor := strings.NewReplacer(" ", "-", ":", "", ",", "").Replace(strings.ToLower(title))
	return "[" + title + "](#" + anchor + ")"
}

func (w *markdown) command(path string) {
	c, words := FindPath(w.program.Commands, strings.Fields(path))
	node := model(c)
	w.WriteString("\n### " + w.program.Name + " " + path + "\n")
	w.writeParts([]part{{lines: []string{w.program.Name + " " + synopsis(path, node) + " [FLAGS]"}}})
	for _, s := range w.program.commandSections(path, c, node, page.results) {
		if s.title != "" {
			w.WriteString("\n" + s.title + "\n")
		}
		w.writeParts(s.parts)
	}
	if docs := w.program.docs(words); docs != "" {
		w.WriteString("\nMore: [" + docs + "](" + docs + ")\n")
	}
}

// writeParts writes the paragraphs, rows, blocks and flags of a section.
func (w *markdown) writeParts(list []part) {
	for _, part := range list {
		if part.text != "" {
			w.WriteString("\n" + prose(part.text) + "\n")
		}
		if rows := slices.Concat(part.rows, part.flags); len(rows) > 0 {
			w.WriteByte('\n')
			for _, r := range rows {
				w.WriteString("- `" + strings.Join(strings.Fields(r[0]), " ") + "`: " + prose(r[1]) + "\n")
			}
		}
		if part.lines != nil {
			w.WriteByte('\n')
			w.WriteString(strings.Join(render.Map(part.lines, func(_ int, l *string) string { return strings.TrimRight("    "+*l, " ") + "\n" }), ""))
		}
	}
}

// prose escapes the signs of a sentence that markdown would interpret, except in code.
func prose(text string) string {
	pieces := strings.Split(text, "`")
	for i := 0; i < len(pieces); i += 2 {
		pieces[i] = strings.NewReplacer("<", `\<`, "*", `\*`, "[", `\[`).Replace(pieces[i])
	}
	return strings.Join(pieces, "`")
}
