// Package settings describes where an agent keeps its settings, and the form of the hooks in them.
//
// A Row is data: package install edits the files that it names. The package knows no agent.
package settings

// Layout describes the settings of one agent.
type Layout struct {
	UserOnly bool       // it has no settings of a project
	Project  string     // the folder in the project
	User     UserFolder // the user's folder
	File     string     // of the hooks, below the folder; empty if a plugin runs them
	Personal string     // of the hooks in a project that are one user's, where File is for all who work on it; else empty
	Here     bool       // it reads those of the folder that it is started in, not of those above
	Upward   bool       // it reads those of each folder from the one that it is started in up to the project's

	Hooks   Hooks         // the form of the hooks in File
	Servers MCPServers    // how it registers an MCP server; without a list it does not
	Command CommandFile   // its file for /todo; without a file it has none
	Plugin  Plugin        // the plugin that runs the hooks of an agent whose settings cannot; it has no file if the agent needs none
	More    []FurtherFile // further files with grants
	Noted   PluginList    // how it notes that it has onward's plugin or extension; without files it has none

	Untried  bool         // nobody has tried the hooks with the agent itself yet
	Local    []string     // what the user has to know about hooks of a project
	Trust    string       // what has to be trusted before hooks of a project run
	Approval HookApproval // where the agent records that its user trusts the hooks; without a file it is not known
	Needs    []string     // what the user always has to do, because no setting can
	Notes    []string     // what the user has to know after an install
	Changed  string       // what the user has to do once a hook that was there has changed
}

// Hooks describes a settings file with hooks in it, and what is written next to them.
type Hooks struct {
	Reads     JSONDialect
	TOML      bool     // it is TOML, not JSON
	Version   string   // the member with the version, which is 1; a new file begins with it
	Events    []string // those that onward needs; the first one starts a conversation
	Form      []Member // of a hook; nil is the usual one, whose type is command
	Named     bool     // the usual form, with a name
	Grouped   bool     // a list holds groups with a matcher and hooks, not hooks
	Code      int      // the exit code with which the hook makes the agent continue; 0 if its answer does
	Limit     HookTimeout
	Limits    []EventTimeout // of events that have another one than the usual
	Stop      string         // the event at which the gate runs; empty if the agent has no time limit for it
	Allow     AllowList      // how the model may run onward's commands without asking
	Grants    []Grant
	Obstacles []Grant // settings that prevent the hooks from running; Need reports them
}

// PluginList tells where an agent notes its plugins: one of the files has the plugin's name in its table of plugins that are
// switched on, or in its array of npm packages, or without either, is the file that the extension brings.
type PluginList struct {
	Files    []string // below the folder of the settings
	Table    string
	UserOnly bool // not in the settings of a project
}

// JSONDialect is what an agent reads in its JSON next to the standard.
type JSONDialect struct {
	Comments bool
	Commas   bool // after the last member or element
	Mark     bool // a byte order mark
}

// HookTimeout is how long an agent waits for a hook, in its own unit.
type HookTimeout struct {
	Usual string
	Stop  string // at the end of a turn, if a gate may run
	Unit  string // as onward writes it
}

// EventTimeout is how long an agent waits at one event.
type EventTimeout struct{ Event, Limit string }

// Member is a plain member of a hook.
type Member struct {
	Name string
	Kind Kind
	Text string
}

// Kind is what the text of a member is filled with.
type Kind int

// The kinds of members.
const (
	Fixed             Kind = iota // it is the same in every hook
	CommandLine                   // for the shell
	PowerShellCommand             // the command line for PowerShell
	EventName
	TimeLimit // a number
)

// Grant is a setting next to the hooks that `hooks install --allow` writes, and uninstall removes:
// the permission to run onward, or the switch of the agent's own todo tool.
type Grant struct {
	Path    []string // of the member, from the top
	Element string   // of the array there; empty sets the member itself
	Value   string   // of the member, as compact JSON
	Store   bool     // the element is the folder of the store
	Always  bool     // it is written and removed with the hooks, without --allow
	Needed  bool     // no hook runs without it, so it is written with them, without --allow
	Need    string   // what the user has to do if it is not set; empty if it need not be
	Server  bool     // it is for the server's tools, so it is written only if the server is registered
	Instead string   // an environment variable that does the same
	Runs    bool     // it lets the model run a command
	Former  bool     // earlier versions wrote it; Need reports it if it is set
}

// AllowList describes the elements of an array that let the model run commands: each is a command with the agent's own text
// before and after it.
type AllowList struct {
	Path          []string // of the array; empty if the agent has none
	Before, After string
	Former        string // the element by which earlier versions allowed every command of onward
	Need          string // what the user has to do if they are not set
}

// MCPServers describes how an agent registers an MCP server: in which settings, and in what form.
type MCPServers struct {
	File  string               // of the settings, below their folder; empty is that of the hooks
	User  func(Machine) string // the path of the user's, if that is elsewhere
	List  string               // the member that has the servers
	Form  string               // of an entry, PROGRAM being the path; of TOML, the member that has the path
	Trust string               // what --allow adds to it, so that the agent asks no question
	Notes []string
}

// CommandFile is the agent's own file for /todo.
type CommandFile struct {
	File      string // below the folder
	Format    Format
	Head      string // further lines at the head of a Markdown file, ONWARD being the program
	Arguments string // what the agent replaces by the arguments
}

// Format is how a command file is written.
type Format int

// The formats of command files.
const (
	Markdown Format = iota // with a head between two lines of dashes
	Plain                  // Markdown without a head, of an agent that adds the arguments itself
	TOML
)

// Plugin is a program of the agent's own kind that runs the hooks.
type Plugin struct {
	File    string  // below the folder
	Text    *string // PROGRAM and ARGUMENTS stand for onward and the arguments of its hook, ORIGIN and MISSING for words to users
	Limit   string  // how long the plugin waits for the hook at a turn's end
	Package string  // what the agent looks for in the package.json of the plugin's npm package, whose program is index.js
}

// FurtherFile is a further file with settings next to the hooks.
type FurtherFile struct {
	File   string // below the folder
	TOML   bool
	Grants []Grant
}

// HookApproval is where an agent records that its user trusts the hooks of a file: a table of the user's settings, in TOML,
// whose keys begin with the path of that file.
type HookApproval struct {
	File  string // below the user's folder
	Table []string
	Given string // what is said if the hooks are trusted
	Asked string // and if they are not
}
