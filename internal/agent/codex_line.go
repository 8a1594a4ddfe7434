package agent

// codexLine is what we need of a line.
type codexLine struct {
	typ      word
	threadID word
	item     codexItem
	failed   value // why a turn failed
	usage    value
}

type codexItem struct {
	id    word
	typ   word
	older word // the type, as it was named before October 2025
	text  value
	items value
}

func (l *codexLine) members(m *members) {
	m.word("type", &l.typ)
	m.word("thread_id", &l.threadID)
	m.object("item", l.item.members)
	m.value("error", &l.failed)
	m.value("usage", &l.usage)
}

func (it *codexItem) members(m *members) {
	m.word("id", &it.id)
	m.word("type", &it.typ)
	m.word("item_type", &it.older)
	m.value("text", &it.text)
	m.value("items", &it.items)
}
