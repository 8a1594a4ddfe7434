package install

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// agent is a row of the table of agents.
type agent struct {
	name, title string
	scopes      []Scope // the default first

	// Where its settings are.
	project string               // folder in the project
	user    func(Options) string // the user's folder
	file    string               // of the settings, below the folder
	here    bool                 // it reads those of the folder that it is started in, not of those above

	settings settings
	servers  servers   // how it registers an MCP server; none has no list
	command  [2]string // the file below the folder for /todo, and its text

	local   []string // what the user has to know about hooks of a project
	trust   string   // what has to be trusted before hooks of a project run, or in a plan the state of that
	needs   []string // what the user has to do in any case, which no setting can
	notes   []string // what the user has to know after an install
	changed string   // what the user has to do once a hook that was there has changed

	// plan completes the plan with what the row does not contain.
	plan func(Options, *plan) error
}

// The forms of a hook.
func withLimit() []member {
	return []member{{name: "type", text: "command"}, {name: "command", kind: asShell}, {name: "timeout", kind: asLimit}}
}

func withName() []member { return slices.Insert(withLimit(), 2, member{name: "name", text: "onward"}) }

// below returns the user's folder of a name, which a variable of the agent's may name.
func below(name, variable string) func(Options) string {
	return func(o Options) string {
		own := ""
		if variable != "" {
			own = o.Env(variable)
		}
		return cmp.Or(own, filepath.Join(o.Home, name))
	}
}

// llxprtFolder is where LLxprt Code keeps the user's settings.
func llxprtFolder(o Options) string {
	if own := o.Env("LLXPRT_CONFIG_HOME"); filepath.IsAbs(own) {
		return own
	}
	switch {
	case o.Windows:
		return filepath.Join(o.roaming(), "llxprt-code", "Config")
	case runtime.GOOS == "darwin":
		return filepath.Join(o.Home, "Library", "Preferences", "llxprt-code")
	}
	return filepath.Join(o.Config, "llxprt-code")
}

// roaming is where programs keep the user's settings on Windows.
func (o Options) roaming() string {
	return cmp.Or(o.Env("APPDATA"), filepath.Join(o.Home, "AppData", "Roaming"))
}

