package simulate

import (
	"fmt"
	"time"

	continuation "onward/internal/continue"
)

// job is a turn for which `onward run` starts an agent's program.
type job struct {
	*pipe
	began        time.Duration
	conversation string // the conversation to resume; empty to start one
	keeper       int    // the process that keeps the program
	code         int    // the exit code of the program
	begins       bool   // the program was started
	served       bool   // the program has begun
	dead         bool   // it was killed before that
	check        bool   // its prompt asks for the check alone
	over         bool   // the run has interrupted it, since a budget is used up
}

// kept is a program that `onward run` starts for each turn. It prints its stream, or text in a format that onward does not know.
type kept struct {
	stream
	plain   bool
	forgets int    // how many of 10 conversations cannot be resumed
	aside   bool   // it writes to standard error that its host limits it, as all plain ones do
	breaks  bool   // something, such as a large image, may get into its conversation with which the host accepts no request
	broken  string // the conversation that has it
}

// start starts the agent's program.
func (g *agent) start(j *job) {
	if g.job != nil {
		g.breaks(6, "two agents are at work for one run")
	}
	g.job, j.began = j, g.at
	g.wake()
}

// strike kills the agent's program.
func (g *agent) strike() {
	if g.job != nil {
		g.struck, g.job.dead = g.job.served, !g.job.served
		g.wake()
	}
}

// serve runs for the night an agent that works only when `onward run` starts it.
func (g *agent) serve(k *kept) {
	for {
		for g.job == nil {
			if len(g.beside) > 0 {
				g.pass(10 * time.Minute)
				if len(g.beside) > 0 {
					g.endBackground()
				}
			} else {
				g.sleep(never)
			}
		}
		g.struck = false
		g.serves(k, g.job)
		g.shift.turnEnds()
		g.job = nil
	}
}

// serves runs a turn, in which the program may be killed.
func (g *agent) serves(k *kept, j *job) {
	defer func() {
		switch why := recover(); why {
		case nil:
		case killed{}:
			g.count("agent", "is killed")
			g.say(g.name, "is killed")
			j.code = 137
			switch {
			case k.plain: // onward does not know the format of its output
			case g.interrupted():
				j.mean(endsInterrupted)
			default:
				j.mean(g.fails(continuation.ErrorTurnCutOff, 0))
			}
		default:
			panic(why)
		}
		g.struck = false
		if g.process != nil {
			g.dies()
		}
		delete(g.alive, j.keeper)
		j.closed = true
		j.wake()
	}()
	k.pipe, g.process, j.served = j.pipe, g.starts(), true
	if j.dead {
		panic(killed{})
	}
	if j.conversation != "" && g.upTo(10) < k.forgets {
		g.count("agent", "cannot resume")
		g.shift.anew++
		g.say(g.name, "cannot resume its conversation")
		j.code = 1
		g.pass(time.Second)
		return
	}
	if j.conversation == "" {
		g.id = "c" + g.text("")[1:]
	}
	if l := g.shift.relay; l != nil {
		l.begun[g.id] = true
	}
	if l := g.shift.relay; l != nil {
		g.until = l.at.until
	}
	if g.at < g.until {
		g.refused++
		g.turns++
		k.turn(g)
		g.pass(time.Second)
		k.failed(g, continuation.ErrorRateLimit, g.until-g.at)
		return
	}
	if j.conversation != "" && j.conversation == k.broken {
		g.count("agent", "has a conversation whose requests are refused")
		g.say(g.name, "has a conversation whose requests are refused")
		g.turns++
		k.turn(g)
		g.pass(time.Second)
		k.failed(g, continuation.ErrorInvalidRequest, 0)
		return
	}
	g.spend()
}

// interrupted reports whether the user has pressed Ctrl-C.
func (g *agent) interrupted() bool { return g.shift != nil && g.shift.interrupted }

// turn prints the first line of the stream.
func (k *kept) turn(g *agent) {
	if k.plain {
		return
	}
	k.line(g, object{"type": "system", "subtype": "init", "model": "claude-sonnet-4-5", "tools": []string{"TodoWrite"}, "claude_code_version": "2.1.0", "cwd": "/project"}, func(t *truth) {
		if t.aborted {
			g.spoken("")(t) // only the user can start it after an interrupt
		}
		g.begun(t)
	})
}

