package cmd

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"onward/internal/render"

	"github.com/alecthomas/kong"
	"golang.org/x/term"
)

// printHelp prints the help of a command, or of the program:
// what the grammar says, and what the manual says beyond it.
func (a *app) printHelp(_ kong.HelpOptions, ctx *kong.Context) error {
	h := helpWriter{width: a.helpWidth()}
	node := ctx.Selected()
	if node == nil {
		h.program(ctx.Model)
	} else {
		h.command(ctx.Model, node)
	}
	a.print(h.String())
	return nil
}

// helpWidth gives the columns of the terminal, and 80 where there is none.
// Lines of more than 100 are hard to read.
func (a *app) helpWidth() int {
	width := 80
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		width = columns
	} else if f, ok := a.rawOut.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			width = columns
		}
	}
	return max(24, min(width, 100))
}

// helpWriter lays out help for a width.
type helpWriter struct {
	strings.Builder
	width int
}

func (h *helpWriter) program(model *kong.Application) {
	h.paragraph("", "Usage: "+model.Name+model.Summary())
	h.WriteByte('\n')
	h.paragraph("", model.Help)
	for _, g := range groups() {
		h.section(g.title)
		h.commands(model.Children, func(n *kong.Node) bool { return n.Group != nil && n.Group.Key == g.key })
	}
	h.section("Flags of every command:")
	h.flags(model.Flags)
	h.section("Exit status:")
	h.rows(exitTable())
	h.WriteByte('\n')
	h.paragraph("", "More: `onward COMMAND --help`, and `onward help TOPIC`, where the topics are "+strings.Join(topics(), ", ")+".")
}

func (h *helpWriter) command(model *kong.Application, node *kong.Node) {
	h.paragraph("", "Usage: "+usage(model, node))
	h.WriteByte('\n')
	h.paragraph("", node.Help)
	text := manualOf(path(node))
	h.parts(text.about)
	if len(node.Aliases) > 0 {
		h.section("Aliases:")
		h.paragraph("  ", strings.Join(node.Aliases, ", "))
	}
	if len(node.Positional) > 0 {
		h.section("Arguments:")
		var rows [][2]string
		for _, arg := range node.Positional {
			rows = append(rows, [2]string{arg.Summary(), arg.Help})
		}
		h.rows(rows)
	}
	if len(node.Children) > 0 {
		h.section("Commands:")
		h.commands(node.Children, func(*kong.Node) bool { return true })
	}
	for _, group := range flagGroups(node.Flags) {
		h.section(group.title)
		h.flags(group.flags)
	}
	if len(text.examples) > 0 {
		h.section("Examples:")
		h.lines(text.examples)
	}
	if len(text.exits) > 0 {
		h.section("Exit status:")
		var rows [][2]string
		for _, e := range text.exits {
			rows = append(rows, [2]string{e.code, e.meaning})
		}
		h.rows(rows)
	}
	h.WriteByte('\n')
	var names []string
	for _, f := range model.Flags {
		names = append(names, "--"+f.Name)
	}
	h.paragraph("", "Flags of every command, which `onward --help` explains: "+strings.Join(names, ", ")+".")
}

// usage is a command with what may follow it.
func usage(model *kong.Application, node *kong.Node) string {
	words := model.Name + " " + path(node)
	if len(node.Children) > 0 {
		words += " <command>"
	}
	for _, arg := range node.Positional {
		words += " " + arg.Summary()
	}
	return words + " [flags]"
}

// topic lays out a page that is about no command.
func (h *helpWriter) topic(p page) {
	h.paragraph("", p.title)
	h.parts(p.about)
}

func (h *helpWriter) parts(parts []part) {
	for _, p := range parts {
		h.WriteByte('\n')
		switch {
		case p.rows != nil:
			h.rows(p.rows)
		case p.lines != nil:
			h.lines(p.lines)
		default:
			h.paragraph("", p.text)
		}
	}
}

func (h *helpWriter) section(title string) {
	h.WriteByte('\n')
	h.paragraph("", title)
}

func (h *helpWriter) commands(nodes []*kong.Node, wanted func(*kong.Node) bool) {
	var rows [][2]string
	for _, n := range nodes {
		if n.Hidden || !wanted(n) {
			continue
		}
		rows = append(rows, [2]string{strings.Join(append([]string{n.Name}, n.Aliases...), ", "), n.Help})
	}
	h.rows(rows)
}

func (h *helpWriter) flags(list []*kong.Flag) {
	var rows [][2]string
	for _, f := range list {
		if !f.Hidden {
			short, long, value := flagTerm(f)
			if short == "" {
				short = "   "
			} else {
				short += ","
			}
			rows = append(rows, [2]string{short + " " + long + value, f.Help})
		}
	}
	h.rows(rows)
}

// flagTerm gives the spelling of a flag: its short form, its long one, and its value.
func flagTerm(f *kong.Flag) (short, long, value string) {
	if f.Short != 0 {
		short = "-" + string(f.Short)
	}
	long = "--" + f.Name
	if f.Tag.Negatable != "" {
		long = "--[no-]" + f.Name
	}
	if !f.IsBool() {
		value = "=" + strings.Trim(f.FormatPlaceHolder(), `"`)
	}
	return short, long, value
}

// flagGroup is flags under a title.
type flagGroup struct {
	title string
	flags []*kong.Flag
}

// flagGroups sorts flags under their titles, those without one first.
func flagGroups(list []*kong.Flag) []flagGroup {
	out := []flagGroup{{title: "Flags:"}}
	for _, f := range list {
		title := "Flags:"
		if f.Group != nil {
			title = f.Group.Title
		}
		i := slices.IndexFunc(out, func(g flagGroup) bool { return g.title == title })
		if i < 0 {
			i, out = len(out), append(out, flagGroup{title: title})
		}
		out[i].flags = append(out[i].flags, f)
	}
	return slices.DeleteFunc(out, func(g flagGroup) bool { return len(g.flags) == 0 })
}

// lines writes lines as they stand.
func (h *helpWriter) lines(lines []string) {
	for _, l := range lines {
		h.WriteString(strings.TrimRight("  "+l, " ") + "\n")
	}
}

// rows writes terms with their meanings beside them, or below them where there is no room beside.
func (h *helpWriter) rows(rows [][2]string) {
	const gap, least = 2, 34
	left := 0
	for _, r := range rows {
		left = max(left, len(r[0]))
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
		indent := strings.Repeat(" ", beside)
		text := render.Wrap(r[1], h.width-beside)
		h.WriteString(strings.TrimRight("  "+r[0]+strings.Repeat(" ", left-len(r[0])+gap)+text[0], " ") + "\n")
		for _, l := range text[1:] {
			h.WriteString(indent + l + "\n")
		}
	}
}

// paragraph writes a text, wrapped and indented.
func (h *helpWriter) paragraph(indent, text string) {
	for _, l := range render.Wrap(text, h.width-len(indent)) {
		h.WriteString(strings.TrimRight(indent+l, " ") + "\n")
	}
}
