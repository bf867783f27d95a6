// Runs every test and closes with `N passed, N failed, N skipped`.
// usage: node scripts/test.mjs [all|rust|web|e2e]
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { progress } from "./progress.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const scope = process.argv[2] ?? "all";
const total = { passed: 0, failed: 0, skipped: 0 };
const skipReasons = new Set();
const work = mkdtempSync(join(tmpdir(), "jalon-test-"));

/** Runs a command, hands each line of its output and of its errors to `onLine`, resolves to its exit code. */
function run(command, args, { cwd = root, env = {}, onLine = () => {}, onErrorLine = onLine } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    for (const [stream, tell] of [[child.stdout, onLine], [child.stderr, onErrorLine]]) {
      let rest = "";
      stream.setEncoding("utf8");
      stream.on("data", (chunk) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop();
        lines.forEach(tell);
      });
      stream.on("end", () => rest && tell(rest));
    }
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** Builds with cargo, showing how far it is; gives its exit code. */
function build(label, command, ...args) {
  return spawnSync("node", ["scripts/cargo.mjs", label, command, "--locked", ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status;
}

function report(name, counts, startedAt) {
  for (const key of Object.keys(total)) total[key] += counts[key] ?? 0;
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped ?? 0} skipped (${seconds} s)`);
}

/** What is built to be tested, each with the folder of its crate, where cargo starts it. Two crates may have a binary of the same name. */
async function testBinaries(targets) {
  const found = [];
  const code = await run("cargo", ["test", "--no-run", "--quiet", "--locked", "--workspace", ...targets, "--message-format=json"], {
    onLine(line) {
      const { reason, profile, executable, manifest_path: manifest } = JSON.parse(line);
      if (reason === "compiler-artifact" && profile.test && executable) found.push({ executable, folder: dirname(manifest) });
    },
    onErrorLine: (line) => console.error(line),
  });
  return code === 0 ? found : [];
}

/** Runs tasks in order, at most `atATime` together. */
async function pooled(tasks, atATime) {
  const waiting = tasks.values();
  const worker = async () => {
    for (const task of waiting) await task();
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

async function rust() {
  const startedAt = Date.now();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  // Without the examples in comments: looking for them crate by crate takes half a minute, and what they show has a test beside it.
  const targets = ["--lib", "--bins", "--tests"];
  // Built apart, so that how far it is can be shown; an error of the compiler is printed there.
  if (build("Building the tests", "test", "--no-run", "--workspace", ...targets) !== 0) {
    counts.failed = 1;
    return report("rust", counts, startedAt);
  }
  const running = progress("rust");
  const outputs = [];
  const underWay = new Map(); // how many tests of a binary have run that has not ended
  // As cargo sets it: the tests of a crate of macros are linked with the standard library as a file.
  const library = spawnSync("rustc", ["--print", "target-libdir"], { encoding: "utf8" }).stdout.trim();
  const libraries = [library, process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  const test = ({ executable, folder }, threads) => async () => {
    const kept = [];
    let inFailures = false; // a test binary first prints the output of the tests that passed, then its failures
    let failed = 0;
    const keep = (line) => {
      kept.push(line);
      if (kept.length > 4000) kept.shift();
    };
    const code = await run(executable, ["--quiet", "--show-output", `--test-threads=${process.env.RUST_TEST_THREADS ?? threads}`], {
      cwd: folder,
      env: { LD_LIBRARY_PATH: libraries },
      onErrorLine: keep,
      onLine(line) {
        if (/^(successes|failures):$/.test(line)) inFailures = line === "failures:";
        const result = line.match(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/);
        if (result) {
          inFailures = false;
          failed = Number(result[2]);
          underWay.delete(executable);
          counts.passed += Number(result[1]);
          counts.failed += failed;
          return;
        }
        const skipped = line.match(/^SKIPPED: (.*)/);
        if (skipped) {
          if (!skipReasons.has(skipped[1])) {
            skipReasons.add(skipped[1]);
            counts.skipped += 1;
            counts.passed -= 1; // the harness counted a test that returned early as passed
          }
          return;
        }
        // In its quiet form the harness ends each row of dots with how far the binary is.
        const row = line.match(/^[.iF]+ (\d+)\/(\d+)$/);
        if (row) {
          underWay.set(executable, Number(row[1]));
          const ran = [...underWay.values()].reduce((sum, count) => sum + count, counts.passed + counts.failed);
          return running.show(`${ran} run`);
        }
        if (inFailures) keep(line);
      },
    });
    if (code === 0) return;
    outputs.push(...kept);
    if (failed === 0) counts.failed += 1; // it ended without a result, or broke after it
  };
  const binaries = await testBinaries(targets);
  if (binaries.length === 0) counts.failed = 1;
  // The many tests of the API keep all cores busy. The other binaries have few tests and end with a single one: two of them at a time, with half of
  // the cores each.
  const isLarge = ({ executable, folder }) => folder.endsWith("/api") && basename(executable).startsWith("it-");
  const cores = availableParallelism();
  await pooled(binaries.filter(isLarge).map((binary) => test(binary, cores)), 1);
  await pooled(binaries.filter((binary) => !isLarge(binary)).map((binary) => test(binary, Math.ceil(cores / 2))), 2);
  running.clear();
  if (outputs.length > 0) console.log(outputs.filter((line) => line !== "").slice(-300).join("\n"));
  report("rust", counts, startedAt);
}

/** Builds the web application; gives the exit code. */
const buildWeb = () => run("scripts/web.sh", [], { onLine: (line) => console.error(line) });
/** The build that runs beside the units, which keep one core busy. */
let webBuilt;

async function web() {
  const startedAt = Date.now();
  if (scope === "all") webBuilt = buildWeb();
  const file = join(work, "vitest.json");
  const lines = [];
  const code = await run("npx", ["vitest", "run", "--reporter=json", `--outputFile=${file}`, "--reporter=dot"], {
    cwd: join(root, "web"),
    onLine: (line) => lines.push(line),
  });
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (existsSync(file)) {
    const result = JSON.parse(readFileSync(file, "utf8"));
    counts.passed = result.numPassedTests;
    counts.failed = result.numFailedTests;
    counts.skipped = result.numPendingTests + (result.numTodoTests ?? 0);
  }
  if (code !== 0) {
    console.log(lines.slice(-200).join("\n"));
    if (counts.failed === 0) counts.failed = 1;
  }
  report("web units", counts, startedAt);
}

/** The journeys of these files that failed once and then passed, each with its place. */
const flaky = (suites) =>
  suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.filter(({ tests }) => tests.some(({ status }) => status === "flaky")).map(({ file, line, title }) => `${file}:${line} ${title}`),
    ...flaky(inner),
  ]);

async function e2e() {
  const startedAt = Date.now();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  // The same selection as the tests, so that nothing is built twice.
  const web = await (webBuilt ?? buildWeb());
  if (web !== 0 || build("Building the server", "build", "--workspace", "--all-targets") !== 0) {
    counts.failed = 1;
    return report("browser journeys", counts, startedAt);
  }
  const file = join(work, "playwright.json");
  const lines = [];
  const running = progress("browser journeys");
  const code = await run("npx", ["playwright", "test", "--reporter=json,line"], {
    cwd: join(root, "web"),
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    onLine(line) {
      const started = line.match(/\[(\d+)\/(\d+)\]/);
      if (started) running.show(`${started[1]} of ${started[2]}`);
      lines.push(line);
    },
  });
  running.clear();
  if (existsSync(file)) {
    const { stats, suites } = JSON.parse(readFileSync(file, "utf8"));
    counts.passed = stats.expected + stats.flaky;
    counts.failed = stats.unexpected;
    counts.skipped = stats.skipped;
    for (const name of flaky(suites)) console.log(`passed at the second try: ${name}`);
  }
  if (code !== 0) {
    console.log(lines.slice(-200).join("\n"));
    if (counts.failed === 0) counts.failed = 1;
  }
  report("browser journeys", counts, startedAt);
}

try {
  if (scope === "all" || scope === "rust") await rust();
  if (scope === "all" || scope === "web") await web();
  if (scope === "all" || scope === "e2e") await e2e();
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (skipReasons.size > 0) console.log([...skipReasons].map((reason) => `skipped: ${reason}`).join("\n"));
let verdict = total.failed > 0 ? 1 : 0;
if (process.env.JALON_NO_SKIP && total.skipped > 0) {
  console.log("A test was skipped although its data is here (JALON_NO_SKIP is set).");
  verdict = 1;
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(verdict);
