package find

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"onward/internal/agents"
	"onward/internal/calls/tool"
	"onward/internal/cli"
	"onward/internal/companion"
)

// IsFolder reports whether there is a folder of this name.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// MCPServer returns the onward-mcp next to onward, else the one on PATH; empty if there is neither.
func MCPServer(program string) string {
	found, err := companion.InFolderOf(program, "onward-mcp")
	if err != nil {
		found, err = exec.LookPath("onward-mcp")
	}
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		return ""
	}
	return found
}

// ExecutablePath returns the path by which this program was started. Links in it are kept, unlike in the answer of the system,
// because the link of a package manager outlives the versions that it leads to.
func ExecutablePath(argv0 string) (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", cli.Failf(cli.ExitIO, "find this program: %v", err)
	}
	this, err := os.Stat(own)
	if err != nil {
		return own, nil
	}
	folders := []string{""}
	if filepath.Base(argv0) == argv0 {
		folders = filepath.SplitList(os.Getenv("PATH"))
	}
	for _, dir := range folders {
		found, err := filepath.Abs(filepath.Join(dir, argv0))
		if err != nil {
			continue
		}
		if that, err := os.Stat(found); err == nil && os.SameFile(this, that) {
			return found, nil
		}
	}
	return own, nil
}

// OnPath reports whether an agent's program can be started from here.
func OnPath(name string) bool {
	program := ""
	if a := agents.Find(name); a != nil {
		program = a.Command
	}
	_, err := exec.LookPath(cmp.Or(program, name))
	return err == nil
}

// WhyUnstartable reports why a tool's program cannot be started from here, or nothing.
func WhyUnstartable(t *tool.Tool) string {
	program := t.Command[0]
	if strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) && filepath.IsAbs(t.Cwd) {
		program = filepath.Join(t.Cwd, program)
	}
	if _, err := exec.LookPath(program); err != nil {
		return fmt.Sprintf("tool %q: %v", t.Name, err)
	}
	return ""
}

// WorkingFolder returns the absolute path of the working folder.
func WorkingFolder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", cli.Failf(cli.ExitIO, "find the working folder: %v", err)
	}
	return dir, nil
}

// SameFolder reports whether two paths lead to one folder, as through a link.
func SameFolder(path, other string) bool {
	x, err := os.Stat(path)
	y, missing := os.Stat(other)
	return err == nil && missing == nil && os.SameFile(x, y)
}
