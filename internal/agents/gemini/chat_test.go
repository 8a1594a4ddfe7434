package gemini_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"onward/test/streamtest"
)

func TestGeminiChatTraps(t *testing.T) {
	for _, c := range []streamtest.Trap{
		{"a message is written again when its calls end; the display of a result has precedence", streamtest.ChatHead + `
{"id":"m1","timestamp":"2026-10-02T08:03:00.000Z","type":"user","content":[{"text":"do it"}]}
{"id":"m2","timestamp":"2026-10-02T08:03:01.000Z","type":"gemini","content":"","model":"m"}
{"id":"m2","timestamp":"2026-10-02T08:03:01.000Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"write_todos","args":{"todos":[{"description":"A","status":"pending"}]},"status":"executing"},{"id":"c2","name":"run_shell_command","args":{},"status":"executing"}]}
{"id":"m2","timestamp":"2026-10-02T08:03:01.000Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"write_todos","args":{"todos":[{"description":"A","status":"pending"}]},"status":"success","resultDisplay":{"todos":[{"description":"A!","status":"in_progress"},{"description":"B","status":"blocked"},{"description":"","status":"pending"}]}},{"id":"c2","name":"run_shell_command","args":{},"status":"success"}]}
{"$set":{"lastUpdated":"x"}}
{"id":"m2","timestamp":"2026-10-02T08:03:01.000Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"write_todos","args":{"todos":[]},"status":"success"}],"tokens":{}}
{"id":"m3","timestamp":"2026-10-02T08:03:02.000Z","type":"gemini","content":"Done.\nONWARD-PAUSE: why"}
`, `
2: turn-start google-gemini/g turn=1 at=2026-10-02T08:03:00.000Z
5: todos google-gemini/g turn=1 at=2026-10-02T08:03:01.000Z todo=c1 source=gemini {in_progress "A!", blocked "B"}
0: pause google-gemini/g turn=1 "why"
0: turn-end google-gemini/g turn=1 done tools=1
warning gemini g: item 3 of a list is left out: bad argument: the text is empty
`},
		{"calls without an id are distinguished; members of another type are ignored", streamtest.ChatHead + `
{"id":"m1","type":"user","content":"one"}
{"id":"m2","timestamp":null,"type":"gemini","content":null,"toolCalls":null}
{"id":"m2","type":"gemini","content":7,"toolCalls":["x",{"name":"write_todos","args":{"todos":[{"description":"A","status":"pending"}]},"status":"success","resultDisplay":"A"},{"name":"ls","status":"success"},{"name":"ls","status":null}]}
{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":null,"name":"write_todos","args":{"todos":[{"description":"A","status":"pending"}]},"status":"success","resultDisplay":{"todos":null}},{"name":"ls","status":"success"},{"name":"ls","status":"error"}]}
{"$set":null}
{"$set":{"messages":"none"}}
`, `
2: turn-start google-gemini/g turn=1
4: todos google-gemini/g turn=1 todo=m2-1 source=gemini {pending "A"}
0: turn-end google-gemini/g turn=1 cut_off tools=2 class=cut_off
`},
		{"how turns end", streamtest.ChatHead + `
{"id":"m1","type":"user","content":"one"}
{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"ls","status":"success"}]}
{"id":"m3","type":"user","content":"two"}
{"id":"m4","type":"gemini","content":"","toolCalls":[{"id":"c2","name":"ls","status":"cancelled"},{"id":"c3","name":"write_todos","args":{},"status":"cancelled","result":[{"functionResponse":{"response":{"error":"[Operation Cancelled]"}}}]}]}
{"id":"m5","type":"user","content":[{"functionResponse":{"name":"ls"}}]}
{"id":"m6","type":"user","content":"three"}
{"id":"m7","type":"error","content":"[API Error: got status: 429]"}
{"id":"m8","type":"user","content":"four"}
{"id":"m9","type":"info","content":"Request cancelled."}
{"id":"ma","type":"user","content":"five"}
{"id":"mb","type":"gemini","content":"","toolCalls":[{"id":"c4","name":"write_todos","args":{"todos":[]},"status":"awaiting_approval"}]}
`, `
2: turn-start google-gemini/g turn=1
4: turn-end google-gemini/g turn=1 cut_off tools=1 class=cut_off
4: turn-start google-gemini/g turn=2
7: turn-end google-gemini/g turn=2 aborted tools=1
7: turn-start google-gemini/g turn=3
9: turn-end google-gemini/g turn=3 failed tools=0 class=rate_limit
9: turn-start google-gemini/g turn=4
11: turn-end google-gemini/g turn=4 aborted tools=0
11: turn-start google-gemini/g turn=5
0: turn-end google-gemini/g turn=5 cut_off tools=0 class=cut_off
warning gemini g: write_todos c3 was rejected by the agent: "[Operation Cancelled]"
warning gemini g: write_todos c4 was called, but the stream does not show its result: not applied
`},
		{"a rewind restores the earlier list; a rewind to an unknown message reverts everything", streamtest.ChatHead + `
{"id":"m1","type":"user","content":"one"}
{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"write_todos","args":{"todos":[{"description":"A","status":"pending"}]},"status":"success"}]}
{"id":"m3","type":"gemini","content":"ok"}
{"id":"m4","type":"user","content":"two"}
{"id":"m5","type":"gemini","content":"","toolCalls":[{"id":"c2","name":"write_todos","args":{"todos":[{"description":"B","status":"pending"}]},"status":"success"}]}
{"id":"m6","type":"gemini","content":"","toolCalls":[{"id":"c3","name":"write_todos","args":{"todos":[{"description":"C","status":"pending"}]},"status":"success"}]}
{"id":"m7","type":"gemini","content":"ok"}
{"$rewindTo":"m4"}
{"id":"m8","type":"user","content":"three"}
{"id":"m9","type":"gemini","content":"ok"}
{"$rewindTo":"nobody"}
`, `
2: turn-start google-gemini/g turn=1
3: todos google-gemini/g turn=1 todo=c1 source=gemini {pending "A"}
5: turn-end google-gemini/g turn=1 done tools=0
5: turn-start google-gemini/g turn=2
6: todos google-gemini/g turn=2 todo=c2 source=gemini {pending "B"}
7: todos google-gemini/g turn=2 todo=c3 source=gemini {pending "C"}
9: turn-end google-gemini/g turn=2 done tools=0
9: todos google-gemini/g turn=2 source=gemini {pending "A"}
10: turn-start google-gemini/g turn=3
12: turn-end google-gemini/g turn=3 done tools=0
12: todos google-gemini/g turn=3 source=gemini {}
`},
		{"a compressed history starts no turn and repeats no list, unless the file has nothing else", streamtest.ChatHead + `
{"id":"m1","type":"user","content":"one"}
{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"write_todos","args":{"todos":[{"description":"A","status":"pending"}]},"status":"success"}]}
{"$set":{"messages":[{"id":"n1","type":"user","content":"<state_snapshot>"},{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"write_todos","args":{"todos":[]},"status":"success"}]}]}}
{"id":"m3","type":"gemini","content":"ok"}
{"sessionId":"k","projectHash":"h"}
{"$set":{"messages":[{"id":"m1","type":"user","content":"one"},{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"write_todos","args":{"todos":[{"description":"K","status":"pending"}]},"status":"success"}]}]}}
`, `
2: turn-start google-gemini/g turn=1
3: todos google-gemini/g turn=1 todo=c1 source=gemini {pending "A"}
6: turn-end google-gemini/g turn=1 done tools=0
7: turn-start google-gemini/k turn=1
7: todos google-gemini/k turn=1 todo=c1 source=gemini {pending "K"}
0: turn-end google-gemini/k turn=1 cut_off tools=0 class=cut_off
`},
		{"two tasks of the tracker with the same title; tasks from a list, and from an invalid one", streamtest.ChatHead + `
{"id":"m1","type":"user","content":"one"}
{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"tracker_create_task","args":{"title":"Test"},"status":"success","result":[{"functionResponse":{"response":{"output":"Created task aa0000: Test"}}}]}]}
{"id":"m3","type":"gemini","content":"","toolCalls":[{"id":"c2","name":"tracker_create_task","args":{"title":"Test","dependencies":["aa0000"]},"status":"success","result":[{"functionResponse":{"response":{"output":"Created task bb0000: Test"}}}],"resultDisplay":{"todos":[{"description":"[aa0000] [TASK] Test","status":"pending"},{"description":"[bb0000] [TASK] Test","status":"pending"}]}}]}
{"id":"m3b","type":"gemini","content":"","toolCalls":[{"id":"c2a","name":"tracker_create_task","args":{"title":"One"},"status":"success","resultDisplay":{"todos":[{"description":"[aa0000] [TASK] Test","status":"pending"},{"description":"[bb0000] [TASK] Test","status":"pending"},{"description":"[ee0000] [TASK] One","status":"pending"},{"description":"[ff0000] [TASK] Two","status":"pending"}]}},{"id":"c2b","name":"tracker_create_task","args":{"title":"Two","dependencies":["ee0000"]},"status":"success","resultDisplay":{"todos":[{"description":"[aa0000] [TASK] Test","status":"pending"},{"description":"[bb0000] [TASK] Test","status":"pending"},{"description":"[ee0000] [TASK] One","status":"pending"},{"description":"[ff0000] [TASK] Two","status":"pending"}]}}]}
{"id":"m4","type":"gemini","content":"","toolCalls":[{"id":"c3","name":"tracker_list_tasks","args":{"status":null},"status":"success","result":[{"functionResponse":{"response":{"output":"- [aa0000] Test (closed)\n- [bb0000] Test (in_progress)\n- [cc0000] (odd) (blocked)\n- [dd0000] what (no status)"}}}]}]}
{"id":"m5","type":"gemini","content":"","toolCalls":[{"id":"c4","name":"tracker_list_tasks","args":{},"status":"success","result":[{"functionResponse":{"response":{"output":"No tasks found matching the criteria."}}}]}]}
`, `
2: turn-start google-gemini/g turn=1
3: todos google-gemini/g turn=1 todo=c1 source=gemini {#aa0000 pending "Test"}
4: todos google-gemini/g turn=1 todo=c2 source=gemini {#aa0000 pending "Test", #bb0000 pending "Test" after aa0000}
5: todos google-gemini/g turn=1 todo=c2a source=gemini {#aa0000 pending "Test", #bb0000 pending "Test" after aa0000, #ee0000 pending "One", #ff0000 pending "Two"}
5: todos google-gemini/g turn=1 todo=c2b source=gemini {#aa0000 pending "Test", #bb0000 pending "Test" after aa0000, #ee0000 pending "One", #ff0000 pending "Two" after ee0000}
6: todos google-gemini/g turn=1 todo=c3 source=gemini {#aa0000 completed "Test" native=closed, #bb0000 in_progress "Test" after aa0000, #cc0000 blocked "(odd)", #ee0000 pending "One", #ff0000 pending "Two" after ee0000}
0: turn-end google-gemini/g turn=1 cut_off tools=0 class=cut_off
`},
		{"the tracker's tasks in newer versions; an unreadable source does not block the others", `
{"sessionId":"g","projectHash":"h"}
{"id":"m1","type":"user","content":"one"}
{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"tracker_create_task","args":{"title":"Ship (now)"},"status":"success","result":[{"functionResponse":{"response":{"output":"Created task 43aa00: Ship (now)"}}}],"resultDisplay":{"todos":[{"description":"epic: Ship (now) (43aa00)","status":"pending"}]}}]}
{"id":"m3","type":"gemini","content":"","toolCalls":[{"id":"c2","name":"tracker_create_task","args":{"title":"Code: it"},"status":"success","resultDisplay":{"todos":[{"description":"epic: Ship (now) (43aa00)","status":"pending"},{"description":"  task: Code: it (00ff11)","status":"in_progress"}]}}]}
{"id":"m4","type":"gemini","content":"","toolCalls":[{"id":"c3","name":"tracker_create_task","args":{"title":"Third"},"status":"success","result":[{"functionResponse":{"response":{"output":"Created task 0000aa: Third"}}}],"resultDisplay":{"todos":[{"description":"~ some new form ~","status":"pending"}]}}]}
`, `
2: turn-start google-gemini/g turn=1
3: todos google-gemini/g turn=1 todo=c1 source=gemini {#43aa00 pending "Ship (now)"}
4: todos google-gemini/g turn=1 todo=c2 source=gemini {#43aa00 pending "Ship (now)", #00ff11 in_progress "Code: it"}
5: todos google-gemini/g turn=1 todo=c3 source=gemini {#43aa00 pending "Ship (now)", #00ff11 in_progress "Code: it", #0000aa pending "Third"}
0: turn-end google-gemini/g turn=1 cut_off tools=0 class=cut_off
`},
		{"the tracker's tasks as a list, and as sentences; blocked is not in them; a sub-agent", `
{"sessionId":"sub","projectHash":"h","kind":"subagent"}
{"id":"m1","type":"user","content":"one"}
{"id":"m2","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"tracker_create_task","args":{"title":"Ship"},"status":"success","result":[{"functionResponse":{"response":{"output":"Created task 43aa00: Ship"}}}],"resultDisplay":{"todos":[{"description":"[43aa00] [EPIC] Ship","status":"pending"}]}}]}
{"id":"m3","type":"gemini","content":"","toolCalls":[{"id":"c2","name":"tracker_create_task","args":{"title":"Code","dependencies":["43aa00"]},"status":"success","result":[{"functionResponse":{"response":{"output":"Created task 00ff11: Code"}}}]}]}
{"id":"m4","type":"gemini","content":"","toolCalls":[{"id":"c3","name":"tracker_update_task","args":{"id":"00ff11","status":"blocked"},"status":"success","resultDisplay":{"todos":[{"description":"[43aa00] [EPIC] Ship","status":"pending"},{"description":"  [00ff11] [TASK] Code","status":"pending"},{"description":"    [CYCLE DETECTED: 43aa00]","status":"cancelled"}]}}]}
{"id":"m5","type":"gemini","content":"","toolCalls":[{"id":"c4","name":"tracker_get_task","args":{"id":"00ff11"},"status":"success","resultDisplay":{"todos":[{"description":"[43aa00] [EPIC] Ship","status":"pending"},{"description":"  [00ff11] [TASK] Code","status":"pending"}]}}]}
{"id":"m6","type":"gemini","content":"","toolCalls":[{"id":"c5","name":"tracker_update_task","args":{"id":"43aa00","status":"closed"},"status":"success","result":[{"functionResponse":{"response":{"output":"Updated task 43aa00. Status: closed"}}}]},{"id":"c6","name":"tracker_update_task","args":{"id":"abcdef"},"status":"error","result":[{"functionResponse":{"response":{"error":"Task with ID abcdef not found."}}}]}]}
`, `
2: turn-start google-gemini/sub+sub turn=1
3: todos google-gemini/sub+sub turn=1 todo=c1 source=gemini {#43aa00 pending "Ship"}
4: todos google-gemini/sub+sub turn=1 todo=c2 source=gemini {#43aa00 pending "Ship", #00ff11 pending "Code" after 43aa00}
5: todos google-gemini/sub+sub turn=1 todo=c3 source=gemini {#43aa00 pending "Ship", #00ff11 blocked "Code" after 43aa00}
7: todos google-gemini/sub+sub turn=1 todo=c5 source=gemini {#43aa00 completed "Ship" native=closed, #00ff11 blocked "Code" after 43aa00}
0: turn-end google-gemini/sub+sub turn=1 cut_off tools=0 class=cut_off
warning gemini sub: tracker_update_task c6 was rejected by the agent: "Task with ID abcdef not found."
`},
	} {
		c.Run(t)
	}
}

