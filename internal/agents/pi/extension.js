// ORIGIN
// Passes Pi's events to `onward hook pi`, gives the model a todo tool, and keeps it going while its todo list is open.
import { spawn } from "node:child_process"

const program = PROGRAM
const arguments_ = [ARGUMENTS]

// ask returns onward's answer to an event, or nothing if onward cannot be run: a failed hook must never block Pi.
function ask(event, ctx) {
  return new Promise((resolve) => {
    let child
    try {
      // The signal ends the gate, which may run once the model is done, when the user interrupts Pi.
      child = spawn(program, arguments_, { cwd: ctx.cwd, stdio: ["pipe", "pipe", "ignore"], signal: ctx.signal })
    } catch {
      return resolve() // spawn throws if the file is not a program; if it is missing, there is an error event
    }
    // This does not use spawn's own timeout: if nothing was started, that timer stays, and Pi cannot exit.
    const timer = setTimeout(() => child.kill(), event.event === "stop" ? 600000 : 10000)
    let out = ""
    child.on("error", () => {
      clearTimeout(timer)
      resolve()
    })
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => (out += data))
    child.on("close", () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(out))
      } catch {
        resolve()
      }
    })
    child.stdin.end(JSON.stringify({ ...event, session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd }))
  })
}

const todos = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      description: "The whole list, in order",
      items: {
        type: "object",
        properties: {
          content: { type: "string", description: "What has to be done" },
          status: { type: "string", enum: ["pending", "in_progress", "completed", "cancelled"] },
        },
        required: ["content", "status"],
      },
    },
  },
  required: ["todos"],
}

export default function (pi) {
  let context // what the model should know, until a prompt carries it
  let last = {} // the model's last message

  const say = (message, ctx) => {
    if (ctx.hasUI) ctx.ui.notify(message, "info")
    else console.error(message) // standard output belongs to whoever reads the run
  }

  // An extension that `hooks install` wrote registers the tool at once. A package's extension waits until all are loaded:
  // a second tool of that name would be an error, and its calls would go to the package, which then does nothing.
  const packaged = arguments_.includes("--plugin")

  pi.on("session_start", async (_, ctx) => {
    const answer = await ask({ event: "session-start" }, ctx)
    context = answer?.context
    if (!packaged) return
    if (!answer) return say("MISSING", ctx)
    if (!pi.getAllTools().some(({ name }) => name === tool.name)) pi.registerTool(tool)
  })

  pi.on("input", async (input, ctx) => {
    if (input.source === "extension") return
    const answer = await ask({ event: "user-prompt", prompt: input.text }, ctx)
    if (answer?.action !== "handled") return
    say(answer.message, ctx)
    return { action: "handled" }
  })

  pi.on("before_agent_start", () => {
    if (!context) return
    const message = { customType: "onward", content: context, display: false }
    context = undefined
    return { message }
  })

  pi.on("message_end", ({ message }) => {
    if (message.role !== "assistant") return
    const texts = message.content.filter((part) => part.type === "text")
    last = { reason: message.stopReason, error: message.errorMessage, text: texts.map((part) => part.text).join("\n") }
  })

  // The todo tool of this file reports its own writes.
  pi.on("tool_result", async (result, ctx) => {
    if (result.toolName === "todo_write") return
    await ask({ event: "tool-end", tool_name: result.toolName, tool_input: result.input }, ctx)
  })

  pi.on("agent_before_settle", async (end, ctx) => {
    if (end.continue || end.outcome !== "completed") return
    const answer = await ask({ event: "stop", last_assistant_message: last.text }, ctx)
    if (answer?.action !== "continue" || !answer.prompt) return
    const message = { type: "custom_message", customType: "onward", content: answer.prompt, display: true }
    return { entries: [...end.entries, message], continue: true }
  })

  pi.on("agent_settled", async (end, ctx) => {
    if (end.aborted || last.reason === "aborted") await ask({ event: "abort" }, ctx)
    else if (last.reason === "error") await ask({ event: "turn-failed", message: last.error }, ctx)
    last = {}
  })

  pi.on("session_before_compact", async (_, ctx) => {
    await ask({ event: "compaction-start" }, ctx)
  })
  for (const name of ["session_compact", "session_compact_failed"]) {
    pi.on(name, async (_, ctx) => {
      await ask({ event: "compaction-end" }, ctx)
    })
  }

  pi.on("session_shutdown", async ({ reason }, ctx) => {
    if (reason !== "reload") await ask({ event: "session-end" }, ctx)
  })

  const tool = {
    name: "todo_write",
    label: "Todo list",
    description:
      "Replace your todo list. Use it for every task with several steps: write one item for each step first, " +
      "mark an item in_progress before you start it and completed as soon as it is done, and always send the whole list.",
    promptSnippet: "Keep the todo list of a task with several steps",
    parameters: todos,
    async execute(_, { todos }, signal, __, ctx) {
      const answer = await ask({ event: "todos", todos }, { cwd: ctx.cwd, sessionManager: ctx.sessionManager, signal })
      if (!answer) throw new Error("onward could not be run, so the list was not saved")
      const open = todos.filter(({ status }) => status === "pending" || status === "in_progress").length
      return { content: [{ type: "text", text: `The list was saved: ${todos.length} in all, ${open} open.` }], details: { todos } }
    },
  }
  if (!packaged) pi.registerTool(tool)
}
