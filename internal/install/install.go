package install

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"onward/internal/agents/settings"
	"onward/internal/render"
	"onward/internal/todo"
)

// Scope selects whose settings are changed.
type Scope string

// The scopes: a user's settings in one project, those of all who work on it, and a user's everywhere. Where an agent has one file
// for both of the former, it has no Shared.
const (
	Project Scope = "project"
	Shared  Scope = "shared"
	User    Scope = "user"
)

// Options select what is installed, and where.
type Options struct {
	settings.Machine
	Agents  []Agent // that hooks can be installed for
	Agent   string  // one of them, or git
	Scope   Scope   // empty is the agent's default
	Program string  // the absolute path of onward, as the hook will name it
	Project string  // the project's folder
	Root    string  // the project's folder where Project is one below it; empty is Project
	Dir     string  // where the user is, in the project
	Store   string  // the store, which a sandboxed agent must be able to write
	Context bool    // a new session receives the open items
	MCP     bool    // onward-mcp is registered as well
	Server  string  // its absolute path; empty if it is not installed
	Allow   bool    // permissions and switches are written besides the hooks
	OnPath  bool    // a model's shell finds onward by its name
	Hook    string  // of git: pre-push, pre-commit or commit-msg; empty is pre-push
	Lenient bool    // git's hook lets the user pass if onward is gone
	DryRun  bool
	May     func() error // asked before the first file is written

	plugin  bool // for the agent's plugin instead of settings
	exclude bool // the plan has the file in which git is told of personal settings
}

// Actions of a FileReport.
const (
	created   = "created"
	changed   = "changed"
	removed   = "removed"
	restored  = "restored" // it has the bytes from before the install
	unchanged = "unchanged"
)

// FileReport describes what happened to one file, or would happen.
type FileReport struct {
	Path   string `json:"path"`
	Action string `json:"action"`
	Backup string `json:"backup,omitzero"`
	Diff   string `json:"diff,omitzero"`
}

// Report is what an install, uninstall or status found and did.
type Report struct {
	Agent     string       `json:"agent"`
	Title     string       `json:"-"`
	Scope     Scope        `json:"scope"`
	Hook      string       `json:"hook,omitzero"` // which of git's hooks it is, in a status
	Installed bool         `json:"installed"`
	Changed   bool         `json:"changed"`
	Partly    bool         `json:"partly"`          // some events have no hook
	Stale     bool         `json:"stale"`           // one of the programs is missing, or is not this one
	Programs  []string     `json:"programs"`        // that the hooks name
	Server    string       `json:"server,omitzero"` // onward-mcp, if the agent has it registered
	Plugin    string       `json:"plugin,omitzero"` // the file in which the agent notes that it has onward's plugin
	Trust     string       `json:"trust,omitzero"`  // the state of the agent's own trust step; empty if there is none
	Files     []FileReport `json:"files"`
	Needs     []string     `json:"needs,omitempty"` // what the user still has to do
	Notes     []string     `json:"notes,omitempty"`
}

// TeachesTodos reports whether hooks or the MCP server tell the agent's model how to keep the list.
func (r *Report) TeachesTodos() bool { return r.Server != "" || r.Installed && !r.Partly && !r.Stale }

// file is one file of an agent that onward writes.
type file struct {
	content
	path   string
	mode   fs.FileMode // of a new one
	extra  bool        // the hooks work without it, so status does not ask for it
	beside string      // where another program's file of that name is kept; empty if it is not
	other  bool        // it is for the other scope of a project, which loses its hooks if both would run
	gits   bool        // it is git's own, so that it may be outside of a linked worktree
}

// content is onward's part of a file. A result of nil means no file.
type content interface {
	// put returns the file with onward's part. It replaces grants of earlier installs
	// that this version no longer writes.
	put(old []byte, granted []string) ([]byte, error)
	// removeOwn returns the file without onward's part and the grants that an install added. Lists and objects that were empty
	// before the first install stay. Before is the file as it was then: nil if it did not exist, or is not known.
	removeOwn(old []byte, granted []string, before []byte) ([]byte, error)
	// inspect finds onward's part of a file.
	inspect(data []byte) (presence, error)
}

// presence describes onward's part of a file.
type presence struct {
	programs []string // that it names
	server   string   // onward-mcp, where it is registered
	some     bool     // there is such a part
	partly   bool     // it lacks something, or was written by another version
	off      []string // other settings that keep the hooks from running
	granted  []string // the names of its grants
	needs    []string // what the user has to do for grants that are missing
}

// any reports whether there is a hook or the server.
func (p presence) any() bool { return p.some || p.server != "" }

// plan lists the files of one agent's hooks.
type plan struct {
	row
	trust  string   // the state of the agent's own trust step; empty if there is none
	notes  []string // what the user has to know after an install
	dir    string   // of the settings
	within string   // a folder that no file must leave; empty for none
	files  []file
	team   bool // the hooks of everybody on the project are there, and the plan is for its user alone
	runs   bool // they run on this machine
}

