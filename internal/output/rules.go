package output

import (
	"strconv"

	"onward/internal/calls/policy"
	"onward/internal/object"
	"onward/internal/render"
)

// RulesText shows rules, numbered.
func RulesText(rules []policy.Rule, style render.Style) string {
	return style.Paragraphs(render.Map(rules, func(i int, r *policy.Rule) []string {
		return []string{strconv.Itoa(i + 1), render.Text(r.String())}
	}))
}

// RulesJSON is onward/policy/v1: the rules of the configuration, and those of the session.
func RulesJSON(config, session []policy.Rule) any {
	return Members{"schema", policy.Schema, "rules", object.ListOf(config), "session_rules", object.ListOf(session)}
}
