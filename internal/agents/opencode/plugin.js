// ORIGIN
// Passes opencode's events to `onward hook opencode`, and keeps the model going while its todo list is open.
import { spawn } from "node:child_process"

const program = PROGRAM
const arguments_ = [ARGUMENTS]

// ask returns onward's answer to an event. If onward cannot be run, the answer has no action: a failed hook must never block opencode.
function ask(event, directory) {
  return new Promise((resolve) => {
    let child
    try {
      // A gate may run once the model is done.
      const timeout = event.type === "session.idle" ? 600000 : 10000
      child = spawn(program, arguments_, { cwd: directory, stdio: ["pipe", "pipe", "ignore"], timeout })
    } catch {
      return resolve({ missing: true }) // spawn throws if the file is not a program; if it is missing, there is an error event
    }
    let out = ""
    child.on("error", (error) => resolve({ missing: error.code === "ENOENT" }))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => (out += data))
    child.on("close", () => {
      try {
        resolve(JSON.parse(out))
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify({ ...event, directory }))
  })
}

export const Onward = async ({ client, directory }) => {
  // What is known about each session.
  const sessions = new Map()
  const know = (id) => {
    if (!sessions.has(id)) sessions.set(id, { text: "" })
    return sessions.get(id)
  }
  // tell passes the events on one at a time, because opencode sends the next event without waiting for an answer.
  const tell = (id, event) => {
    const known = know(id)
    const answer = (known.last ?? Promise.resolve()).then(() =>
      ask({ ...event, sessionID: id, parentID: known.parent, agent: known.agent }, directory),
    )
    // A gate may take long. Other events, such as a prompt from the user, do not wait for it.
    if (event.type !== "session.idle") known.last = answer
    return answer
  }

  // toast shows the user a message, if there is a terminal.
  const toast = (title, message, duration) =>
    Promise.resolve(client.tui?.showToast({ body: { title, message, variant: "warning", duration } })).catch(() => {})

  // begin reports a session that this process has not seen before, and keeps what its model should know.
  const begin = async (id) => {
    const known = know(id)
    if (known.begun) return
    known.begun = true
    try {
      known.parent = (await client.session.get({ path: { id } })).data?.parentID
    } catch {}
    if (known.parent) return
    const answer = await tell(id, { type: "session.started" })
    known.context = answer.context
    if (answer.missing) toast("onward", "MISSING", 10000)
  }

  // rest asks again after a minute without activity, if a countdown was cancelled and no turn followed.
  const rest = (id, known) => {
    clearTimeout(known.rest)
    known.rest = setTimeout(() => idle(id), 60000)
    known.rest.unref?.()
  }

  // stir notes activity, which cancels a countdown. Events within the grace period are left over
  // from the turn that ended, except for an interrupt.
  const stir = (id, now) => {
    const known = id && sessions.get(id)
    if (known?.rest) rest(id, known)
    const countdown = known?.countdown
    if (countdown && (now || Date.now() >= countdown.began + countdown.grace)) countdown.cancel()
  }

  // countDown gives the user time to step in, with a toast each second. It returns true if nobody did.
  const countDown = async (known, { countdown_ms: length, grace_ms: grace, open }) => {
    const countdown = { began: Date.now(), grace }
    const cancelled = new Promise((resolve) => (countdown.cancel = () => resolve(true)))
    known.countdown = countdown
    let shown
    try {
      for (let left = length; left > 0; left = countdown.began + length - Date.now()) {
        const seconds = Math.ceil(left / 1000)
        if (seconds !== shown) {
          toast("Todo Continuation", `Resuming in ${seconds}s... (${open} ${open === 1 ? "task" : "tasks"} remaining)`, 900)
        }
        shown = seconds // a timer may come a moment early, in the same second
        let timer
        const second = new Promise((resolve) => (timer = setTimeout(resolve, left % 1000 || 1000)))
        const stop = await Promise.race([second, cancelled])
        clearTimeout(timer)
        if (stop) return false
      }
      return true
    } finally {
      known.countdown = undefined
    }
  }

  const moment = () => new Promise((resolve) => setTimeout(resolve, 200))

  // idle asks whether the model is done. It sends the next message only after a moment, because a session
  // that has just become idle treats a message as part of the turn that is ending.
  const idle = async (id) => {
    const known = know(id)
    const text = known.text
    clearTimeout(known.rest)
    known.rest = undefined
    if (known.parent) {
      // Its result goes back immediately to the session that called it. Nobody reads what it does after that.
      await moment()
      if (known.returned) return
    } else {
      const answer = await tell(id, { type: "session.countdown", last_assistant_message: text })
      if (answer.action === "countdown" && !(await countDown(known, answer))) return rest(id, known)
    }
    const answer = await tell(id, { type: "session.idle", last_assistant_message: text })
    if (answer.action !== "continue" || !answer.prompt) return
    await moment()
    await client.session.prompt({ path: { id }, body: { agent: known.agent, parts: [{ type: "text", text: answer.prompt }] } })
  }

  return {
    event: async ({ event }) => {
      const properties = event.properties ?? {}
      const id = properties.sessionID ?? properties.info?.id
      switch (event.type) {
        case "session.created":
          know(id).parent = properties.info?.parentID
          return
        case "message.updated":
          // An interrupt shows as the error of the message that it cut off; a session.error may or may not follow.
          if (properties.info?.error?.name === "MessageAbortedError") {
            stir(properties.info.sessionID, true)
            await tell(properties.info.sessionID, { type: event.type, properties })
          } else stir(properties.info?.sessionID)
          return
        case "message.part.updated": {
          // Only text from the model has an end time.
          const part = properties.part
          stir(part?.sessionID)
          if (part?.type === "text" && part.time?.end) know(part.sessionID).text = part.text
          return
        }
        case "session.idle":
          return idle(id)
        case "session.error":
        case "session.compacted":
        case "session.deleted":
        case "todo.updated":
          stir(id, event.type !== "todo.updated")
          if (id) await tell(id, { type: event.type, properties })
          if (event.type === "session.deleted") sessions.delete(id)
      }
    },
    "chat.message": async (input, output) => {
      const id = input.sessionID
      const known = know(id)
      stir(id)
      known.agent = output.message?.agent ?? input.agent
      known.text = ""
      known.returned = false
      await begin(id)
      const words = output.parts.filter((p) => p.type === "text" && !p.synthetic)
      const prompt = words.map((p) => p.text).join("\n")
      const answer = await tell(id, {
        type: "chat.message",
        messageID: output.message?.id,
        prompt,
        synthetic: output.parts.length > 0 && output.parts.every((p) => p.synthetic),
      })
      // A plugin cannot stop opencode from sending the message, so the model is asked to pass the answer on.
      if (answer.action === "handled" && words.length > 0) {
        words.forEach((p) => (p.text = ""))
        words[0].text = "Show this text to the user unchanged, and do nothing else:\n\n" + answer.message
      }
    },
    "tool.execute.after": async (input, output) => {
      stir(input.sessionID)
      const called = input.tool === "task" && !output?.metadata?.background && output?.metadata?.sessionId
      if (called) know(called).returned = true
      // The list itself arrives with todo.updated.
      if (input.tool !== "todowrite") await tell(input.sessionID, { type: "tool.execute.after", tool: input.tool })
    },
    "experimental.session.compacting": async (input) => {
      await tell(input.sessionID, { type: "session.compacting" })
    },
    "experimental.chat.system.transform": async (input, output) => {
      const context = sessions.get(input.sessionID)?.context
      if (context) output.system.push(context)
    },
  }
}
