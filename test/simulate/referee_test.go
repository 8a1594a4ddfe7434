package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"onward/internal/ask"
	"onward/internal/calls/schedule"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// invariants are what must hold in every world, whatever its agents, their user and its machines do.
var invariants = [...]string{
	0:  "nothing crashes",
	1:  "what was acknowledged is there, once; what was refused is not",
	2:  "without a word of the user, continuations are bounded by the settings",
	3:  "while an agent moves items, only max-total and the budget end its work",
	4:  "nothing is done with an open item, with a gate that has not passed, with dropped items, after a failed turn without work, or without a list",
	5:  "the user wins: no prompt after a stop, a pause or an interrupt, and a prompt of the user's always counts",
	6:  "no prompt goes into a running turn, and one end of a turn gets one prompt",
	7:  "nobody asks before a known reset, and a limit of the host's costs no attempt",
	8:  "a queued message reaches a turn, and two only if nothing followed the first",
	9:  "a dry run gives the real answer, and a repeated operation the first one",
	10: "every hook and every wait ends in time",
	11: "what an agent reports before its first list counts as after it",
	12: "an item of a queue is claimed by one name at a time, after what comes before it, and completed once; nobody dead keeps it",
	13: "an agent's own list loses no claim, no gate and no order",
	14: "an item with a gate is completed only after that gate has passed",
}

// violation is an invariant that does not hold.
type violation struct {
	number int
	what   string
}

// referee watches a world from outside. It knows what was acknowledged to whom, and what the manual says that this means;
// of the documents it reads the lists, and that a continuation was counted.
type referee struct {
	broken     *violation
	lists      map[string]*record
	waits      []wait
	messages   []*message
	toolCalls  []*toolCall
	added      []*added
	shared     []map[string]string // the settings of the project, as they were one after another
	itemRuns   map[int]*itemRun    // runs on items, by their processes
	reallyDone map[string]bool     // items of the queue, by id
}

func newReferee() *referee {
	return &referee{lists: map[string]*record{}, itemRuns: map[int]*itemRun{}, reallyDone: map[string]bool{}, shared: []map[string]string{nil}}
}

// breaks notes the first violation. The world ends with it.
func (w *world) breaks(number int, format string, args ...any) {
	if w.broken == nil {
		w.broken = &violation{number, fmt.Sprintf(format, args...)}
		w.say("!", "%s", w.broken.what)
	}
}

// record is what the referee knows of one list.
type record struct {
	truth
	items     []todo.Item
	own       []map[string]string // the settings of the session, as they were one after another
	furthest  map[string]int      // how far items have ever come, by id
	changes   int                 // commits, and what changed without one
	rev       uint64              // of the last commit
	ever      int                 // continuations
	answered  map[string]int      // prompts for one end of a turn, by its name
	proofs    []proof
	claims    map[string]claim    // of items, by id
	completed map[string]bool     // items, by id
	passes    map[string][]string // the gates of items that have passed, by the items' ids; each counts once
}

// proof is a run of the gate.
type proof struct {
	gate   string
	dir    string // where it ran
	ended  time.Duration
	lists  []string // the digests of the list when it began and when it ended
	passed bool
}

// truth is what was told about a list, as the manual says that it counts.
type truth struct {
	stopped, aborted, paused, asked bool

	key        string        // of the last prompt
	heard      todo.Time     // when that was, by the clock; 0 is never
	fresh      bool          // the user prompted, and no continuation followed
	sent       bool          // by a message or `onward resume`, of which the host of the agent knows nothing
	spent      int           // continuations since
	most       int           // of those, the ones that were not cut off with their run
	refunded   int           // of those, the ones that cost nothing, since an item moved
	unexcused  int           // of those, the ones whose turn did not fail for the host's limit
	running    bool          // a turn has begun, and has not ended
	since      time.Duration // when it began
	inTurn     bool          // a continuation has begun the turn whose end is not known
	moved      bool          // an item has moved further than ever since the last continuation
	limited    todo.Time     // until then the host refuses
	reset      todo.Time     // as the host has named it
	background []string      // work that runs beside the conversation
	busy       time.Duration // since when there is any
	compacting bool
	dropped    []todo.Item   // open items that an agent's own write left out
	worked     bool          // an item was ever completed
	failed     bool          // the last turn failed, and the host will not take another one
	failing    time.Duration // since when each turn has failed, otherwise than by a limit; 0 is not
	emptied    bool          // the agent itself has emptied a list on which nothing was open
	listed     bool          // there was a list
	open       int           // items
	early      string        // who reported something before there was one
	unclear    bool          // and it may be about the list of another conversation
	went       time.Duration // when it was last continued; below 0 is never
}

