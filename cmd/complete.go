package cmd

import (
	"strings"

	"onward/internal/cli"
	"onward/internal/render"
)

// candidate is one way to continue a command line.
type candidate = cli.Candidate

// completionRequest is how the scripts of the shells ask for candidates. No user types it, so it is not in the help.
const completionRequest = "__complete"

// complete returns the candidates for the last of some words.
func (a *app) complete(words []string) []candidate {
	return a.program().Complete(words, a.values)
}

// candidatesText shows candidates one a line, each with a tab and its description.
func candidatesText(list []candidate) string {
	var b strings.Builder
	for _, c := range list {
		help, _, _ := strings.Cut(c.Help, "\n")
		b.WriteString(render.Text(c.Text) + "\t" + render.Text(help) + "\n")
	}
	return b.String()
}
