package cmd

import (
	"embed"
	"fmt"
	"strings"

	"onward/internal/todo"
)

// The scripts only ask the program for candidates, so they need not be renewed with it.
//
//go:embed completion
var completionScripts embed.FS

type completionCmd struct {
	Shell string `arg:"" complete:"=bash|zsh|fish|powershell" ask:"for which shell?" example:"bash" help:"bash, zsh, fish or powershell."`
}

// Run prints the script that a shell reads at its start.
func (c *completionCmd) Run(a *app) error {
	script, err := completionScripts.ReadFile("completion/" + strings.ToLower(c.Shell))
	if err != nil {
		return &todo.UnknownWordError{Text: fmt.Sprintf("there is no completion for %q; the shells are bash, zsh, fish and powershell", c.Shell), Word: c.Shell, Known: []string{"bash", "zsh", "fish", "powershell"}}
	}
	a.write(script)
	return nil
}
