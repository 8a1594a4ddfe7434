package agent

func (r *claudeTodos) member(name []byte, k *walker) {
	switch string(name) {
	case "newTodos":
		r.NewTodos.scan(k)
	default:
		k.skip()
	}
}

func (in *taskInput) member(name []byte, k *walker) {
	switch string(name) {
	case "taskId":
		in.TaskID = k.readWord()
	case "subject":
		in.Subject = k.readWord()
	case "activeForm":
		in.ActiveForm = k.readWord()
	case "status":
		in.Status = k.readWord()
	case "addBlocks":
		in.AddBlocks = k.readWords()
	case "addBlockedBy":
		in.AddBlockedBy = k.readWords()
	default:
		k.skip()
	}
}

func (t *claudeTask) member(name []byte, k *walker) {
	switch string(name) {
	case "id":
		t.ID = k.readWord()
	case "subject":
		t.Subject = k.readWord()
	case "status":
		t.Status = k.readWord()
	case "blockedBy":
		t.BlockedBy = k.readWords()
	default:
		k.skip()
	}
}

func (m *taskMade) member(name []byte, k *walker) {
	switch string(name) {
	case "task":
		k.objectOrNull(func(name []byte) { m.Task.member(name, k) })
	default:
		k.skip()
	}
}

func (m *taskChanged) member(name []byte, k *walker) {
	switch string(name) {
	case "success":
		switch is := k.peek() == 't'; k.peek() {
		case 't', 'f':
			m.Success = &is
			k.skip()
		default:
			k.bad = k.bad || !k.null()
		}
	case "taskId":
		m.TaskID = k.readWord()
	case "statusChange":
		k.objectOrNull(func(name []byte) {
			if string(name) == "to" {
				m.StatusChange.To = k.readWord()
			} else {
				k.skip()
			}
		})
	default:
		k.skip()
	}
}

func (m *taskListed) member(name []byte, k *walker) {
	switch string(name) {
	case "tasks":
		if k.peek() != '[' {
			k.bad = k.bad || !k.null()
			return
		}
		m.Tasks = new([]claudeTask)
		*m.Tasks = []claudeTask{}
		for k.enter('['); k.element(); {
			var task claudeTask
			k.objectOrNull(func(name []byte) { task.member(name, k) })
			*m.Tasks = append(*m.Tasks, task)
		}
	default:
		k.skip()
	}
}
