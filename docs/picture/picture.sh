#!/bin/sh
# Makes docs/picture.svg: a recorded run of an agent is shown as `onward ingest --live` shows it, in a terminal of its own.
# It needs tmux, which gives the terminal and tells what is on its screen.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
server=onward-picture-$$
trap 'tmux -L "$server" kill-server 2>/dev/null; rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/project/.git"
CGO_ENABLED=0 go build -trimpath -o "$work/bin/onward" .
CGO_ENABLED=0 go build -trimpath -o "$work/picture" ./docs/picture
cp testdata/streams/copilot/stream-sql.jsonl "$work/project/run.jsonl"
cat >"$work/session.sh" <<'END'
run() {
	printf '\033[1m$ %s\033[0m\n' "$1"
	eval "$1"
}
clear
run 'onward ingest --save --live --quiet --emit none run.jsonl'
run 'onward session list'
run 'onward check-continue --countdown 0 | grep -o "You have.*Continue"'
run 'onward todo done all -q >/dev/null; onward check-continue'
tmux -L "$SERVER" wait-for -S ready
cat
END
env -i PATH="$work/bin:$PATH" HOME="$work" TERM=screen-256color LC_ALL=C.UTF-8 SERVER="$server" \
	XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" ONWARD_SESSION=parser ONWARD_NOW=2026-11-21T09:30:00Z \
	tmux -L "$server" -f /dev/null new-session -d -x 74 -y 13 -c "$work/project" "sh $work/session.sh" ';' set -g status off
tmux -L "$server" wait-for ready
tmux -L "$server" capture-pane -e -p >"$work/screen"
"$work/picture" <"$work/screen" >docs/picture.svg
