import { currentLocale, dateTagOf, tagOf, translate, type Locale } from '@/i18n'
import { colon, percentSign, withUnit } from '@/i18n/typography'

/** A text in some languages, by their codes. */
type TextByLanguage = Partial<Readonly<Record<string, string>>>

/** One formatter for each language: making one takes longer than a hundred texts. */
function perLocale<F>(make: (locale: Locale) => F): () => F {
  const made = new Map<Locale, F>()
  return () => {
    const locale = currentLocale()
    let formatter = made.get(locale)
    if (formatter === undefined) made.set(locale, (formatter = make(locale)))
    return formatter
  }
}
const lists = perLocale((locale) => new Intl.ListFormat(tagOf(locale), { type: 'conjunction' }))
const times = perLocale((locale) => new Intl.RelativeTimeFormat(dateTagOf(locale), { numeric: 'auto', style: 'short' }))

const numbers = new Map<string, Intl.NumberFormat>()
function number(value: number, digits = 0, options: Intl.NumberFormatOptions = {}): string {
  const tag = tagOf(currentLocale())
  const key = `${tag}${digits}${JSON.stringify(options)}`
  let made = numbers.get(key)
  if (made === undefined)
    numbers.set(key, (made = new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits, ...options })))
  return made.format(value)
}

/** A time that cannot be read is shown as nothing, as an empty cell: one of them must not take a whole list away. */
const unreadable = '–'

const days = new Map<string, Intl.DateTimeFormat>()
function date(value: Date, options: Intl.DateTimeFormatOptions): string {
  if (Number.isNaN(value.getTime())) return unreadable
  const tag = dateTagOf(currentLocale())
  const key = tag + JSON.stringify(options)
  let made = days.get(key)
  if (made === undefined) days.set(key, (made = new Intl.DateTimeFormat(tag, options)))
  const text = made.format(value)
  // « 1er mai »: the formatter writes « 1 mai ».
  return currentLocale() === 'fr' ? text.replace(/(?<![\d\p{L}])1(?=\s\p{L}{3})/u, '1er') : text
}

/** A day without a time, `2026-05-01`: it is the same day wherever it is read. */
const calendarDay = /^\d{4}-\d{2}-\d{2}$/

/** A day of the calendar is the same everywhere; an instant is written in the time zone of the browser. */
const dayOf = (value: string | Date, options: Intl.DateTimeFormatOptions): string =>
  typeof value === 'string' && calendarDay.test(value)
    ? date(new Date(value), { ...options, timeZone: 'UTC' })
    : date(new Date(value), options)

/** Today as a day of the calendar, in the time zone of the browser. */
export function calendarToday(now: Date = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

const minute = 60
const hour = 3600
const day = 86_400

/** « il y a 2 h », « hier », and beyond a week the day itself. */
function ago(instant: string | Date, now: Date = new Date()): string {
  const then = new Date(instant)
  const seconds = (then.getTime() - now.getTime()) / 1000
  if (Number.isNaN(seconds)) return unreadable
  const size = Math.abs(seconds)
  if (size > 7 * day)
    return date(
      then,
      then.getFullYear() === now.getFullYear() ? { day: 'numeric', month: 'short' } : { day: 'numeric', month: 'short', year: 'numeric' },
    )
  const words = times()
  if (size < minute) return words.format(0, 'minute').replace('cette minute-ci', 'à l’instant').replace('this minute', 'just now')
  if (size < hour) return words.format(Math.round(seconds / minute), 'minute')
  if (size < day) return words.format(Math.round(seconds / hour), 'hour')
  return words.format(Math.round(seconds / day), 'day')
}

/** « 4 h 05 », « 50 min », « 3 j 2 h » stays in hours: a walker counts hours. */
function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [h, min] = [Math.floor(minutes / 60), minutes % 60]
  if (h === 0) return withUnit(String(min), 'min')
  const rest = String(min).padStart(2, '0')
  return withUnit(String(h), withUnit('h', currentLocale() === 'fr' ? rest : withUnit(rest, 'min')))
}

