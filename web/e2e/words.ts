import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compose, type Messages, type Params } from '../src/i18n/messages'

/** The texts of the screens in a language, `area:path`: a journey that is walked in both names them once. */
export function wordsIn(locale: 'fr' | 'en'): (key: string, params?: Params) => string {
  const read = new Map<string, Messages>()
  return (key, params = {}) => {
    const [area = '', path = ''] = key.split(':')
    const known =
      read.get(area) ?? (JSON.parse(readFileSync(join(import.meta.dirname, '../src/i18n', locale, `${area}.json`), 'utf8')) as Messages)
    read.set(area, known)
    const text = compose(known, path, params, locale === 'fr' ? 'fr-FR' : 'en-GB')
    if (text === undefined) throw new Error(`no text ${key}`)
    return text
  }
}