// of returns the record of a list.
func (r *referee) of(list string) *record {
	if r.lists[list] == nil {
		r.lists[list] = &record{furthest: map[string]int{}, answered: map[string]int{}, own: []map[string]string{nil}, claims: map[string]claim{}, completed: map[string]bool{}, passes: map[string][]string{}, truth: truth{went: -1}}
	}
	return r.lists[list]
}

// isList reports whether a key is that of a list.
func isList(k store.Key) bool { return k.Kind == session.Key(session.Name{}).Kind }

// sight is what a run of onward saw of a list when it read it last.
type sight struct {
	truth
	changes int
	first   time.Duration // when it read it first
	read    time.Duration // when it read it last, before it changed it
	own     int           // which settings were in force
	shared  int
}

// look notes that a run reads a list; changing, it is about to change it.
func (c *command) look(k store.Key, changing bool) {
	if k == schedule.Key(c.name) && len(c.toolCalls) > 0 {
		calls := schedule.Store{Backend: c.memory}
		doc, err := calls.Load(c.name)
		if err != nil {
			panic(err)
		}
		c.awaits, c.busy = len(schedule.With(doc.Of(""), schedule.Awaiting)) > 0, c.executing[k.Name] > 0
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

// committed follows a commit.
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
			return // marked for its deletion, which may be taken back
		}
		for _, s := range c.shifts {
			s.unsure = true // what the turn that runs will cost is reported to nobody
		}
		own := append(r.own, nil)
		*r = *newReferee().of("")
		r.own, r.changes = own, 1
		return
	}
	if doc.Rev == r.rev {
		return // it was marked for its deletion, and the mark is taken back
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
	c.enter(r) // a turn's end comes before its answer
	if last := doc.Continuation.Last; last != nil && last.Rev == doc.Rev {
		if last.Reason == continuation.Sent {
			c.spoke(r, doc)
		} else {
			c.continued(r, doc)
		}
	}
}

// sameItem reports whether an item is as it was.
func sameItem(a, b todo.Item) bool { return a.ID == b.ID && a.Status == b.Status }

// enter enters what the run means for a list, once.
func (c *command) enter(r *record) {
	if c.means == nil || c.meant {
		return
	}
	c.meant = true
	before := r.truth
	if c.means(&r.truth); r.rev == 0 {
		r.heard = 0 // nothing is kept of a prompt before there is a list
	}
	if !r.listed && before.told() != r.told() {
		r.early, r.unclear = c.actor.name, len(c.agents) > 1
	}
}

// told is everything that forbids or delays a continuation.
func (t truth) told() string {
	return fmt.Sprint(t.stopped, t.aborted, t.paused, t.asked, t.limited, t.background, t.compacting)
}

// acknowledge follows the end of a run that was not killed.
func (c *command) acknowledge(err error) {
	r := c.of(c.name.String())
	certain := !c.unsure && !errors.Is(err, store.ErrNotDurable)
	switch {
	case err != nil && certain && c.single && c.commits > 0:
		c.breaks(1, "%s was refused (%v), and done", c.did.What, err)
	case err == nil && c.single && c.commits > 1:
		c.breaks(1, "%s was done %d times", c.did.What, c.commits)
	}
	// Where nothing had to be written, it counts from now on, unless others came in between.
	if err == nil && c.commits == 0 && c.sights[c.name.String()].changes == r.changes {
		c.enter(r)
	}
}

// followItems compares a list with what it was before.
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
	}
	r.listed = r.listed || len(now) > 0
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

