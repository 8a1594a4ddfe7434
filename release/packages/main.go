// Command packages makes npm's and Python's packages of the programs that goreleaser has built, and the entry for the
// registry of MCP servers.
//
//	go run ./release/packages dist
//
// It reads dist/artifacts.json, release/home and .release/licenses.txt, and writes dist/npm, dist/wheels and dist/server.json.
// Nothing is published: `npm publish`, `twine upload` and `mcp-publisher publish` take what it writes.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: packages DIST")
		os.Exit(64)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// write makes every kind of package of a release that is in a folder. It runs at the root of the repository.
func write(dist string) error {
	home, err := os.ReadFile(filepath.Join("release", "home"))
	if err != nil {
		return err
	}
	r, err := readRelease(dist, strings.TrimSpace(string(home)))
	if err != nil {
		return err
	}
	// Packages for tests are made without a release; release/check.sh looks whether those of a release have the licences.
	if r.notices, err = os.ReadFile(filepath.Join(".release", "licenses.txt")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, folder := range []string{"npm", "wheels"} {
		if err := os.RemoveAll(filepath.Join(dist, folder)); err != nil {
			return err
		}
	}
	if err := r.npm(filepath.Join(dist, "npm")); err != nil {
		return err
	}
	if err := r.wheels(filepath.Join(dist, "wheels")); err != nil {
		return err
	}
	return r.server(filepath.Join(dist, "server.json"))
}