func (k *kept) tool(g *agent) {
	g.shift.did = true
	if !g.onlyReads {
		g.edits()
	}
	if k.plain {
		g.pass(5 * time.Second)
		return
	}
	k.stream.tool(g)
}

func (k *kept) wrote(g *agent) {
	g.shift.did, g.shift.wrote = true, g.shift.wrote || len(g.todos) > 0
	if k.plain {
		k.script.wrote(g)
		return
	}
	k.stream.wrote(g)
}

// result prints the last line of the stream, with the cost of the turn in tokens.
func (k *kept) result(g *agent, members object, spent int, means func(*truth)) {
	if g.tokens += spent; k.plain {
		return
	}
	members["type"], members["num_turns"] = "result", 1
	members["usage"], members["total_cost_usd"] = object{"input_tokens": spent - spent/10, "output_tokens": spent / 10}, float64(spent)/1e5
	g.failure = func(t *truth) { // also where the run saves this end later
		means(t)
		g.shift.spends(int64(spent), float64(spent)/1e5)
	}
	k.line(g, members, g.failure)
}

// costs returns a random number of tokens for a turn.
func (g *agent) costs() int { return 1000 * (1 + g.upTo(30)) }

func (k *kept) ended(g *agent, message string) bool {
	means := ends
	if message != "" && message[0] == continuation.PauseLine[0] {
		means = endsPaused
	}
	g.shift.did = g.shift.did || k.plain
	if k.plain {
		return false
	}
	if k.breaks && g.choice(5, 1) == 1 {
		k.broken = g.id
	}
	k.line(g, object{"type": "assistant", "message": object{"id": g.text("msg"), "role": "assistant", "content": []object{{"type": "text", "text": message}}}})
	k.result(g, object{"subtype": "success", "is_error": false, "result": message}, g.costs(), means)
	return false
}

// failed prints an error of the host as Claude Code does.
func (k *kept) failed(g *agent, class continuation.ErrorClass, after time.Duration) bool {
	g.job.code = 1
	said := map[continuation.ErrorClass]string{
		continuation.ErrorRateLimit: "API Error: 429 too many requests", continuation.ErrorContext: "Prompt is too long",
		continuation.ErrorInvalidRequest: "API Error: 400 image dimensions exceed max allowed size",
		continuation.ErrorAuth:           "Invalid API key · Please run /login", continuation.ErrorServer: "API Error: 502 bad gateway",
	}[class]
	if after > 0 {
		said = fmt.Sprintf("Claude AI usage limit reached|%d", (g.clock().Time().Add(after).UnixMilli()+999)/1000)
	}
	spent := 0
	if class == continuation.ErrorContext {
		spent = g.costs()
	}
	if after > 0 {
		if g.until = g.at + after; g.shift.relay != nil {
			g.shift.relay.at.until = g.until
		}
	}
	if class == continuation.ErrorRateLimit && (k.plain || k.aside) {
		g.count("agent", "is limited on standard error")
		means := g.fails(class, after)
		if k.errors = said + "\n"; !k.plain {
			k.mean(means)
		}
		return false
	}
	k.result(g, object{"subtype": "success", "is_error": true, "result": said}, spent, g.fails(class, after))
	return false
}

func (k *kept) crashed(g *agent) bool {
	g.job.code = 2
	if !k.plain {
		k.print([]byte(`{"type":"assistant","mess`))
		k.mean(g.fails(continuation.ErrorTurnCutOff, 0))
	}
	return false
}

func (k *kept) aborted(*agent) {}

// endsInterrupted changes the truth at the end of a turn that the user interrupted. The attempt still counts.
func endsInterrupted(t *truth) {
	interrupted(t)
	t.inTurn = false
}

// concluded returns what the end of a turn that the agent itself did not report changes in the truth.
func (g *agent) concluded(status continuation.TurnStatus, class continuation.ErrorClass) func(*truth) {
	after := time.Duration(0)
	if class == continuation.ErrorRateLimit {
		after = max(0, g.until-g.at)
	}
	switch status {
	case continuation.Aborted:
		return endsInterrupted
	case continuation.Failed:
		return g.fails(class, after)
	}
	return ends
}
