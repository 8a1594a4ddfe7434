//go:build unix

package torture

import (
	"encoding/json"
	"fmt"
	"sync"
)

// limit is the maximum of continuations in a round of questions.
const limit = 25

// questions is the work of processes that ask whether to continue. Each continuation must be counted, and the limit must hold.
type questions struct {
	*world
	mu     sync.Mutex
	rounds []*asked
}

// asked contains the answers about one session.
type asked struct {
	session   string
	yes, open int
	limited   bool // an answer was that the limit had been reached
}

func (q *questions) work(c *client, who int) {
	for n := 0; !c.ended(); n++ {
		q.mu.Lock()
		if len(q.rounds) == 0 || q.rounds[len(q.rounds)-1].limited {
			q.rounds = append(q.rounds, &asked{session: fmt.Sprint("asked", len(q.rounds))})
		}
		r := q.rounds[len(q.rounds)-1]
		q.mu.Unlock()
		a := c.try(job{session: r.session, op: fmt.Sprintf("ask%d.%d", who, n), args: []string{
			"check-continue", "-q", "--max-attempts", "100", "--max-stagnation", "100", "--max-total", fmt.Sprint(limit),
		}})
		q.mu.Lock()
		switch {
		case a.open():
			r.open++
		case a.code == 0:
			r.yes++
		case a.code == 12:
			r.limited = true
		}
		q.mu.Unlock()
		if a.code == 14 { // 14: there is no list yet
			_ = c.try(job{session: r.session, op: "begin", args: []string{"todo", "add", "go on"}})
		}
	}
}

// close compares the answers with the counters.
func (q *questions) close(c *client) {
	yes, counted, open, reached := 0, 0, 0, 0
	for _, r := range q.rounds {
		a, ok := c.must(job{session: r.session, args: []string{"session", "show", "--json"}})
		if !ok {
			continue
		}
		var doc struct {
			Continuation struct {
				Total int `json:"total_session"`
			}
		}
		if err := json.Unmarshal([]byte(a.out), &doc); err != nil {
			q.breaks("session show of %s: %v: %s", r.session, err, a.out)
			continue
		}
		n := doc.Continuation.Total
		yes, counted, open = yes+r.yes, counted+n, open+r.open
		if n < r.yes || n > r.yes+r.open {
			q.breaks("%s: %d answers of 0 and %d of unknown outcome, but the counter is %d", r.session, r.yes, r.open, n)
		}
		if n > limit || r.limited && n < limit {
			q.breaks("%s: the counter is %d, the limit %d, and it was reached: %v", r.session, n, limit, r.limited)
		}
		if r.limited {
			reached++
		}
	}
	q.report("check-continue: %d answers of 0 and %d of unknown outcome, the counters have %d; a limit of %d reached %d times", yes, open, counted, limit, reached)
}
