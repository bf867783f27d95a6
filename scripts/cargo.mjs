// Runs cargo and shows how far it is: "Building the server: 201 of 532 crates". Warnings and errors of the compiler are printed as they are; the exit code is cargo's.
// usage: node scripts/cargo.mjs "Building the server" build --locked --package jalon
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { progress } from "./progress.mjs";

const [label, ...args] = process.argv.slice(2);
const { show, clear } = progress(label);

// Cargo draws its bar only where it knows a terminal, unless it is asked for.
const child = spawn("cargo", args, {
  env: { ...process.env, CARGO_TERM_PROGRESS_WHEN: "always", CARGO_TERM_PROGRESS_WIDTH: "100", CARGO_TERM_COLOR: process.stderr.isTTY ? "always" : "never" },
  stdio: ["ignore", "inherit", "pipe"],
});

let fetched = 0;
function line(text) {
  const plain = stripVTControlCharacters(text).trim();
  const built = plain.match(/^Building \[.*\] (\d+)\/(\d+)/);
  if (built) return show(`${built[1]} of ${built[2]} crates`);
  if (/^Downloaded \S+ v/.test(plain)) return show(`${++fetched} crates fetched`);
  if (/^Updating /.test(plain)) return show("the list of crates is fetched");
  if (/^Blocking /.test(plain)) return show("waiting for another cargo that builds in the same folder");
  if (plain === "" || /^(Compiling|Checking|Downloading|Downloaded|Fetch|Locking|Adding|Finished|Executable|Fresh|Installing|Installed)\b/.test(plain)) return;
  clear();
  process.stderr.write(`${text}\n`);
}

let rest = "";
child.stderr.setEncoding("utf8");
child.stderr.on("data", (chunk) => {
  const lines = (rest + chunk).split(/[\r\n]/);
  rest = lines.pop();
  lines.forEach(line);
});
child.on("close", (code) => {
  if (rest !== "") line(rest);
  clear();
  process.exit(code ?? 1);
});
