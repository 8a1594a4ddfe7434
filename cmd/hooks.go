package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/adrg/xdg"

	"onward/internal/agents/settings"
	"onward/internal/cli"
	"onward/internal/find"
	"onward/internal/install"
	"onward/internal/store"
)

// hooksTarget says which hooks a command is about: their scope and place.
type hooksTarget struct {
	Scope   string  `placeholder:"S" complete:"=project|shared|user" help:"The settings to change: project, shared (for everybody on the project, if the agent keeps those apart from yours) or user; default: project, if the agent has project settings."`
	Hook    string  `placeholder:"H" complete:"=pre-push|pre-commit|commit-msg" help:"For git: pre-push (default), pre-commit or commit-msg."`
	Here    bool    `help:"Use this folder's settings instead of the project root's: some agents read only the folder that they start in."`
	Program *string `placeholder:"PATH" complete:"file" help:"The program that the hook runs instead of this one."`
}

type hooksInstallCmd struct {
	cli.Given
	hooksTarget
	Agent   string `arg:"" complete:"hooks" ask:"which agent?" help:"${agents}."`
	Context bool   `default:"true" negatable:"" help:"Tell a new conversation what is open, and how to keep the list."`
	MCP     bool   `name:"mcp" help:"Also register onward-mcp, which gives the agent's model a todo tool."`
	Allow   bool   `help:"Also let the model run onward without asking, and switch the agent's own todo tool on."`
	Lenient bool   `help:"For git: if onward is missing, warn instead of refusing."`
	DryRun  bool   `help:"Show what would change, and change nothing."`
}

type hooksStatusCmd struct {
	hooksTarget
	Agent string `arg:"" optional:"" complete:"hooks" help:"The agent; default: every agent with hooks."`
}

// Words are the names of the agents and git, for the help.
func (*hooksInstallCmd) Words() map[string]string {
	return map[string]string{"agents": alternatives(installNames())}
}

// Example returns the name of an agent, for a message.
func (*hooksInstallCmd) Example([]string) string { return installNames()[0] }

// Run puts the hooks into the agent's settings.
func (c *hooksInstallCmd) Run(a *app) error {
	if c.Agent == "git" && c.Has("context", "allow", "mcp") {
		return cli.Usagef("--context, --allow and --mcp are for an agent, not for git")
	}
	if c.Agent != "git" && c.Has("lenient") {
		return cli.Usagef("--lenient is for git, not for %s", c.Agent)
	}
	if c.Scope == string(install.Shared) && c.Program != nil {
		return cli.Usagef("--scope shared names onward without a path, so --program is for another scope")
	}
	o := install.Options{Agent: c.Agent, Context: c.Context, Allow: c.Allow, MCP: c.MCP, Lenient: c.Lenient, DryRun: c.DryRun}
	return a.changeHooks(install.ActionInstall, c.hooksTarget, o, func(o install.Options) (install.Report, error) {
		r, err := install.Install(o)
		if a.Store != nil {
			r.Notes = append(r.Notes, "the hook finds the store by ONWARD_STORE in the agent's environment, or in its usual place; --store is for this run")
		}
		return r, err
	})
}

// changeHooks changes the settings of an agent, and reports the changes.
func (a *app) changeHooks(action string, t hooksTarget, o install.Options, change func(install.Options) (install.Report, error)) error {
	if t.Here && (o.Agent == "git" || t.Scope == string(install.User)) {
		return cli.Usagef("--here is for an agent's project settings")
	}
	if err := a.locateHooks(t, &o); err != nil {
		return err
	}
	r, err := change(o)
	if err != nil {
		return hooksError(action, o, err)
	}
	a.committed = r.Changed && !o.DryRun
	a.reportHooks(o.DryRun, hooksJSON(action, o.DryRun, []install.Report{r}), install.Text(action, o.DryRun, r, shortPath, a.style()))
	return nil
}

// reportHooks prints the changes of an install or uninstall, which --quiet leaves out, or those of a dry run.
func (a *app) reportHooks(dryRun bool, document any, text string) {
	if dryRun {
		a.show(document, text)
	} else {
		a.tell(document, text)
	}
}

// Run prints what is installed, for one agent or for all.
func (c *hooksStatusCmd) Run(a *app) error {
	all, err := c.reports(a)
	if err != nil {
		return err
	}
	a.show(hooksJSON(install.ActionStatus, false, all), install.StatusTable(all, c.Agent != "", shortPath, a.style()))
	return nil
}

// shortPath returns a short form of a path: relative to the working folder if it is below that, or to the user's folder.
func shortPath(path string) string {
	below := func(dir string, err error) (string, bool) {
		rel, unrelated := filepath.Rel(dir, path)
		return rel, err == nil && unrelated == nil && filepath.IsLocal(rel)
	}
	if rel, ok := below(find.WorkingFolder()); ok {
		return rel
	}
	if rel, ok := below(os.UserHomeDir()); ok {
		return filepath.Join("~", rel)
	}
	return path
}

