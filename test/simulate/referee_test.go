package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"onward/internal/calls/schedule"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// invariants are the statements that must hold in every world, whatever its agents, their user and its machines do.
var invariants = [...]string{
	0:  "nothing crashes",
	1:  "what was acknowledged is there, once; what was refused is not",
	2:  "without a word of the user, continuations are bounded by the settings",
	3:  "while an agent moves items, only max-total and the budget end its work",
	4:  "nothing is done with an open item, with a gate that has not passed, with dropped items, after a failed turn without work, or without a list",
	5:  "the user wins: no prompt after a stop, a pause or an interrupt, no turn that goes on after `stop --now`, and a prompt of the user's always counts",
	6:  "no prompt goes into a running turn, and one end of a turn gets one prompt",
	7:  "nobody asks before a known reset, and a limit of the host's costs no attempt",
	8:  "a queued message reaches a turn, and two only if nothing followed the first",
	9:  "a dry run gives the real answer, and a repeated operation the first one",
	10: "every hook and every wait ends in time",
	11: "what an agent reports before its first list counts as after it",
	12: "an item of a queue is claimed by one name at a time, after what comes before it, and completed once; nobody dead keeps it, and no run that has ended",
	13: "an agent's own list loses no claim, no gate and no order",
	14: "an item with a gate is completed only after that gate has passed",
	15: "a result of a gate is used only for the files that it was about, and a run is proven only if its gate failed on those of its start, or on those with new checks alone, and passes on those of its end by the same checks",
	16: "no run on a task with a gate is done where no file has changed and no list was written",
}

// violation is an invariant that was broken, and how.
type violation struct {
	number int
	what   string
}

// referee checks a world from outside. It knows what onward acknowledged to each caller, and what that means by the manual.
// Of the documents it reads only the lists, and whether a continuation was counted.
type referee struct {
	broken     *violation
	lists      map[string]*record
	waits      []wait
	messages   []*message
	toolCalls  []*toolCall
	added      []*added
	shared     []map[string]string // all settings that the project ever had, the newest last
	itemRuns   map[int]*itemRun    // runs of `onward run --item`, by their process ids
	reallyDone map[string]bool     // ids of the queue's items whose work is really done
}

func newReferee() *referee {
	return &referee{lists: map[string]*record{}, itemRuns: map[int]*itemRun{}, reallyDone: map[string]bool{}, shared: []map[string]string{nil}}
}

// breaks records the first violation, which ends the world.
func (w *world) breaks(number int, format string, args ...any) {
	if w.broken == nil {
		w.broken = &violation{number, fmt.Sprintf(format, args...)}
		w.say("!", "%s", w.broken.what)
	}
}

// of returns the record of a list.
func (r *referee) of(list string) *record {
	if r.lists[list] == nil {
		r.lists[list] = &record{furthest: map[string]int{}, answered: map[string]int{}, own: []map[string]string{nil}, claims: map[string]claim{}, completed: map[string]bool{}, passes: map[string][]string{}, truth: truth{went: -1}}
	}
	return r.lists[list]
}

// isList reports whether a document is a list.
func isList(k store.Key) bool { return k.Kind == session.Key(session.Name{}).Kind }

// sight is the state of a list when a run of onward last read it.
type sight struct {
	truth
	changes int
	first   time.Duration // the time when the run first read the list
	read    time.Duration // the time when it last read the list before changing it
	own     int           // the index of the session's settings at that time
	shared  int
}

// look records that a run reads a list. With changing, the run is about to change it.
func (c *command) look(k store.Key, changing bool) {
	if k == schedule.Key(c.name) && len(c.toolCalls) > 0 {
		calls := schedule.Store{Backend: c.memory}
		doc, err := calls.Load(c.name)
		if err != nil {
			panic(err)
		}
		c.awaits, c.busy = len(schedule.IDsWithStatus(doc.CallsOf(""), schedule.Awaiting)) > 0, c.executing[k.Name] > 0
	}
	if k.Kind == session.SettingsKey("").Kind {
		c.sharedSeen = len(c.shared) - 1
	}
	if !isList(k) {
		return
	}
	r := c.of(k.Name)
	s := sight{truth: r.truth, changes: r.changes, first: c.at, read: c.at, own: len(r.own) - 1, shared: len(c.shared) - 1}
	if was, ok := c.sights[k.Name]; ok {
		if s.first = was.first; changing {
			s.read = was.read
		}
	}
	c.sights[k.Name] = s
}

