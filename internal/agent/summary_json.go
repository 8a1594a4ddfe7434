package agent

import "onward/internal/object"

// JSON is onward/ingest/v1: the totals of an input, and those of each session of an agent.
func (s *Summary) JSON() []byte {
	w := object.NewWriter(1024)
	w.Open('{')
	w.String("schema", "onward/ingest/v1")
	w.Int("lines", s.Lines)
	w.Uint("bytes", uint64(s.Bytes))
	writeSkipped(w, s.Skipped)
	w.Name("streams")
	w.Open('[')
	for _, st := range s.Streams {
		st.write(w)
	}
	w.Close(']')
	writeTotals(w, s.Earlier)
	w.SomeStrings("warnings", s.Warnings)
	w.SomeInt("warned", s.Warned)
	w.SomeInt("cut", s.Cut)
	w.Close('}')
	return w.Bytes()
}

func (s *Stream) write(w *object.Writer) {
	w.Open('{')
	w.String("agent", string(s.Kind))
	w.String("format", string(s.Format))
	w.Strings("sessions", []string{s.Session})
	w.SomeStrings("sub_agents", s.SubAgents)
	w.Int("lines", s.Lines)
	writeSkipped(w, s.Skipped)
	w.SomeInt("items_skipped", s.ItemsSkipped)
	w.Name("lists")
	w.Open('{')
	w.Int("emitted", s.Lists)
	w.Int("rejected", s.Rejected.Count)
	w.Int("unconfirmed", s.Unconfirmed.Count)
	w.Close('}')
	writeCalls(w, "rejected", s.Rejected)
	writeCalls(w, "unconfirmed", s.Unconfirmed)
	w.Name("turns")
	w.Open('[')
	for _, t := range s.Turns {
		w.Open('{')
		w.String("status", string(t.Status))
		w.Int("tool_calls", t.ToolCalls)
		w.SomeString("error_class", string(t.ErrorClass))
		w.Close('}')
	}
	w.Close(']')
	writeTotals(w, s.Earlier)
	w.String("todo_tool", string(s.TodoTool))
	w.SomeString("hint", s.Hint)
	w.Close('}')
}

func writeCalls(w *object.Writer, name string, calls Calls) {
	if len(calls.Named) == 0 {
		return
	}
	w.Name(name)
	w.Open('[')
	for _, c := range calls.Named {
		w.Open('{')
		w.String("tool", c.Tool)
		w.String("id", c.ID)
		w.SomeString("sub_agent", c.SubAgent)
		w.Close('}')
	}
	w.Close(']')
}

func writeSkipped(w *object.Writer, s Skipped) {
	w.Name("skipped")
	w.Open('{')
	w.Int("not_json", s.NotJSON)
	w.Int("too_long", s.TooLong)
	w.Int("unknown_type", s.UnknownType)
	w.Close('}')
}

// writeTotals writes what is not reported one by one: sessions of the input, turns of a session.
func writeTotals(w *object.Writer, t Totals) {
	if t == (Totals{}) {
		return
	}
	w.Name("earlier")
	w.Open('{')
	w.SomeInt("streams", t.Streams)
	w.SomeInt("lists", t.Lists)
	w.Int("turns", t.Turns)
	w.Int("tool_calls", t.ToolCalls)
	w.Close('}')
}
