package continuation

import (
	"strings"
	"testing"
	"unicode/utf8"

	"onward/internal/session"
	"onward/internal/todo"
	"onward/test/storetest"
)

// FuzzFacts looks for facts that make the decision panic, or lead to a decision without a reason.
func FuzzFacts(f *testing.F) {
	f.Add([]byte(`{"tool_calls":1,"context_ratio":0.5,"spend_usd":1e3,"can_write":false,"agent_mode":"plan"}`))
	f.Add([]byte(`{"elapsed_ms":-9223372036854775808,"context_ratio":1e308}`))
	set, _, err := Resolve()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := ReadFacts(data)
		if err != nil {
			return
		}
		if d, _ := Decide(nil, facts, set, 1); d.Reason == "" {
			t.Fatalf("decided %+v", d)
		}
	})
}

// FuzzEvent looks for an event that is accepted and leaves a document that cannot be read again.
func FuzzEvent(f *testing.F) {
	for _, seed := range []string{
		`{"type":"user-prompt","text":"x","prompt_key":"k"}`, `{"type":"turn-end","tool_calls":3,"status":"failed","error_class":"auth"}`,
		`{"type":"todos","items":[{"id":"a","content":"a","status":"pending","subtasks":[{"id":"b","content":"b"}]}]}`,
		`{"type":"pause","reason":"why"}`, `{"type":"error","class":"auth","retry_after":"90s"}`, `{"type":"todos","items":[{"content":"a","status":"done"},null]}`, `{"type":"error","error_class":"rate_limit","retry_after_ms":9223372036854775807}`, `{"type":"background-start","id":"x","kind":"shell"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, _, err := ReadEvent(data)
		if err != nil || CheckEvent(e) != nil {
			return
		}
		doc := session.Document{Schema: session.Schema, Session: "s", Agent: session.Primary}
		if _, err := Apply(&doc, e, 1_767_258_000_000); err != nil {
			return
		}
		written, err := session.Encode(&doc)
		if err != nil {
			return
		}
		backend, name := storetest.NewMemory(), session.Name{Session: "s"}
		backend.Damage(session.Key(name), written)
		if _, err := (&session.Store{Backend: backend}).Load(name); err != nil {
			t.Fatalf("%s: %v in %s", data, err, written)
		}
	})
}

// FuzzSetting looks for a value of a setting that is accepted but cannot be used.
func FuzzSetting(f *testing.F) {
	for _, seed := range [][2]string{{"max-attempts", "3"}, {"countdown", "1h30m"}, {"max-usd", "1e9"}, {"yolo", "true"}, {"plan-agents", "a,b"}, {"no", ""}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, key, value string) {
		if _, err := CheckSetting(key, value); err != nil {
			return
		}
		get := func(k string) (string, bool) { return value, k == key }
		if _, _, err := Resolve(Source{Where: "session", Get: get}); err != nil {
			t.Fatalf("%s %q: %v", key, value, err)
		}
	})
}

// FuzzTemplate looks for a template that is accepted, and yields a prompt that is too long or not valid text.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"Go on with {task}.", "{status}\n\n{list}\n", "{prompt}", "{ task } {} } {", "{taks}", "\xff"} {
		f.Add(seed)
	}
	set, _, err := Resolve()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set := set
		if set.Template, err = ParseTemplate(text); err != nil {
			return
		}
		doc := document(item("a", todo.Completed), item("b", todo.InProgress), item("c", todo.Pending))
		if prompt := promptOf(t, doc, set); len(prompt) > maxPrompt || !utf8.ValidString(prompt) || !strings.HasPrefix(prompt, tag) {
			t.Fatalf("%d bytes: %q", len(prompt), prompt)
		}
	})
}