// committed updates the referee's knowledge after a commit, and checks what the commit changed.
func (c *command) committed(k store.Key) {
	defer c.woken(k.Name)
	if k.Kind == session.SettingsKey("").Kind {
		c.shared = append(c.shared, c.loadShared())
	}
	if !isList(k) {
		return
	}
	r, doc := c.of(k.Name), c.load(k.Name)
	r.changes++
	if doc == nil {
		if v, err := c.memory.Get(k); err != nil || v.Data != nil {
			return // it is only marked for deletion; the mark may be removed again
		}
		for _, s := range c.shifts {
			s.unsure = true // the cost of the running turn will not be recorded
		}
		own := append(r.own, nil)
		*r = *newReferee().of("")
		r.own, r.changes = own, 1
		return
	}
	if doc.Rev == r.rev {
		return // it was marked for deletion, and the mark is removed
	}
	r.rev = doc.Rev
	if !maps.Equal(doc.Settings, r.own[len(r.own)-1]) {
		r.own = append(r.own, maps.Clone(doc.Settings))
	}
	c.commits++
	if c.sub != "" && doc.Agent == session.Primary && !slices.EqualFunc(items(doc), r.items, sameItem) {
		c.breaks(1, "the sub-agent %s changes the list of its agent", c.sub)
	}
	if c.name == queue {
		c.followClaims(r, items(doc))
	}
	c.followItems(r, doc)
	c.enter(r) // the end of the turn counts before the answer to it
	if last := doc.Continuation.Last; last != nil && last.Rev == doc.Rev {
		if last.Reason == continuation.ReasonMessageSent {
			c.spoke(r, doc)
		} else {
			c.continued(r, doc)
		}
	}
}

// sameItem reports whether two items have the same id and status.
func sameItem(a, b todo.Item) bool { return a.ID == b.ID && a.Status == b.Status }

// enter changes the truth of a list by what the command means, once.
func (c *command) enter(r *record) {
	if c.means == nil || c.meant {
		return
	}
	c.meant = true
	before := r.truth
	if c.means(&r.truth); r.rev == 0 {
		r.heard = 0 // onward does not keep a prompt that comes before the list
	}
	if !r.listed && before.told() != r.told() {
		r.early, r.unclear = c.actor.name, len(c.agents) > 1
	}
}

// acknowledge updates the truth at the end of a run of onward that was not killed.
func (c *command) acknowledge(err error) {
	r := c.of(c.name.String())
	certain := !c.unsure && !errors.Is(err, store.ErrNotDurable)
	switch {
	case err != nil && certain && c.single && c.commits > 0:
		c.breaks(1, "%s was refused (%v), and done", c.did.What, err)
	case err == nil && c.single && c.commits > 1:
		c.breaks(1, "%s was done %d times", c.did.What, c.commits)
	}
	// If nothing had to be written, what the command means counts from now on, unless other commits came in between.
	if err == nil && c.commits == 0 && c.sights[c.name.String()].changes == r.changes {
		c.enter(r)
	}
}

// followItems compares the items of a list with those before the commit.
func (c *command) followItems(r *record, doc *session.Document) {
	now := items(doc)
	there := map[string]bool{}
	for i := range now {
		it := &now[i]
		there[it.ID] = true
		r.advance(it.ID, it.Status)
		for _, part := range it.Subtasks {
			r.advance(it.ID+"/"+part.ID, part.StatusOrPending())
		}
		r.worked = r.worked || it.Status == todo.Completed
		if it.Status == todo.Completed && !slices.ContainsFunc(r.items, func(was todo.Item) bool { return sameItem(was, *it) }) {
			r.closed++
		}
	}
	r.listed = r.listed || len(now) > 0
	if len(now) > 0 && todo.Digest(now) != todo.Digest(r.items) {
		r.written++
	}
	if len(now) != len(r.items) && (len(now) == 0 || len(r.items) == 0) {
		r.emptied = len(now) == 0 && c.writes && todo.Count(r.items).Open == 0
	}
	r.open = todo.Count(now).Open
	r.dropped = slices.DeleteFunc(slices.Clone(r.dropped), func(lost todo.Item) bool {
		return slices.ContainsFunc(now, func(it todo.Item) bool { return it.ID == lost.ID || it.Content == lost.Content })
	})
	for _, it := range r.items {
		if !there[it.ID] && it.Status.Open() && c.writes {
			r.dropped = append(r.dropped, it)
		}
	}
	for _, one := range c.added {
		is := func(it todo.Item) bool { return it.Content == one.text }
		had, has := slices.IndexFunc(r.items, is), slices.IndexFunc(now, is)
		switch {
		case has < 0 && had >= 0 && r.items[had].Status.Open() && !c.removes:
			c.breaks(1, "the user's %q is gone", one.text)
		case has >= 0 && slices.ContainsFunc(now[has+1:], is):
			c.breaks(1, "%q is there twice", one.text)
		case has >= 0 && c.adds == one:
			one.times++
		}
		if one.times > 1 {
			c.breaks(1, "%q was added twice", one.text)
		}
	}
	r.items = now
}

