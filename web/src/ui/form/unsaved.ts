type Question = () => Promise<boolean>
const open = new Set<Question>()

/** Names what a form asks before the page changes around it; call what it gives when the form closes. */
export function asksFirst(question: Question): () => void {
  open.add(question)
  return () => void open.delete(question)
}

/** Whether every form of the page lets it change; each with unsaved changes asks, one after the other. */
export async function mayChangePage(): Promise<boolean> {
  for (const question of open) {
    // One question at a time is on the screen.
    // oxlint-disable-next-line no-await-in-loop
    if (!(await question())) return false
  }
  return true
}
