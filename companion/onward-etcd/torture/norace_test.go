//go:build !race && unix

package torture

// racing reports whether the test was built with -race.
const racing = false
