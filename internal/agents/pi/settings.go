package pi

import (
	_ "embed" // of the extension

	"onward/internal/agents/settings"
)

//go:embed extension.js
var extension string

// Pi runs no commands of its own accord, so a small extension does. It also gives the model a todo tool, because Pi has none.
var row = settings.Layout{
	Project: ".pi", User: settings.UserFolder{Name: ".pi/agent", Variable: "PI_CODING_AGENT_DIR"},
	Plugin: settings.Plugin{File: "extensions/onward.js", Text: &extension, Limit: "600s", Package: `{"keywords":["pi-package"],"pi":{"extensions":["./index.js"]}}`},
	Noted:  settings.PluginList{Files: []string{"settings.json"}, Table: "packages"},
	Trust:  "Pi loads a project's extensions only in a folder that you have trusted; for one run: pi --approve",
	Notes: []string{
		"restart Pi, or enter /reload, to load the extension",
		"Pi has continued for extensions since 0.87; an older one keeps the list, and stops when its model stops",
	},
}
