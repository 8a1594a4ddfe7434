package ask

import (
	"fmt"
	"strings"
	"testing"

	"onward/internal/todo"
)

// TestShareOf selects the tasks of one member from the list of its team. In the table, an item is its id, its status, its
// member, the items that it depends on, and the time of its last change.
func TestShareOf(t *testing.T) {
	read := func(text string) (items []todo.Item) {
		for line := range strings.SplitSeq(text, ",") {
			var it todo.Item
			var status, after string
			if n, _ := fmt.Sscan(line, &it.ID, &status, &it.Assignee, &after, &it.UpdatedAt); n == 5 {
				it.Status, it.Assignee = todo.Status(status), strings.Trim(it.Assignee, "-")
				if after != "-" {
					it.BlockedBy = []string{after}
				}
				items = append(items, it)
			}
		}
		return items
	}
	for _, c := range []struct{ name, team, has, member, want string }{
		{"nothing is assigned", "1 pending - - 1", "", "ann", ""},
		{"another's", "1 pending bob - 1", "", "ann", ""},
		{"its own", "1 pending ann - 1,2 pending bob - 1,3 completed ann - 1", "", "ann", "1 pending,3 completed"},
		{"a sub-agent without a name", "1 pending ann - 1", "", "", ""},
		{"completed by the leader", "1 completed ann - 5", "1 in_progress ann - 3", "ann", "1 completed"},
		{"blocked by the member with a command", "1 in_progress ann - 3", "1 blocked ann - 5", "ann", "1 blocked"},
		{"given to another", "1 pending bob - 5", "1 pending ann - 3", "ann", ""},
		{"deleted", "2 pending ann - 5", "1 pending ann - 3", "ann", "2 pending,1 pending"},
		{"waits for another's", "1 pending bob - 1,2 pending ann 1 1", "", "ann", ""},
		{"waits no longer", "1 completed bob - 1,2 pending ann 1 1", "", "ann", "2 pending"},
		{"a member that also has its own list", "1 pending ann - 1", "x pending - - 1", "ann", "1 pending,x pending"},
		{"its name is not known", "1 completed ann - 5", "1 pending ann - 3", "", "1 completed"},
	} {
		var got []string
		for _, it := range memberList(read(c.team), read(c.has), c.member) {
			got = append(got, it.ID+" "+string(it.Status))
		}
		if all := strings.Join(got, ","); all != c.want {
			t.Errorf("%s: got %q, want %q", c.name, all, c.want)
		}
	}
}
