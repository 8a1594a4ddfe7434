package screen

import "os"

// Keys returns the keys that are typed on a terminal while the screen is open.
// Nothing comes where the terminal is not ours to read.
func (s *Screen) Keys(in *os.File) <-chan byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.in = in
	s.readKeys()
	keys := make(chan byte)
	if s.restore == nil {
		return keys
	}
	go func() {
		key := make([]byte, 1)
		for {
			if n, err := in.Read(key); err != nil || n == 0 {
				return
			}
			select {
			case keys <- key[0]:
			case <-s.done:
				return
			}
		}
	}()
	return keys
}

// readKeys changes the mode of the terminal, and giveKeys changes it back.
func (s *Screen) readKeys() {
	if s.in != nil && s.restore == nil {
		s.restore = keyMode(s.in)
	}
}

func (s *Screen) giveKeys() {
	if s.restore != nil {
		s.restore()
		s.restore = nil
	}
}
