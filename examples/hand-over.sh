#!/usr/bin/env bash
# Goes on where a machine that vanished has left off: takes its session over, and keeps an agent going until the list is done.
#
#   ONWARD_STORE=etcd://db1,db2,db3/team-a ONWARD_SESSION=release-2 AGENT=./my-agent examples/hand-over.sh
#
# AGENT is the command that runs one turn, as in agent-loop.sh.
onward session take >&2 || exit
exec "$(dirname "$0")/agent-loop.sh" "Go on with this todo list:
$(onward todo export)"
