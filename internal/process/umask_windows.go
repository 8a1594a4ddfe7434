package process

// EnsureOwnerAccess does nothing: Windows has no umask.
func EnsureOwnerAccess() {}
