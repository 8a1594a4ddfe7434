package cmd

import (
	"errors"
	"slices"
	"strings"

	"onward/internal/cli"
	"onward/internal/hook/install"
)

type hooksUninstallCmd struct {
	cli.Given
	hooksTarget
	Agent  string `arg:"" optional:"" complete:"hooks" help:"The agent whose hooks to remove; as for install."`
	All    bool   `help:"Remove the hooks of every agent, and git's: the user's, and those of every project that has some."`
	DryRun bool   `help:"Show what would change, and change nothing."`
}

// Run removes the hooks from the agent's settings.
func (c *hooksUninstallCmd) Run(a *app) error {
	switch o := (install.Options{Agent: c.Agent, DryRun: c.DryRun}); {
	case c.All && (c.Agent != "" || c.Has("scope", "hook", "here", "program")):
		return cli.Usagef("--all stands for every agent, scope and hook")
	case c.All:
		return a.uninstallAll(c.hooksTarget, o)
	case c.Agent == "":
		return cli.Hinted(cli.Usagef("which agent?"), "for example `onward hooks uninstall claude`, or all of them: `onward hooks uninstall --all`")
	default:
		return a.changeHooks(hooksUninstall, c.hooksTarget, o, install.Uninstall)
	}
}

// uninstallAll removes all hooks that are known. One that cannot be removed does not keep the others from it.
func (a *app) uninstallAll(t hooksTarget, o install.Options) error {
	if err := a.locateHooks(t, &o); err != nil {
		return err
	}
	var changed []install.Report
	var text []string
	var failed error
	for _, o := range install.Everywhere(o) {
		r, err := install.Uninstall(o)
		switch {
		case errors.Is(err, install.ErrNoRepository):
		case err != nil:
			failed = errors.Join(failed, hooksError(hooksUninstall, o, err))
		case r.Changed:
			changed, text = append(changed, r), append(text, hooksText(hooksUninstall, o.DryRun, r, a.style()))
		}
	}
	if text == nil {
		text = []string{hooksResult(hooksUninstall, o.DryRun, install.Report{}) + "\n"}
	}
	a.committed = changed != nil && !o.DryRun
	a.reportHooks(o.DryRun, hooksJSON(hooksUninstall, o.DryRun, slices.Concat([]install.Report{}, changed)), strings.Join(text, ""))
	return failed
}
