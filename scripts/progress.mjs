// How far a long command is: one line that is written over on a terminal, a line every 15 s elsewhere.
const terminal = process.stderr.isTTY;
const INTERVAL_MS = terminal ? 0 : 15_000;

/** `show("12 of 40")` prints "label: 12 of 40", never the same state twice; `clear()` takes the line off the terminal before something else is printed. */
export function progress(label) {
  let shown = "";
  let shownAt = Date.now();
  return {
    show(state) {
      if (state === shown || Date.now() - shownAt < INTERVAL_MS) return;
      shown = state;
      shownAt = Date.now();
      process.stderr.write(terminal ? `\r\x1b[K${label}: ${state}` : `${label}: ${state}\n`);
    },
    clear() {
      if (terminal && shown !== "") process.stderr.write("\r\x1b[K");
      shown = "";
    },
  };
}
