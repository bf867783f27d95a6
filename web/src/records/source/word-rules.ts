import type { ImportValueRule } from '@/api/types'

/** The meaning of a source's word: one of our items, nothing, or not set yet. */
export type Meaning = number | typeof LEFT_OUT | null
export const LEFT_OUT = 'left-out'

/** A word as one step of a path: a full stop in it parts nothing. */
const asStep = (text: string): string => text.replaceAll('%', '%25').replaceAll('.', '%2E')

/** The path in the form of the meaning of a word. */
export const meaningPath = ({ list, key }: Pick<ImportValueRule, 'list' | 'key'>): string => `values.${asStep(`${list} ${key}`)}`

/** The meanings of words, each under a separate path, so that two users may set different words without a conflict. */
export const meaningsOf = (rules: readonly ImportValueRule[]): Record<string, Meaning> =>
  Object.fromEntries(rules.map((rule) => [meaningPath(rule).slice('values.'.length), rule.term_id ?? LEFT_OUT]))

/** The word whose meaning is at a path. */
export function wordAt(path: string): Pick<ImportValueRule, 'list' | 'key'> {
  const [list = '', ...key] = decodeURIComponent(path.replace(/^values\./, '')).split(' ')
  return { list: list as ImportValueRule['list'], key: key.join(' ') }
}

/** The meanings in the form of the server, which leaves out words without one. */
export function valueRules(meanings: Record<string, Meaning>): ImportValueRule[] {
  return Object.entries(meanings).flatMap(([at, meaning]) =>
    meaning === null ? [] : [{ ...wordAt(at), term_id: meaning === LEFT_OUT ? null : meaning }],
  )
}