// advance notes how far an item or a subtask has come. One that is new has not moved.
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

// spending is what the caller of a question says that was spent; nil is not known.
type spending struct {
	usd    *float64
	tokens *int64
}

// over reports whether a budget is used up.
func (s spending) over(set continuation.Settings) bool {
	return set.MaxUSD > 0 && s.usd != nil && *s.usd >= set.MaxUSD || set.MaxTokens > 0 && s.tokens != nil && *s.tokens >= set.MaxTokens
}

// inForce returns the settings that a run may have followed: those when it read them last, and those since.
// A sub-agent's list has those of its agent's session too.
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

// ofList returns the own settings of a list when the run read it last, and those since.
func (c *command) ofList(list string) []map[string]string { return c.of(list).own[c.sights[list].own:] }

// all reports whether something holds for each of the settings that a run may have followed.
func all(sets []continuation.Settings, holds func(continuation.Settings) bool) bool {
	return !slices.ContainsFunc(sets, func(set continuation.Settings) bool { return !holds(set) })
}

// turnLasts is how long a turn goes on without a sign of life: ten minutes from the start of the command that began it,
// which may have waited for the store after that.
const turnLasts = 10*time.Minute - 15*time.Second

// forbidden checks what neither the list's prompt nor a message of the user overrides.
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

// atWork reports whether an agent that `onward run` has started is at work on the list, and was when the command read
// it last.
func (c *command) atWork() bool {
	return slices.ContainsFunc(c.shifts, func(s *shift) bool {
		return s.agent.list == c.name && s.agent.job != nil && s.agent.job.began < c.sights[c.name.String()].read
	})
}

// spoke follows a message of the user that was sent, which is a prompt.
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

// continued follows a continuation that was counted.
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
	case len(t.background) > 0 && c.at-t.busy < 30*time.Minute-2*time.Second && !c.jumped: // clocks of two machines differ by a second
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

// answered holds the answer to a question against what is true. A named operation may be one that was answered before.
func (c *command) answers(got ask.Answer, named bool) {
	d, list := got.Decision, c.name.String()
	c.count("onward", "answers "+d.Reason)
	sets := c.inForce(list)
	if d.Reason == "disabled" && all(sets, func(set continuation.Settings) bool { return set.Enabled }) {
		c.breaks(5, "nobody has switched it off, and the answer is disabled")
	}
	if d.Reason == "approval" && !c.awaits {
		c.breaks(3, "no call waits for an approval, and the answer is approval")
	}
	t := c.sights[list].truth
	switch {
	case c.went != nil:
		t = *c.went
	case c.means != nil:
		c.means(&t)
	}
	switch {
	case d.Outcome == continuation.Continue && c.went == nil && !named:
		c.breaks(9, "the agent is prompted, and that is not counted")
	case d.Outcome != continuation.Continue && c.went != nil:
		c.breaks(9, "a continuation is counted, and the answer is %s", d.Reason)
	}
	switch d.Outcome {
	case continuation.Continue:
		if c.went != nil { // else the answer to a named operation is told again
			c.deliver(got.Prompt())
			if d.Reason != continuation.Sent {
				c.left()
			}
		}
	case continuation.Finished:
		c.finished(t, got, sets)
	case continuation.Limit:
		c.limits(t, got.Decision.Reason, sets)
	}
	over := map[string]bool{"paused": t.paused, "aborted": t.aborted, "stopped": t.stopped, "question": t.asked}
	if holds, known := over[d.Reason]; known && !holds && t.fresh && !t.unclear {
		c.breaks(5, "the user has prompted since, and the answer is %s", d.Reason)
	}
}

