package agent

import "onward/internal/todo"

// codexLine is what we need of a line.
type codexLine struct {
	typ      word
	threadID word
	item     codexItem
	failed   value // why a turn failed
}

type codexItem struct {
	id     word
	typ    word
	older  word // the type, as it was named before October 2025
	text   value
	listed bool // there is a list, which may be empty
	items  []codexTodo
}

type codexTodo struct {
	text      word
	completed bool
	more      int // how many items follow that are not kept
}

func (l *codexLine) members(m *members) {
	m.word("type", &l.typ)
	m.word("thread_id", &l.threadID)
	m.object("item", l.item.members)
	m.value("error", &l.failed)
}

func (it *codexItem) members(m *members) {
	m.word("id", &it.id)
	m.word("type", &it.typ)
	m.word("item_type", &it.older)
	m.value("text", &it.text)
	m.member("items", it.scanItems)
}

func (it *codexItem) scanItems(k *walker) {
	it.items = it.items[:0]
	if it.listed = k.array(); !it.listed {
		return
	}
	for k.element() {
		if n := len(it.items); n == todo.MaxItems {
			it.items[n-1].more++
			k.skip()
			continue
		}
		var item codexTodo
		k.members(func(m *members) {
			m.text("text", &item.text)
			m.truth("completed", &item.completed)
		})
		it.items = append(it.items, item)
	}
}
