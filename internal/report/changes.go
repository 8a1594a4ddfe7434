package report

import (
	"strings"

	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// verb describes how an item reached a status.
func verb(was, is todo.Status, lost bool) string {
	if lost {
		return session.ItemLost
	}
	if was == "" && is == todo.Pending {
		return "added"
	}
	return is.Meaning().Past
}

// changes are the texts of items, by the verb for what was done with them.
type changes struct {
	verbs []string // in the order in which they came up
	texts map[string][]string
}

func (c *changes) add(verb, text string) {
	if c.texts[verb] == nil {
		c.verbs = append(c.verbs, verb)
	}
	c.texts[verb] = append(c.texts[verb], text)
}

// String names an item or two, and counts more.
func (c *changes) String() string {
	var parts []string
	for _, verb := range c.verbs {
		texts := c.texts[verb]
		if len(texts) > 2 {
			texts = []string{todo.Plural(len(texts), "item")}
		}
		parts = append(parts, verb+" "+strings.Join(texts, " and "))
	}
	return strings.Join(parts, "; ")
}

// clause is String for the middle of a sentence: completed “fix the parser”, and added 3 items.
func (c *changes) clause() string {
	var parts []string
	for _, verb := range c.verbs {
		what := todo.Plural(len(c.texts[verb]), "item")
		if texts := c.texts[verb]; len(texts) <= 2 {
			what = "“" + strings.Join(render.Map(texts, func(_ int, t *string) string { return short(*t, 100) }), "” and “") + "”"
		}
		parts = append(parts, verb+" "+what)
	}
	return strings.Join(parts, ", and ")
}
