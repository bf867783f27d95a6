import { translate } from '@/i18n'
import { format } from '@/ui/format'

/** The words of a rich text, without its marks. */
export const wordsOfHtml = (html: string): string =>
  html
    .replace(/<\/(p|li|h[1-6])>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .trim()

/** Any value of a form in words, for a comparison. */
export function plainValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'string') return /^\d{4}-\d{2}-\d{2}$/.test(value) ? format.day(value) : wordsOfHtml(value)
  if (typeof value === 'number') return format.number(value, Number.isInteger(value) ? 0 : 1)
  if (typeof value === 'boolean') return translate(value ? 'yes' : 'no')
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(plainValue).join(', ')
  return typeof value === 'object'
    ? Object.entries(value)
        .map(([key, part]) => format.labelled(key, plainValue(part)))
        .join(', ')
    : JSON.stringify(value)
}
