package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// kimi hooks into Kimi CLI's config.toml, which knows four members of a hook and refuses others.
func kimi(o Options) (*plan, error) {
	dir := filepath.Join(o.Home, ".kimi")
	if info, err := os.Stat(filepath.Join(o.Home, ".kimi-code")); err == nil && info.IsDir() {
		dir = filepath.Join(o.Home, ".kimi-code")
	}
	k := tomlHooks{
		agent: "kimi",
		events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
			"SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
		},
		command: o.command("kimi", "SessionStart"),
	}
	return &plan{
		title: "Kimi CLI",
		files: []file{{path: filepath.Join(dir, "config.toml"), mode: 0o600, put: k.put, cut: k.cut, programs: k.programs}},
		notes: []string{
			"experimental: not tried with Kimi CLI itself yet",
			"Kimi CLI sends the model on once for each prompt, and has hooks in the user's settings only",
		},
	}, nil
}

// tomlHooks is a TOML file with hooks in an array of tables.
type tomlHooks struct {
	agent   string
	events  []string
	command func(event string) (sh, powershell string)
}

// tomlHook is one hook of ours.
type tomlHook struct {
	event, program, command string
	start, end              int            // of its lines
	value                   tomlExpression // the command's
}

// hooks gives our hooks; inline is the array of them where it is written as one value.
func (k tomlHooks) hooks(data []byte) (ours []tomlHook, inline *tomlExpression, err error) {
	expressions, err := parseTOML(data)
	if err != nil {
		return nil, nil, err
	}
	for i := range expressions {
		e := &expressions[i]
		switch {
		case e.kind == unstable.KeyValue && slices.Equal(e.key, []string{"hooks"}):
			inline = e
		case e.kind == unstable.ArrayTable && slices.Equal(e.key, []string{"hooks"}):
			h := tomlHook{start: e.start, end: e.end}
			for _, v := range expressions[i+1:] {
				if v.within != i {
					break
				}
				h.end = v.end
				switch v.key[len(v.key)-1] {
				case "event":
					h.event = v.text
				case "command":
					h.command, h.value = v.text, v
				}
			}
			if program, ok := programOf(h.command, k.agent); ok {
				h.program = program
				ours = append(ours, h)
			}
		}
	}
	return ours, inline, nil
}

func (k tomlHooks) put(old []byte) ([]byte, error) {
	ours, inline, err := k.hooks(old)
	if err != nil {
		return nil, err
	}
	if inline != nil {
		if inline.value != unstable.Array || len(inline.array) > 0 {
			return nil, fmt.Errorf("%w: its hooks are written as one value; write them as [[hooks]] tables first", ErrParse)
		}
		// An empty array says nothing, and would not go together with tables of its name.
		old = slices.Concat(old[:inline.start], old[inline.end:])
		if ours, _, err = k.hooks(old); err != nil {
			return nil, err
		}
	}
	// From the end, so that the places before stay right.
	seen := map[string]bool{}
	for _, h := range slices.Backward(ours) {
		want, _ := k.command(h.event)
		switch {
		case !slices.Contains(k.events, h.event) || seen[h.event]:
			old = cutBlock(old, h.start, h.end)
		case h.command != want:
			from, to := int(h.value.raw.Offset), int(h.value.raw.Offset+h.value.raw.Length)
			old = slices.Concat(old[:from], []byte("command = "+tomlString(want)), old[to:])
		}
		seen[h.event] = true
	}
	for _, event := range k.events {
		if !seen[event] {
			command, _ := k.command(event)
			old = appendBlock(old, "[[hooks]]", "event = "+tomlString(event), "command = "+tomlString(command), "timeout = 10")
		}
	}
	return old, nil
}

func (k tomlHooks) cut(old []byte, _ []string) ([]byte, error) {
	ours, _, err := k.hooks(old)
	if err != nil {
		return nil, err
	}
	for _, h := range slices.Backward(ours) {
		old = cutBlock(old, h.start, h.end)
	}
	if len(ours) > 0 && blank(old) {
		return nil, nil
	}
	return old, nil
}

func (k tomlHooks) programs(data []byte) (programs []string, missing bool, err error) {
	ours, _, err := k.hooks(data)
	events := make([]string, 0, len(ours))
	for _, h := range ours {
		programs = append(programs, h.program)
		if want, _ := k.command(h.event); sameEnding(h.command, want, k.agent) {
			events = append(events, h.event)
		}
	}
	return programs, slices.ContainsFunc(k.events, func(e string) bool { return !slices.Contains(events, e) }), err
}
