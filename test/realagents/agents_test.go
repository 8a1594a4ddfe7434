//go:build unix

package realagents

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// agent describes how an agent's program is run against the scripted model, and the names of its tools.
type agent struct {
	name string
	// npm is the name of the npm package with the program's version.
	npm string
	// program returns the file to run and the arguments before all others.
	program func() ([]string, error)
	// args returns the arguments for one prompt.
	args func(m *model, prompt string) []string
	// words returns the flags with which a user lets it work unattended with this model: `onward run NAME TASK -- WORDS`.
	words func(m *model) []string
	// env returns the environment variables that make it use the model.
	env func(m *model) []string
	// prepare writes the settings that the program needs in addition to the hooks.
	prepare func(t *testing.T, m *model, home, dir string)
	// write returns the model's replies that write the list of the three items, the first n of them completed.
	// With first, the list is new.
	write func(n int, first bool) []reply
	// alone is like write, for an agent without onward's extension, which adds a todo tool to it; nil if there is no such extension.
	alone func(n int, first bool) []reply
	// shell returns the tool call that runs a command line.
	shell func(command string) call
	// serve runs a prompt in another way; nil if hooks can keep the agent going when it is run for one prompt.
	serve func(p place, m *model, prompt string) string
	// resume is the flag that resumes a conversation; the id of the conversation follows.
	resume string
	// delegate returns a tool call that starts a sub-agent within the turn; nil if the agent has none.
	delegate func(prompt string) call
	// hookless means that no hook can keep the agent going.
	hookless bool
	// once means that a hook can send the agent back to work only once for each prompt.
	once bool
	// tells means that a hook reports a turn that failed at the model's host. Claude Code with -p
	// may end before that hook has run.
	tells bool
}

// resumed returns the arguments that resume a conversation.
func (a agent) resumed(m *model, id, prompt string) []string {
	args := a.args(m, prompt)
	if a.name == "codex" {
		return slices.Insert(args, len(args)-1, a.resume, id)
	}
	return append(args, a.resume, id)
}

// items is the list on which all scripts of the model work.
var items = []string{"Read the code", "Write the change", "Run the tests"}

// plan returns the list with n items completed and the next one in progress, as objects with the members text and status.
func plan(n int, text, status string, more func(i int, item object)) []object {
	var out []object
	for i, content := range items {
		item := object{text: content, status: "pending"}
		switch {
		case i < n:
			item[status] = "completed"
		case i == n:
			item[status] = "in_progress"
		}
		if more != nil {
			more(i, item)
		}
		out = append(out, item)
	}
	return out
}

// whole returns write for an agent with one todo tool, which replaces the whole list.
func whole(tool, member, text, status string, more func(i int, item object)) func(int, bool) []reply {
	return func(n int, _ bool) []reply {
		return []reply{use(call{name: tool, args: object{member: plan(n, text, status, more)}})}
	}
}

// byShell returns write for a model that keeps its list with onward's own commands.
func byShell(shell func(command string) call) func(int, bool) []reply {
	return func(n int, first bool) []reply {
		command := fmt.Sprintf("onward todo done %d", n)
		if first {
			for _, text := range slices.Backward(items) {
				command = fmt.Sprintf("onward todo add %q && %s", text, command)
			}
		}
		return []reply{use(shell(command))}
	}
}

func agents() []agent {
	return []agent{claude(), codex(), gemini(), opencode(), qwen(), copilot(), kimi(), pi(), cline(), grok()}
}

