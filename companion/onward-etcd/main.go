// Command onward-etcd is onward with its store in etcd.
//
// Users do not start it themselves: onward runs it in its own place if ONWARD_STORE or --store is a URL that begins with etcd.
package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"onward/cmd"
	"onward/companion/onward-etcd/etcd"
	"onward/internal/find"
	"onward/internal/store"
)

func main() {
	// As in onward, a fatal error of Go must not end with exit code 2.
	debug.SetTraceback("crash")
	engine := &cmd.Engine{Scheme: etcd.Scheme, Open: open}
	os.Exit(cmd.MainOn(engine, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// open opens the store at a URL, with the settings of the environment.
func open(url string, wait time.Duration) (store.Backend, error) {
	set, err := etcd.ParseURL(url)
	if err != nil {
		return nil, cmd.Usagef("%v", err)
	}
	if err := set.Environment(os.Getenv); err != nil {
		return nil, err
	}
	if at, err := store.ParseAddress(url); err == nil {
		set.Memory = filepath.Join(find.LocalFolder(at), "server")
	}
	return etcd.Open(url, set, wait)
}