// Install puts the hooks in. All files are read and changed in memory before the first is written,
// so that a settings file which cannot be parsed leaves everything as it is.
func Install(o Options) (Report, error) {
	o.exclude = true
	p, r, err := prepare(&o)
	if err == nil && o.Scope != Shared {
		err = checkProgram(o.Program)
	}
	if err == nil {
		err = checkServer(o)
	}
	if err == nil {
		err = p.run(o, &r, false)
	}
	return r, err
}

// Uninstall takes the hooks out.
func Uninstall(o Options) (Report, error) {
	o.exclude = true
	p, r, err := prepare(&o)
	if err == nil {
		p.notes = nil // they are for an install
		err = p.run(o, &r, true)
		if p.team && !r.Changed {
			r.Notes = append(r.Notes, filepath.Join(p.Project, p.File)+" has the hooks for everybody on the project: `onward hooks uninstall "+p.Name+" --scope shared` removes them")
		}
	}
	return r, err
}

// Status reports what is installed.
func Status(o Options) (Report, error) {
	p, r, err := prepare(&o)
	if err != nil {
		return r, err
	}
	steps, err := p.steps(o, func(s *step) (err error) {
		s.is, err = s.inspect(s.old)
		return err
	})
	if err != nil {
		return r, err
	}
	r.Plugin = p.pluginSettings(o.Scope)
	p.status(o, &r, steps)
	if note := p.onlyHere(o); note != "" && r.Installed && !covered(o) {
		r.Notes = append(r.Notes, note)
	}
	r.Notes = append(r.Notes, p.notesOnOtherFolders(o, r.Installed)...)
	if main := p.mainCheckout(o); !r.Installed && main != "" && p.hooked(o, main) && !forUser(o) {
		r.Notes = append(r.Notes, "the hooks of "+main+" are missing here, in a linked worktree of it: `onward hooks install "+p.Name+"` installs them here too, and --scope user in every folder; `onward run` needs none")
	}
	return r, nil
}

