package agent

func (l *nativeList) member(name []byte, k *walker) {
	switch string(name) {
	case "todos":
		l.Todos.scan(k)
	default:
		k.skip()
	}
}

func (l *nativeItems) scan(k *walker) {
	*l = nil
	if !k.enter('[') {
		k.skip()
		return
	}
	*l = nativeItems{}
	for k.element() {
		*l = append(*l, nativeItem{})
		item := &(*l)[len(*l)-1]
		k.members(func(name []byte) { item.member(name, k) })
	}
}

func (n *nativeItem) member(name []byte, k *walker) {
	switch string(name) {
	case "id":
		n.ID = k.readWord()
	case "content":
		n.Content = k.readWord()
	case "description":
		n.Description = k.readWord()
	case "title":
		n.Title = k.readWord()
	case "status":
		n.Status = k.readWord()
	case "priority":
		n.Priority = k.readWord()
	case "activeForm":
		n.ActiveForm = k.readWord()
	case "blockedBy":
		n.BlockedBy = k.readWords()
	case "dependencies":
		n.Dependencies = k.readWords()
	case "subtasks":
		n.Subtasks.scan(k)
	default:
		k.skip()
	}
}

func (l *parts) scan(k *walker) {
	*l = nil
	k.objects(func() {
		var part nativePart
		k.members(func(name []byte) { part.member(name, k) })
		*l = append(*l, part)
	})
}

func (p *nativePart) member(name []byte, k *walker) {
	switch string(name) {
	case "id":
		p.ID = k.readWord()
	case "content":
		p.Content = k.readWord()
	default:
		k.skip()
	}
}
