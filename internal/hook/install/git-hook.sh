#!/bin/sh
# This hook was written by onward: it refuses while something on the todo list is open.
# Remove it with: onward hooks uninstall git --hook HOOK
onward=PROGRAM
before=$0KEPT
if [ -x "$before" ]; then
	"$before" "$@" || exit
fi
if [ ! -x "$onward" ]; then
	echo "onward: $onward is gone; install the hook again, or bypass it with COMMAND --no-verify" >&2
	exit 1
fi
"$onward" todo assert
code=$?
if [ $code -eq 1 ]; then
	echo "onward: COMMAND was refused, because the items above are open" >&2
	echo "hint: finish them with 'onward todo done N', or bypass this hook with 'COMMAND --no-verify'" >&2
elif [ $code -ne 0 ]; then
	echo "hint: bypass this hook with 'COMMAND --no-verify'" >&2
fi
exit $code
