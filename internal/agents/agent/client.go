package agent

// Client is what an agent's client tells an MCP server about itself and its conversation. The server is a module of its own
// and gets it as a file, which `go test ./internal/agents -update` writes.
type Client struct {
	Agent string `json:"agent"` // its short name, with which the name of the client begins

	// Member is the member of a call's _meta that names the conversation.
	Member string `json:"member,omitempty"`

	// Conversation is the variable that names the conversation in which the server was started. Another one may have
	// followed since in the same process.
	Conversation string `json:"conversation,omitempty"`

	// Project is the variable that names the folder of the project.
	Project string `json:"project,omitempty"`

	// ToolsReadOnce tells that it reads the list of tools once, and does nothing about a notification that it has changed:
	// always, or only where a variable begins with a text.
	ReadsOnce *ToolsReadOnce `json:"reads_once,omitempty"`
}

// ToolsReadOnce is when a client reads the list of tools only once; without a variable, always.
type ToolsReadOnce struct {
	Variable string `json:"variable,omitempty"`
	Begins   string `json:"begins,omitempty"`
}
