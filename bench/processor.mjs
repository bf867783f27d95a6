// The processor time of a server and of PostgreSQL, from /proc.
import { readFileSync } from "node:fs";

const fields = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").map(Number);
const children = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);

/** Processor time of a process, ms. */
export const ofProcess = (pid) => (fields(pid)[11] + fields(pid)[12]) * 10;

/** Processor time of PostgreSQL, ms: of POSTMASTER, of its children, and of those that have ended. 0 without POSTMASTER, as with SQLite, which works inside the server. */
export function ofDatabase() {
  const postmaster = process.env.POSTMASTER;
  if (!postmaster) return 0;
  let sum = (fields(postmaster)[13] + fields(postmaster)[14]) * 10;
  for (const pid of [postmaster, ...children(postmaster)]) {
    try {
      sum += ofProcess(pid);
    } catch {
      // It has ended, and is counted with its parent at the next look.
    }
  }
  return sum;
}