// TestTrackerInStream reads a stream of a version that reports the tracker's results.
func TestTrackerInStream(t *testing.T) {
	streamtest.Trap{"outputs name the tasks", `
{"type":"init","timestamp":"","session_id":"g"}
{"type":"tool_use","tool_name":"tracker_create_task","tool_id":"t1","parameters":{"title":"A"}}
{"type":"tool_use","tool_name":"tracker_create_task","tool_id":"t2","parameters":{"title":"B"}}
{"type":"tool_result","tool_id":"t2","status":"success","output":"Created task bbbbbb: B"}
{"type":"tool_result","tool_id":"t1","status":"success","output":"Created task aaaaaa: A"}
{"type":"tool_use","tool_name":"tracker_update_task","tool_id":"t3","parameters":{"id":"bbbbbb","status":"in_progress"}}
{"type":"tool_result","tool_id":"t3","status":"success","output":"Updated task bbbbbb. Status: in_progress"}
{"type":"tool_use","tool_name":"tracker_add_dependency","tool_id":"t4","parameters":{"taskId":"aaaaaa","dependencyId":"bbbbbb"}}
{"type":"tool_result","tool_id":"t4","status":"success","output":"Linked aaaaaa -> bbbbbb."}
{"type":"tool_use","tool_name":"tracker_list_tasks","tool_id":"t5","parameters":{}}
{"type":"tool_result","tool_id":"t5","status":"success","output":"- [aaaaaa] A (open)\n- [cccccc] C (x) (blocked)"}
{"type":"tool_use","tool_name":"tracker_list_tasks","tool_id":"t6","parameters":{"status":"open"}}
{"type":"tool_result","tool_id":"t6","status":"success","output":"- [aaaaaa] A (open)"}
{"type":"tool_use","tool_name":"tracker_create_task","tool_id":"t7","parameters":{"title":"D"}}
{"type":"result","timestamp":"","status":"success"}
`, `
1: turn-start google-gemini/g turn=1
4: todos google-gemini/g turn=1 todo=t2 source=gemini {#bbbbbb pending "B"}
5: todos google-gemini/g turn=1 todo=t1 source=gemini {#bbbbbb pending "B", #aaaaaa pending "A"}
7: todos google-gemini/g turn=1 todo=t3 source=gemini {#bbbbbb in_progress "B", #aaaaaa pending "A"}
9: todos google-gemini/g turn=1 todo=t4 source=gemini {#bbbbbb in_progress "B", #aaaaaa pending "A" after bbbbbb}
11: todos google-gemini/g turn=1 todo=t5 source=gemini {#aaaaaa pending "A" native=open after bbbbbb, #cccccc blocked "C (x)", #bbbbbb in_progress "B"}
15: turn-end google-gemini/g turn=1 done tools=0
warning gemini g: tracker_create_task t7 was called, but the stream does not show its result: not applied
`}.Run(t)
}

