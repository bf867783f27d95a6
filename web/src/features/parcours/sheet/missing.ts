import type { SheetValues } from './values'

/** One lack: its name as the list's `missing` has it, and the field where it is mended (`trace` has none). */
export interface Lack {
  key: 'title' | 'summary' | 'description' | 'practice' | 'level' | 'trace'
  /** The language, for a text. */
  language: string | null
  /** The path of the form, or `null` for the trace. */
  path: string | null
}

const texts = ['title', 'summary', 'description'] as const
const isWritten = (html: string | undefined) => html !== undefined && html !== null && html.replace(/<[^>]*>/g, '').trim() !== ''

/** The values that the parcours lacks to be complete, by the same rule as the server's `missing`, for the values in the form. */
export function lacksOf(values: SheetValues, hasTrace: boolean, languages: readonly string[]): Lack[] {
  const lacks: Lack[] = texts.flatMap((key) =>
    languages.filter((language) => !isWritten(values[key][language])).map((language) => ({ key, language, path: `${key}.${language}` })),
  )
  if (values.practice_type_id === null) lacks.push({ key: 'practice', language: null, path: 'practice_type_id' })
  if (values.level_id === null) lacks.push({ key: 'level', language: null, path: 'level_id' })
  if (!hasTrace) lacks.push({ key: 'trace', language: null, path: null })
  return lacks
}

/** The number of values of a complete sheet. */
export const wholeCount = (languages: readonly string[]): number => texts.length * languages.length + 3
