//go:build unix

package realagents

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inspectorPackage requires MCP's own inspector, at the version that the test was written for.
const inspectorPackage = `{
  "private": true,
  "dependencies": {
    "@modelcontextprotocol/inspector": "2.12.0"
  }
}
`

// inspector is the folder of the inspector's node_modules. If it cannot be installed, it is empty, and noInspector is the reason.
var inspector, noInspector string

func installInspector() {
	var err error
	if inspector, err = npmInstall("inspector", inspectorPackage); err != nil {
		inspector, noInspector = "", "npm install: "+err.Error()
	}
}

// TestInspector calls the MCP server with the inspector's command line. Each command starts a new server.
func TestInspector(t *testing.T) {
	switch {
	case programs == "":
		t.Skip(noPrograms)
	case inspector == "":
		t.Skip(noInspector)
	case server == "":
		t.Skip(noServer)
	}
	p := newPlace(t)
	if err := os.Link(server, filepath.Join(p.path, "onward-mcp")); err != nil {
		t.Fatal(err)
	}
	const toolError = 5 // the inspector's exit code for a tool error
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--method", "initialize"}, 0, `"name": "onward"`},
		// The inspector has another exit code for schemas that clients or models cannot handle.
		{[]string{"--method", "tools/list", "--strict"}, 0, `"todo_write"`},
		{[]string{"--method", "tools/call", "--tool-name", "todo_write", "--tool-arg", `todos=[{"content":"one"},{"content":"two"}]`}, 0, "2 items: 2 open"},
		{[]string{"--method", "tools/call", "--tool-name", "todo_update", "--tool-arg", "position=2", "--tool-arg", "status=completed"}, 0, "1 completed"},
		{[]string{"--method", "tools/call", "--tool-name", "todo_update", "--tool-arg", "position=9", "--tool-arg", "status=completed"}, toolError, "position 9 is out of range: it must be 1-2"},
		{[]string{"--method", "tools/call", "--tool-name", "todo_read"}, 0, "2  ✅  two"},
		{[]string{"--method", "tools/list"}, 0, `"todo_pause"`},
		{[]string{"--method", "tools/call", "--tool-name", "todo_pause", "--tool-arg", "reason=the key is missing"}, 0, "Paused"},
		{[]string{"--method", "resources/list"}, 0, "todo://current"},
		{[]string{"--method", "resources/templates/list"}, 0, "todo://session/{id}"},
		{[]string{"--method", "resources/read", "--uri", "todo://current"}, 0, `\"content\":\"two\"`},
		{[]string{"--method", "prompts/list"}, 0, `"name": "continue"`},
		{[]string{"--method", "prompts/get", "--prompt-name", "add", "--prompt-args", "text=three"}, 0, "added 1 item"},
		{[]string{"--method", "prompts/get", "--prompt-name", "show"}, 0, "3  ⭕  three"},
	} {
		args := append([]string{filepath.Join(inspector, "node_modules", ".bin", "mcp-inspector"), "--cli", filepath.Join(p.path, "onward-mcp")}, c.args...)
		cmd := exec.Command("node", args...)
		cmd.Dir, cmd.Env = p.dir, p.env()
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.want) {
			t.Errorf("%q: exit %d, and not %d with %q:\n%s%s", c.args, code, c.code, c.want, out, errs.String())
		}
	}
}
