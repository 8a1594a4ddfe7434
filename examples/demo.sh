#!/bin/sh
# Shows a run from start to end, with a scripted agent: it stops early, says that it is done when it is not, and then
# needs an answer. The onward is the one beside this folder, or else the one on PATH. No file is left behind.
set -eu
# An onward that an agent started does not start another agent, so this starts without the agent's variables.
[ "${1:-}" = clean ] || exec env -i PATH="$PATH" HOME="${HOME:-/}" TMPDIR="${TMPDIR:-/tmp}" sh "$0" clean
here=$(cd "$(dirname "$0")" && pwd)
[ ! -x "$here/../onward" ] || PATH=$(cd "$here/.." && pwd):$PATH
if ! command -v onward >/dev/null; then
	echo 'demo: there is no onward here; `make demo` builds it' >&2
	exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
exec </dev/null # the same with a terminal as without one: no command asks anything
cp "$here/demo-agent.sh" agent.sh
ONWARD_STORE=$folder/store
XDG_CACHE_HOME=$folder/cache
export PATH ONWARD_STORE XDG_CACHE_HOME

echo 'echo "Hello"' >greeting.sh
cat >test.sh <<'END'
case $(sh greeting.sh) in
"Hello, "*) echo "greeting.sh greets somebody" ;;
*) echo "greeting.sh greets nobody"; exit 1 ;;
esac
END

git init --quiet 2>/dev/null || true # in a checkout, the run can tell which files changed

run() {
	printf '\n$ %s\n' "$1"
	eval "$1" 2>&1 && code=0 || code=$?
	echo "(exit code $code)"
}
echo 'A task, an agent, and a test that proves the work. The agent stops early,'
echo 'and then says that it is done:'
run "onward run generic 'make the script greet somebody' --gate 'sh test.sh' -- sh agent.sh"
echo
echo 'It was sent back twice, with its list and with the output of the test.'
echo 'Now it needs you. You answer:'
run "onward reply 'Greet Ada.'"
echo
echo 'On a terminal, that asks whether to go on, and Enter starts this command:'
run "onward run generic --gate 'sh test.sh' -- sh agent.sh"
run 'onward todo show'
[ "$code" = 0 ] || exit 1
cat <<'END'

That list was temporary. What to try next, in a project of your own:
    onward run claude 'fix the parser' --gate 'make test'   or codex, gemini, …
    onward hooks install claude         keep Claude Code going in its own window
    onward --help                       see every command
END
