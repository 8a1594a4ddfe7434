package simulate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"

	"onward/internal/agents"
	streams "onward/internal/agents/stream"
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/session"
)

// stream is a program whose output `onward ingest --save` reads, in a loop that asks as script does.
type stream struct {
	script
	*pipe
}

// pipe connects a program with the reader of its output.
type pipe struct {
	text   []byte
	wrote  int           // the bytes that were printed
	means  []lineMeaning // the changes of the truth by the lines that have not been read yet, and by the end
	errors string        // what the program has written to standard error
	closed bool
	reader *actor // nil when it has ended
	waits  bool   // the reader waits for more output
	unread bool   // the reader ignores the output
}

// input is the reader's end of a pipe.
type input struct {
	*pipe
	c    *command
	idle func() error // called before the reader waits

	heard []func(*truth) // the meaning of lines that were read since the last commit

	limit   func() (time.Duration, func()) // how long the reader waits, and what it calls after that; nil if it waits forever
	stopped func()                         // called at the end of the output; may be nil
}

func (in *input) Read(into []byte) (int, error) {
	for len(in.text) == 0 {
		in.hears(in.closed)
		if in.closed {
			if in.stopped != nil {
				in.stopped()
			}
			return 0, io.EOF
		}
		if err := in.idle(); err != nil {
			return 0, err
		}
		in.heard = nil
		if len(in.text) == 0 && !in.closed {
			in.waits = true
			in.await()
			in.waits = false
		}
	}
	n := min(len(into), 1+in.c.roll(in.c.id*perActor+delays, len(in.text)))
	if end := bytes.IndexByte(in.text[:n], '\n'); end >= 0 {
		n = end + 1 // so that what is read means what is saved next
	}
	copy(into, in.text[:n])
	in.text = in.text[n:]
	in.hears(false)
	return n, nil
}

// hears makes the meaning of the lines that were read whole that of the next commit, together with those that none has had. What the
// end of the output means, with what the program wrote to standard error, counts once the reader has come to it.
func (in *input) hears(ended bool) {
	if in.c.meant {
		in.heard = nil
	}
	for len(in.means) > 0 && in.means[0].at <= in.wrote-len(in.text) && (ended || !in.means[0].end) {
		in.heard = append(in.heard, in.means[0].do)
		in.means = in.means[1:]
	}
	in.c.means, in.c.meant = together(in.heard), len(in.heard) == 0
}

// await sleeps until there is more output or the limit is over.
func (in *input) await() {
	if in.limit == nil {
		in.c.sleep(never)
		return
	}
	patient, late := in.limit()
	until := in.c.at + patient
	if in.c.sleep(patient); in.c.at >= until {
		late()
	}
}

// together combines the changes of the truth by several lines.
func together(means []func(*truth)) func(*truth) {
	return func(t *truth) {
		for _, m := range means {
			m(t)
		}
	}
}

// print adds to the output.
func (p *pipe) print(text []byte, means ...func(*truth)) {
	p.text, p.wrote = append(p.text, text...), p.wrote+len(text)
	for _, do := range means {
		p.means = append(p.means, lineMeaning{at: p.wrote, do: do})
	}
	p.wake()
}

// mean adds a change of the truth by the end of the output.
func (p *pipe) mean(do func(*truth)) {
	p.means = append(p.means, lineMeaning{p.wrote, true, do})
}

// lineMeaning is a change of the truth by a line of the output, that counts once the output is read up to there, or by its end.
type lineMeaning struct {
	at  int // bytes from the beginning
	end bool
	do  func(*truth)
}

func (p *pipe) wake() {
	if p.reader != nil && p.waits {
		p.reader.wake()
	}
}

// line prints a line of JSON.
func (p *pipe) line(g *agent, members object, means ...func(*truth)) {
	if p.unread {
		return
	}
	members["session_id"] = g.id
	data, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	p.print(append(data, '\n'), means...)
}

// close ends the output, and waits until its reader has ended too.
func (p *pipe) close(g *agent) {
	p.closed = true
	p.wake()
	for p.reader != nil {
		g.sleep(time.Second)
	}
}

// turn starts the program and a reader of its output.
func (s *stream) turn(g *agent) {
	p := &pipe{}
	s.pipe = p
	p.reader = g.spawn(g.name+"|", func(a *actor) {
		c := newCommand(a, session.Name{Session: project})
		c.writes = true
		process := a.starts()
		_ = c.run(10*time.Second, func(c *command) error { return p.ingest(c, process) })
		delete(a.alive, process.PID)
		a.of(project).running = false
		p.reader = nil
		a.sleep(never)
	})
	p.reader.due = g.at
	s.line(g, object{"type": "system", "subtype": "init", "model": "claude-sonnet-4-5", "tools": []string{"TodoWrite"}, "claude_code_version": "2.1.0", "cwd": "/project"}, func(t *truth) {
		if t.aborted {
			g.spoken("")(t) // only the user can start it after an interrupt
		}
		g.begun(t)
	})
}

// ingest runs `onward ingest --save` on the output.
func (p *pipe) ingest(c *command, process *session.Process) error {
	set, err := c.settings()
	if err != nil {
		return err
	}
	saver := &ask.Saver{Store: c.lists, Name: c.name, Project: "/project", StaleAfter: set.StaleAfter, Now: c.now, Reader: process}
	reader := agents.NewReader(&input{pipe: p, c: c, idle: saver.Flush}, streams.Options{Saved: saver.SavedList})
	for {
		updates, err := reader.Next()
		saver.Now = c.clock()
		if len(updates) > 0 {
			if err := saver.Add(ask.CloneUpdates(updates)); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			if err := saver.Flush(); err != nil {
				return err
			}
			return saver.End()
		case err != nil:
			return err
		}
	}
}

// call prints a tool call and its result.
func (s *stream) call(g *agent, tool string, input object) {
	id := g.text("toolu")
	s.line(g, object{"type": "assistant", "message": object{"id": "msg" + id, "role": "assistant", "content": []object{{"type": "tool_use", "id": id, "name": tool, "input": input}}}})
	g.pass(time.Second)
	s.line(g, object{"type": "user", "message": object{"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": id, "content": "done"}}}})
}

func (s *stream) tool(g *agent) { s.call(g, "Bash", object{"command": "make"}) }

func (s *stream) wrote(g *agent) { s.call(g, "TodoWrite", object{"todos": asList(g.todos, "content")}) }

func (s *stream) ended(g *agent, message string) bool {
	means := ends
	if message != "" && message[0] == continuation.PauseLine[0] {
		means = endsPaused
	}
	s.line(g, object{"type": "assistant", "message": object{"id": g.text("msg"), "role": "assistant", "content": []object{{"type": "text", "text": message}}}})
	s.line(g, object{"type": "result", "subtype": "success", "is_error": false, "num_turns": 1, "result": message}, means)
	s.close(g)
	return s.ask(g)
}

func (s *stream) failed(g *agent, class continuation.ErrorClass, after time.Duration) bool {
	s.crash(g)
	return s.script.failed(g, class, after)
}

func (s *stream) crashed(g *agent) bool {
	s.crash(g)
	return s.ask(g)
}

func (s *stream) aborted(g *agent) {
	s.crash(g)
	s.script.aborted(g)
}

// crash ends the output in the middle of a line.
func (s *stream) crash(g *agent) {
	s.print([]byte(`{"type":"assistant","mess`))
	s.mean(g.fails(continuation.ErrorTurnCutOff, 0))
	s.close(g)
}
