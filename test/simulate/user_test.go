package simulate

import (
	"errors"
	"strconv"
	"time"

	"onward/internal/calls/schedule"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// user is the user at a shell, who may run any command at any moment.
type user struct{ *actor }

func (u user) live() {
	for u.at < night {
		u.pass([]time.Duration{20 * time.Minute, 10 * time.Second}[u.choice(1, 1)])
		g := u.agents[u.upTo(len(u.agents))]
		what := u.choice(2, 6, 3, 3, 3, 4, 3, 2, 2, 1, 1, 1, 4, 2, 2, 1, 1, 3, 3, 5, 2)
		u.count("user", userWords[what])
		u.act(g, what)
	}
}

var userWords = [...]string{
	"does nothing", "prompts", "wants to interrupt", "stop", "resume", "todo add", "todo done", "todo block", "todo delete", "todo clear", "todo undo",
	"session delete", "message push", "message pop", "set", "session take", "todo import", "check-continue --dry-run", "check-continue --op, twice",
	"wants to answer a call", "schedule run",
}

// act runs one command of the user on an agent's list.
func (u user) act(g *agent, what int) {
	list := g.list
	if u.place = g.place; u.crowd > 1 && u.choice(5, 1) == 1 {
		u.place = u.agents[u.upTo(u.crowd)].place
	}
	switch what {
	case 1:
		if g.shift != nil {
			u.push(list) // the user of an agent that onward run keeps going prompts it by messages
			return
		}
		g.inbox = append(g.inbox, u.text("please go on"))
		if !g.busy {
			g.wake()
		}
	case 2:
		if g.shift != nil {
			u.interrupts(g.shift)
		} else if g.busy {
			g.stopped = true
			g.wake()
		}
	case 3:
		u.say(u.name, "runs `onward stop`")
		_ = u.event(list, continuation.Event{Type: continuation.Stop}, stops)
	case 4:
		u.resumes(g)
	case 5:
		u.add(list)
	case 6, 7, 8:
		u.change(list, what)
	case 9:
		u.say(u.name, "runs `onward todo clear`")
		u.surely(list, func(c *command, op string) error {
			c.removes = true
			c.means = func(t *truth) { t.dropped = nil }
			return c.apply(op, continuation.Event{Type: continuation.Cleared, Source: "cli", By: todo.ByUser})
		})
	case 10:
		u.say(u.name, "runs `onward todo undo`")
		u.surely(list, func(c *command, op string) error {
			c.removes = true
			c.means = func(t *truth) { t.dropped = nil }
			return c.update(op, func(doc *session.Document) (session.Change, error) {
				entries, err := doc.Entries()
				if err != nil {
					return session.Change{}, err
				}
				return continuation.Undo(doc, entries, 1, true, false, c.now)
			})
		})
	case 11:
		u.say(u.name, "deletes the session")
		u.forget()
		// Repeating the command completes a deletion that was cut off.
		for err := store.ErrHalfDeleted; errors.Is(err, store.ErrHalfDeleted) || errors.Is(err, errKilled) || errors.Is(err, store.ErrUnknown); {
			err = u.onward(list, func(c *command) error {
				return c.lists.Delete(c.name)
			})
		}
	case 12:
		u.push(list)
	case 13:
		u.pop(list)
	case 14:
		u.set(list)
	case 15:
		u.say(u.name, "takes the list for whoever asks next")
		_ = u.onward(list, func(c *command) error {
			c.single = true
			c.means = func(t *truth) { t.running = false } // the agent that worked on it does so no longer
			return c.update("", func(doc *session.Document) (session.Change, error) {
				if doc.Rev == 0 {
					return session.Change{}, session.ErrNoSession
				}
				return doc.TakeOwnership(session.Conversation{}, c.now), nil
			})
		})
	case 16:
		u.say(u.name, "imports a list in place of this one")
		u.surely(list, func(c *command, op string) error {
			c.removes = true
			c.means = func(t *truth) { t.dropped = nil }
			return c.update(op, func(doc *session.Document) (session.Change, error) {
				return continuation.Import(doc, []todo.Item{{Content: u.text("imported"), Status: todo.Pending}}, true, todo.ByUser, c.now)
			})
		})
	case 17:
		u.compare(list)
	case 18:
		u.repeat(list)
	case 19:
		if n := len(u.toolCalls); n > 0 {
			u.decides(u.toolCalls[u.upTo(n)], u.upTo(len(answerWords)), "")
		}
	case 20:
		u.spawn("runner", func(a *actor) {
			a.schedule(list) // the project's tools are the same in all checkouts
			a.sleep(never)
		}).due = u.at
	}
}

// stops changes the truth at `onward stop`.
func stops(t *truth) { t.stopped = true }

// resumes runs `onward resume`.
func (u user) resumes(g *agent) {
	u.say(u.name, "runs `onward resume`")
	if g.shift != nil {
		g.shift.mayEnd = 0
	}
	_ = u.event(g.list, continuation.Event{Type: continuation.Resume}, func(t *truth) {
		t.failed, t.refunded, t.sent = false, 0, true
		t.stopped, t.aborted, t.paused, t.limited, t.failing, t.spent, t.most, t.unexcused, t.fresh = false, false, false, 0, 0, 0, 0, 0, true
	})
}

// surely runs a command under one operation id, and repeats it while its result is unknown.
func (u user) surely(list session.Name, do func(c *command, op string) error) (err error, unsure bool) {
	u.serial++
	op := "op" + strconv.Itoa(u.serial)
	for range 4 {
		err = u.onward(list, func(c *command) error {
			c.single = true
			return do(c, op)
		})
		if !errors.Is(err, store.ErrUnknown) && !errors.Is(err, errKilled) {
			return err, unsure
		}
		unsure = true
	}
	return err, unsure
}

// add adds an item, and repeats the command until the item is known to be there or not.
func (u user) add(list session.Name) {
	one := &added{text: u.text("item of the user")}
	u.added = append(u.added, one)
	u.say(u.name, "runs `onward todo add %q`", one.text)
	err, unsure := u.surely(list, func(c *command, op string) error {
		c.adds = one
		return c.edit(op, todo.ByUser, func(items []todo.Item, now todo.Time) (todo.Edit, error) {
			return todo.Add(items, todo.EndPosition(), []todo.Draft{{Content: one.text}}, now)
		})
	})
	switch {
	case err == nil && one.times != 1:
		u.breaks(1, "adding %q was acknowledged, and done %d times", one.text, one.times)
	case err != nil && !unsure && !errors.Is(err, store.ErrNotDurable) && one.times > 0:
		u.breaks(1, "adding %q was refused, and done", one.text)
	}
}

// change changes the status of an item, or deletes it.
func (u user) change(list session.Name, what int) {
	doc := u.load(list.String())
	if len(doc.Current()) == 0 {
		return
	}
	place := strconv.Itoa(1 + u.upTo(len(doc.Current())))
	at, err := todo.ParseRange(place)
	if err != nil {
		panic(err)
	}
	u.say(u.name, "runs `onward todo %s %s`", map[int]string{6: "done", 7: "block", 8: "delete"}[what], place)
	_, _ = u.surely(list, func(c *command, op string) error {
		c.removes = what == 8
		return c.edit(op, todo.ByUser, func(items []todo.Item, now todo.Time) (todo.Edit, error) {
			switch what {
			case 6:
				return todo.SetStatus(items, []todo.Range{at}, todo.Completed, "", now)
			case 7:
				return todo.SetStatus(items, []todo.Range{at}, todo.Blocked, "no key", now)
			}
			return todo.Delete(items, []todo.Range{at}, now)
		})
	})
}

// push queues a message for the agent.
func (u user) push(list session.Name) {
	m := &message{text: u.text("message"), list: list.String()}
	u.say(u.name, "runs `onward message push %q`", m.text)
	err := u.onward(list, func(c *command) error {
		return c.push(m)
	})
	u.pushed(m, err)
}

// push runs `onward message push`.
func (c *command) push(m *message) error {
	if _, err := c.lists.Load(c.name); errors.Is(err, store.ErrDeleting) {
		return err
	}
	_, err := c.calls.Update(c.name, "", c.now, func(d *schedule.Document) (schedule.Change, error) {
		return schedule.PushMessage(d, m.text+".", m.by, c.now)
	})
	return err
}

// pushed records a message, and whether its push was acknowledged.
func (w *world) pushed(m *message, err error) {
	m.sure, m.at = err == nil, w.at
	w.messages = append(w.messages, m)
}

// pop reads the queue.
func (u user) pop(list session.Name) {
	_ = u.onward(list, func(c *command) error {
		defer func() {
			if why := recover(); why != nil {
				c.forget()
				panic(why)
			}
		}()
		list, err := c.lists.Load(c.name)
		if err != nil {
			return err
		}
		sent := list.Ledger().Delivering.IDs()
		commit, err := c.calls.Update(c.name, "", c.now, func(d *schedule.Document) (schedule.Change, error) {
			return schedule.PopMessages(d, true, sent...), nil
		})
		if err != nil {
			c.forget()
			return err
		}
		if commit.Change.Text != "" {
			u.say(u.name, "reads the messages that wait")
			c.deliver(commit.Change.Text)
		}
		return nil
	})
}

// forget stops following messages that are neither in a queue nor known to be delivered: the command that removed them
// was killed before it could report that.
func (w *world) forget() {
	for _, m := range w.messages {
		m.sure = false
	}
}

// queue returns the text of the messages in a list's queue, and of those that are being delivered.
func (w *world) queue(list string) (text string) {
	calls := schedule.Store{Backend: w.memory}
	doc, err := calls.Load(session.Name{Session: list})
	if err != nil {
		panic(err)
	}
	if doc != nil {
		for _, m := range doc.Messages {
			text += m.Text
		}
	}
	if list := w.load(list); list != nil && list.Continuation.Delivering != nil {
		for _, m := range list.Continuation.Delivering.Messages {
			text += m.Text
		}
	}
	return text
}

// choices are the settings that the user changes, each with the values to choose from.
var choices = [...]struct {
	key    string
	values []string
}{
	{"max-total", []string{"1", "2", "4", "6", "40"}},
	{"max-attempts", []string{"1", "2", "4", "6"}},
	{"max-stagnation", []string{"1", "2", "4", "6"}},
	{"max-gate", []string{"1", "2", "6"}},
	{"todo-continuation", []string{"true", "false"}},
	{"gate", []string{"none", "make test", "make check"}},
	{"max-usd", []string{"0", "0.5", "3"}},
	{"max-tokens", []string{"0", "500", "3000"}},
	{"max-duration", []string{"0s", "10m", "2h"}},
	{"cooldown", []string{"0s", "10m"}},
}

// set changes or resets a setting of the session or the project.
func (u user) set(list session.Name) {
	one := choices[u.upTo(len(choices))]
	value := one.values[u.upTo(len(one.values))]
	words := "set " + one.key + " " + value
	change := func(s interface{ Set(key, value string) bool }) bool { return s.Set(one.key, value) }
	forget := func(s interface{ Unset(key string) bool }) bool { return s.Unset(one.key) }
	unsets, shared := u.choice(3, 1) == 1, u.choice(1, 1) == 1
	if unsets {
		words = "unset " + one.key
	}
	where := "the session"
	if shared {
		where = "the project"
	}
	u.count("user", map[bool]string{false: "set, for ", true: "unset, for "}[unsets]+where)
	u.say(u.name, "runs `onward %s`, for %s", words, where)
	u.surely(list, func(c *command, op string) error {
		if !shared {
			c.gates[list.String()+" "+value] = c.place.Dir
			return c.update(op, func(doc *session.Document) (session.Change, error) {
				if unsets && !forget(doc) || !unsets && !change(doc) {
					return session.Change{}, nil
				}
				return session.Change{What: words, By: "cli"}, nil
			})
		}
		_, err := c.lists.UpdateSettings(c.place, op, c.now, func(p *session.ProjectSettings) (session.Change, error) {
			if unsets && !forget(p) || !unsets && !change(p) {
				return session.Change{}, nil
			}
			return session.Change{What: words, By: "cli"}, nil
		})
		return err
	})
}

// compare asks with --dry-run and then without it, while no other actor runs. Both answers must be the same.
func (u user) compare(list session.Name) {
	var said [2]string
	var reason [2]string
	for i, dry := range []bool{true, false} {
		err := u.onward(list, func(c *command) error {
			c.calm = true
			got, err := c.check(question{dry: dry})
			said[i], reason[i] = c.told(got), got.Decision.Reason
			return err
		})
		if err != nil {
			return
		}
	}
	u.say(u.name, "runs `onward check-continue`: %s", said[1])
	if reason[0] != reason[1] && reason[0] != continuation.ReasonUnproven {
		u.breaks(9, "a dry run answers %q, and the question itself %q", said[0], said[1])
	}
}

// repeat asks twice under one operation id, as a caller does that lost the first answer.
func (u user) repeat(list session.Name) {
	u.serial++
	op := "op" + strconv.Itoa(u.serial)
	var first, second string
	var counted [2]int
	for i, said := range []*string{&first, &second} {
		_ = u.onward(list, func(c *command) error {
			c.calm = true
			got, err := c.check(question{op: op})
			if err == nil {
				*said = got.Prompt()
			}
			return err
		})
		counted[i] = u.of(list.String()).ever
	}
	if first != "" && (second != first || counted[0] != counted[1]) {
		u.breaks(9, "one operation was answered by %q and then by %q, and counted %d times", first, second, 1+counted[1]-counted[0])
	}
	u.say(u.name, "runs `onward check-continue --op` twice")
}
