package install

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onward/internal/agents/opencode"
)

// runPlugin runs a script in node that uses the plugin, and returns its output. The plugin starts the script onward instead of
// the program, with its input in the variable text.
func runPlugin(t *testing.T, onward, main string, args ...string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on this machine")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"plugin.mjs": strings.NewReplacer("PROGRAM", `"node"`, "ARGUMENTS", javascriptString(filepath.Join(dir, "onward.mjs"))).Replace(*opencode.Agent.Settings.Plugin.Text),
		"onward.mjs": "let text = ''\nprocess.stdin.on('data', (d) => (text += d)).on('end', async () => {" + onward + "})\n",
		"main.mjs":   main,
	} {
		write(t, filepath.Join(dir, name), text, 0o644)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, append([]string{"main.mjs"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestOpencodeCountdown runs the plugin in node, with an onward that asks for a countdown of 2.6 seconds. The script
// prints the questions to onward, the toasts, and the messages to the model. The plugin's clock is simulated:
// it moves to the next timer when nothing else is pending, so that the test does not wait.
func TestOpencodeCountdown(t *testing.T) {
	for _, c := range []struct{ name, during, want string }{
		{"no activity", ``, "session.countdown toast:3 toast:2 toast:1 session.idle prompt"},
		{"left over from the turn", `{"type":"message.updated","properties":{"info":{"sessionID":"s","role":"assistant"}}}`, "session.countdown toast:3 toast:2 toast:1 session.idle prompt"},
		{"an interrupt", `{"type":"message.updated","properties":{"info":{"sessionID":"s","role":"assistant","error":{"name":"MessageAbortedError"}}}}`, "session.countdown toast:3 message.updated"},
		{"the list was changed", `{"type":"todo.updated","properties":{"sessionID":"s","todos":[]}}`, "session.countdown toast:3 todo.updated toast:2 toast:1 session.idle prompt"},
		{"the session was deleted", `{"type":"session.deleted","properties":{"sessionID":"s"}}`, "session.countdown toast:3 session.deleted"},
		{"the user writes late", `{"late":true,"type":"message.part.updated","properties":{"part":{"sessionID":"s"}}}`, "session.countdown toast:3 toast:2 toast:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := runPlugin(t, `
  const type = JSON.parse(text).type
  if (type === "session.countdown") console.log('{"action":"countdown","countdown_ms":2600,"grace_ms":1600,"open":2}')
  else if (type === "session.idle") console.log('{"action":"continue","prompt":"go on"}')
  else console.log("{}")
`, `
import child from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
const said = []
const soon = setTimeout
const timers = new Set()
let now = 0
let running = 0
Date.now = () => now
globalThis.setTimeout = (run, after) => {
  const timer = { run, at: now + after }
  timers.add(timer)
  return timer
}
globalThis.clearTimeout = (timer) => timers.delete(timer)
const move = () => {
  const [next] = [...timers].sort((a, b) => a.at - b.at)
  if (!running && next) {
    timers.delete(next)
    now = Math.max(now, next.at > now + 1 ? next.at - 1 : next.at) // node's timers may fire a moment early
    next.run()
  }
  soon(move, 1)
}
move()
const spawn = child.spawn
child.spawn = (...all) => {
  const started = spawn(...all)
  running++
  started.on("close", () => running--)
  const end = started.stdin.end.bind(started.stdin)
  started.stdin.end = (text) => { said.push(JSON.parse(text).type); return end(text) }
  return started
}
syncBuiltinESMExports()
const during = JSON.parse(process.argv[2] || "null")
let began
const client = {
  tui: { showToast: async ({ body }) => {
    said.push("toast:" + /in (\d)s/.exec(body.message)[1])
    if (!during || began) return
    began = true
    setTimeout(() => plugin.event({ event: during }), during.late ? 2100 : 0)
  } },
  session: { prompt: async () => said.push("prompt") },
}
const { Onward } = await import("./plugin.mjs")
const plugin = await Onward({ client, directory: "." })
await plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
console.log(said.join(" "))
process.exit()
`, c.during)
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestOpencodeSubAgent runs the plugin in node for a sub-agent that has become idle with an open list.
// It must be sent back to work, unless its result has already been returned to the session that called it.
func TestOpencodeSubAgent(t *testing.T) {
	got := runPlugin(t, `
  console.log(JSON.parse(text).type === "session.idle" ? '{"action":"continue","prompt":"go on"}' : "{}")
`, `
const { Onward } = await import("./plugin.mjs")
for (const after of JSON.parse(process.argv[2])) {
  let prompted = "left alone"
  const client = { session: { prompt: async ({ path }) => (prompted = "continued " + path.id) } }
  const plugin = await Onward({ client, directory: "." })
  await plugin.event({ event: { type: "session.created", properties: { info: { id: "child", parentID: "parent" } } } })
  const idle = plugin.event({ event: { type: "session.idle", properties: { sessionID: "child" } } })
  if (after) plugin["tool.execute.after"]({ tool: after.tool, sessionID: "parent" }, { metadata: after.metadata })
  await idle
  console.log(prompted)
}
process.exit()
`, `[null,{"tool":"task","metadata":{"sessionId":"child"}},{"tool":"task","metadata":{"sessionId":"other"}},{"tool":"task","metadata":{"sessionId":"child","background":true}},{"tool":"bash"}]`)
	if want := "continued child\nleft alone\ncontinued child\ncontinued child\ncontinued child"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestOpencodePromptDuringAGate runs the plugin in node with a gate that ends only after onward has received
// the user's next prompt. The report of the prompt must not wait for the gate.
func TestOpencodePromptDuringAGate(t *testing.T) {
	got := runPlugin(t, `
  const { existsSync, writeFileSync } = await import("node:fs")
  const type = JSON.parse(text).type
  if (type === "chat.message") writeFileSync("spoken", "")
  if (type !== "session.idle") return console.log("{}")
  writeFileSync("gate", "")
  const look = () => (existsSync("spoken") ? console.log('{"action":"stop"}') : setTimeout(look, 5))
  look()
`, `
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
`)
	if got != "both ended" {
		t.Errorf("got %s", got)
	}
}
