import type { VocabularyAttributes } from '@/api/types'

/** The code that stands for every practice. */
export const everyPractice = '*'

interface Practice {
  id: number
  code: string
  parent_id: number | null
  attributes: VocabularyAttributes
}

/** A practice and those above it, the nearest first. */
function withThoseAbove<P extends Practice>(practices: readonly P[], id: number | null): P[] {
  const found: P[] = []
  for (let at = practices.find((one) => one.id === id); at !== undefined && !found.includes(at);) {
    found.push(at)
    const parent = at.parent_id
    at = practices.find((one) => one.id === parent)
  }
  return found
}

/** The codes of a practice and of those above it. */
export const codesOf = (practices: readonly Practice[], id: number | null): string[] =>
  withThoseAbove(practices, id).map(({ code }) => code)

/** Whether what is meant for some practices suits one of these codes; what names none suits all. */
export const suits = (meantFor: readonly string[] | undefined, codes: readonly string[]): boolean =>
  meantFor === undefined || meantFor.length === 0 || meantFor.some((code) => code === everyPractice || codes.includes(code))

/**
 * The planner's profile of a practice: its own, else that of the nearest practice above it; else that of the first practice under it, or under
 * the nearest one above, that has one. `practices` has siblings in their order. The server decides the same (`practice_in`); both are tested
 * with `practices.cases.json`.
 */
export function profileIn(practices: readonly Practice[], id: number | null): string | undefined {
  const line = withThoseAbove(practices, id)
  const under = (parent: number, seen: readonly number[]): string | undefined => {
    for (const one of practices) {
      if (one.parent_id !== parent || seen.includes(one.id)) continue
      const found = one.attributes.profile ?? under(one.id, [...seen, one.id])
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const { attributes } of line) if (attributes.profile != null) return attributes.profile
  for (const one of line) {
    const found = under(one.id, [one.id])
    if (found !== undefined) return found
  }
  return undefined
}
