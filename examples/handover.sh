#!/usr/bin/env bash
# Run by each pod that works on a list in a shared store. If a pod is killed in the middle of the list,
# the next one takes the list over and continues until it is done.
#
#   ONWARD_STORE=etcd://db1,db2,db3/team ONWARD_SESSION=release-2 examples/handover.sh
#
# TURN is the command that runs one turn of the agent; it receives the prompt as its argument, and marks completed items with
# `onward todo done`. (A variable AGENT would say that this script is an agent, which may not take a session.)
# POD names the pod; default: the name of the host. It must differ for each pod.
set -o pipefail
agent=${TURN:?the command that runs one turn of the agent}
pod=${POD:-$HOSTNAME}
export ONWARD_CONVERSATION=pod/$pod # what the agent changes, this pod owns

onward session take || exit # whoever had the list is gone, or is told below that it is ours
while true; do
	prompt=$(onward check-continue --wait --owner "$pod")
	code=$?
	case $code in
	0) # continue
		"$agent" "$prompt" || echo "handover: the agent failed ($?)" >&2
		;;
	10) # done
		echo "handover: $pod has finished the list"
		exit 0
		;;
	14) # such as that another pod has taken the list, while this one was frozen or cut off
		echo "handover: $pod does not continue" >&2
		exit $code
		;;
	68 | 75) # the store cannot be reached, or somebody else was faster
		sleep 1
		;;
	76) # whether the answer was remembered is not known; asking again is safe
		;;
	*) # the agent needs a person, a limit is reached, or an error that onward has explained
		exit $code
		;;
	esac
done
