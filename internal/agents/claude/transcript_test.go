package claude_test

import (
	"strings"
	"testing"

	"onward/internal/agents"
	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/native"
	"onward/internal/todo"
	"onward/test/streamtest"
)

func TestClaudeTranscriptTraps(t *testing.T) {
	const listA, listB = `{"todos":[{"content":"A","status":"pending","activeForm":"doing A"}]}`, `{"todos":[{"content":"B","status":"completed","activeForm":"doing B"}]}`
	for _, c := range []streamtest.Trap{
		{"results decide; a missing call, a rejected one, and one without a result", `
{"type":"summary","summary":"x","leafUuid":"l"}
{"type":"file-history-snapshot","messageId":"m","snapshot":{}}
{"type":"queue-operation","sessionId":"s"}
` + streamtest.Prompted("u1", "null", "do it") +
			streamtest.Calls("u2", "t1", "TodoWrite", listA) + streamtest.Results("u3", "t1", "ok", `{"oldTodos":[],"newTodos":[{"content":"A!","status":"in_progress","activeForm":"doing A"}]}`) +
			streamtest.Calls("u4", "t2", "TodoWrite", listB) + streamtest.Results("u5", "t2", "<tool_use_error>InputValidationError: x", `"InputValidationError: x"`) +
			streamtest.Results("u6", "t9", "ok", `{"oldTodos":[],"newTodos":[{"content":"B","status":"pending","priority":"low","id":"1"}]}`) +
			streamtest.Calls("u7", "t3", "Bash", "{}") + streamtest.Results("u8", "t3", "ok", `{"stdout":"newTodos"}`) +
			`{"type":"api-request-blob","uuid":null,"sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t4","content":"ok"}]}}` + "\n" +
			streamtest.Calls("u9", "t4", "TodoWrite", listA), `
4: turn-start claude-code/s turn=1
6: todos claude-code/s turn=1 todo=t1 source=claude {in_progress "A!" ("doing A")}
9: todos claude-code/s turn=1 todo=t9 source=claude {#1 pending "B" !low}
0: turn-end claude-code/s turn=1 cut_off tools=1 class=cut_off
warning claude s: TodoWrite t2 was rejected by the agent: "InputValidationError: x"
warning claude s: TodoWrite t4 was called, but the stream does not show its result: not applied
`},
		{
			"an interrupt while Stop hooks run, told twice; one of a command before its first answer",
			streamtest.Prompted("u1", "null", "one") + streamtest.Said("assistant", "u2", "u1", `"message":{"id":"m1","content":[{"type":"text","text":"Planned."}],"stop_reason":"end_turn"}`) +
				streamtest.Prompted("u3", "u2", "[Request interrupted by user]") + streamtest.Prompted("u4", "u3", "[Request interrupted by user]") +
				streamtest.Prompted("v1", "u4", "two") + streamtest.Answered("v2", "done", "null") + streamtest.Said("system", "v3", "v2", `"subtype":"turn_duration","durationMs":5`) +
				streamtest.Prompted("w1", "v3", "<command-message>review</command-message>") + streamtest.Said("user", "w2", "w1", `"isMeta":true,"message":{"content":"Base directory for this skill: /w"}`) +
				streamtest.Prompted("w3", "w2", "[Request interrupted by user]"), `
1: turn-start claude-code/s turn=1
2: turn-end claude-code/s turn=1 done tools=0
3: turn-start claude-code/s turn=2 inferred=turn
3: turn-end claude-code/s turn=2 aborted tools=0
5: turn-start claude-code/s turn=3
7: turn-end claude-code/s turn=3 done tools=0
10: turn-start claude-code/s turn=4
10: turn-end claude-code/s turn=4 aborted tools=0
`,
		},
		{
			"a prompt that quotes an interrupt",
			streamtest.Prompted("u1", "null", "[Request interrupted by user] is what the log says: why?") + streamtest.Answered("u2", "done", "null") +
				streamtest.Said("system", "u3", "u2", `"subtype":"turn_duration","durationMs":5`), `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 done tools=0
`,
		},
		{"a prompt that an old version wrote under another session's id, and its answer", `
{"type":"user","parentUuid":null,"uuid":"1","sessionId":"A","timestamp":"2025-06-15T10:00:00.000Z","version":"1.0.24","message":{"role":"user","content":"one"}}
{"type":"assistant","parentUuid":"1","uuid":"2","sessionId":"A","timestamp":"2025-06-15T10:00:01.000Z","version":"1.0.24","message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"id":"m2"}}
{"type":"user","parentUuid":"2","uuid":"3","sessionId":"B","timestamp":"2025-06-15T10:01:00.000Z","version":"1.0.24","message":{"role":"user","content":"two"}}
{"type":"assistant","parentUuid":"3","uuid":"4","sessionId":"A","timestamp":"2025-06-15T10:01:01.000Z","version":"1.0.24","message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"id":"m4"}}
`, `
1: turn-start claude-code/A turn=1 at=2025-06-15T10:00:00.000Z
3: turn-start claude-code/B turn=1 at=2025-06-15T10:01:00.000Z
4: turn-end claude-code/B turn=1 at=2025-06-15T10:01:01.000Z done tools=0
4: turn-end claude-code/A turn=1 done tools=0
4: turn-start claude-code/A turn=2 at=2025-06-15T10:01:01.000Z inferred=turn
0: turn-end claude-code/A turn=2 done tools=0
`},
		{
			"ends of turns: reported, inferred, interrupted, failed, measured, cut off; notes and commands are not prompts",
			streamtest.Prompted("u1", "null", "one") + streamtest.Answered("u2", "hm", "tool_use") + streamtest.Calls("u3", "t1", "Bash", "{}") + streamtest.Results("u4", "t1", "ok", "{}") +
				streamtest.Said("assistant", "u5", "p", `"message":{"id":"mx","content":[{"type":"thinking","thinking":"x"}],"stop_reason":"end_turn"}`) +
				streamtest.Said("assistant", "u6", "p", `"message":{"id":"mx","content":[{"type":"text","text":"ONWARD-PAUSE: why"}],"stop_reason":"end_turn"}`) +
				streamtest.Said("assistant", "u7", "p", `"message":{"id":"mx","content":[{"type":"text","text":"more"}],"stop_reason":"end_turn"}`) +
				streamtest.Prompted("v1", "u7", "two") + streamtest.Answered("v2", "done", "null") +
				streamtest.Prompted("w1", "v2", "three") + streamtest.Calls("w2", "t2", "Bash", "{}") + streamtest.Results("w3", "t2", "rejected", `"Error"`) +
				streamtest.Said("user", "w4", "w3", `"message":{"content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]}`) +
				streamtest.Said("assistant", "w5", "w4", `"message":{"id":"y","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}],"stop_reason":"stop_sequence"}`) +
				streamtest.Prompted("x1", "w5", "four") + streamtest.Said("assistant", "x2", "x1", `"isApiErrorMessage":true,"error":"rate_limit","message":{"id":"z","model":"<synthetic>","content":[{"type":"text","text":"API Error: 429 x"}],"stop_reason":"stop_sequence"}`) +
				streamtest.Said("user", "y0", "x2", `"isMeta":true,"message":{"content":"Caveat: x"}`) +
				streamtest.Prompted("y1", "y0", "<command-name>/config</command-name>") + streamtest.Prompted("y2", "y1", "<local-command-stdout>x</local-command-stdout>") +
				streamtest.Prompted("z1", "y2", "<command-message>go</command-message>") + streamtest.Answered("z2", "done", "null") + streamtest.Said("system", "z3", "z2", `"subtype":"turn_duration","durationMs":5`) +
				streamtest.Said("user", "z4", "z3", `"isCompactSummary":true,"message":{"content":"This session is being continued"}`) +
				streamtest.Prompted("a1", "z4", "six") + streamtest.Calls("a2", "t3", "Bash", "{}"), `
1: turn-start claude-code/s turn=1
6: pause claude-code/s turn=1 "why"
6: turn-end claude-code/s turn=1 done tools=1
8: turn-start claude-code/s turn=2
10: turn-end claude-code/s turn=2 done tools=0
10: turn-start claude-code/s turn=3
13: turn-end claude-code/s turn=3 aborted tools=1
15: turn-start claude-code/s turn=4
16: turn-end claude-code/s turn=4 failed tools=0 class=rate_limit
21: turn-start claude-code/s turn=5
22: turn-end claude-code/s turn=5 done tools=0
24: turn-start claude-code/s turn=6
0: turn-end claude-code/s turn=6 cut_off tools=1 class=cut_off
`,
		},
		{
			"lines of sub-agents, recognised by their prompts; one that no call started",
			streamtest.Prompted("u1", "null", "one") + streamtest.Calls("u2", "t1", "Task", `{"prompt":"sub prompt"}`) + `
{"parentUuid":null,"isSidechain":true,"type":"user","message":{"content":"sub prompt"},"uuid":"s1","sessionId":"s"}
{"parentUuid":"s1","isSidechain":true,"type":"assistant","message":{"id":"q","content":[{"type":"tool_use","id":"st","name":"TodoWrite","input":{"todos":[{"content":"S","status":"pending"}]}},{"type":"tool_use","id":"sb","name":"Bash","input":{}}]},"uuid":"s2","sessionId":"s"}
{"parentUuid":"s2","isSidechain":true,"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"st","content":"ok"}]},"uuid":"s3","sessionId":"s","toolUseResult":{"oldTodos":[],"newTodos":[{"content":"S!","status":"pending"}]}}
{"parentUuid":"s3","isSidechain":true,"type":"assistant","message":{"id":"q2","content":[{"type":"text","text":"bye"}],"stop_reason":"end_turn"},"uuid":"s4","sessionId":"s"}
{"parentUuid":null,"isSidechain":true,"type":"assistant","message":{"id":"o","content":[{"type":"tool_use","id":"ot","name":"TodoWrite","input":{"todos":[]}}]},"uuid":"o1","sessionId":"s"}
{"parentUuid":"o1","isSidechain":true,"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"ot","content":"ok"}]},"uuid":"o2","sessionId":"s"}
` + streamtest.Results("u3", "t1", "ok", `{}`) + streamtest.Answered("u4", "done", "end_turn"), `
1: turn-start claude-code/s turn=1
5: todos claude-code/s+t1 parent=t1 turn=1 todo=st source=claude {pending "S!"}
8: todos claude-code/s+o1 turn=1 todo=ot source=claude {}
10: turn-end claude-code/s turn=1 done tools=1
`,
		},
		{"a sub-agent's own file, after the session's", streamtest.Prompted("u1", "null", "one") + streamtest.Calls("u2", "t1", "Agent", `{"prompt":"x"}`) +
			streamtest.Results("u3", "t1", "Async agent launched", `{"isAsync":true,"agentId":"a1b2"}`) + streamtest.Answered("u4", "done", "end_turn") + `
{"parentUuid":null,"isSidechain":true,"agentId":"a1b2","type":"user","message":{"content":"x"},"uuid":"s1","sessionId":"s"}
{"parentUuid":"s1","isSidechain":true,"agentId":"a1b2","type":"assistant","message":{"content":[{"type":"tool_use","id":"b1","name":"Bash","input":{}}]},"uuid":"s2","sessionId":"s"}
{"parentUuid":"s2","isSidechain":true,"agentId":"a1b2","type":"assistant","message":{"content":[{"type":"tool_use","id":"st","name":"TodoWrite","input":{"todos":[]}}]},"uuid":"s3","sessionId":"s"}
{"parentUuid":"s3","isSidechain":true,"agentId":"a1b2","type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"st","content":"ok"}]},"uuid":"s4","sessionId":"s","toolUseResult":{"newTodos":[{"content":"S","status":"in_progress"}]}}
{"parentUuid":null,"isSidechain":true,"agentId":"c3","type":"user","message":{"content":"y"},"uuid":"r1","sessionId":"other"}
`, `
1: turn-start claude-code/s turn=1
4: turn-end claude-code/s turn=1 done tools=1
8: todos claude-code/s+a1b2 parent=t1 turn=1 todo=st source=claude {in_progress "S"}
`},
		{
			"duplicated lines count once; a fork with another id repeats its lines",
			streamtest.Prompted("u1", "null", "one") + streamtest.Calls("u2", "t1", "Bash", "{}") + streamtest.Calls("u2", "t1", "Bash", "{}") +
				streamtest.Calls("u3", "t2", "TodoWrite", listA) + streamtest.Results("u4", "t2", "ok", `{"newTodos":[{"content":"A","status":"pending"}]}`) + streamtest.Answered("u5", "x", "end_turn") +
				streamtest.Prompted("u1", "null", "one") + streamtest.Calls("u2", "t1", "Bash", "{}") + streamtest.Results("u4", "t2", "ok", `{"newTodos":[{"content":"A","status":"pending"}]}`) + streamtest.Answered("u5", "x", "end_turn") +
				strings.ReplaceAll(streamtest.Prompted("u1", "null", "one")+streamtest.Results("u4", "t2", "ok", `{"newTodos":[{"content":"A","status":"pending"}]}`)+streamtest.Answered("u5", "x", "end_turn"), `"sessionId":"s"`, `"sessionId":"f"`), `
1: turn-start claude-code/s turn=1
5: todos claude-code/s turn=1 todo=t2 source=claude {pending "A"}
6: turn-end claude-code/s turn=1 done tools=1
11: turn-start claude-code/f turn=1
12: todos claude-code/f turn=1 todo=t2 source=claude {pending "A"}
13: turn-end claude-code/f turn=1 done tools=0
`,
		},
		{
			"after the user goes back, the list is the one from that point; tasks stay, also in a session that continues",
			streamtest.Prompted("u1", "r", "one") + streamtest.Results("u2", "t1", "ok", `{"newTodos":[{"content":"A","status":"pending"}]}`) + streamtest.Answered("u3", "x", "end_turn") +
				streamtest.Prompted("u4", "u3", "two") + streamtest.Results("u5", "t2", "ok", `{"newTodos":[{"content":"B","status":"pending"}]}`) + streamtest.Answered("u6", "x", "end_turn") +
				streamtest.Prompted("u7", "u3", "two, better") + streamtest.Answered("u8", "x", "end_turn") +
				streamtest.Calls("v1", "t3", "TaskCreate", `{"subject":"T"}`) + streamtest.Results("v2", "t3", "Task #1 created successfully: T", `{"task":{"id":"1","subject":"T"}}`) +
				strings.ReplaceAll(streamtest.Prompted("v3", "v2", "three")+streamtest.Calls("v4", "t4", "TaskUpdate", `{"taskId":"1","status":"completed"}`)+streamtest.Results("v5", "t4", "Updated task #1 status", `{"success":true,"taskId":"1"}`), `"sessionId":"s"`, `"sessionId":"n"`), `
1: turn-start claude-code/s turn=1
2: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
3: turn-end claude-code/s turn=1 done tools=0
4: turn-start claude-code/s turn=2
5: todos claude-code/s turn=2 todo=t2 source=claude {pending "B"}
6: turn-end claude-code/s turn=2 done tools=0
7: todos claude-code/s turn=2 source=claude {pending "A"}
7: turn-start claude-code/s turn=3
8: turn-end claude-code/s turn=3 done tools=0
9: turn-start claude-code/s turn=4 inferred=turn
10: todos claude-code/s turn=4 todo=t3 source=claude {#1 pending "T"}
11: turn-start claude-code/n turn=1
13: todos claude-code/n turn=1 todo=t4 source=claude {#1 completed "T"}
0: turn-end claude-code/s turn=4 cut_off tools=0 class=cut_off
0: turn-end claude-code/n turn=1 cut_off tools=0 class=cut_off
`,
		},
		{"after the user goes back to the first message there is no list; lines without parents are not a step back", streamtest.Prompted("u1", "null", "one") +
			streamtest.Results("u2", "t1", "ok", `{"newTodos":[{"content":"A","status":"pending"}]}`) + streamtest.Answered("u3", "x", "end_turn") +
			streamtest.Prompted("u4", "null", "one, better") + streamtest.Answered("u5", "x", "end_turn") +
			strings.NewReplacer(`"p"`, "null", `"sessionId":"s"`, `"sessionId":"n"`).Replace(streamtest.Prompted("v1", "null", "one")+
				streamtest.Results("v2", "t2", "ok", `{"newTodos":[{"content":"B","status":"pending"}]}`)+streamtest.Answered("v3", "x", "end_turn")+
				streamtest.Prompted("v4", "null", "two")+streamtest.Answered("v5", "x", "end_turn")), `
1: turn-start claude-code/s turn=1
2: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
3: turn-end claude-code/s turn=1 done tools=0
4: todos claude-code/s turn=1 source=claude {}
4: turn-start claude-code/s turn=2
5: turn-end claude-code/s turn=2 done tools=0
6: turn-start claude-code/n turn=1
7: todos claude-code/n turn=1 todo=t2 source=claude {pending "B"}
8: turn-end claude-code/n turn=1 done tools=0
9: turn-start claude-code/n turn=2
10: turn-end claude-code/n turn=2 done tools=0
`},
		{"a conversation that is cleared has no list", streamtest.Prompted("u1", "null", "one") + streamtest.Results("u2", "t1", "ok", `{"newTodos":[{"content":"A","status":"pending"}]}`) +
			streamtest.Answered("u3", "x", "end_turn") + streamtest.Prompted("u4", "u3", "<command-name>/clear</command-name>"), `
1: turn-start claude-code/s turn=1
2: todos claude-code/s turn=1 todo=t1 source=claude {pending "A"}
3: turn-end claude-code/s turn=1 done tools=0
4: todos claude-code/s turn=1 source=claude {}
`},
		{"the stream and the transcript of one agent in one input", streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone + streamtest.Prompted("u1", "null", "one") + streamtest.Answered("u2", "x", "end_turn") + streamtest.ClaudeInit + streamtest.ClaudeFirst + streamtest.ClaudeDone, `
1: turn-start claude-code/s turn=1
3: turn-end claude-code/s turn=1 done tools=0
4: turn-start claude-code/s turn=1
5: turn-end claude-code/s turn=1 done tools=0
6: turn-start claude-code/s turn=2
8: turn-end claude-code/s turn=2 done tools=0
`},
	} {
		c.Run(t)
	}
}