// TestTrackerWithMissingResults reads a stream that reports only some calls of the tracker. A later list of
// all tasks has the others.
func TestTrackerWithMissingResults(t *testing.T) {
	streamtest.Trap{"pieces", `
{"type":"init","timestamp":"","session_id":"g"}
{"type":"tool_use","tool_name":"tracker_create_task","tool_id":"t1","parameters":{"title":"A","type":"epic"}}
{"type":"tool_result","tool_id":"t1","status":"success","output":"Created task aaaaaa: A"}
{"type":"tool_use","tool_name":"tracker_create_task","tool_id":"t2","parameters":{"title":"B: with [x]","parentId":"aaaaaa","dependencies":["zzzzzz",null,7]}}
{"type":"tool_result","tool_id":"t2","status":"success","output":"Created task bbbbbb: B: with [x]"}
{"type":"tool_use","tool_name":"tracker_update_task","tool_id":"t3","parameters":{"id":"zzzzzz","status":"closed"}}
{"type":"tool_result","tool_id":"t3","status":"success","output":"Updated task zzzzzz. Status: closed"}
{"type":"tool_use","tool_name":"tracker_update_task","tool_id":"t4","parameters":{"id":"bbbbbb","status":"closed","title":null}}
{"type":"tool_result","tool_id":"t4","status":"success","output":"Updated task bbbbbb. Status: closed"}
{"type":"tool_use","tool_name":"tracker_create_task","tool_id":"t5","parameters":{"title":"C"}}
{"type":"tool_result","tool_id":"t5","status":"success"}
{"type":"tool_use","tool_name":"tracker_update_task","tool_id":"t6","parameters":{"id":"aaaaaa","status":"closed"}}
{"type":"tool_result","tool_id":"t6","status":"success","output":"Updated task aaaaaa. Status: closed"}
{"type":"tool_use","tool_name":"tracker_list_tasks","tool_id":"t7","parameters":{}}
{"type":"tool_result","tool_id":"t7","status":"success","output":"- [aaaaaa] A (closed)\n  - [bbbbbb] B: with [x] (closed)\n- [cccccc] C (open)\n- [zzzzzz] Z (closed)"}
{"type":"tool_use","tool_name":"tracker_update_task","tool_id":"t8","parameters":{"id":"cccccc","status":"in_progress"}}
{"type":"tool_result","tool_id":"t8","status":"success","output":"Updated task cccccc. Status: in_progress"}
`, `
1: turn-start google-gemini/g turn=1
3: todos google-gemini/g turn=1 todo=t1 source=gemini {#aaaaaa pending "A"}
5: todos google-gemini/g turn=1 todo=t2 source=gemini {#aaaaaa pending "A", #bbbbbb pending "B: with [x]" after zzzzzz,7}
9: todos google-gemini/g turn=1 todo=t4 source=gemini {#aaaaaa pending "A", #bbbbbb completed "B: with [x]" native=closed after zzzzzz,7}
15: todos google-gemini/g turn=1 todo=t7 source=gemini {#aaaaaa completed "A" native=closed, #bbbbbb completed "B: with [x]" native=closed after zzzzzz,7, #cccccc pending "C" native=open, #zzzzzz completed "Z" native=closed}
17: todos google-gemini/g turn=1 todo=t8 source=gemini {#aaaaaa completed "A" native=closed, #bbbbbb completed "B: with [x]" native=closed after zzzzzz,7, #cccccc in_progress "C", #zzzzzz completed "Z" native=closed}
0: turn-end google-gemini/g turn=1 cut_off tools=0 class=cut_off
warning gemini g: "t3" changed a task that was made before this stream; it is not followed until the tasks are listed
warning gemini g: the task tracker is used, and this stream leaves out what it did; the chat recording tells it: ingest ~/.gemini/tmp/…/chats/session-….jsonl
`}.Run(t)
}

