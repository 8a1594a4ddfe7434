package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"onward/internal/agents"
	"onward/internal/install"
)

//go:embed launch.js
var launch []byte

// manifest is a package.json.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Private              bool              `json:"private,omitempty"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Homepage             string            `json:"homepage,omitempty"`
	Repository           string            `json:"repository,omitempty"`
	MCPName              string            `json:"mcpName,omitempty"`
	Engines              map[string]string `json:"engines,omitempty"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplugged      bool              `json:"preferUnplugged,omitempty"`
	Type                 string            `json:"type,omitempty"`
	Main                 string            `json:"main,omitempty"`

	asPlugin string // further members, by which an agent finds its plugin
}

// MarshalJSON adds the further members.
func (m manifest) MarshalJSON() ([]byte, error) {
	type plain manifest
	text, err := json.Marshal(plain(m))
	if err == nil && m.asPlugin != "" {
		text = append(append(text[:len(text)-1], ','), m.asPlugin[1:]...)
	}
	return text, err
}

// npmName returns the name of a package of the project.
func (r release) npmName(suffix string) string {
	team, name := r.team()
	if team != "" {
		name = "@" + team + "/" + name
	}
	return name + suffix
}

// manifest returns what every package of the project says of itself. Without an address of its own, the project must not
// publish under a name that may be somebody else's, and npm refuses to publish a private package.
func (r release) manifest(suffix string) manifest {
	m := manifest{Name: r.npmName(suffix), Version: r.version, Description: summary, License: license, Private: !r.owned()}
	if r.owned() {
		m.Homepage, m.Repository = "https://"+r.home, "git+https://"+r.home+".git"
	}
	return m
}

// npm writes the packages, one folder each. Those with the programs of one system are optional dependencies; of these
// npm installs the one that fits: nothing is downloaded afterwards, and no script has to run.
// The package with "-mcp" has the MCP server alone, since npx starts a package's only command.
func (r release) npm(dir string) error {
	needs := map[string]string{}
	for _, s := range r.systems {
		suffix := "-" + npmSystem(s.os) + "-" + npmArch(s.arch)
		m := r.manifest(suffix)
		m.OS, m.CPU, m.PreferUnplugged = []string{npmSystem(s.os)}, []string{npmArch(s.arch)}, true
		needs[m.Name] = m.Version
		folder := filepath.Join(dir, "onward"+suffix)
		if err := writePackage(folder, m); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(folder, "licenses.txt"), r.notices, 0o644); err != nil {
			return err
		}
		for _, p := range s.programs {
			data, err := os.ReadFile(p.path)
			if err != nil {
				return err
			}
			if err := writeFile(filepath.Join(folder, "bin", s.file(p)), data, 0o755); err != nil {
				return err
			}
		}
	}
	var all []string
	for _, p := range r.systems[0].programs {
		all = append(all, p.name)
	}
	if err := r.launcher(dir, "", all, needs); err != nil {
		return err
	}
	if err := r.launcher(dir, "-mcp", []string{"onward-mcp"}, needs); err != nil {
		return err
	}
	return r.plugins(dir)
}

// plugins writes the packages that agents install, as their folders under internal/agents describe them. They contain no program: they start the onward on PATH, which
// the model calls by its name as well.
func (r release) plugins(dir string) error {
	for _, a := range agents.All() {
		if a.Settings == nil {
			continue
		}
		text, ok := install.PluginFile(install.Agent{Name: a.Name, Title: a.Title, Layout: a.Settings})
		if !ok {
			continue
		}
		m := r.manifest("-" + a.Name)
		m.Description = summary + ", as a plugin of " + a.Title
		m.Type, m.Main, m.asPlugin = "module", "index.js", a.Settings.Plugin.Package
		folder := filepath.Join(dir, "onward-"+a.Name)
		if err := writeFile(filepath.Join(folder, m.Main), []byte(text), 0o644); err != nil {
			return err
		}
		if err := writePackage(folder, m); err != nil {
			return err
		}
	}
	return nil
}

// launcher writes a package whose commands start the programs of the package that fits.
func (r release) launcher(dir, suffix string, programs []string, needs map[string]string) error {
	m := r.manifest(suffix)
	m.Engines, m.OptionalDependencies, m.Bin = map[string]string{"node": ">=18"}, needs, map[string]string{}
	if suffix == "-mcp" {
		m.MCPName = r.serverName()
	}
	folder := filepath.Join(dir, "onward"+suffix)
	for _, name := range programs {
		m.Bin[name] = "bin/" + name + ".js"
		text := fmt.Sprintf("#!/usr/bin/env node\nrequire(\"../launch.js\")(%q);\n", name)
		if err := writeFile(filepath.Join(folder, "bin", name+".js"), []byte(text), 0o755); err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(folder, "launch.js"), launch, 0o644); err != nil {
		return err
	}
	return writePackage(folder, m)
}

func writePackage(folder string, m manifest) error {
	text, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(folder, "LICENSE"), text, 0o644); err != nil {
		return err
	}
	readme := "# " + m.Name + "\n\n" + summary + ".\n"
	if err := writeFile(filepath.Join(folder, "README.md"), []byte(readme), 0o644); err != nil {
		return err
	}
	return writeJSON(filepath.Join(folder, "package.json"), m)
}

// npmSystem returns Node's name of a system.
func npmSystem(goos string) string {
	if goos == "windows" {
		return "win32"
	}
	return goos
}

// npmArch returns Node's name of a processor.
func npmArch(goarch string) string {
	if goarch == "amd64" {
		return "x64"
	}
	return goarch
}