// TestTranscriptOfSavedSession reads the transcript of a session whose list was saved. Read from its beginning, the transcript has
// the whole list; read from the middle, its calls change the saved list.
func TestTranscriptOfSavedSession(t *testing.T) {
	input := streamtest.Prompted("u1", "null", "one") + streamtest.Calls("u2", "t1", "TaskCreate", `{"subject":"A"}`) + streamtest.Results("u3", "t1", "Task #1 created successfully: A", `{"task":{"id":"1","subject":"A"}}`)
	saved := func(o *stream.Options) {
		o.Saved = func(stream.Kind, string) native.SavedList {
			return native.SavedList{Items: []todo.Item{{ID: "1", Content: "A", Status: todo.Completed}}}
		}
	}
	if got := streamtest.Play(t, input, saved); !strings.Contains(got, `{#1 pending "A"}`) {
		t.Errorf("from the beginning:\n%s", got)
	}
	input = streamtest.Prompted("u4", "u3", "two") + streamtest.Calls("u5", "t2", "TaskCreate", `{"subject":"B"}`) + streamtest.Results("u6", "t2", "Task #2 created successfully: B", `{"task":{"id":"2","subject":"B"}}`)
	if got := streamtest.Play(t, input, saved); !strings.Contains(got, `{#1 completed "A", #2 pending "B"}`) {
		t.Errorf("from the middle:\n%s", got)
	}
}

