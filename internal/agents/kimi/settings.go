package kimi

import (
	"path/filepath"

	"onward/internal/agents/settings"
)

var row = settings.Layout{
	UserOnly: true, User: settings.UserFolder{Find: userFolder, Shown: "`~/.kimi/config.toml`, or `~/.kimi-code` if that exists"}, File: "config.toml",
	Hooks: settings.Hooks{
		TOML: true, Code: 2,
		Events: []string{
			"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "StopFailure",
			"SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
		},
		// It knows these members, and refuses others.
		Form:  []settings.Member{{Name: "event", Kind: settings.EventName}, {Name: "command", Kind: settings.CommandLine}, {Name: "timeout", Kind: settings.TimeLimit}},
		Limit: settings.HookTimeout{Usual: "10", Stop: "600", Unit: "s"}, Stop: "Stop",
	},
	Notes: []string{"Kimi CLI continues at most once per prompt, and has hooks in the user's settings only"},
}

// userFolder is that of Kimi Code, if that is installed.
func userFolder(m settings.Machine) string {
	if newer := filepath.Join(m.Home, ".kimi-code"); m.IsFolder(newer) {
		return newer
	}
	return filepath.Join(m.Home, ".kimi")
}