// limits checks the end by a limit.
func (c *command) limits(t truth, reason string, sets []continuation.Settings) {
	ever := c.of(c.name.String()).ever
	least := slices.MinFunc(sets, func(a, b continuation.Settings) int {
		return min(a.MaxAttempts, a.MaxStagnation) - min(b.MaxAttempts, b.MaxStagnation)
	})
	began := cmp.Or(c.since, t.heard)
	switch {
	case reason == "budget":
		used := func(set continuation.Settings) bool {
			return c.spent.over(set) || c.nightly && (c.since == 0 || c.shifts[0].unsure) || set.MaxDuration > 0 && (c.jumped || began.Since(c.clock()) >= set.MaxDuration)
		}
		if all(sets, func(set continuation.Settings) bool { return !used(set) }) {
			c.breaks(3, "no budget is used up, and the answer is budget")
		}
	case reason == "gate" && !all(sets, func(set continuation.Settings) bool { return set.MaxGate > 1 }): // its first failure is the last
	case reason == "total" && len(c.shifts) > 0 && t.most < c.leastTotal(sets) && ever < 5*c.leastTotal(sets):
		c.breaks(3, "only %d continuations were not cut off, and the answer is total", t.most)
	case reason == "total" && (!t.fresh || !all(sets, func(set continuation.Settings) bool { return ever < 5*set.MaxTotal })):
	case reason == "limit_wait", reason == "host_cap" && t.sent: // the host's own limits
	case t.fresh:
		c.breaks(5, "the user has prompted, no continuation followed, and the answer is %s", reason)
	case t.moved && reason != "host_cap":
		c.breaks(3, "an item has moved since the last continuation, and the answer is %s", reason)
	case c.jumped: // whether a turn failed since the last continuation is known by the clock
	case (reason == "attempts" || reason == "stalled") && t.unexcused < min(least.MaxAttempts, least.MaxStagnation):
		c.breaks(7, "only %d continuations met an agent whose host took them, and the answer is %s", t.unexcused, reason)
	}
}

// finished checks that what is called done is done.
func (c *command) finished(t truth, got ask.Answer, sets []continuation.Settings) {
	counts := todo.Count(items(got.Doc))
	passed := slices.ContainsFunc(c.of(c.name.String()).proofs, func(p proof) bool {
		return p.passed && p.dir == c.place.Dir && p.ended >= c.began && slices.Contains(p.lists, todo.Digest(items(got.Doc))) &&
			slices.ContainsFunc(sets, func(set continuation.Settings) bool { return set.Gate == p.gate })
	})
	// The gate is about the whole work, and so not about a sub-agent's own list.
	gated := c.name.Agent == "" && all(sets, func(set continuation.Settings) bool { return set.Gate != "" })
	free := c.name.Agent != "" || all(sets, func(set continuation.Settings) bool { return set.Gate == "" })
	switch {
	case counts.Open > 0:
		c.breaks(4, "it is called done, and %s open", todo.Plural(counts.Open, "item"))
	case gated && !passed:
		c.breaks(4, "it is called done, and the gate has not passed for this list")
	case counts.Total == 0 && free && !t.emptied:
		c.breaks(4, "it is called done, and there is no list")
	case free && len(t.dropped) > 0:
		c.breaks(4, "it is called done, and the agent has dropped %s", todo.Plural(len(t.dropped), "open item"))
	case (t.failed || c.clock() < t.limited && !c.jumped) && !t.worked:
		c.breaks(4, "it is called done after a failed turn, and no item was ever completed")
	}
}

// message is one of the user's in the queue, or an agent's.
type message struct {
	text    string
	by      string // the agent; empty is the user
	list    string
	at      time.Duration
	sure    bool // it was acknowledged, and nobody else has removed it
	reached int  // how often it reached somebody
}

// deliver notes which messages a text brings.
func (c *command) deliver(text string) {
	for _, m := range c.messages {
		if !strings.Contains(text, m.text+".") {
			continue
		}
		if m.reached++; m.reached > 2 {
			c.breaks(8, "the message %q is delivered three times", m.text)
		}
	}
}

// left checks that what an agent has left goes out with the prompt.
func (c *command) left() {
	for _, m := range c.messages {
		if m.by != "" && m.sure && m.reached == 0 && m.list == c.name.String() && m.at < c.began {
			c.breaks(8, "a prompt goes out without the agent's %q", m.text)
		}
	}
}

// end checks what must have happened by the end of the night.
func (w *world) end() {
	for _, s := range w.shifts {
		if s.goes && w.lasts > night {
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

// added is an item that the user adds.
type added struct {
	text  string
	times int // it was committed
}
