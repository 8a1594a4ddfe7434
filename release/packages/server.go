package main

import (
	"slices"
	"strings"
)

// serverName returns the project's name in the registry of MCP servers: a domain that it owns, backwards, and the rest of its address.
func (r release) serverName() string {
	if !r.owned() {
		return ""
	}
	host, path, _ := strings.Cut(r.home, "/")
	if host == "github.com" {
		owner, name, _ := strings.Cut(path, "/")
		return "io.github." + owner + "/" + name
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "/" + strings.ReplaceAll(path, "/", "-")
}

// server writes the registry's entry for onward-mcp, which npx starts. Without an address there is no name to register.
func (r release) server(path string) error {
	if !r.owned() {
		return nil
	}
	type object map[string]any
	entry := object{
		"$schema":     "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":        r.serverName(),
		"title":       "onward",
		"description": "A todo list on disk that outlives the conversation, for every agent",
		"version":     r.version,
		"websiteUrl":  "https://" + r.home,
		"packages": []object{{
			"registryType": "npm",
			"identifier":   r.npmName("-mcp"),
			"version":      r.version,
			"runtimeHint":  "npx",
			"transport":    object{"type": "stdio"},
			"environmentVariables": []object{{
				"name":        "ONWARD_SESSION",
				"description": "The session; default: that of the client's project",
			}},
		}},
	}
	if host, _, _ := strings.Cut(r.home, "/"); host == "github.com" || host == "gitlab.com" {
		entry["repository"] = object{"url": "https://" + r.home, "source": strings.TrimSuffix(host, ".com")}
	}
	return writeJSON(path, entry)
}
