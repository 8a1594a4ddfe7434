package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	summary = "Keeps a coding agent's todo list safe on disk, and the agent going until the work is done and proven"
	license = "Apache-2.0"
)

// release is what goreleaser has built.
type release struct {
	home    string // the address of the project; a single word as long as it has none
	version string // as in Semantic Versioning
	systems []system
	notices []byte // the licences of what the programs contain
}

// system is one platform, with the programs for it.
type system struct {
	os, arch string // as Go names them
	programs []program
}

// program is a file that was built: its name on a command line, and where it is.
type program struct{ name, path string }

// file returns the name of a program's file on a system.
func (s system) file(p program) string {
	if s.os == "windows" {
		return p.name + ".exe"
	}
	return p.name
}

// readRelease reads the lists that goreleaser leaves in its folder.
func readRelease(dist, home string) (release, error) {
	r := release{home: home}
	var metadata struct{ Version string }
	if err := readJSON(filepath.Join(dist, "metadata.json"), &metadata); err != nil {
		return r, err
	}
	r.version = metadata.Version
	var artifacts []struct {
		Path, Goos, Goarch, Type string
		Extra                    struct{ Binary string }
	}
	if err := readJSON(filepath.Join(dist, "artifacts.json"), &artifacts); err != nil {
		return r, err
	}
	for _, a := range artifacts {
		if a.Type != "Binary" {
			continue
		}
		at := slices.IndexFunc(r.systems, func(s system) bool { return s.os == a.Goos && s.arch == a.Goarch })
		if at < 0 {
			at, r.systems = len(r.systems), append(r.systems, system{os: a.Goos, arch: a.Goarch})
		}
		// Paths in the list begin with the name of goreleaser's own folder.
		_, inside, _ := strings.Cut(filepath.ToSlash(a.Path), "/")
		r.systems[at].programs = append(r.systems[at].programs, program{a.Extra.Binary, filepath.Join(dist, filepath.FromSlash(inside))})
	}
	if len(r.systems) == 0 || r.version == "" {
		return r, fmt.Errorf("%s has no programs: run goreleaser first", dist)
	}
	for _, s := range r.systems {
		slices.SortFunc(s.programs, func(a, b program) int { return cmp.Compare(a.name, b.name) })
	}
	slices.SortFunc(r.systems, func(a, b system) int { return cmp.Or(cmp.Compare(a.os, b.os), cmp.Compare(a.arch, b.arch)) })
	return r, nil
}

// owned reports whether the project has an address, and so names of its own in registries.
func (r release) owned() bool { return strings.Contains(r.home, "/") }

// team returns the last two elements of the address: the names of who publishes and of what.
func (r release) team() (team, name string) {
	elements := strings.Split(r.home, "/")
	if len(elements) < 2 {
		return "", r.home
	}
	return strings.ToLower(elements[len(elements)-2]), strings.ToLower(elements[len(elements)-1])
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// writeFile writes a file, and makes the folders above it.
func writeFile(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, mode)
}

// writeJSON writes a value for people and programs to read.
func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(path, append(data, '\n'), 0o644)
}