/** « 09:05 » */
const clock = (): Intl.DateTimeFormatOptions => ({ hour: '2-digit', minute: '2-digit' })

/** The number of decimals for the marks of an axis: two for steps of 0.25. */
const decimalsOf = (step: number): number =>
  [0, 1, 2, 3].find((digits) => Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6) ?? 3

const bytesUnits = { fr: ['o', 'ko', 'Mo', 'Go'], en: ['B', 'KB', 'MB', 'GB'] } as const

/** The formats of values in the current language. */
export const format = {
  number,
  /** 12740 → « 12,7 km »; under a kilometre in metres. */
  distance: (m: number) => (m < 1000 ? withUnit(number(Math.round(m)), 'm') : withUnit(number(m / 1000, 1), 'km')),
  /** Always in km, with `digits` decimals. */
  km: (m: number, digits = 1) => withUnit(number(m / 1000, digits), 'km'),
  metres: (m: number) => withUnit(number(Math.round(m)), 'm'),
  /** Marks of an axis in km, with enough decimals to distinguish them. */
  axisKm: (marks: readonly number[]) => {
    const step = (marks[1] ?? 1) - (marks[0] ?? 0)
    return marks.map((km) => (km === 0 ? withUnit(number(km), 'km') : number(km, decimalsOf(step))))
  },
  /** One decimal, rounded down: 94.96 is « 94,9 % ». */
  percent: (value: number, digits = 1) =>
    `${number(Math.floor(value * 10 ** digits + 1e-9) / 10 ** digits, digits)}${percentSign(currentLocale())}`,
  /** A slope: « 4 % », « −12 % ». */
  signedPercent: (value: number) =>
    `${number(Math.round(value) === 0 ? 0 : Math.round(value)).replace('-', '−')}${percentSign(currentLocale())}`,
  money: (cents: number) => number(cents / 100, 2, { style: 'currency', currency: 'EUR' }),
  bytes: (bytes: number) => {
    const power = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
    const value = bytes / 1000 ** power
    // « 25 Mo », not « 25,0 Mo ».
    const digits = power > 1 && Math.round(value * 10) % 10 !== 0 ? 1 : 0
    return withUnit(number(value, digits), bytesUnits[currentLocale()][power] ?? '')
  },
  duration,
  ago,
  /** A day of the calendar, or an instant, with the parts that are asked for. */
  dayWith: dayOf,
  /** « 20 nov. 2026 » */
  day: (value: string | Date) => dayOf(value, { day: 'numeric', month: 'short', year: 'numeric' }),
  /** 1 is « lundi », “Monday”. */
  weekday: (number: number) => date(new Date(2024, 0, number), { weekday: 'long' }),
  /** « vendredi 20 novembre 2026 » */
  longDay: (value: string | Date) => dayOf(value, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
  /** « 20 nov. 2026, 14:41 »: what a `title` beside `ago` shows. */
  instant: (value: string | Date) => date(new Date(value), { day: 'numeric', month: 'short', year: 'numeric', ...clock() }),
  time: (value: string | Date) => date(new Date(value), clock()),
  /** « a, b et c » */
  list: (items: string[]) => lists().format(items),
  /** « 30 s », « 4 200 px »: a figure and a unit that no other function writes. */
  unit: (value: number, unit: string) => withUnit(number(value, Number.isInteger(value) ? 0 : 1), unit),
  /** « Pratique : Vélo » */
  labelled: (label: string, value: string) => `${label}${colon(currentLocale())}${value}`,
  colon: () => colon(currentLocale()),
  /** For an empty cell, or to make the same announcement another text. Spaces of units and colons come from the functions above. */
  nbsp: '\u00a0',
}

/** A translated text in the language of the interface, else in the first language that has one, else `fallback`. */
export function textOf(text: TextByLanguage | null | undefined, fallback: string = translate('untitled')): string {
  if (text === null || text === undefined) return fallback
  const own = text[currentLocale()]
  if (own !== undefined && own !== '') return own
  return Object.values(text).find((value) => value !== undefined && value !== '') ?? fallback
}
