/** The calendar day `count` days later; null when `day` is not a date. */
export function addDays(day: string, count: number): string | null {
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return null
  at.setUTCDate(at.getUTCDate() + count)
  return at.toISOString().slice(0, 10)
}
