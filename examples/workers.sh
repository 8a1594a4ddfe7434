#!/usr/bin/env bash
# Several workers draw from one list, each in a git worktree with a branch of its own.
#
#   examples/workers.sh LIST WORKERS AGENT [ARGUMENTS OF onward run]
#   examples/workers.sh release 3 claude --gate 'go test ./...' -- --permission-mode acceptEdits
#
# Run it in the repository. What completes an item is committed to the worker's branch; what is left of any other item is stashed.
# A worker ends when no item is ready or open any more, or with a failure that the next item would have too, such as a login.
# All of them end after three items in a row that none of them completed. Ctrl-C gives back what they work on.
# Run the same command later to continue, with the same worktrees and branches.
set -uo pipefail
if [ $# -lt 3 ] || ! [ "$2" -gt 0 ] 2>/dev/null; then
	echo 'usage: workers.sh LIST WORKERS AGENT [ARGUMENTS OF onward run]' >&2
	exit 64
fi
list=$1 workers=$2
shift 2
root=$(git rev-parse --show-toplevel) || exit
results=$(mktemp) || exit
trap 'rm -f "$results"' EXIT

# hopeless tells that the last three items were not completed, whoever worked on them.
hopeless() {
	[ "$(wc -l <"$results")" -ge 3 ] && ! tail -n 3 "$results" | grep -q '^0$'
}

# keep commits what completed an item, and stashes anything else.
keep() {
	[ -n "$(git status --porcelain)" ] || return 0
	if [ "$1" -eq 0 ]; then
		git add --all && git commit --quiet --message "$2"
	else
		git stash push --quiet --include-untracked --message "$2"
	fi
}

# work is the life of a worker.
work() {
	export ONWARD_WORKER=$1
	cd "$2" || exit
	shift 2
	while ! hopeless && id=$(onward -s "$list" todo next --claim --wait --format id); do
		if hopeless; then # since it waited
			onward -s "$list" todo release "id:$id"
			break
		fi
		text=$(onward -s "$list" todo show "id:$id" --format plain | cut -f 3)
		echo "works on: $text"
		onward run "$1" --item "$list:$id" "${@:2}"
		code=$?
		echo $code >>"$results"
		keep $code "$text"
		[ $code -le 12 ] || break
	done
	echo 'ends'
}

# named puts the name of a worker before its lines. It outlives an interrupt, which has something to say.
named() {
	trap '' INT
	while IFS= read -r line; do printf '%s: %s\n' "$1" "$line"; done
}

set -m # each worker is a process group, which an interrupt reaches as a whole
groups=()
for n in $(seq "$workers"); do
	tree=$(dirname "$root")/$(basename "$root")-$list-w$n
	if [ -e "$tree" ]; then
		: # of the last time
	elif git show-ref --quiet --verify "refs/heads/$list-w$n"; then
		git worktree add --quiet "$tree" "$list-w$n" || exit
	else
		git worktree add --quiet -b "$list-w$n" "$tree" || exit
	fi
	work "w$n" "$tree" "$@" 2>&1 </dev/null | named "w$n" &
	groups+=("$(jobs -p %%)")
done
trap 'for group in "${groups[@]}"; do kill -INT -- "-$group" 2>/dev/null; done' INT TERM
for job in "${groups[@]}"; do
	while kill -0 -- "-$job" 2>/dev/null; do wait; done
done

hopeless && echo 'workers: ended, since the last three items were not completed'
onward -s "$list" todo show
echo 'workers: the branches, to review and merge:'
git -C "$root" branch --list "$list-w*" --verbose
! hopeless
