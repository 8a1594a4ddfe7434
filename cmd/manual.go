package cmd

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	continuation "onward/internal/continue"
)

// The manual has a page for each command, named by its path, and one for each topic.
// A page is Markdown: what the command does, examples as sessions at a terminal, and its exit codes.
// The same pages become the help and the man pages, and a test runs their examples.
//
//go:embed manual
var manualFiles embed.FS

// page is one page of the manual.
type page struct {
	title    string // of a topic
	about    []part
	examples []string // lines
	exits    []exitRow
}

// part is a piece of a page: a paragraph, or rows of a term and what it means, or lines as they stand.
type part struct {
	text  string
	rows  [][2]string
	lines []string
}

// exitRow is an exit code of a command, with its meaning there; code is what a reader sees of it.
type exitRow struct{ code, meaning string }

// manualOf reads the page of a command, such as "todo add". What has no page has an empty one.
func manualOf(path string) page {
	text, err := manualFiles.ReadFile("manual/" + strings.ReplaceAll(path, " ", "-") + ".md")
	if err != nil {
		return page{}
	}
	var p page
	for paragraph := range paragraphs(string(text)) {
		codes, isExits := strings.CutPrefix(paragraph, "Exit status:")
		switch {
		case isExits:
			p.exits = exitRows(codes)
		case strings.HasPrefix(paragraph, "    "):
			if len(p.examples) > 0 {
				p.examples = append(p.examples, "")
			}
			p.examples = append(p.examples, outdented(paragraph)...)
		default:
			p.about = append(p.about, part{text: strings.ReplaceAll(paragraph, "\n", " ")})
		}
	}
	return p
}

// paragraphs gives what stands between blank lines; comments are left out.
func paragraphs(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
			if !strings.HasPrefix(paragraph, "<!--") && !yield(paragraph) {
				return
			}
		}
	}
}

// outdented gives the lines of a block, which is indented by four spaces.
func outdented(block string) []string {
	lines := strings.Split(block, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "    ")
	}
	return lines
}

// exitRows reads the end of a page: codes separated by commas, or a list in which an entry that says more
// than numbers is a code with what it means for this command: "- 1 something is open".
func exitRows(text string) []exitRow {
	var rows []exitRow
	for entry := range strings.SplitSeq("\n"+text, "\n- ") {
		word, own, _ := strings.Cut(strings.TrimSpace(entry), " ")
		if code, err := strconv.Atoi(word); err == nil && own != "" {
			rows = append(rows, row(code, strings.ReplaceAll(own, "\n", " ")))
			continue
		}
		for word := range strings.FieldsFuncSeq(entry, func(r rune) bool { return r < '0' || r > '9' }) {
			if code, err := strconv.Atoi(word); err == nil {
				rows = append(rows, row(code, ""))
			}
		}
	}
	return rows
}

// row gives a code with its own meaning, or with that of the table,
// of which a part that begins with check-continue is left to the page of that command.
func row(code int, own string) exitRow {
	i := slices.IndexFunc(exitCodes(), func(c exitCode) bool { return c.Code == code })
	if i < 0 {
		return exitRow{strconv.Itoa(code), own}
	}
	c := exitCodes()[i]
	if own == "" {
		own, _, _ = strings.Cut(strings.TrimPrefix(c.Meaning, "check-continue: "), "; check-continue: ")
	}
	return exitRow{label(c), own}
}

// label is a code beside its name, so that the codes of a list stand below each other.
func label(c exitCode) string { return fmt.Sprintf("%3d  %s", c.Code, c.Name) }

// exitTable lists all exit codes with their meanings.
func exitTable() [][2]string {
	var rows [][2]string
	for _, c := range exitCodes() {
		rows = append(rows, [2]string{label(c), c.Meaning})
	}
	return rows
}

// What stands in a topic for a table that the program itself has.
const (
	allExitCodes = "    (all exit codes)"
	allSettings  = "    (all settings)"
)

// settingVariables lists the settings by their variables.
func settingVariables() [][2]string {
	var rows [][2]string
	for _, s := range continuation.Table() {
		rows = append(rows, [2]string{variable(s.Key), fmt.Sprintf("%s: %s; default %s", s.Help, s.Allowed, s.Default)})
	}
	return rows
}

// topic gives a page about something that is no command, and whether there is one.
// In a block whose lines all have a gap of two spaces, a term stands before the gap, and behind it what it means.
func topic(name string) (page, bool) {
	text, err := manualFiles.ReadFile("manual/topics/" + name + ".md")
	if err != nil {
		return page{}, false
	}
	var p page
	for paragraph := range paragraphs(string(text)) {
		switch {
		case p.title == "":
			p.title = strings.TrimPrefix(paragraph, "# ")
		case paragraph == allExitCodes:
			p.about = append(p.about, part{rows: exitTable()})
		case paragraph == allSettings:
			p.about = append(p.about, part{rows: settingVariables()})
		case strings.HasPrefix(paragraph, "    "):
			p.about = append(p.about, blockOf(outdented(paragraph)))
		default:
			p.about = append(p.about, part{text: strings.ReplaceAll(paragraph, "\n", " ")})
		}
	}
	return p, true
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

// topics names the pages that are about no command.
func topics() []string {
	entries, err := manualFiles.ReadDir("manual/topics")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".md"))
	}
	return names
}
