import type { GroundEntry, LngLat } from '@/api/types'

export type CorrectedField = 'title' | 'text' | 'position'

/** What is corrected, as it is now, in the language of the entry. */
export interface Present {
  title: string
  text: string
  position: LngLat
  /** Whether its text has more than paragraphs. */
  hasMarks: boolean
}

/** A field that an entry corrects. */
export interface Proposed {
  field: CorrectedField
  /** Whether it is no longer what the device knew: it is not applied unless a person ticks it. */
  isChanged: boolean
}

/** The fields that an entry corrects and that are not so already. */
export function proposedIn({ title, text, position, before }: GroundEntry, present: Present): Proposed[] {
  const texts = (['title', 'text'] as const).flatMap((field): Proposed[] => {
    const wanted = field === 'title' ? title : text
    return wanted === '' || wanted === present[field] ? [] : [{ field, isChanged: present[field] !== (before?.[field] ?? '') }]
  })
  if (position === null || isSame(position, present.position)) return texts
  const known = before?.position ?? null
  return [...texts, { field: 'position', isChanged: known === null || !isSame(known, present.position) }]
}

/** Places are stored to the centimetre. */
const isSame = (one: LngLat, other: LngLat): boolean => Math.abs(one[0] - other[0]) < 1e-7 && Math.abs(one[1] - other[1]) < 1e-7

/** Whether a rich text has marks beyond its paragraphs. */
export const hasMarks = (html: string): boolean => /<(?!\/?(?:p|br)\b)/.test(html)

/** Plain words as a rich text: a paragraph for each line. */
export const asHtml = (words: string): string =>
  words
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`)
    .join('')
