package agent

func (l *codexLine) member(name []byte, k *walker) {
	switch string(name) {
	case "type":
		l.Type = k.readWord()
	case "thread_id":
		l.ThreadID = k.readWord()
	case "item":
		k.objectOrNull(func(name []byte) { l.Item.member(name, k) })
	case "error":
		l.Error.scan(k)
	case "message":
		l.Message = k.readWord()
	default:
		k.skip()
	}
}

func (it *codexItem) member(name []byte, k *walker) {
	switch string(name) {
	case "id":
		it.ID = k.readWord()
	case "type":
		it.Type = k.readWord()
	case "text":
		it.Text = k.readWord()
	case "items":
		it.Items.scan(k)
	default:
		k.skip()
	}
}

func (l *codexTodos) scan(k *walker) {
	*l = codexTodos{}
	if !k.enter('[') {
		k.skip()
		return
	}
	for k.element() {
		*l = append(*l, codexTodo{})
		item := &(*l)[len(*l)-1]
		k.members(func(name []byte) {
			switch string(name) {
			case "text":
				item.Text = k.readWord()
			case "completed":
				item.Completed = k.readTruth()
			default:
				k.skip()
			}
		})
	}
}

func (f *codexFail) scan(k *walker) {
	if k.peek() != '{' {
		f.Message = k.readWord()
		return
	}
	k.members(func(name []byte) {
		if string(name) == "message" {
			f.Message = k.readWord()
		} else {
			k.skip()
		}
	})
}
