package install

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOpencodePromptDuringAGate runs the plugin in node while a gate runs, which here ends only once onward has heard
// of the user's next prompt: that must not wait for the gate.
func TestOpencodePromptDuringAGate(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on this machine")
	}
	dir := t.TempDir()
	plugin := strings.NewReplacer("PROGRAM", `"node"`, "ARGUMENTS", javascriptString(filepath.Join(dir, "onward.mjs"))).Replace(opencodePlugin)
	write(t, filepath.Join(dir, "plugin.mjs"), plugin, 0o644)
	write(t, filepath.Join(dir, "onward.mjs"), `
import { existsSync, writeFileSync } from "node:fs"
let text = ""
process.stdin.on("data", (d) => (text += d)).on("end", () => {
  const type = JSON.parse(text).type
  if (type === "chat.message") writeFileSync("spoken", "")
  if (type !== "session.idle") return console.log("{}")
  writeFileSync("gate", "")
  const look = () => (existsSync("spoken") ? console.log('{"action":"stop"}') : setTimeout(look, 5))
  look()
})
`, 0o644)
	write(t, filepath.Join(dir, "main.mjs"), `
import { existsSync } from "node:fs"
const { Onward } = await import("./plugin.mjs")
const client = { session: { get: async () => ({ data: {} }), prompt: async () => console.log("prompted") } }
const plugin = await Onward({ client, directory: "." })
const ended = plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
while (!existsSync("gate")) await new Promise((resolve) => setTimeout(resolve, 5))
await plugin["chat.message"]({ sessionID: "s" }, { message: { id: "m" }, parts: [{ type: "text", text: "wait" }] })
await ended
console.log("both ended")
process.exit()
`, 0o644)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "main.mjs")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "both ended\n" {
		t.Errorf("%v: %s", err, out)
	}
}
