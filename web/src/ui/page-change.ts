type Question = () => Promise<boolean>
const open = new Set<Question>()

/** Registers the question that a form asks before the page changes. Returns the function that removes it, to be called when the form closes. */
export function asksFirst(question: Question): () => void {
  open.add(question)
  return () => void open.delete(question)
}

/** Whether the page may change: every form with unsaved changes asks, one after the other, and all must agree. */
export async function mayChangePage(): Promise<boolean> {
  for (const question of open) {
    // One question at a time is on the screen.
    // oxlint-disable-next-line no-await-in-loop
    if (!(await question())) return false
  }
  return true
}