func claude() agent {
	return agent{
		name: "claude", npm: "@anthropic-ai/claude-code",
		program: func() ([]string, error) {
			p, err := module("@anthropic-ai", "claude-code-"+platform(), "claude")
			return []string{p}, err
		},
		args: func(_ *model, prompt string) []string {
			return []string{
				"-p", prompt, "--model", "claude-sonnet-4-5",
				"--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions",
			}
		},
		words: func(*model) []string {
			return []string{"--model", "claude-sonnet-4-5", "--dangerously-skip-permissions"}
		},
		env: func(m *model) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + m.base, "ANTHROPIC_API_KEY=fake",
				"IS_SANDBOX=1", // without it, the program does not let root skip permissions
			}
		},
		write: func(n int, first bool) []reply {
			var out []reply
			if first {
				var create []call
				for _, text := range items {
					create = append(create, call{name: "TaskCreate", args: object{"subject": text, "description": text}})
				}
				out = append(out, use(create...))
			}
			return append(out, use(call{name: "TaskUpdate", args: object{"taskId": fmt.Sprint(n), "status": "completed"}}))
		},
		shell: func(command string) call {
			return call{name: "Bash", args: object{"command": command, "description": "Run a command"}}
		},
		resume: "--resume",
		delegate: func(prompt string) call {
			return call{name: "Agent", args: object{"description": "A part", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false}}
		},
	}
}

