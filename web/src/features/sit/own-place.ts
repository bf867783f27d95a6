/** Our place of a tourist record, degrees east and north; a figure that is emptied is null. */
export type OwnPlace = [number | null, number | null]

/** Our place with one of its figures changed: a first figure brings the other one of the source along. None once both are empty. */
export function changedPlace(
  own: OwnPlace | undefined,
  theirs: readonly number[] | null,
  part: 0 | 1,
  degrees: number | null,
): OwnPlace | null {
  const next: OwnPlace = own === undefined ? [theirs?.[0] ?? null, theirs?.[1] ?? null] : [...own]
  next[part] = degrees
  return next[0] === null && next[1] === null ? null : next
}

/** The place to save: a figure that is empty is the source's. */
export const wholePlace = (own: OwnPlace, theirs: readonly number[] | null): OwnPlace => [
  own[0] ?? theirs?.[0] ?? null,
  own[1] ?? theirs?.[1] ?? null,
]
