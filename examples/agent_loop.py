#!/usr/bin/env python3
"""Keeps an agent going until its todo list is done. AGENT is the command that runs one turn."""

import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
agent = os.environ.get("AGENT", os.path.join(here, "stand-in-agent.sh"))


def turn(prompt):
    with subprocess.Popen([agent, prompt], stdout=subprocess.PIPE) as run:
        subprocess.run(["onward", "ingest", "--save", "--emit", "none"], stdin=run.stdout, check=True)


subprocess.run(["onward", "event", "user-prompt"], check=True)
turn(sys.argv[1] if len(sys.argv) > 1 else "make a plan and do it")
while True:
    check = subprocess.run(["onward", "check-continue", "--wait"], stdout=subprocess.PIPE, text=True)
    if check.returncode != 0:
        sys.exit(0 if check.returncode == 10 else check.returncode)
    turn(check.stdout)
