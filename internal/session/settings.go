package session

// Set saves a user's setting for this session, and reports whether it changed.
func (d *Document) Set(key, value string) bool { return set(&d.Settings, key, value) }

// Unset forgets a choice, and reports whether there was one.
func (d *Document) Unset(key string) bool { return unset(d.Settings, key) }

func set(settings *map[string]string, key, value string) bool {
	if (*settings)[key] == value {
		return false
	}
	if *settings == nil {
		*settings = map[string]string{}
	}
	(*settings)[key] = value
	return true
}

func unset(settings map[string]string, key string) bool {
	_, was := settings[key]
	delete(settings, key)
	return was
}