// reports examines the installed hooks. A file that cannot be read is an error only if the user named the agent.
func (c *hooksStatusCmd) reports(a *app) ([]install.Report, error) {
	var all []install.Report
	agents := []string{c.Agent}
	if c.Agent == "" {
		if c.Hook != "" {
			return nil, cli.Usagef("--hook is for git: onward hooks status git --hook %s", c.Hook)
		}
		agents = installNames()
	}
	for _, name := range agents {
		for _, t := range c.targets(name) {
			o := install.Options{Agent: name, Context: true}
			if err := a.locateHooks(t, &o); err != nil {
				return nil, err
			}
			r, err := install.Status(o)
			switch {
			case err != nil && c.Agent != "":
				return nil, hooksError("read", o, err)
			case errors.Is(err, install.ErrUnfit), errors.Is(err, install.ErrNoRepository):
			case err != nil:
				r.Notes = append(r.Notes, err.Error())
			}
			r.Hook = t.Hook
			all = append(all, r)
		}
	}
	return all, nil
}

// targets returns the places of an agent's hooks that are examined: each scope, and each hook of git, unless the user
// named one.
func (c *hooksStatusCmd) targets(agent string) []hooksTarget {
	hooks, scopes := []string{""}, []install.Scope{install.Scope(c.Scope)}
	switch {
	case agent != "git":
	case c.Hook != "":
		hooks[0] = c.Hook
	default:
		hooks = install.GitHooks()
	}
	if known := install.Scopes(agent, installable()); c.Scope == "" && known != nil {
		scopes = known // the error about an unknown agent names it
	}
	var out []hooksTarget
	for _, hook := range hooks {
		for _, scope := range scopes {
			out = append(out, hooksTarget{Scope: string(scope), Hook: hook, Here: c.Here, Program: c.Program})
		}
	}
	return out
}

// locateHooks adds the folders that hooks are written to.
func (a *app) locateHooks(t hooksTarget, o *install.Options) error {
	o.Scope, o.Hook = install.Scope(t.Scope), t.Hook
	o.Agents, o.Machine = installable(), settings.Machine{Config: xdg.ConfigHome, Env: os.Getenv, System: runtime.GOOS, IsFolder: find.IsFolder}
	if err := oneOf("--scope", t.Scope, string(install.Project), string(install.Shared), string(install.User)); err != nil {
		return err
	}
	if t.Hook != "" && o.Agent != "git" {
		return cli.Usagef("--hook is for git, not for %s", o.Agent)
	}
	at, err := a.Address()
	if err != nil {
		return err
	}
	if o.Store = at.Text; at.Scheme != "" {
		o.Store = find.DefaultStoreFolder()
	}
	if o.Home, err = os.UserHomeDir(); err != nil {
		return cli.Failf(cli.ExitIO, "find the home folder: %v", err)
	}
	dir, err := find.WorkingFolder()
	if err != nil {
		return err
	}
	project, err := find.Project(dir)
	if err != nil {
		return err
	}
	o.Project, o.Root, o.Dir = project.Dir, project.Dir, dir
	if t.Here && o.Agent != "git" && o.Scope != install.User {
		o.Project = dir
	}
	_, err = exec.LookPath("onward")
	o.OnPath = err == nil
	if t.Program == nil {
		o.Program, err = find.ExecutablePath(os.Args[0])
	} else {
		o.Program, err = filepath.Abs(*t.Program)
	}
	o.Server = find.MCPServer(o.Program)
	o.May = func() error {
		return find.RequirePerson("change hooks", "`onward hooks status` shows them, and --dry-run what would change")
	}
	return err
}

// hooksError describes an error of an install or uninstall, and what the user can do about it.
func hooksError(action string, o install.Options, err error) error {
	hint, own := "", (*cli.Error)(nil)
	switch {
	case errors.As(err, &own):
		hint = own.Next
	case errors.Is(err, store.ErrNewer):
		hint = "update onward"
	case errors.Is(err, install.ErrReceipt):
		hint = "remove that file, or the folder in its place, and try again: onward's entries are then removed one by one, and the rest of the settings is kept"
	case errors.Is(err, install.ErrParse):
		hint = "the file was left as it is; correct it and try again"
	case errors.Is(err, install.ErrNoRepository):
		hint = "go to a folder of the repository"
	case errors.Is(err, install.ErrMoved):
		hint = "try again"
	}
	err = fmt.Errorf("%s hooks of %s: %w", action, o.Agent, err)
	if known := meantAgent(o.Agent); errors.Is(err, install.ErrUnfit) && known != o.Agent && slices.Contains(installNames(), known) {
		return cli.WithHint(err, "did you mean `onward hooks "+action+" "+known+"`?")
	}
	if errors.Is(err, install.ErrUnfit) && !slices.Contains(installNames(), o.Agent) {
		return cli.SuggestNames(err, o.Agent, installNames(), "an agent with hooks of its own passes them to `onward hook generic`; any other is kept going by a loop around `onward check-continue`")
	}
	return cli.WithHint(err, hint)
}
