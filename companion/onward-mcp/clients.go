package main

import (
	_ "embed"
	"os"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// clientFacts is what is known of the clients of agents. It is written from what onward knows of each agent, in
// internal/agents/NAME, by `go test ./internal/agents -update`: this module imports none of onward's packages.
//
//go:embed clients.json
var clientFacts []byte

// client is what an agent's client tells about itself; agent.Client documents the members.
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

// clientOf finds a client by the name of its program. One that is not known tells nothing.
func clientOf(name string) client {
	for _, c := range clients() {
		if strings.HasPrefix(name, c.Agent) {
			return c
		}
	}
	return client{}
}

// readsOnce reports whether the client reads the list of tools once, and does nothing about a notification that it has changed.
func (c client) readsOnce() bool {
	return c.ReadsOnce != nil && (c.ReadsOnce.Variable == "" || strings.HasPrefix(os.Getenv(c.ReadsOnce.Variable), c.ReadsOnce.Begins))
}

// projectDir returns the folder that an agent names for its servers; empty is the working folder.
func projectDir() string {
	for _, c := range clients() {
		if dir := existing(os.Getenv(c.Project)); dir != "" {
			return dir
		}
	}
	return ""
}
