import { typeset } from '@/i18n/typography'

/** What keeps its spaces: code, and the tags themselves. */
const untouched = /(<pre\b[\s\S]*?<\/pre>|<code\b[\s\S]*?<\/code>|<[^>]*>)/

/** Puts the spaces of a page of the guide as they are printed: it is written in French, with plain spaces. */
export const typesetPage = (html: string): string =>
  html
    .split(untouched)
    .map((part, index) => (index % 2 === 0 ? typeset(part, 'fr') : part))
    .join('')
