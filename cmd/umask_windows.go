package cmd

func ensureOwnerAccess() {} // Windows has no umask
