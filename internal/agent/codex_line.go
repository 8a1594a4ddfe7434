package agent

import "onward/internal/todo"

// codexLine is what we need of a line.
type codexLine struct {
	typ      word
	threadID word
	item     codexItem
	failed   word // why a turn failed
}

type codexItem struct {
	id     word
	typ    word
	text   value
	listed bool // there is a list, which may be empty
	items  []codexTodo
}

type codexTodo struct {
	text      word
	completed bool
	more      int // how many items follow that are not kept
}

func (l *codexLine) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "type":
			l.typ = k.word()
		case "thread_id":
			l.threadID = k.word()
		case "item":
			l.item.scan(k)
		case "error":
			if v := k.value(); v.isString() {
				l.failed = v.text() // so in some forks
			} else {
				l.failed = v.member("message").text()
			}
		default:
			k.skip()
		}
	}
}

func (it *codexItem) scan(k *walker) {
	for name, more := k.object(); more; name, more = k.key() {
		switch string(name) {
		case "id":
			it.id = k.word()
		case "type":
			it.typ = k.word()
		case "item_type": // so before October 2025
			if typ := k.word(); len(it.typ) == 0 {
				it.typ = typ
			}
		case "text":
			it.text = k.value()
		case "items":
			it.listed = k.peek() == '['
			it.scanItems(k)
		default:
			k.skip()
		}
	}
}

func (it *codexItem) scanItems(k *walker) {
	it.items = it.items[:0]
	if !k.array() {
		return
	}
	for k.element() {
		if n := len(it.items); n == todo.MaxItems {
			it.items[n-1].more++
			k.skip()
			continue
		}
		var item codexTodo
		for name, more := k.object(); more; name, more = k.key() {
			switch string(name) {
			case "text":
				item.text = k.text()
			case "completed":
				item.completed = k.truth()
			default:
				k.skip()
			}
		}
		it.items = append(it.items, item)
	}
}
