package cmd

import (
	"errors"
	"slices"
	"strings"

	"onward/internal/cli"
	"onward/internal/install"
)

type hooksUninstallCmd struct {
	cli.Given
	hooksTarget
	Agent  string `arg:"" optional:"" complete:"hooks" help:"The agent whose hooks to remove; as for install. For git without --hook, all of onward's."`
	All    bool   `help:"Remove the hooks of every agent, and git's: the user's, and those of every project that has any."`
	DryRun bool   `help:"Show what would change, and change nothing."`
}

// Run removes the hooks from the agent's settings.
func (c *hooksUninstallCmd) Run(a *app) error {
	switch o := (install.Options{Agent: c.Agent, DryRun: c.DryRun}); {
	case c.All && (c.Agent != "" || c.Has("scope", "hook", "here", "program")):
		return cli.Usagef("--all means every agent, scope and hook")
	case c.All:
		return a.uninstallAll(c.hooksTarget, o)
	case c.Agent == "":
		return cli.WithHint(cli.Usagef("which agent?"), "for example `onward hooks uninstall "+installNames()[0]+"`, or all of them: `onward hooks uninstall --all`")
	case c.Agent == "git" && c.Hook == "":
		return a.uninstallGit(c.hooksTarget, o)
	default:
		return a.changeHooks(install.ActionUninstall, c.hooksTarget, o, install.Uninstall)
	}
}

// uninstallGit removes every hook of git that onward has installed in the project.
func (a *app) uninstallGit(t hooksTarget, o install.Options) (failed error) {
	if t.Here {
		return cli.Usagef("--here is for an agent's project settings")
	}
	var changed []install.Report
	var none install.Report
	for _, t.Hook = range install.GitHooks() {
		if err := a.locateHooks(t, &o); err != nil {
			return err
		}
		r, err := install.Uninstall(o)
		switch {
		case errors.Is(err, install.ErrNoRepository), errors.Is(err, install.ErrUnfit), errors.As(err, new(*cli.Error)):
			return hooksError(install.ActionUninstall, o, err) // as it would be for each of them
		case err != nil:
			failed = joinOnce(failed, hooksError(install.ActionUninstall, o, err))
		case r.Changed:
			changed = append(changed, r)
		default:
			none = r
		}
	}
	a.committed = len(changed) > 0 && !o.DryRun
	if len(changed) == 0 && failed == nil {
		changed = []install.Report{none}
	}
	text := ""
	for _, r := range changed {
		text += install.Text(install.ActionUninstall, o.DryRun, r, shortPath, a.style())
	}
	a.reportHooks(o.DryRun, hooksJSON(install.ActionUninstall, o.DryRun, changed), text)
	return failed
}

// uninstallAll removes all known hooks. If one cannot be removed, the others still are.
func (a *app) uninstallAll(t hooksTarget, o install.Options) error {
	if err := a.locateHooks(t, &o); err != nil {
		return err
	}
	known, failed := install.AllOptions(o)
	changed, text := []install.Report{}, ""
	for _, o := range known {
		r, err := install.Uninstall(o)
		switch {
		case errors.Is(err, install.ErrNoRepository):
		case errors.As(err, new(*cli.Error)):
			return hooksError(install.ActionUninstall, o, err)
		case err != nil:
			failed = joinOnce(failed, hooksError(install.ActionUninstall, o, err))
		case r.Adds(changed):
			changed = append(changed, r)
			text += install.Text(install.ActionUninstall, o.DryRun, r, shortPath, a.style())
		}
	}
	if len(changed) == 0 && failed == nil {
		text = install.ResultText(install.ActionUninstall, o.DryRun, install.Report{}) + "\n"
	}
	a.committed = len(changed) > 0 && !o.DryRun
	a.reportHooks(o.DryRun, hooksJSON(install.ActionUninstall, o.DryRun, changed), text)
	return failed
}

// joinOnce adds an error to those before it, unless one of them says the same: a machine without git has one reason for all of git's hooks.
func joinOnce(failed, err error) error {
	if failed != nil && slices.Contains(strings.Split(failed.Error(), "\n"), err.Error()) {
		return failed
	}
	return errors.Join(failed, err)
}