// TestGeminiChatAsOneObject reads the old format, one object over many lines, in all layouts in which it occurs.
func TestGeminiChatAsOneObject(t *testing.T) {
	const chat = `{"sessionId":"g","projectHash":"h","startTime":"","lastUpdated":"","messages":[
{"id":"m1","timestamp":"","type":"user","content":"one {[\"\\"},
{"id":"m2","timestamp":"","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"write_todos","args":{"todos":[{"description":"A","status":"pending"}]},"status":"success"}]},
{"id":"m3","timestamp":"","type":"gemini","content":"ok"}]}`
	const want = `todos google-gemini/g turn=1 todo=c1 source=gemini {pending "A"}
turn-end google-gemini/g turn=1 done tools=0
`
	first := func(names ...string) string {
		var members map[string]json.RawMessage
		if json.Unmarshal([]byte(chat), &members) != nil {
			t.Fatal("the test's own JSON is bad")
		}
		text := "{\n"
		for _, name := range names {
			text += `  "` + name + `": ` + string(members[name]) + ",\n"
		}
		return text + `  "summary": ""` + "\n}\n"
	}
	var pretty, compact bytes.Buffer
	if json.Indent(&pretty, []byte(chat), "", "  ") != nil || json.Compact(&compact, []byte(chat)) != nil {
		t.Fatal("the test's own JSON is bad")
	}
	for name, input := range map[string]string{
		"pretty":          pretty.String(),
		"compact":         compact.String(),
		"sorted":          first("lastUpdated", "messages", "projectHash", "sessionId", "startTime"),
		"messages first":  first("messages", "sessionId", "projectHash"),
		"CRLF":            "\ufeff" + strings.ReplaceAll(pretty.String(), "\n", "\r\n"),
		"among others":    "x\n{\nno\n" + pretty.String() + "\n{\"type\":\"new\"}\n",
		"after an object": streamtest.CodexRun + "\n" + pretty.String(),
	} {
		got := streamtest.UpdatesOnly(streamtest.Play(t, input))
		if !strings.HasSuffix(got, want) {
			t.Errorf("%s: got:\n%s", name, got)
		}
		streamtest.Agree(t, []byte(input))
	}
}