func table() []agent {
	both, user, project := []Scope{Project, User}, []Scope{User}, []Scope{Project}
	seconds, milliseconds := limit{"10", "600", "s"}, limit{"10000", "600000", "ms"}
	claudeEvents := []string{ // Qwen Code has the same
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
		"SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
	}
	disableAll := func(name string) []grant {
		return []grant{{path: []string{"disableAllHooks"}, value: "true", need: "disableAllHooks is true in these settings, so " + name + " runs no hook"}}
	}
	untried := func(name string) string { return "experimental: not tried with " + name + " itself yet" }
	return []agent{
		{
			name: "claude", title: "Claude Code", scopes: both,
			project: ".claude", here: true, user: below(".claude", "CLAUDE_CONFIG_DIR"), file: "settings.json",
			settings: settings{
				reads:  dialect{mark: true},
				events: claudeEvents,
				form:   withLimit(), grouped: true, limit: seconds, stop: "Stop",
				grants: append(mayRun([]string{"permissions", "allow"}, "Bash(", ":*)", "Bash(onward:*)", "Claude Code", "let the model keep the list without asking, because `claude -p` cannot ask: `onward hooks install claude --allow`"), []grant{
					{path: []string{"permissions", "allow"}, element: "mcp__onward", server: true, need: "let the model call the server's tools without asking, because `claude -p` cannot ask: `onward hooks install claude --mcp --allow`, or --allowedTools mcp__onward for one run"},
					{path: []string{"env", "CLAUDE_CODE_ENABLE_TODO_TOOLS"}, value: `"1"`, instead: "CLAUDE_CODE_ENABLE_TODO_TOOLS", need: "turn on Claude Code's todo tools, which are off for newer models: `onward hooks install claude --allow`, or CLAUDE_CODE_ENABLE_TODO_TOOLS=1 for one run"},
				}...),
				off: disableAll("Claude Code"),
			},
			servers: servers{
				file: "../.mcp.json", user: claudeState, list: "mcpServers", form: `{"type":"stdio","command":PROGRAM,"args":[]}`,
				notes: []string{"Claude Code asks once whether to use a server of the project's .mcp.json; with --scope user it does not ask"},
			},
			command: [2]string{"commands/todo.md", claudeCommand},
			local:   []string{"`claude --worktree` works in a folder of its own, where these settings are missing because they are not committed: use --scope user if you work in worktrees"},
			trust:   "Claude Code runs a project's hooks only after you have trusted the folder; it asks when you first open it",
		},
		{
			name: "codex", title: "Codex", scopes: both,
			project: ".codex", user: below(".codex", "CODEX_HOME"), file: "hooks.json",
			settings: settings{
				events: []string{
					"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStart", "SubagentStop",
					"PreCompact", "PostCompact", "Interrupt", "SessionEnd",
				},
				form: withLimit(), grouped: true, limit: seconds, stop: "Stop",
				limits: map[string]string{"Interrupt": "3", "SessionEnd": "3"}, // Codex grants no more, and reports it at every start
			},
			servers: servers{
				file: "config.toml", list: "mcp_servers", form: "command",
				notes: []string{"Codex starts a server with few variables of the environment: name ONWARD_STORE or ONWARD_SESSION in env_vars of [mcp_servers.onward] if you set them"},
			},
			notes: []string{
				"Codex runs a hook only after you have trusted it: start codex, enter /hooks, and trust onward's",
				"to skip the trust check for one run: codex --dangerously-bypass-hook-trust",
				"the store is now among the folders that a sandboxed model may write (sandbox_workspace_write.writable_roots)",
			},
			needs:   []string{"run `codex exec` with --sandbox workspace-write if its model keeps the list with `onward todo`: by default it may not write"},
			changed: "the hooks changed, and Codex ignores a changed hook until you trust it again: start codex, enter /hooks",
			plan:    codex,
		},
		{
			name: "gemini", title: "Gemini CLI", scopes: both,
			project: ".gemini", here: true, file: "settings.json",
			user: func(o Options) string { return filepath.Join(cmp.Or(o.Env("GEMINI_CLI_HOME"), o.Home), ".gemini") },
			settings: settings{
				reads: dialect{comments: true},
				// PreCompress is left out: it comes before every request, whether anything is compressed or not,
				// and has no counterpart at the end.
				events: []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
				form:   withName(), grouped: true, limit: milliseconds, stop: "AfterAgent",
				grants: mayRun([]string{"tools", "allowed"}, "run_shell_command(", ")", "run_shell_command(onward)", "Gemini CLI", "let the model keep the list without asking, because `gemini -p` cannot ask: `onward hooks install gemini --allow`"),
				off:    []grant{{path: []string{"hooksConfig", "enabled"}, value: "false", need: "hooksConfig.enabled is false in these settings, so Gemini CLI runs no hook"}},
			},
			servers: servers{list: "mcpServers", form: `{"command":PROGRAM}`, trust: `"trust":true`},
			command: [2]string{"commands/todo.toml", geminiCommand},
			trust:   "Gemini CLI runs a project's hooks in a trusted folder only, and warns once of each that is new or changed",
		},
		{
			name: "qwen", title: "Qwen Code", scopes: both,
			project: ".qwen", here: true, user: below(".qwen", "QWEN_HOME"), file: "settings.json",
			settings: settings{
				reads:  dialect{comments: true, mark: true},
				events: claudeEvents,
				form:   withName(), grouped: true, limit: milliseconds, stop: "Stop", // old versions know no seconds, and new ones read 1000 and more so
				grants: append(mayRun([]string{"permissions", "allow"}, "Bash(", " *)", "Bash(onward *)", "Qwen Code", "let the model keep the list without asking, because `qwen -p` cannot ask: `onward hooks install qwen --allow`"), []grant{
					{path: []string{"tools", "todoWrite", "enabled"}, value: "true", need: "switch Qwen Code's todo tool on, which is off by default: `onward hooks install qwen --allow`"},
				}...),
				off: disableAll("Qwen Code"),
			},
			servers: servers{
				// Otherwise its model has to search for the tools first.
				list: "mcpServers", form: `{"command":PROGRAM,"alwaysLoadTools":true}`, trust: `"trust":true`,
			},
			command: [2]string{"commands/todo.md", qwenCommand},
			trust:   "Qwen Code loads a project's hooks only in a folder that you have trusted (/trust)",
			needs:   []string{"set QWEN_CODE_STOP_HOOK_BLOCK_CAP=30 for lists of more than 7 items: Qwen Code ignores a hook that blocks 8 times in a row"},
		},
		{
			name: "llxprt", title: "LLxprt Code", scopes: both,
			project: ".llxprt", here: true, user: llxprtFolder, file: "settings.json",
			settings: settings{
				reads:  dialect{comments: true},
				events: []string{"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
				form:   withName(), grouped: true, limit: milliseconds,
				grants: []grant{{path: []string{"hooksConfig", "enabled"}, value: "true", needed: true, need: "set hooksConfig.enabled to true; otherwise LLxprt Code runs no hook"}},
			},
			servers: servers{list: "mcpServers", form: `{"command":PROGRAM}`, trust: `"trust":true`},
			command: [2]string{"commands/todo.toml", geminiCommand},
			trust:   "LLxprt Code runs a project's hooks in a trusted folder only, and warns of each that you have not trusted yet",
			notes: []string{
				untried("LLxprt Code"),
				"LLxprt Code continues by itself twice for each prompt, and no hook can keep it going after that: use a loop around onward check-continue",
			},
		},
		{
			name: "opencode", title: "opencode", scopes: both,
			project: ".opencode",
			user: func(o Options) string {
				return cmp.Or(o.Env("OPENCODE_CONFIG_DIR"), filepath.Join(o.Config, "opencode"))
			},
			settings: settings{reads: dialect{comments: true, commas: true}},
			servers:  servers{file: "opencode.json", list: "mcp", form: `{"type":"local","command":[PROGRAM],"enabled":true}`},
			command:  [2]string{"commands/todo.md", opencodeCommand},
			notes: []string{
				"restart opencode to load the plugin",
				"`opencode run` ends with the model's first stop, before a plugin can send it back to work; the terminal interface, `opencode serve` and `opencode web` continue",
			},
			plan: opencode,
		},
		{
			name: "cursor", title: "Cursor", scopes: both,
			project: ".cursor", user: below(".cursor", ""), file: "hooks.json",
			settings: settings{
				reads: dialect{comments: true, commas: true, mark: true}, version: "version",
				// preCompact is left out, since nothing reports the end of a compaction.
				events: []string{"sessionStart", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "stop", "subagentStop", "sessionEnd"},
				form:   []member{{name: "command", kind: asShell}},
			},
			servers: servers{
				file: "mcp.json", list: "mcpServers", form: `{"command":PROGRAM}`,
				notes: []string{"switch the server on in Cursor's settings, under MCP"},
			},
			command: [2]string{"commands/todo.md", cursorCommand},
			trust:   "Cursor runs a project's hooks in a trusted workspace only",
			notes: []string{
				untried("Cursor"), "Cursor's cloud agents run no stop hooks",
				"a gate does not run in Cursor's stop hook, whose time limit onward cannot set: a finished list is shown as unproven",
			},
		},
		{
			name: "copilot", title: "GitHub Copilot CLI", scopes: both,
			project: ".github", user: below(".copilot", "COPILOT_HOME"), file: "hooks/onward.json",
			settings: settings{
				version: "version",
				// It names the event only if the long names are used.
				events: []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop", "ErrorOccurred", "SessionEnd"},
				form: []member{
					{name: "type", text: "command"}, {name: "bash", kind: asShell}, {name: "powershell", kind: asPowerShell}, {name: "timeoutSec", kind: asLimit},
				},
				limit: seconds, stop: "Stop",
			},
			needs: []string{
				"let the model keep the list without asking, because `copilot -p` cannot ask: --allow-tool 'shell(onward todo add:*),shell(onward todo start:*),shell(onward todo done:*),shell(onward pause:*)'",
				"run it with --trust-folder, or trust the folder once in a session: a project's hooks do not run elsewhere",
			},
			notes: []string{
				"it also reads the hooks in .claude/settings.json, so install for one of the two in a project",
			},
		},
		{
			name: "vscode", title: "VS Code", scopes: both,
			project: ".github", user: below(".copilot", ""), file: "hooks/onward-vscode.json",
			settings: settings{
				reads:  dialect{comments: true, commas: true, mark: true},
				events: []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop"},
				form:   withLimit(), limit: seconds, stop: "Stop",
			},
			servers: servers{
				file: "../.vscode/mcp.json", user: codeFolder, list: "servers", form: `{"type":"stdio","command":PROGRAM}`,
				notes: []string{"VS Code asks once whether you trust the server"},
			},
			notes: []string{
				untried("VS Code"),
				"VS Code and GitHub Copilot CLI read the same folder and .claude/settings.json too, so install for one of them in a project",
			},
		},
		{
			name: "kimi", title: "Kimi CLI", scopes: user,
			user: func(o Options) string {
				if info, err := os.Stat(filepath.Join(o.Home, ".kimi-code")); err == nil && info.IsDir() {
					return filepath.Join(o.Home, ".kimi-code")
				}
				return filepath.Join(o.Home, ".kimi")
			},
			file: "config.toml",
			settings: settings{
				toml: true,
				events: []string{
					"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
					"SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
				},
				// It knows these members, and refuses others.
				form: []member{{name: "event", kind: asEvent}, {name: "command", kind: asShell}, {name: "timeout", kind: asLimit}}, limit: seconds, stop: "Stop",
			},
			notes: []string{
				"Kimi CLI continues at most once per prompt, and has hooks in the user's settings only",
			},
		},
		{name: "git", title: "git", scopes: project, plan: git},
	}
}

// Names returns the agents that hooks can be installed for, git last.
func Names() []string {
	var out []string
	for _, a := range table() {
		out = append(out, a.name)
	}
	return out
}

// Scopes returns the scopes of an agent, its default first; none if there is no such agent.
func Scopes(name string) []Scope {
	a, err := find(name)
	if err != nil {
		return nil
	}
	return a.scopes
}

func find(name string) (agent, error) {
	for _, a := range table() {
		if a.name == name {
			return a, nil
		}
	}
	if name == "generic" {
		return agent{}, unfit("generic has nothing to install: pass each event to `onward hook generic`")
	}
	return agent{}, unfit("unknown agent %q (one of %s)", name, strings.Join(Names(), ", "))
}