// advance records the status of an item or a subtask. A new item does not count as moved.
func (r *record) advance(id string, is todo.Status) {
	far, known := r.furthest[id]
	if known && is.Rank() <= far {
		return
	}
	if known {
		r.moved, r.refunded = true, 0
	}
	r.furthest[id] = is.Rank()
}

// spending is the spending that the caller of a question reports; nil is unknown.
type spending struct {
	usd    *float64
	tokens *int64
}

// over reports whether a budget is used up.
func (s spending) over(set continuation.Settings) bool {
	return set.MaxUSD > 0 && s.usd != nil && *s.usd >= set.MaxUSD || set.MaxTokens > 0 && s.tokens != nil && *s.tokens >= set.MaxTokens
}

// inForce returns all settings that a run may have used: those when it last read them, and all later ones.
// For the list of a sub-agent, they include those of its agent's session.
func (c *command) inForce(list string) (all []continuation.Settings) {
	session, _, _ := strings.Cut(list, "+")
	for _, own := range c.ofList(list) {
		for _, parent := range c.ofList(session) {
			for _, shared := range c.shared[min(c.sights[list].shared, c.sharedSeen):] {
				set, err := c.resolve(shared, own, parent)
				if err != nil {
					panic(err)
				}
				all = append(all, set)
			}
		}
	}
	return all
}

// ofList returns the list's own settings when the run last read it, and all later ones.
func (c *command) ofList(list string) []map[string]string { return c.of(list).own[c.sights[list].own:] }

// all reports whether holds returns true for all settings that a run may have used.
func all(sets []continuation.Settings, holds func(continuation.Settings) bool) bool {
	return !slices.ContainsFunc(sets, func(set continuation.Settings) bool { return !holds(set) })
}

// turnLasts is how long a turn counts as running without activity. Onward allows ten minutes from the start of the command
// that reported the turn, and that command may have waited for the store.
const turnLasts = 10*time.Minute - 15*time.Second

// forbidden checks the reasons against a continuation that neither the list's prompt nor a message of the user overrides.
func (c *command) forbidden(t truth, sets []continuation.Settings) {
	began := cmp.Or(c.since, t.heard)
	switch elapsed := began.Since(c.now); {
	case c.awaits:
		c.breaks(5, "the agent is prompted, though a tool call waits for the user's approval")
	case c.busy:
		c.breaks(6, "the agent is prompted, though a tool call runs")
	case c.atWork():
		c.breaks(6, "the agent is prompted, though `onward run` has it at work")
	case all(sets, func(set continuation.Settings) bool { return !set.Enabled }):
		c.breaks(5, "the agent is prompted, though the user has switched that off")
	case all(sets, c.spent.over):
		c.breaks(7, "the agent is prompted, though its budget is used up")
	case began != 0 && !c.jumped && all(sets, func(set continuation.Settings) bool { return set.MaxDuration > 0 && elapsed >= set.MaxDuration }):
		c.breaks(7, "the agent is prompted %v after its work began, though its time is used up", elapsed)
	}
}

// atWork reports whether an agent that `onward run` started is working on the list, and was so when the command last read it.
func (c *command) atWork() bool {
	return slices.ContainsFunc(c.shifts, func(s *shift) bool {
		return s.agent.list == c.name && s.agent.job != nil && s.agent.job.began < c.sights[c.name.String()].read
	})
}

