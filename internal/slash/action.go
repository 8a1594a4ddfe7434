package slash

import (
	"github.com/go-json-experiment/json/jsontext"
)

// Type determines what a wrapper does with the answer to a line.
type Type string

// The answers. The fields of an Action that belong to each are beside it.
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
	Original string         `json:"original,omitzero"` // the line, to be given again with its confirmation
	Name     string         `json:"name,omitzero"`
	Args     jsontext.Value `json:"args,omitzero"`
	Dialog   string         `json:"dialog,omitzero"`
}

// NewMessage returns a message to the user.
func NewMessage(level, content string) Action {
	return Action{Type: Message, Level: level, Content: &content}
}

// Command is one row of the table of lines.
type Command struct {
	Name  string
	Usage string
	Help  string
}

// Commands is the table of lines.
func Commands() []Command {
	return []Command{
		{"todo", "/todo [add|show|list|load|start|done|…] …", "Show or change the list."},
		{"pause", "/pause REASON", "Pause continuation until your next prompt."},
		{"message", "/message [push|list|edit|drop|pop] …", "Show or change the messages queued for the agent."},
		{"resume", "/resume", "End a stop, a pause or an abort."},
		{"stop", "/stop", "Stop continuation until /resume."},
		{"continue", "/continue", "Continue the agent now, if no check stops it."},
		{"set", "/set KEY VALUE", "Set a setting for this session."},
		{"settings", "/settings", "Open the settings."},
		{"tool", "/tool NAME {args}", "Call a tool."},
		{"run", "/run COMMAND", "Run a shell command."},
		{"help", "/help", "Open the help."},
		{"quit", "/quit", "Quit."},
		{"exit", "/exit", "Quit."},
	}
}
