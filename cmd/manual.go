package cmd

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The manual has a page for each command, named by its path, and one for each topic.
// A page is Markdown: what the command does, examples as a session at a terminal, and its exit codes.
// The same pages become the help and the man pages, and a test runs their examples.
//
//go:embed manual
var manualFiles embed.FS

// page is one page of the manual.
type page struct {
	about    []string // paragraphs
	examples []string // lines
	exits    []int
}

// manualOf reads the page of a command, such as "todo add". What has no page has an empty one.
func manualOf(path string) page {
	text, err := manualFiles.ReadFile("manual/" + strings.ReplaceAll(path, " ", "-") + ".md")
	if err != nil {
		return page{}
	}
	var p page
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		codes, isExits := strings.CutPrefix(paragraph, "Exit status: ")
		switch {
		case strings.HasPrefix(paragraph, "<!--"):
		case isExits:
			for word := range strings.FieldsSeq(strings.NewReplacer(",", " ", ".", " ").Replace(codes)) {
				if n, err := strconv.Atoi(word); err == nil {
					p.exits = append(p.exits, n)
				}
			}
		case strings.HasPrefix(paragraph, "    "):
			if len(p.examples) > 0 {
				p.examples = append(p.examples, "")
			}
			for line := range strings.SplitSeq(paragraph, "\n") {
				p.examples = append(p.examples, strings.TrimPrefix(line, "    "))
			}
		default:
			p.about = append(p.about, strings.ReplaceAll(paragraph, "\n", " "))
		}
	}
	return p
}

// exitTable lists exit codes with their meanings, a line each.
func exitTable(codes []int) string {
	var b strings.Builder
	for _, c := range exitCodes() {
		if slices.Contains(codes, c.Code) {
			fmt.Fprintf(&b, "  %3d  %-16s  %s\n", c.Code, c.Name, c.Meaning)
		}
	}
	return b.String()
}

// topic gives a page about something that is no command, and whether there is one.
func topic(name string) (string, bool) {
	text, err := manualFiles.ReadFile("manual/topics/" + name + ".md")
	return string(text), err == nil
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
