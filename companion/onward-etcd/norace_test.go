//go:build !race && unix

package main

// racing reports that this test looks for data races.
const racing = false
