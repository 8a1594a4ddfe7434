package main

import (
	_ "embed"
	"os"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// clientFacts has the facts about the agents' clients, from internal/agents/NAME. `go test ./internal/agents -update`
// writes it, because this module imports none of onward's packages.
//
//go:embed clients.json
var clientFacts []byte

// client describes what an agent's client sends about itself; agent.Client documents the members.
type client struct {
	Agent        string     `json:"agent"`
	Member       string     `json:"member"`
	Conversation string     `json:"conversation"`
	Project      string     `json:"project"`
	ReadsOnce    *readsOnce `json:"reads_once"`
}

type readsOnce struct {
	Variable string `json:"variable"`
	Begins   string `json:"begins"`
}

var clients = sync.OnceValue(func() (all []client) {
	if err := json.Unmarshal(clientFacts, &all); err != nil {
		panic(err)
	}
	return all
})

// clientOf finds a client by the name of its program. An unknown one has no members.
func clientOf(name string) client {
	for _, c := range clients() {
		if strings.HasPrefix(name, c.Agent) {
			return c
		}
	}
	return client{}
}

// readsOnce reports whether the client reads the list of tools once, and ignores the notification that it has changed.
func (c client) readsOnce() bool {
	return c.ReadsOnce != nil && (c.ReadsOnce.Variable == "" || strings.HasPrefix(os.Getenv(c.ReadsOnce.Variable), c.ReadsOnce.Begins))
}

// projectDir returns the folder that an agent names for its servers; empty for the working folder.
func projectDir() string {
	for _, c := range clients() {
		if dir := existing(os.Getenv(c.Project)); dir != "" {
			return dir
		}
	}
	return ""
}
