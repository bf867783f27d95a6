/** The two languages of the interface. */
type Locale = 'fr' | 'en'

/** Narrow no-break space: in thousands, before a unit and, in French, before `: ; ! ? %`. */
export const narrow = '\u202f'
/** No-break space of full width: inside « » and after « n° ». */
const wide = '\u00a0'

/** The colon between a label and what it says: « Pratique : Vélo », “Practice: Bike”. */
export const colon = (locale: Locale): string => (locale === 'fr' ? `${narrow}: ` : ': ')
/** A figure and its unit, kept on one line. */
export const withUnit = (figure: string, unit: string): string => `${figure}${narrow}${unit}`
/** The percent sign after a figure. */
export const percentSign = (locale: Locale): string => (locale === 'fr' ? `${narrow}%` : '%')

const units = 'km/h|km|mm|m|h|min|s|px|Go|Mo|ko|o|GB|MB|kB|B|°|€'
const unit = new RegExp(`(\\d|\\}\\}) (${units})(?![\\p{L}\\d’'])`, 'gu')
const number = /\b(n°|no\.) (?=\d|\{\{)/g

/** Puts the spaces of one text as they are printed. Texts are written with plain spaces. */
export function typeset(text: string, locale: Locale): string {
  const spaced = text
    .replace(unit, `$1${narrow}$2`)
    .replace(/(\d\u202fh) (\d)/g, `$1${narrow}$2`)
    .replace(number, `$1${wide}`)
  if (locale === 'en') return spaced
  return spaced
    .replace(/ ([:;!?%])/g, `${narrow}$1`)
    .replace(/ »/g, `${wide}»`)
    .replace(/« /g, `«${wide}`)
}
