"use strict";
// Starts the program for this system, which is in a package of its own, and exits as the program does.
// If Node can replace its process with another program, it does, and nothing of Node remains.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const fs = require("node:fs");
const self = require("./package.json");

const system = `${process.platform}-${process.arch}`;
const windows = process.platform === "win32";

function fail(code, text) {
  fs.writeSync(2, text + "\n");
  process.exit(code);
}

function find(program) {
  const names = Object.keys(self.optionalDependencies);
  const name = names.find((n) => n.endsWith(`-${system}`));
  if (!name) {
    const known = names.map((n) => n.split("-").slice(-2).join("-")).join(", ");
    fail(66, `${program}: there is no program for ${system}, only for ${known}\nhint: build it from source`);
  }
  try {
    return require.resolve(`${name}/bin/${program}${windows ? ".exe" : ""}`);
  } catch {
    fail(66, `${program}: the package ${name} is not installed\nhint: install ${self.name} again, without --omit=optional or --no-optional`);
  }
}

// A terminal sends the signals of its keys, and of its own end, to every process in the foreground, so the program already gets them.
function inTerminal() {
  try {
    fs.closeSync(fs.openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

function run(path, args) {
  const shared = !windows && !inTerminal() ? [] : ["SIGINT", "SIGQUIT", "SIGHUP"];
  // Node listens before the program starts. Otherwise a signal in between would kill Node, and leave the program running alone.
  let child;
  for (const signal of ["SIGINT", "SIGQUIT", "SIGHUP", "SIGTERM"]) {
    process.on(signal, () => shared.includes(signal) || child.kill(signal));
  }
  child = spawn(path, args, { stdio: "inherit" });
  child.on("error", (error) => fail(74, `${path}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code);
    // Let the caller see the signal that ended the program.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}

module.exports = (program) => {
  const path = find(program);
  const args = process.argv.slice(2);
  if (!windows && process.execve) {
    try {
      process.execve(path, [path, ...args], process.env);
    } catch (error) {
      fail(74, `${path}: ${error.message}`);
    }
  }
  run(path, args);
};
