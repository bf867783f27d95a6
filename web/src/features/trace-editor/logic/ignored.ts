import type { IgnoredGapInput } from '@/api/types'
import type { Gap } from './gaps'
import { measure, nearest, positionAt } from '@/records/map/line'
import { type Ignored, type Revision, measured } from './revision'

/** A gap whose line passes this near to the middle of an ignored one of its cause is that one; as the server has it. */
const SAME_GAP_M = 40

/** The mark of a gap: its middle stays where it is when the line is changed elsewhere. */
export function markOf(gap: Gap, reason: string): Ignored | null {
  const whole = measure(gap.line)
  const place = positionAt(whole, whole.lengthM / 2)
  return place ? { cause: gap.cause, place, length_m: gap.to_m - gap.from_m, reason } : null
}

const isOf = (mark: Ignored, gap: Gap): boolean =>
  mark.cause === gap.cause && nearest(measure(gap.line), mark.place, { withinM: SAME_GAP_M }) !== null

/** Why a gap is ignored; null when it is not decided. */
export const reasonOf = (gap: Gap, ignored: readonly Ignored[]): string | null => ignored.find((mark) => isOf(mark, gap))?.reason ?? null

export function ignore(revision: Revision, gap: Gap, reason: string): Revision {
  const mark = markOf(gap, reason)
  return mark ? { ...revision, ignored: [...revision.ignored.filter((one) => !isOf(one, gap)), mark] } : revision
}

export const stopIgnoring = (revision: Revision, gap: Gap): Revision => ({
  ...revision,
  ignored: revision.ignored.filter((one) => !isOf(one, gap)),
})

/** The ignored gaps that the server has. */
export const ignoredOf = (gaps: readonly Gap[]): Ignored[] =>
  gaps.flatMap((gap) => (gap.ignored ? (markOf(gap, gap.ignored.reason) ?? []) : []))

/** The form in which they are sent: in metres of the current working line. */
export function toIgnoredInput(revision: Revision): IgnoredGapInput[] {
  const line = measured(revision)
  return revision.ignored.flatMap(({ cause, place, length_m, reason }) => {
    const at = nearest(line, place)?.atM
    return at === undefined
      ? []
      : [{ cause, reason, from_m: Math.max(0, at - length_m / 2), to_m: Math.min(line.lengthM, at + length_m / 2) }]
  })
}
