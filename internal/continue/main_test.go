package continuation

import (
	"flag"
	"os"
	"testing"
)

// sequences is how many random sequences each property is checked against; a few where it was asked to be short.
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
