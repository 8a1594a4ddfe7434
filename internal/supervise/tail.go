package supervise

import "sync"

// tail keeps the last bytes that are written to it: at least size of them, and at most twice as many.
type tail struct {
	size int

	mu   sync.Mutex // a child that a command left behind may still write while the end is read
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if more := len(t.kept) - t.size; more > t.size {
		t.kept = append(t.kept[:0], t.kept[more:]...)
	}
	return len(p), nil
}

// end returns the last bytes.
func (t *tail) end() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept[max(0, len(t.kept)-t.size):])
}
