package board

import (
	"strings"
	"testing"
	"time"

	"onward/internal/screen"
	"onward/internal/session"
	"onward/internal/todo"
)

// TestRunViewLeavesOutIdleTime draws the line of a run that was cut off for eight hours.
func TestRunViewLeavesOutIdleTime(t *testing.T) {
	now := todo.TimeOf(time.Now())
	began := todo.TimeOf(now.Time().Add(-8*time.Hour - 5*time.Minute))
	v := &RunView{screen: &screen.Screen{}}
	v.ShowActivity(&session.Run{Agent: "claude", Turns: 4, Began: began, Idle: int((8 * time.Hour).Milliseconds())}, now, "done", 0)
	if line := v.shift.Line(time.Now(), 80); !strings.Contains(line, " 5 min ") {
		t.Errorf("the line of the run is %q", line)
	}
}
