package torture

import (
	"flag"
	"os/exec"
	"testing"
	"time"

	"onward/test/workers"
)

var workersAtOnce = flag.Int("workers", 4, "how many workers draw from one list, of 16 items for each")

func TestWorkersShareAList(t *testing.T) {
	p := newPlace(t)
	p.with = []string{"ONWARD_NOW=", "ONWARD_SESSION=queue", "ONWARD_CLAIM_LEASE=1s", "ONWARD_LOCK_TIMEOUT=5m"}
	workers.Share(t, func(stdin string, args ...string) *exec.Cmd { return p.command(stdin, nil, args...) }, time.Second, *workersAtOnce, *workersAtOnce*16)
}
