//go:build unix

package torture

import (
	"fmt"
	"strings"
	"sync"

	"github.com/anishathalye/porcupine"
)

// The operations on a queue of messages, by the manual: `message push` appends a message; `message pop` prints all of them,
// oldest first, and empties the queue, or ends with 1 if it is empty.
type (
	push struct{ text string }
	pop  struct{}
)

func queueModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			s := state.(string)
			if do, is := input.(push); is {
				return true, s + do.text + " "
			}
			return output == nil || output == s, ""
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%T%v -> %v", input, input, output) },
	}
}

// messages is the work of several writers and readers, all on the same queue.
type messages struct {
	*world
	mu     sync.Mutex
	rounds []*round
	now    *round

	pushed, reads, open int
	printed             map[string]int // how often each message was printed; the retries of a reading count once
	stray               int            // messages that were printed although the exit code says that there are none
}

func (m *messages) join() *round {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.now == nil || !m.now.begin() {
		m.now = &round{history: history{name: fmt.Sprint("queue", len(m.rounds))}, most: 80}
		m.rounds = append(m.rounds, m.now)
	}
	return m.now
}

// write queues messages.
func (m *messages) write(c *client, who int) {
	for n := 0; !c.ended(); n++ {
		r := m.join()
		text := fmt.Sprintf("m%d.%d", who, n)
		j := job{session: r.name, op: "op-" + text, args: []string{"message", "push", text}}
		a := c.try(j)
		switch {
		case a.open():
			r.add(who, push{text}, nil, a)
		case a.code == 0:
			c.again(j, a)
			m.mu.Lock()
			m.pushed++
			m.mu.Unlock()
			r.add(who, push{text}, "", a)
		}
	}
}

// read reads messages.
func (m *messages) read(c *client, who int) {
	for n := 0; !c.ended(); n++ {
		m.take(c, who, m.join(), fmt.Sprintf("pop%d.%d", who, n))
	}
}

// take reads a queue until the answer is known.
func (m *messages) take(c *client, who int, r *round, op string) {
	a := c.try(job{session: r.name, op: op, args: []string{"message", "pop"}})
	texts := strings.Fields(a.out)
	m.mu.Lock()
	m.reads++
	if a.open() {
		m.open++
	}
	if a.open() || a.code == 0 {
		for _, text := range texts {
			m.printed[text]++
		}
	} else {
		m.stray += len(texts)
	}
	m.mu.Unlock()
	if !a.open() && a.code != 0 && len(texts) > 0 {
		m.breaks("message pop of %s prints %v beside exit %d", r.name, texts, a.code)
	}
	read := strings.Join(texts, " ")
	if read != "" {
		read += " "
	}
	switch {
	case a.open() && read == "":
		r.add(who, pop{}, nil, a)
	case a.open(): // messages leave the queue before they are printed, so the queue was read before the kill
		a.killed, a.code = false, 0
		r.add(who, pop{}, read, a)
	case a.code == 0, a.code == 1:
		r.add(who, pop{}, read, a)
	}
}

// close empties every queue, and judges the histories.
func (m *messages) close(c *client) {
	var all []history
	for i, r := range m.rounds {
		for n := range tries {
			before := len(r.ops)
			m.take(c, 0, r, fmt.Sprintf("last%d.%d", i, n))
			if len(r.ops) > before && r.ops[len(r.ops)-1].Output == "" {
				break
			}
		}
		all = append(all, r.history)
	}
	twice, read := 0, 0
	for text, n := range m.printed {
		read++
		if n > 1 {
			twice++
			m.breaks("message %s was printed %d times", text, n)
		}
	}
	lost := 0
	for _, r := range m.rounds {
		open := 0
		for _, op := range r.ops {
			if _, is := op.Input.(pop); is && op.Output == nil {
				open++
			}
		}
		for _, op := range r.ops {
			if do, is := op.Input.(push); is && op.Output != nil && m.printed[do.text] == 0 {
				if lost++; open == 0 {
					m.breaks("message %s of %s was lost, and no pop of the queue has an unknown outcome", do.text, r.name)
				}
			}
		}
	}
	m.report("messages acknowledged: %d; read: %d; printed twice: %d; beside an exit code that denies them: %d; not read: %d, beside %d pops of unknown outcome",
		m.pushed, read, twice, m.stray, lost, m.open)
	m.judge("queues of messages", queueModel(), all)
}
