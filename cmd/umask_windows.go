package cmd

func keepOwnFiles() {} // Windows has no umask