// mainCheckout returns the folder of the repository whose linked worktree the project is, where personal settings would be
// missing; empty if it is none.
func (p *plan) mainCheckout(o Options) string {
	if p.Personal == "" || o.Scope != Project {
		return ""
	}
	found, err := runGit(o, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
	if own, common, _ := strings.Cut(found, "\n"); err == nil && own != common && filepath.Base(common) == ".git" {
		return filepath.Dir(filepath.FromSlash(common))
	}
	return ""
}

// covered reports whether hooks run in the user's folder for another reason than the project's settings.
func covered(o Options) bool {
	here := o
	here.Project = o.Dir
	is, _ := Status(here) // settings that cannot be read do not count
	return is.Installed || forUser(o)
}

// forUser reports whether hooks run in every folder.
func forUser(o Options) bool {
	o.Scope = User
	is, _ := Status(o)
	return is.Installed
}

func prepare(o *Options) (*plan, Report, error) {
	found, err := o.find()
	if err != nil {
		return nil, Report{}, err
	}
	if o.Scope == "" {
		o.Scope = found.scopes[0]
	}
	r := Report{Agent: found.Name, Title: found.Title, Scope: o.Scope}
	if !slices.Contains(found.scopes, o.Scope) {
		known := render.Map(found.scopes, func(_ int, s *Scope) string { return string(*s) })
		return nil, r, unfit("%w", &todo.UnknownWordError{Text: fmt.Sprintf("%s has no hooks of scope %s", found.Name, o.Scope), Word: string(o.Scope), Known: known})
	}
	if o.Scope == Shared {
		o.Program = "onward"
		if o.Server != "" {
			o.Server = serverProgram
		}
	}
	p, err := found.planFor(*o)
	return p, r, err
}

func (r row) planFor(o Options) (*plan, error) {
	p := &plan{row: r, trust: r.Trust, dir: filepath.Join(o.Project, r.Project), within: o.Project}
	if r.Untried {
		p.notes = append(p.notes, "experimental: not tried with "+r.Title+" itself yet")
	}
	p.notes = append(p.notes, r.Notes...)
	if len(r.AlsoRuns) > 0 {
		p.notes = append(p.notes, "it also runs the hooks in "+strings.Join(r.AlsoRuns, " and ")+", so install for one of these agents in a project")
	}
	if o.Scope == User {
		p.dir, p.within = r.User.Path(o.Machine), ""
	}
	if r.Plugin.File != "" {
		p.files = append(p.files, p.file(r.Plugin.File, o.pluginFile(r.Plugin)))
	}
	if r.File != "" {
		p.files = append(p.files, r.settings(o, p)...)
	}
	if r.Personal != "" && o.Scope == Project {
		p.team, p.runs = p.files[1].teamHooks(p.within)
	}
	if r.Command.File != "" && !p.team { // whose file it is
		f := p.file(r.Command.File, o.commandFile(r.Command))
		f.extra = true
		p.files = append(p.files, f)
	}
	if note := r.onlyHere(o); note != "" {
		p.notes = append(p.notes, note)
	}
	p.notes = append(p.notes, r.notesOnOtherFolders(o, true)...)
	if r.Personal != "" && o.Scope != User && o.exclude {
		p.files = append(p.files, p.excludedFiles(o)...)
	}
	switch {
	case o.Scope == User:
		p.trust = ""
	case o.Scope == Shared:
		p.notes = append(p.notes, "the settings name onward without a path, so that you can commit them: whoever works on the project needs it on PATH")
	case p.runs:
		p.notes = append(p.notes, filepath.Join(r.Project, r.File)+" has the hooks, for everybody on the project, and they run here; to have your own instead: `onward hooks uninstall "+r.Name+" --scope shared`, then this command again")
	case r.Personal != "":
		p.notes = append(p.notes, r.Local...)
	default:
		p.notes = append(p.notes, "the settings contain onward's path on this machine, so do not commit them: every user runs `onward hooks install`, or use --scope user")
		p.notes = append(p.notes, r.Local...)
	}
	for _, m := range r.More {
		p.files = append(p.files, p.more(o, m))
	}
	if r.Approval.File != "" {
		p.trust = o.approval(r.Approval, r.User, p.files[0].path)
	}
	if r.plan != nil {
		if err := r.plan(o, p); err != nil {
			return p, err
		}
	}
	return p, p.addServer(o)
}

// onlyHere explains that an agent started in the user's folder does not read the project's settings; empty if it does.
func (r row) onlyHere(o Options) string {
	if !r.Here || o.Scope == User || o.Dir == "" || o.Dir == o.Project {
		return ""
	}
	return r.Title + " reads the settings of the folder that it is started in, so the hooks in " + o.Project + " do not run in " + o.Dir + ": start it in the former, or install with --here or --scope user"
}

// folders returns those whose settings the agent may have read, when it was started in the user's folder.
func (r row) folders(o Options) []string {
	if !r.Upward {
		return []string{o.Project, o.Dir}
	}
	root := cmp.Or(o.Root, o.Project)
	out := []string{root}
	for dir := o.Dir; strings.HasPrefix(dir, root+string(filepath.Separator)); dir = filepath.Dir(dir) {
		out = append(out, dir)
	}
	return out
}

// notesOnOtherFolders reports the hooks in other folders of the project, which the agent runs too.
func (r row) notesOnOtherFolders(o Options, installed bool) (notes []string) {
	if !r.Upward || o.Scope != Project || o.Dir == "" {
		return nil
	}
	for _, dir := range r.folders(o) {
		if dir == o.Project || !r.hooked(o, dir) {
			continue
		}
		note := r.Title + " also runs the hooks of onward in " + dir
		if installed {
			note += ", so each event runs two: `onward hooks uninstall " + r.Name + " --here` removes those of the folder that it is run in"
		}
		notes = append(notes, note)
	}
	return notes
}

// settings returns the file with the hooks. Where an agent has a personal file in a project besides the one for everybody, the file of
// the other scope follows: its hooks move.
func (r row) settings(o Options, p *plan) []file {
	main := r.file(o)
	switch {
	case r.Personal == "" || o.Scope == User:
		return []file{p.file(r.File, main)}
	case o.Scope == Shared:
		return []file{p.file(r.File, main), p.otherFile(r.Personal, r.file(o), main)}
	}
	return []file{p.file(r.Personal, main), p.otherFile(r.File, r.file(o), main)}
}

// otherFile returns the settings of the other scope, whose hooks move to main.
func (p *plan) otherFile(name string, is, main *settingsFile) file {
	is.to = main
	f := p.file(name, is)
	f.extra, f.other = true, true
	return f
}

func (p *plan) file(name string, c content) file {
	f := file{content: c, path: filepath.Join(p.dir, name), mode: 0o644}
	if s, ok := c.(*settingsFile); ok && s.TOML {
		f.mode = 0o600 // it may hold keys
	}
	return f
}

// checkProgram refuses a program that cannot be run.
func checkProgram(path string) error {
	info, err := os.Stat(path)
	switch {
	case !filepath.IsAbs(path):
		return fmt.Errorf("%w: %q is not an absolute path", ErrProgram, path)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrProgram, err)
	case info.IsDir():
		return fmt.Errorf("%w: %s is a folder", ErrProgram, path)
	case !ourName(path):
		return fmt.Errorf("%w: %s: its name must have onward in it, by which the hook is found again", ErrProgram, path)
	}
	return nil
}
