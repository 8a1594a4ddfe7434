package session

// Set saves a user's setting for this session, and reports whether it changed.
func (d *Document) Set(key, value string) bool {
	if d.Settings[key] == value {
		return false
	}
	if d.Settings == nil {
		d.Settings = map[string]string{}
	}
	d.Settings[key] = value
	return true
}

// Unset forgets a choice, and reports whether there was one.
func (d *Document) Unset(key string) bool {
	_, was := d.Settings[key]
	delete(d.Settings, key)
	return was
}
