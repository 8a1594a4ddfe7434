package slash

import (
	"github.com/go-json-experiment/json/jsontext"
)

// Type tells the wrapper of an agent what to do with the answer to a line.
type Type string

// The types, with the fields of an Action that each has.
const (
	Message      Type = "message"                // Level, Content
	Confirm      Type = "confirm_action"         // Prompt, Original
	ConfirmShell Type = "confirm_shell_commands" // Commands, Original
	LoadHistory  Type = "load_history"           // Items, and Level and Content as for a message
	SubmitPrompt Type = "submit_prompt"          // Content
	ScheduleTool Type = "tool"                   // Name, Args
	OpenDialog   Type = "dialog"                 // Dialog
	Quit         Type = "quit"
)

// The levels of a message.
const (
	Info  = "info"
	Error = "error"
)

// Action is the answer to a line.
type Action struct {
	Type     Type           `json:"type"`
	Items    jsontext.Value `json:"items,omitzero"`
	Level    string         `json:"level,omitzero"`
	Content  *string        `json:"content,omitzero"`
	Prompt   string         `json:"prompt,omitzero"`
	Commands []string       `json:"commands,omitempty"`
	Original string         `json:"original,omitzero"` // the line, which the wrapper sends again with its confirmation
	Name     string         `json:"name,omitzero"`
	Args     jsontext.Value `json:"args,omitzero"`
	Dialog   string         `json:"dialog,omitzero"`
}

// NewMessage returns a message to the user.
func NewMessage(level, content string) Action {
	return Action{Type: Message, Level: level, Content: &content}
}

// BuiltinSource is the Source of the built-in commands.
const BuiltinSource = "builtin"

// Builtin returns the built-in commands. They have no Action, because their code is in package cmd.
func Builtin() []Declaration {
	table := []Declaration{
		{Name: "todo", Usage: "/todo [add|show|list|load|start|done|…] …", Description: "Show or change the list."},
		{Name: "pause", Usage: "/pause REASON", Description: "Pause continuation until your next prompt."},
		{Name: "message", Usage: "/message [push|list|edit|drop|pop] …", Description: "Show or change the messages queued for the agent."},
		{Name: "resume", Usage: "/resume", Description: "End a stop, a pause or an abort."},
		{Name: "stop", Usage: "/stop", Description: "Stop continuation until /resume."},
		{Name: "continue", Usage: "/continue", Description: "Send the agent back to work now, if no check stops it."},
		{Name: "set", Usage: "/set KEY VALUE", Description: "Set a setting for this session."},
		{Name: "settings", Usage: "/settings", Description: "Open the settings."},
		{Name: "tool", Usage: "/tool NAME {args}", Description: "Call a tool."},
		{Name: "run", Usage: "/run COMMAND", Description: "Run a shell command."},
		{Name: "help", Usage: "/help", Description: "Open the help."},
		{Name: "quit", Usage: "/quit", Description: "Quit."},
		{Name: "exit", Usage: "/exit", Description: "Quit."},
	}
	for i := range table {
		table[i].Source = BuiltinSource
	}
	return table
}