func codex() agent {
	return agent{
		name: "codex", npm: "@openai/codex",
		program: func() ([]string, error) {
			p, err := module("@openai", "codex-"+platform(), "vendor", "*", "bin", "codex")
			return []string{p}, err
		},
		args: func(m *model, prompt string) []string {
			return append(append([]string{"exec", "--json", "-c", "tools.update_plan.enabled=true"}, codexWords(m)...), prompt)
		},
		words: codexWords,
		env:   func(*model) []string { return []string{"FAKE_KEY=fake"} },
		prepare: func(t *testing.T, _ *model, home, dir string) {
			// Codex runs the hooks of a project only in a folder that the user trusts.
			// Codex runs commands in a login shell, which sets PATH itself.
			write(t, filepath.Join(home, ".profile"), "PATH="+filepath.Join(home, "bin")+":$PATH\n")
			write(t, filepath.Join(home, ".codex", "config.toml"), fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", dir))
		},
		write: whole("update_plan", "plan", "step", "status", nil),
		shell: func(command string) call {
			return call{name: "exec_command", args: object{"cmd": command}}
		},
		resume: "resume",
	}
}

func codexWords(m *model) []string {
	return []string{
		"--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust",
		"-m", "gpt-5.1-codex", "-c", "model_provider=mock",
		"-c", fmt.Sprintf(`model_providers.mock={name="mock",base_url="%s/v1",wire_api="responses",env_key="FAKE_KEY",request_max_retries=0,stream_max_retries=0}`, m.base),
		"-c", "analytics.enabled=false",
	}
}

func gemini() agent {
	return agent{
		name: "gemini", npm: "@google/gemini-cli",
		program: func() ([]string, error) {
			p, err := module("@google", "gemini-cli", "bundle", "gemini.js")
			return []string{"node", p}, err
		},
		args: func(_ *model, prompt string) []string {
			return []string{"-p", prompt, "-m", "gemini-2.5-pro", "--yolo", "--output-format", "stream-json"}
		},
		words: func(*model) []string { return []string{"-m", "gemini-2.5-pro", "--yolo"} },
		env: func(m *model) []string {
			return []string{
				"GOOGLE_GEMINI_BASE_URL=" + m.base, "GEMINI_API_KEY=fake", "GEMINI_CLI_TRUST_WORKSPACE=true",
			}
		},
		prepare: func(t *testing.T, _ *model, home, _ string) {
			// With only a base address, the program takes the model for a gateway that needs an account.
			write(t, filepath.Join(home, ".gemini", "settings.json"), `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
		},
		write: whole("write_todos", "todos", "description", "status", nil),
		shell: func(command string) call {
			return call{name: "run_shell_command", args: object{"command": command}}
		},
		resume: "--resume",
	}
}

func opencode() agent {
	return agent{
		name: "opencode", npm: "opencode-ai",
		program: func() ([]string, error) {
			p, err := module("opencode-"+platform(), "bin", "opencode")
			return []string{p}, err
		},
		args: func(_ *model, prompt string) []string {
			return []string{"run", "--format", "json", "--model", "mock/m", prompt}
		},
		words:  func(*model) []string { return []string{"--model", "mock/m"} },
		serve:  serveOpencode,
		resume: "--session", tells: true,
		delegate: func(prompt string) call {
			return call{name: "task", args: object{"description": "A part", "prompt": prompt, "subagent_type": "general"}}
		},
		env: func(m *model) []string {
			return []string{
				"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
				"NPM_CONFIG_REGISTRY=" + m.base, // so that its search for a package of its plugins fails immediately
			}
		},
		prepare: func(t *testing.T, m *model, home, dir string) {
			write(t, filepath.Join(dir, "opencode.json"), asJSON(object{
				"autoupdate": false, "share": "disabled",
				"permission": object{"*": "allow"},
				"provider": object{"mock": object{
					"npm": "@ai-sdk/openai-compatible", "name": "mock",
					"options": object{"baseURL": m.base + "/v1", "apiKey": "fake"},
					"models":  object{"m": object{"name": "m", "tool_call": true}},
				}},
			}))
		},
		write: whole("todowrite", "todos", "content", "status", func(_ int, item object) { item["priority"] = "high" }),
		shell: func(command string) call {
			return call{name: "bash", args: object{"command": command, "description": "Run a command"}}
		},
	}
}

func qwen() agent {
	return agent{
		name: "qwen", npm: "@qwen-code/qwen-code",
		program: func() ([]string, error) {
			p, err := module("@qwen-code", "qwen-code", "cli-entry.js")
			if err != nil {
				p, err = module("@qwen-code", "qwen-code", "cli.js") // the file's place in older versions
			}
			return []string{"node", p}, err
		},
		args: func(_ *model, prompt string) []string {
			return []string{"-p", prompt, "--output-format", "stream-json", "--yolo"}
		},
		words: func(*model) []string { return []string{"--yolo"} },
		env: func(m *model) []string {
			return []string{"OPENAI_BASE_URL=" + m.base + "/v1", "OPENAI_API_KEY=fake", "OPENAI_MODEL=m"}
		},
		prepare: func(t *testing.T, _ *model, home, _ string) {
			write(t, filepath.Join(home, ".qwen", "settings.json"), `{"tools":{"todoWrite":{"enabled":true}}}`)
		},
		write: whole("todo_write", "todos", "content", "status", func(i int, item object) { item["id"] = fmt.Sprint(i + 1) }),
		shell: func(command string) call {
			return call{name: "run_shell_command", args: object{"command": command, "is_background": false}}
		},
		resume: "--resume",
		// Its sub-agents run in parallel with the turn. Which of the two asks the model first differs from run to run,
		// so a fixed script of answers cannot be used.
	}
}

// copilot returns Copilot CLI, which keeps its todos in a table of its own database. Its model changes the table with SQL.
func copilot() agent {
	shell := func(command string) call {
		return call{name: "bash", args: object{"command": command, "description": "Run a command", "mode": "sync", "initial_wait": 30}}
	}
	return agent{
		name: "copilot", npm: "@github/copilot",
		program: func() ([]string, error) {
			p, err := module("@github", "copilot-"+platform(), "copilot")
			return []string{p}, err
		},
		args: func(_ *model, prompt string) []string {
			return []string{"-p", prompt, "--allow-all", "--no-auto-update", "--output-format", "json", "--model", "gpt-4.1"}
		},
		words: func(*model) []string { return []string{"--allow-all", "--no-auto-update", "--model", "gpt-4.1"} },
		env: func(m *model) []string {
			return []string{
				"COPILOT_ALLOW_ALL=true", "COPILOT_OFFLINE=true", "COPILOT_MODEL=gpt-4.1",
				"COPILOT_PROVIDER_BASE_URL=" + m.base + "/v1", "COPILOT_PROVIDER_API_KEY=fake",
			}
		},
		write: func(n int, first bool) []reply {
			query := fmt.Sprintf("UPDATE todos SET status = 'done' WHERE id = '%d'", n)
			if first {
				var rows []string
				for i, text := range items {
					rows = append(rows, fmt.Sprintf("('%d', '%s', 'pending')", i+1, text))
				}
				query = "INSERT INTO todos (id, title, status) VALUES " + strings.Join(rows, ", ") + "; " + query
			}
			return []reply{use(call{name: "sql", args: object{"description": "Todos", "query": query}})}
		},
		shell: shell, resume: "--resume", tells: true,
		delegate: func(prompt string) call {
			return call{name: "task", args: object{"description": "A part", "prompt": prompt, "agent_type": "general-purpose", "name": "part"}}
		},
	}
}

// kimi returns Kimi Code. A hook can send it back to work once for each prompt. It does not wait for the hooks of its tools
// and ends them with the turn. The scripted turns end immediately, so the model keeps the list with the shell instead.
func kimi() agent {
	shell := func(command string) call { return call{name: "Bash", args: object{"command": command}} }
	return agent{
		name: "kimi", npm: "@moonshot-ai/kimi-code",
		program: func() ([]string, error) {
			p, err := module("@moonshot-ai", "kimi-code", "dist", "main.mjs")
			if err != nil {
				return nil, err
			}
			node, err := module("node-"+platform(), "bin", "node") // the program needs Node 24
			return []string{node, p}, err
		},
		args: func(_ *model, prompt string) []string {
			return []string{"-p", prompt, "--output-format", "stream-json"}
		},
		words: func(*model) []string { return nil },
		env:   func(*model) []string { return []string{"KIMI_DISABLE_TELEMETRY=1"} },
		prepare: func(t *testing.T, m *model, home, _ string) {
			write(t, filepath.Join(home, ".kimi-code", "config.toml"), fmt.Sprintf(`default_model = "m"

[providers.mock]
type = "openai"
base_url = "%s/v1"
api_key = "fake"

[models.m]
provider = "mock"
model = "m"
max_context_size = 200000
`, m.base))
		},
		write: byShell(shell),
		shell: shell, resume: "--session", once: true, tells: true,
		delegate: func(prompt string) call {
			return call{name: "Agent", args: object{"description": "A part", "prompt": prompt, "subagent_type": "coder"}}
		},
	}
}

// pi returns Pi, which has no todo tool of its own; onward's extension adds one.
func pi() agent {
	shell := func(command string) call { return call{name: "bash", args: object{"command": command}} }
	return agent{
		name: "pi", npm: "@earendil-works/pi-coding-agent",
		program: func() ([]string, error) {
			p, err := module("@earendil-works", "pi-coding-agent", "dist", "bundle", "cli.js")
			if err != nil {
				return nil, err
			}
			node, err := module("node-"+platform(), "bin", "node") // the program needs Node 22
			return []string{node, p}, err
		},
		args: func(m *model, prompt string) []string {
			return append([]string{"--mode", "json", prompt}, piWords(m)...)
		},
		words: piWords,
		env:   func(*model) []string { return []string{"PI_OFFLINE=1"} },
		prepare: func(t *testing.T, m *model, home, _ string) {
			name := filepath.Join(home, ".pi", "agent", "models.json")
			all := struct {
				Providers object `json:"providers"`
			}{object{}}
			if before, err := os.ReadFile(name); err == nil && json.Unmarshal(before, &all) != nil {
				t.Fatalf("%s: %s", name, before)
			}
			all.Providers[piProvider(m)] = object{
				"baseUrl": m.base + "/v1", "api": "openai-completions", "apiKey": "fake",
				"models": []object{{"id": "m", "contextWindow": 200000}},
			}
			write(t, name, asJSON(all))
		},
		write: whole("todo_write", "todos", "content", "status", nil),
		alone: byShell(shell),
		shell: shell, resume: "--session", tells: true,
	}
}

func piWords(m *model) []string { return []string{"--model", piProvider(m) + "/m", "--approve"} }

// piProvider returns the name of a model's server in Pi's settings. Two conversations share these, so it contains the port.
func piProvider(m *model) string { return "mock-" + m.base[strings.LastIndexByte(m.base, ':')+1:] }

// cline returns Cline, which has no todo tool, and no hook that can keep it going.
func cline() agent {
	shell := func(command string) call {
		return call{name: "run_commands", args: object{"commands": []string{command}}}
	}
	return agent{
		name: "cline", npm: "@cline/cli-linux-x64",
		program: func() ([]string, error) {
			p, err := module("@cline", "cli-"+platform(), "bin", "cline")
			return []string{p}, err
		},
		args:  func(m *model, prompt string) []string { return append([]string{"--json", prompt}, clineWords(m)...) },
		words: clineWords,
		env:   func(*model) []string { return []string{"CLINE_NO_AUTO_UPDATE=1"} },
		prepare: func(t *testing.T, m *model, home, _ string) {
			write(t, filepath.Join(home, ".cline", "data", "settings", "providers.json"), asJSON(clineProvider(m)))
		},
		write: byShell(shell),
		shell: shell, hookless: true,
	}
}

// clineProvider returns the content of Cline's settings file with the address of a model.
func clineProvider(m *model) object {
	return object{
		"version": 1, "lastUsedProvider": "openai-compatible", "modes": object{},
		"providers": object{"openai-compatible": object{
			"settings":  object{"provider": "openai-compatible", "apiKey": "fake", "model": "m", "baseUrl": m.base + "/v1"},
			"updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual",
		}},
	}
}

func clineWords(*model) []string { return []string{"-P", "openai-compatible", "-m", "m"} }

func grok() agent {
	return agent{
		name: "grok", npm: "@xai-official/grok-linux-x64",
		program: func() ([]string, error) {
			p := filepath.Join(programs, "grok")
			_, err := os.Stat(p)
			return []string{p}, err
		},
		args: func(m *model, prompt string) []string {
			return append([]string{"--output-format", "streaming-messages-json", "-p", prompt}, grokWords(m)...)
		},
		words: grokWords,
		env:   func(*model) []string { return []string{"FAKE_KEY=fake"} },
		prepare: func(t *testing.T, m *model, home, dir string) {
			if out, err := exec.Command("git", "init", "--quiet", dir).CombinedOutput(); err != nil { // it reads a project's hooks only in a repository
				t.Fatalf("git init: %v\n%s", err, out)
			}
			name := filepath.Join(home, ".grok", "config.toml")
			before, _ := os.ReadFile(name) // the settings may already contain the model of another conversation
			write(t, name, fmt.Sprintf("%s[model.%s]\nmodel = \"m\"\nbase_url = \"%s/v1\"\nenv_key = \"FAKE_KEY\"\ncontext_window = 200000\n\n", before, grokModel(m), m.base))
		},
		write: whole("todo_write", "todos", "content", "status", func(i int, item object) { item["id"] = fmt.Sprint(i + 1) }),
		shell: func(command string) call {
			return call{name: "run_terminal_command", args: object{"command": command, "description": "Run a command"}}
		},
		resume: "--resume", tells: true,
		delegate: func(prompt string) call {
			return call{name: "spawn_subagent", args: object{"description": "A part", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false}}
		},
	}
}

func grokWords(m *model) []string {
	return []string{"-m", grokModel(m), "--always-approve", "--trust", "--no-auto-update"}
}

// grokModel returns the name of a model's server in Grok Build's settings.
func grokModel(m *model) string { return "mock-" + m.base[strings.LastIndexByte(m.base, ':')+1:] }

// write creates a file and its folders.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	mode := os.FileMode(0o644)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
