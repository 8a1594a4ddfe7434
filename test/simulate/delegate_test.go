package simulate

import (
	"slices"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// delegates starts a sub-agent of Claude Code, which has a list of its own and works in parallel with the conversation.
func (h *hooks) delegates(g *agent) {
	id := "s" + g.text("")[1:]
	g.count("agent", "has a sub-agent")
	g.say(g.name, "starts the sub-agent %s", id)
	h.call(g.actor, g, happening{what: "sub-agent begins", sub: id}, func(t *truth) {
		if len(t.background) == 0 {
			t.busy = g.at
		}
		t.background = append(slices.Clip(t.background), id)
	})
	main, process := g.list.String(), g.process
	g.joins(g.name+"/"+id, func(a *actor) {
		own := *h
		sub := &agent{actor: a, id: g.id, list: g.list, process: process}
		tell := func(e happening) string {
			e.sub = id
			return own.call(a, sub, e, nil)
		}
		items := []todo.Item{{Content: a.text("part"), Status: todo.Pending}, {Content: a.text("part"), Status: todo.Pending}}
		for goes := true; goes; {
			own.ends++
			for at := range items {
				a.pass(20 * time.Second)
				tell(happening{what: "tool"})
				if items[at].Status.Open() && a.choice(2, 1) == 0 {
					items[at].Status = todo.Completed
				}
				tell(happening{what: "list", items: items})
				tell(happening{what: "tool's end"})
			}
			if a.choice(8, 1) == 1 {
				a.sleep(never) // the sub-agent is gone without reporting its end
			}
			goes = tell(happening{what: "sub-agent's stop", message: "I looked at it."}) != ""
		}
		a.say(a.name, "ends")
		if doc := a.load(main); doc == nil || !slices.ContainsFunc(doc.Continuation.Background, func(b session.BackgroundTask) bool { return b.ID == id }) {
			t := &a.of(main).truth
			t.background = slices.DeleteFunc(slices.Clone(t.background), func(one string) bool { return one == id })
		}
		a.sleep(never)
	})
}
