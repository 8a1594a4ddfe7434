#!/bin/sh
# This hook was written by onward: it refuses while something on the todo list is open.
# Remove it with: onward hooks uninstall git --hook HOOK
onward=PROGRAM
before=$0KEPT
refs=
if [ HOOK = pre-push ] && ! [ -t 0 ]; then
	refs=$(cat) # git says there what is pushed, and both hooks are to read it
	if [ -x "$before" ]; then
		printf '%s' "${refs:+$refs
}" | "$before" "$@" || exit
	fi
elif [ -x "$before" ]; then
	"$before" "$@" || exit
fi
if [ ! -x "$onward" ]; then
	echo "onward: this hook needs $onward, which is gone" >&2
	echo "hint: delete $0 to remove the hook, or install it again with onward hooks install git --hook HOOK; COMMAND --no-verify bypasses it once" >&2
	exit MISSING
fi
# The gate runs on the files of the checkout, which may be others than those that git takes.
other=
if [ HOOK != pre-push ]; then
	git --no-optional-locks diff --quiet 2>/dev/null
	[ $? -ne 1 ] || other="what is committed"
else
	while read -r _ commit _; do
		case $commit in *[!0]*) ;; *) continue ;; esac # a branch is deleted
		git --no-optional-locks diff --quiet "$commit" -- 2>/dev/null
		[ $? -ne 1 ] || other="the pushed commit $commit"
	done <<END
$refs
END
fi
if [ -z "$other" ] && [ -n "$(git ls-files --others --exclude-standard --directory 2>/dev/null)" ]; then
	other="what git has: some are untracked"
fi
# What git sets for its hook would lead the git commands of a gate to this repository.
unset $(git rev-parse --local-env-vars 2>/dev/null)
"$onward" todo assert
code=$?
if [ $code -eq 0 ] && [ -n "$other" ] && [ -z "$ONWARD_IN_GATE" ]; then
	case $("$onward" get gate 2>/dev/null) in
	'' | none) ;;
	*) echo "onward: the gate ran on the files of the checkout, which differ from $other" >&2 ;;
	esac
fi
if [ $code -eq 1 ]; then
	echo "onward: COMMAND was refused, because the list is not done: see above" >&2
	echo "hint: complete open items with 'onward todo done N', repair what the gate reports, or bypass this hook with 'COMMAND --no-verify'" >&2
elif [ $code -ne 0 ]; then
	echo "hint: bypass this hook with 'COMMAND --no-verify'" >&2
fi
exit $code