// TestTranscriptHint checks that the hint is printed only for versions in which the todo tools may be disabled.
func TestTranscriptHint(t *testing.T) {
	for version, want := range map[string]bool{"2.1.300": true, "2.1.233": true, "2.1.232": false, "1.0.90": false, "": true, "odd": true} {
		input := strings.ReplaceAll(streamtest.Prompted("u1", "null", "one")+streamtest.Answered("u2", "x", "end_turn"), "2.1.300", version)
		r := agents.NewReader(strings.NewReader(input), stream.Options{})
		streamtest.Drain(t, r)
		if got := r.Summary().Streams[0].Hint; (got != "") != want {
			t.Errorf("%q: hint %q", version, got)
		}
	}
	r := agents.NewReader(strings.NewReader(streamtest.Prompted("u1", "null", "one")+streamtest.Calls("u2", "t1", "TaskList", "{}")+streamtest.Results("u3", "t1", "No tasks found", `{"tasks":[]}`)), stream.Options{})
	streamtest.Drain(t, r)
	if got := r.Summary().Streams[0].Hint; got != "" {
		t.Errorf("an empty list was shown: hint %q", got)
	}
}

// TestResumedLinesCountOnce reads a session whose lines were copied when it was resumed, with new ids
// and with the id of another session. They must count once.
func TestResumedLinesCountOnce(t *testing.T) {
	call := func(line string) string {
		return streamtest.Calls("u"+line, "t1", "TodoWrite", `{"todos":[]}`) + streamtest.Results("r"+line, "t1", "ok", `{"newTodos":[{"content":"A","status":"pending"}]}`)
	}
	first := streamtest.Prompted("p1", "null", "do it") + call("1")
	for name, copied := range map[string]string{
		"new lines":                     call("2"),
		"another session":               strings.ReplaceAll(first, `"sessionId":"s"`, `"sessionId":"resumed"`),
		"new lines of another session":  strings.ReplaceAll(streamtest.Prompted("p2", "null", "do it")+call("2"), `"sessionId":"s"`, `"sessionId":"resumed"`),
		"the same lines, word for word": first,
	} {
		r := agents.NewReader(strings.NewReader(first+copied), stream.Options{})
		updates, lists, last := streamtest.Drain(t, r), 0, ""
		for _, s := range r.Summary().Streams {
			lists += s.Lists.Emitted
		}
		for _, u := range updates {
			if u.Event.Type == continuation.Todos {
				last = u.Session
			}
		}
		want := "s"
		if strings.Contains(name, "session") {
			want = "resumed"
		}
		if lists != 1 || last != want {
			t.Errorf("%s: %d updates, and the last list is %s's", name, lists, last)
		}
	}
}
