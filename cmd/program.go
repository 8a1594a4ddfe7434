package cmd

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/render"
	"onward/internal/suggest"
)

// The manual has a page for each command, named by its path, and one for each topic.
//
//go:embed manual
var manualFiles embed.FS

// program is what the help, the manual and the completion show of onward.
func (a *app) program() *cli.Program {
	manual, err := fs.Sub(manualFiles, "manual")
	if err != nil {
		panic(err)
	}
	return &cli.Program{
		Name:         "onward",
		About:        "onward keeps a coding agent's todo list on disk and keeps the agent going until the list is done.",
		Details:      "Every operation is a single command that reads and writes JSON files by atomic rename and answers with an exit code, so that shell scripts, git hooks, CI jobs and the agents' own stop hooks build their loops on it.",
		Version:      version,
		Commands:     commands(),
		Flags:        a.list(),
		Manual:       manual,
		MeantCommand: commandsMeantBy,
		Example:      "run " + agents.Programs()[0].Name + " 'make the tests pass' --gate 'make test'",
		Alone:        "In a project, `onward` alone shows how the last run ended, and what comes next.",
		Exits:        exitCodes(),
		Tables:       map[string]func() [][2]string{"all settings": settingVariables},
	}
}

// commandsMeantBy returns the commands that people look for under another name.
func commandsMeantBy(path string) []string {
	if group, found := strings.CutSuffix(path, " help"); found {
		return []string{group + " --help"}
	}
	verb, agent, _ := strings.Cut(path, " ")
	switch named := slices.Contains(programNames(), agent); {
	case slices.Contains(programNames(), path):
		return []string{"run " + path}
	case named && (verb == "start" || slices.Contains(suggest.Commands(verb), "run")): // as in `start claude`
		return []string{"run " + agent}
	}
	if state, found := strings.CutPrefix(path, "session "); found && slices.Contains(continuation.States[:], continuation.State(state)) {
		return []string{"session list --state " + state}
	}
	if known := suggest.Commands(path); known != nil {
		return known
	}
	if text, found := strings.CutPrefix(path, "message "); found && (strings.Contains(text, " ") || commandsLike(path) == nil && !resembles("message", text)) {
		return []string{"message push " + shellquote.Join(text)}
	}
	if agent, found := strings.CutPrefix(path, "hooks "); found && slices.Contains(installNames(), agent) {
		return []string{"hooks install " + agent, "hooks status " + agent}
	}
	like := commandsLike(path)
	if name, found := strings.CutPrefix(path, "session "); found && like == nil && !resembles("session", name) && cli.Find(commands(), name) == nil {
		return []string{"session use " + shellquote.Join(name), "session show " + shellquote.Join(name)}
	}
	return like
}

// resembles reports whether a word is like the name of a command of a group.
func resembles(group, word string) bool {
	c, _ := cli.FindPath(commands(), []string{group})
	return len(suggest.Names(word, render.Map(c.Sub, func(_ int, sub *cli.Command) string { return sub.Name }))) > 0
}

// commandsLike returns the commands of a group that do what a word means elsewhere. A word without a group is about the list.
func commandsLike(path string) (meant []string) {
	at := strings.LastIndexByte(path, ' ')
	group, word := path[:max(at, 0)], path[at+1:]
	if group == "" {
		group = "todo"
	}
	for _, words := range [][]string{
		{"list", "ls", "show", "status", "info"},
		{"add", "new", "create", "append", "insert", "push", "send", "submit", "install"},
		{"delete", "remove", "rm", "del", "drop", "uninstall"},
		{"edit", "rename", "change", "update", "modify", "reword"},
		{"done", "close", "finish", "check", "tick", "mark", "resolve"},
		{"history", "log", "changes"},
		{"start", "begin", "work"},
		{"next", "claim", "take", "pick"},
		{"reopen", "open", "uncheck", "undone"},
		{"use", "switch", "choose", "select"},
		{"prune", "clean", "gc"},
		{"copy", "migrate", "sync"},
		{"export", "save", "dump"},
	} {
		if !slices.Contains(words, word) {
			continue
		}
		for path, c := range cli.All(commands()) {
			if in, is := strings.CutSuffix(path, " "+c.Name); is && in == group && slices.Contains(words, c.Name) {
				meant = append(meant, path)
			}
		}
	}
	return meant
}

// settingVariables lists the settings by their variables.
func settingVariables() [][2]string {
	return render.Map(continuation.AllSettings(), func(_ int, s *continuation.Setting) [2]string {
		return [2]string{find.SettingVariable(s.Key), fmt.Sprintf("%s: %s; default %s", s.Help, s.Allowed, s.Default)}
	})
}

// helpWidth returns the columns of the terminal, and 80 if there is none.
// Lines of more than 100 are hard to read.
func (a *app) helpWidth() int {
	width := 80
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		width = columns
	} else if columns := a.style().Width; columns > 0 {
		width = columns
	}
	return max(24, min(width, 100))
}

// ManPages returns the manual as man pages, by their file names. The date is for their foot.
func ManPages(date string) map[string][]byte { return new(app).program().ManPages(date) }
