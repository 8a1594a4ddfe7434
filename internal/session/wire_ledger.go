package session

import (
	"onward/internal/object"
	"onward/internal/todo"
)

func readLedger(r *object.Reader, l *Ledger) {
	l.Unknown = r.Object(func(name string) bool {
		switch name {
		case "prompt_key":
			l.PromptKey = r.String()
		case "prompt_at":
			l.PromptAt = readTime(r)
		case "turns":
			l.Turns = r.Int()
		case "attempts":
			l.Attempts = r.Int()
		case "stagnation":
			l.Stagnation = r.Int()
		case "total_prompt":
			l.TotalPrompt = r.Int()
		case "total_session":
			l.TotalSession = r.Int()
		case "tool_calls":
			l.ToolCalls = r.Int()
		case "pending_tool_calls":
			l.PendingCalls = r.Int()
		case "hook_blocks":
			l.HookBlocks = r.Strings()
		case "high_water":
			l.HighWater = readHighWater(r)
		case "last":
			if !r.Null() {
				l.Last = &Answer{}
				readAnswer(r, l.Last)
			}
		case "paused":
			if !r.Null() {
				l.Paused = &Paused{}
				readPaused(r, l.Paused)
			}
		case "stopped_at":
			l.StoppedAt = readTime(r)
		case "aborted_at":
			l.AbortedAt = readTime(r)
		case "error":
			if !r.Null() {
				l.Error = &Failure{}
				readFailure(r, l.Error)
			}
		case "recovering_at":
			l.RecoveringAt = readTime(r)
		case "compacting_at":
			l.CompactingAt = readTime(r)
		case "compacted_at":
			l.CompactedAt = readTime(r)
		case "question_at":
			l.QuestionAt = readTime(r)
		case "background":
			r.Array(func() {
				l.Background = append(l.Background, Task{})
				readTask(r, &l.Background[len(l.Background)-1])
			})
		case "waiting_since":
			l.WaitingSince = readTime(r)
		case "check_ins":
			l.CheckIns = r.Int()
		default:
			return false
		}
		return true
	})
}

func readHighWater(r *object.Reader) map[string]todo.Status {
	m := map[string]todo.Status{}
	r.Object(func(name string) bool {
		m[name] = todo.Status(r.String())
		return true
	})
	return m
}

func readAnswer(r *object.Reader, a *Answer) {
	a.Unknown = r.Object(func(name string) bool {
		switch name {
		case "at":
			a.At = readTime(r)
		case "rev":
			a.Rev = r.Uint64()
		case "action":
			a.Action = r.String()
		case "reason":
			a.Reason = r.String()
		case "key":
			a.Key = r.String()
		case "op":
			a.Op = r.String()
		case "tier":
			a.Tier = r.Word()
		case "allowed":
			a.Allowed = r.Int()
		default:
			return false
		}
		return true
	})
}

func readPaused(r *object.Reader, p *Paused) {
	p.Unknown = r.Object(func(name string) bool {
		switch name {
		case "reason":
			p.Reason = r.String()
		case "at":
			p.At = readTime(r)
		default:
			return false
		}
		return true
	})
}

func readFailure(r *object.Reader, f *Failure) {
	f.Unknown = r.Object(func(name string) bool {
		switch name {
		case "class":
			f.Class = r.String()
		case "at":
			f.At = readTime(r)
		case "count":
			f.Count = r.Int()
		case "retry_at":
			f.RetryAt = readTime(r)
		default:
			return false
		}
		return true
	})
}

func readTask(r *object.Reader, t *Task) {
	t.Unknown = r.Object(func(name string) bool {
		switch name {
		case "id":
			t.ID = r.String()
		case "kind":
			t.Kind = r.String()
		case "since":
			t.Since = readTime(r)
		default:
			return false
		}
		return true
	})
}

func writeLedger(w *object.Writer, l *Ledger) {
	w.Open('{')
	w.SomeString("prompt_key", l.PromptKey)
	w.SomeMillis("prompt_at", int64(l.PromptAt))
	w.Int("turns", l.Turns)
	w.Int("attempts", l.Attempts)
	w.Int("stagnation", l.Stagnation)
	w.Int("total_prompt", l.TotalPrompt)
	w.Int("total_session", l.TotalSession)
	w.Int("tool_calls", l.ToolCalls)
	w.SomeInt("pending_tool_calls", l.PendingCalls)
	w.SomeStrings("hook_blocks", l.HookBlocks)
	if len(l.HighWater) > 0 {
		w.Name("high_water")
		w.Open('{')
		for _, id := range sortedKeys(l.HighWater) {
			w.Key(id)
			w.Value(string(l.HighWater[id]))
		}
		w.Close('}')
	}
	if a := l.Last; a != nil {
		w.Name("last")
		w.Open('{')
		w.Millis("at", int64(a.At))
		w.Uint("rev", a.Rev)
		w.String("action", a.Action)
		w.String("reason", a.Reason)
		w.SomeString("key", a.Key)
		w.SomeString("op", a.Op)
		w.SomeString("tier", a.Tier)
		w.SomeInt("allowed", a.Allowed)
		w.Rest(a.Unknown)
		w.Close('}')
	}
	if p := l.Paused; p != nil {
		w.Name("paused")
		w.Open('{')
		w.String("reason", p.Reason)
		w.Millis("at", int64(p.At))
		w.Rest(p.Unknown)
		w.Close('}')
	}
	w.SomeMillis("stopped_at", int64(l.StoppedAt))
	w.SomeMillis("aborted_at", int64(l.AbortedAt))
	if f := l.Error; f != nil {
		w.Name("error")
		w.Open('{')
		w.String("class", f.Class)
		w.Millis("at", int64(f.At))
		w.Int("count", f.Count)
		w.SomeMillis("retry_at", int64(f.RetryAt))
		w.Rest(f.Unknown)
		w.Close('}')
	}
	w.SomeMillis("recovering_at", int64(l.RecoveringAt))
	w.SomeMillis("compacting_at", int64(l.CompactingAt))
	w.SomeMillis("compacted_at", int64(l.CompactedAt))
	w.SomeMillis("question_at", int64(l.QuestionAt))
	if len(l.Background) > 0 {
		w.Name("background")
		w.Open('[')
		for i := range l.Background {
			t := &l.Background[i]
			w.Open('{')
			w.String("id", t.ID)
			w.String("kind", t.Kind)
			w.Millis("since", int64(t.Since))
			w.Rest(t.Unknown)
			w.Close('}')
		}
		w.Close(']')
	}
	w.SomeMillis("waiting_since", int64(l.WaitingSince))
	w.SomeInt("check_ins", l.CheckIns)
	w.Rest(l.Unknown)
	w.Close('}')
}
