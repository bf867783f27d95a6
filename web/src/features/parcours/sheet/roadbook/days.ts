/** A calendar day so many days later; null for what is no day. */
export function addDays(day: string, count: number): string | null {
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return null
  at.setUTCDate(at.getUTCDate() + count)
  return at.toISOString().slice(0, 10)
}
