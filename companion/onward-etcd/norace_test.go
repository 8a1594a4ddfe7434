//go:build !race && unix

package main

// racing reports whether the test was built with -race.
const racing = false
