package render

import (
	"strconv"

	"onward/internal/object"
	"onward/internal/policy"
)

// Rules shows rules, numbered.
func Rules(rules []policy.Rule, style Style) string {
	rows := make([][]string, len(rules))
	for i := range rules {
		rows[i] = []string{strconv.Itoa(i + 1), Text(rules[i].String())}
	}
	return style.paragraphs(rows)
}

// RulesJSON is onward/policy/v1: the rules of the configuration, and those of the session.
func RulesJSON(config, session []policy.Rule) []byte {
	w := object.NewWriter(1024)
	w.Open('{')
	w.String("schema", policy.Schema)
	for _, part := range []struct {
		name  string
		rules []policy.Rule
	}{{"rules", config}, {"session_rules", session}} {
		w.Name(part.name)
		object.WriteList(w, part.rules)
	}
	w.Close('}')
	return finish(w)
}
