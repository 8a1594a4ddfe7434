package pi

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// host is a script that stands in for Pi: it sends the extension one event after the other, and prints the results.
const host = `
import load from "./extension.mjs"
const handlers = {}
let todos
const tools = []
load({
  on: (name, handler) => (handlers[name] = handler),
  registerTool: (tool) => {
    todos = tool
    tools.push(tool)
  },
  getAllTools: () => tools,
})
console.log(tools.length + " tools before the start")
const ctx = { cwd: ".", sessionManager: { getSessionId: () => "s1" } }
const assistant = { role: "assistant", content: [{ type: "text", text: "bye" }], stopReason: "stop" }
await handlers.session_start({}, ctx)
await handlers.session_start({}, ctx) // the next conversation
console.log(tools.length + " after it")
if (!todos) process.exit()
await handlers.message_end({ message: assistant }, ctx)
const end = { outcome: "completed", continue: false, entries: [] }
const answer = await handlers.agent_before_settle(end, ctx)
console.log(JSON.stringify(answer ?? "may stop"))
console.log(JSON.stringify((await handlers.agent_before_settle({ ...end, outcome: "error" }, ctx)) ?? "may stop"))
try {
  const { content } = await todos.execute("1", { todos: [{ content: "a", status: "pending" }] }, undefined, undefined, ctx)
  console.log(content[0].text)
} catch (error) {
  console.log(error.message)
}
if (process.getActiveResourcesInfo().includes("Timeout")) console.log("a timer is left")
`

// TestExtension runs the extension in node, with an onward that answers "continue" and without onward. Without it, nothing
// may wait, and no timer may be left, because Pi ends only after its last timer.
func TestExtension(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on this machine")
	}
	for _, c := range []struct{ name, program, more, want string }{
		{"continues", `"node"`, "", `1 tools before the start
1 after it
{"entries":[{"type":"custom_message","customType":"onward","content":"go on after bye","display":true}],"continue":true}
"may stop"
The list was saved: 1 in all, 1 open.`},
		{"missing", `"/nowhere/onward"`, "", `1 tools before the start
1 after it
"may stop"
"may stop"
onward could not be run, so the list was not saved`},
		{"as a package", `"node"`, `, "--plugin"`, `0 tools before the start
1 after it
{"entries":[{"type":"custom_message","customType":"onward","content":"go on after bye","display":true}],"continue":true}
"may stop"
The list was saved: 1 in all, 1 open.`},
		{"as a package, missing", `"/nowhere/onward"`, `, "--plugin"`, `0 tools before the start
MISSING
MISSING
0 after it`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			onward := filepath.Join(dir, "onward.mjs")
			for name, text := range map[string]string{
				"extension.mjs": strings.NewReplacer("PROGRAM", c.program, "ARGUMENTS", `"`+filepath.ToSlash(onward)+`"`+c.more).Replace(extension),
				"host.mjs":      host,
				"onward.mjs": `let text = ""
process.stdin.on("data", (data) => (text += data)).on("end", () => {
  const { event, last_assistant_message } = JSON.parse(text)
  console.log(JSON.stringify(event === "stop" ? { action: "continue", prompt: "go on after " + last_assistant_message } : {}))
})
`,
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, node, "host.mjs")
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
				t.Errorf("%v\ngot  %s\nwant %s", err, got, c.want)
			}
		})
	}
}
