package agent

// summaryJSON is onward/ingest/v1: the totals of an input, and those of each session of an agent.
type summaryJSON struct {
	Schema   string       `json:"schema"`
	Lines    int          `json:"lines"`
	Bytes    int64        `json:"bytes"`
	Skipped  Skipped      `json:"skipped"`
	Streams  []streamJSON `json:"streams"`
	Earlier  Totals       `json:"earlier,omitzero"`
	Warnings []string     `json:"warnings,omitempty"`
	Warned   int          `json:"warned,omitzero"`
	Cut      int          `json:"cut,omitzero"`
}

type streamJSON struct {
	Kind         Kind      `json:"agent"`
	Format       Format    `json:"format"`
	Sessions     []string  `json:"sessions"`
	SubAgents    []string  `json:"sub_agents,omitempty"`
	Lines        int       `json:"lines"`
	Skipped      Skipped   `json:"skipped"`
	ItemsSkipped int       `json:"items_skipped,omitzero"`
	Lists        listsJSON `json:"lists"`
	Rejected     []Call    `json:"rejected,omitempty"`
	Unconfirmed  []Call    `json:"unconfirmed,omitempty"`
	Turns        []Turn    `json:"turns"`
	Earlier      Totals    `json:"earlier,omitzero"`
	TodoTool     TodoTool  `json:"todo_tool"`
	Hint         string    `json:"hint,omitzero"`
}

type listsJSON struct {
	Emitted     int `json:"emitted"`
	Rejected    int `json:"rejected"`
	Unconfirmed int `json:"unconfirmed"`
}

// Document returns the summary with the members of its JSON.
func (s *Summary) Document() any {
	doc := summaryJSON{
		Schema: "onward/ingest/v1", Lines: s.Lines, Bytes: s.Bytes, Skipped: s.Skipped,
		Earlier: s.Earlier, Warnings: s.Warnings, Warned: s.Warned, Cut: s.Cut,
	}
	for _, st := range s.Streams {
		doc.Streams = append(doc.Streams, streamJSON{
			Kind: st.Kind, Format: st.Format, Sessions: []string{st.Session}, SubAgents: st.SubAgents,
			Lines: st.Lines, Skipped: st.Skipped, ItemsSkipped: st.ItemsSkipped,
			Lists:    listsJSON{st.Lists, st.Rejected.Count, st.Unconfirmed.Count},
			Rejected: st.Rejected.Named, Unconfirmed: st.Unconfirmed.Named,
			Turns: st.Turns, Earlier: st.Earlier, TodoTool: st.TodoTool, Hint: st.Hint,
		})
	}
	return doc
}