// spoke checks that a message of the user may be sent now. A sent message counts as a prompt.
func (c *command) spoke(r *record, doc *session.Document) {
	t := &r.truth
	c.forbidden(*t, c.inForce(c.name.String()))
	switch {
	case slices.ContainsFunc(c.messages, func(m *message) bool {
		return m.by != "" && slices.ContainsFunc(doc.Continuation.Delivering.Messages, func(sent session.Message) bool { return sent.Text == m.text+"." })
	}):
		c.breaks(8, "a message of the agent's is sent as if it were the user's")
	case t.stopped:
		c.breaks(5, "a message is sent, though the user has stopped the agent")
	case t.running && c.stop == "" && c.at-t.since < turnLasts && !c.jumped && t.early == "":
		c.breaks(6, "a message is sent in the middle of a turn")
	}
	t.aborted, t.paused, t.asked, t.dropped, t.failed, t.fresh, t.sent = false, false, false, nil, false, true, true
	t.spent, t.most, t.refunded, t.unexcused, t.failing, t.moved, t.inTurn, t.went, t.heard = 0, 0, 0, 0, 0, false, true, c.at, c.clock()
	was := *t
	c.went = &was
	if c.stop != "" {
		c.begun(t)
	}
}

// continued checks that a continuation, which was counted, was allowed.
func (c *command) continued(r *record, doc *session.Document) {
	sets := c.inForce(c.name.String())
	t := r.truth
	c.forbidden(t, sets)
	c.went = &t
	early := func(number int) int {
		if t.early != "" {
			return 11
		}
		return number
	}
	first := c.sights[c.name.String()].first
	switch {
	case t.stopped:
		c.breaks(early(5), "the agent is prompted, though the user has stopped it")
	case all(sets, func(set continuation.Settings) bool { return t.spent >= set.MaxTotal }):
		c.breaks(2, "continuation %d without a word of the user; max-total is %d", t.spent+1, sets[0].MaxTotal)
	case t.spent > 0 && !c.jumped && all(sets, func(set continuation.Settings) bool { return c.at-t.went < set.Cooldown-time.Minute }):
		c.breaks(2, "the agent is prompted %v after the last prompt; the cooldown is %v", c.at-t.went, sets[0].Cooldown)
	case t.went >= first && t.spent > 0:
		c.breaks(6, "two questions that were asked at once both get a prompt")
	case t.running && c.stop == "" && c.at-t.since < turnLasts && !c.jumped:
		c.breaks(early(6), "a question in the middle of a turn gets a prompt")
	case t.unclear:
	case t.aborted:
		c.breaks(early(5), "the agent is prompted, though the user has interrupted it")
	case t.paused:
		c.breaks(early(5), "the agent is prompted, though it has paused itself")
	case t.asked:
		c.breaks(early(5), "the agent is prompted, though a question to the user is open")
	case c.clock() < t.limited && !c.jumped:
		c.breaks(early(7), "the agent is prompted %v before its host takes requests again", c.clock().Since(t.limited))
	case len(t.background) > 0 && c.at-t.busy < 30*time.Minute-2*time.Second && !c.jumped: // the clocks of two machines may differ by a second
		c.breaks(11, "the agent is prompted, though its background work runs since %v", (c.at - t.busy).Round(time.Second))
	}
	if c.stop != "" {
		if r.answered[c.stop]++; r.answered[c.stop] > 1 {
			c.breaks(6, "the same end of a turn gets two prompts")
		}
	}
	r.fresh, r.moved, r.inTurn = false, false, true
	if c.stop != "" {
		c.begun(&r.truth)
	}
	r.spent++
	r.most++
	c.prompts++
	r.unexcused++
	r.ever++
	r.went = c.at
}

// end checks at the end of the night what must have happened by then.
func (w *world) end() {
	for _, s := range w.shifts {
		if s.goes && w.lasts > night && w.executing[project] == 0 { // it asks every second while a tool call runs, so its world ends first
			w.breaks(10, "the run has not ended after %v", w.lasts)
		}
	}
	waiting := ""
	for _, list := range []string{project, worktree.Session, "a1", "a2"} {
		waiting += w.queue(list)
	}
	for _, m := range w.messages {
		if m.sure && m.reached == 0 && !strings.Contains(waiting, m.text+".") {
			w.breaks(8, "the message %q is neither delivered nor in the queue", m.text)
		}
	}
}

// added is an item that the user added.
type added struct {
	text  string
	times int // how often it was committed
}
