package continuation

import (
	"flag"
	"os"
	"testing"
)

// sequences is the number of random sequences on which each property is checked, unless -short or -rapid.checks is given.
const sequences = "2000"

func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given && !testing.Short() {
		if err := flag.Set("rapid.checks", sequences); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
