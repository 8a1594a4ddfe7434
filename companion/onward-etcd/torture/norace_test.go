//go:build !race && unix

package torture

// racing reports that this test looks for data races.
const racing = false
