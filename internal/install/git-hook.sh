#!/bin/sh
# This hook was written by onward: it refuses while something on the todo list is open.
# Remove it with: onward hooks uninstall git --hook HOOK
onward=PROGRAM
before=$0KEPT
if [ -x "$before" ]; then
	"$before" "$@" || exit
fi
if [ ! -x "$onward" ]; then
	echo "onward: this hook needs $onward, which is gone" >&2
	echo "hint: delete $0 to remove the hook, or install it again with onward hooks install git --hook HOOK; COMMAND --no-verify bypasses it once" >&2
	exit MISSING
fi
# What git sets for its hook would lead the git commands of a gate to this repository.
unset $(git rev-parse --local-env-vars 2>/dev/null)
"$onward" todo assert
code=$?
if [ $code -eq 1 ]; then
	echo "onward: COMMAND was refused, because the list is not done: see above" >&2
	echo "hint: complete open items with 'onward todo done N', repair what the gate reports, or bypass this hook with 'COMMAND --no-verify'" >&2
elif [ $code -ne 0 ]; then
	echo "hint: bypass this hook with 'COMMAND --no-verify'" >&2
fi
exit $code
