import { format } from '@/ui/format'

/** « 5 mai 2027 », « lundi et jeudi », « Lun.–ven. »: the days on which a service runs, as its feed gives them. */
export function daysOf({ on, weekdays }: { on: string | null; weekdays: readonly number[] }, ofKind: string): string {
  if (on !== null) return format.day(on)
  if (weekdays.length === 0) return ofKind
  return format.list(weekdays.map(format.weekday))
}
