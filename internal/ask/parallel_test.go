package ask

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestConversationsSideBySide saves inputs with several conversations. A conversation that takes over a list, because the one
// before it is over, leaves one list. Those that run side by side have a list each, whatever the order of their lines.
func TestConversationsSideBySide(t *testing.T) {
	begin := func(id string) string {
		return `{"type":"system","subtype":"init","session_id":"` + id + `","claude_code_version":"2.1.300","tools":["TaskCreate"]}` + "\n"
	}
	call := func(id, tool, input, result string) string {
		return fmt.Sprintf(`{"type":"assistant","session_id":"%s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_use","id":"t","name":"%s","input":%s}]}}
{"type":"user","session_id":"%s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]},"tool_use_result":%s}
`, id, tool, input, id, result)
	}
	create := func(id, n, text string) string {
		return call(id, "TaskCreate", `{"subject":"`+text+`"}`, `{"task":{"id":"`+n+`","subject":"`+text+`"}}`)
	}
	complete := func(id, n string) string {
		return call(id, "TaskUpdate", `{"taskId":"`+n+`","status":"completed"}`, `{"success":true,"taskId":"`+n+`"}`)
	}
	write := func(id, text string) string {
		todos := `{"todos":[{"content":"` + text + `","status":"pending"}]}`
		return call(id, "TodoWrite", todos, `{"newTodos":[{"content":"`+text+`","status":"pending"}]}`)
	}
	end := func(id string) string {
		return `{"type":"result","subtype":"success","is_error":false,"session_id":"` + id + `","result":"ok"}` + "\n"
	}
	served := func(id, typ, more string) string {
		return `{"id":"evt_1","type":"` + typ + `","properties":{"sessionID":"ses_` + id + `"` + more + `}}` + "\n"
	}
	busy := func(id string) string { return served(id, "session.status", `,"status":{"type":"busy"}`) }
	updated := func(id, text string) string {
		return served(id, "todo.updated", `,"todos":[{"content":"`+text+`","status":"pending"}]`)
	}
	for _, c := range []struct{ name, input, want string }{
		{
			"tasks with the same numbers",
			begin("a") + begin("b") + create("a", "1", "A1") + create("b", "1", "B1") + create("a", "2", "A2") + complete("b", "1") + complete("a", "1") + end("a") + end("b"),
			"b: B1 completed; s: A1 completed, A2 pending",
		},
		{
			"the later one begins with the list of the first one",
			begin("a") + create("a", "1", "A1") + begin("b") + create("b", "1", "B1") + complete("a", "1") + complete("b", "1") + end("b") + end("a"),
			"b: B1 completed; s: A1 completed",
		},
		{
			"lists that are written as a whole",
			begin("a") + write("a", "A1") + begin("b") + write("b", "B1") + write("a", "A2") + write("b", "B2") + end("a") + end("b"),
			"b: B2 pending; s: A2 pending",
		},
		{
			"three at once; the first one has no list before the others",
			begin("a") + begin("b") + write("b", "B1") + begin("c") + write("c", "C1") + write("b", "B2") + write("a", "A1") + end("c") + end("b") + end("a"),
			"b: B2 pending; c: C1 pending; s: A1 pending",
		},
		{
			"one after the other, the first of which was killed",
			begin("a") + create("a", "1", "A1") + begin("b") + create("b", "1", "B1") + complete("b", "1") + end("b"),
			"s: A1 pending, B1 completed",
		},
		{
			"the first one is resumed when the other one is over",
			begin("a") + write("a", "A1") + end("a") + begin("b") + write("b", "B1") + end("b") + begin("a") + write("a", "A2") + end("a"),
			"s: A2 pending",
		},
		{
			"two sessions of one server",
			busy("1") + updated("1", "A") + busy("2") + updated("2", "B") + served("2", "session.idle", "") + updated("1", "A2") + served("1", "session.idle", ""),
			"s: A2 pending; ses_2: B pending",
		},
	} {
		for _, each := range []bool{true, false} {
			var got []string
			for name, doc := range saved(t, []byte(c.input), each, nil) {
				var items []string
				for _, it := range doc.Todos.Current() {
					items = append(items, it.Content+" "+string(it.Status))
				}
				if doc.Continuation.Dropped != nil {
					items = append(items, "and lost ones")
				}
				got = append(got, name+": "+strings.Join(items, ", "))
			}
			slices.Sort(got)
			if got := strings.Join(got, "; "); got != c.want {
				t.Errorf("%s, flushed each time %v:\ngot  %s\nwant %s", c.name, each, got, c.want)
			}
		}
	}
}
