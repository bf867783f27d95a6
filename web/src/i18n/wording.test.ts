import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { identifiers, type Messages } from './messages'

const here = import.meta.dirname
const areas = readdirSync(join(here, 'fr'))
const flat = (messages: Messages, before = ''): [string, string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[before + key, value] as [string, string]] : flat(value, `${before}${key}.`),
  )
const texts = (locale: 'fr' | 'en') =>
  areas.flatMap((area) =>
    flat(JSON.parse(readFileSync(join(here, locale, area), 'utf8')) as Messages).map(([key, text]) => ({
      key: `${area.replace('.json', '')}:${key}`,
      text,
    })),
  )
const [fr, en] = [texts('fr'), texts('en')]
const matching = (list: typeof fr, pattern: RegExp) =>
  list.filter(({ text }) => pattern.test(text)).map(({ key, text }) => `${key} – ${text}`)

/** Our own source files, tests left out. */
const root = join(here, '..')
const sources = readdirSync(root, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|d)\./.test(entry.name))
  .map((entry) => ({
    file: relative(root, join(entry.parentPath, entry.name)),
    code: readFileSync(join(entry.parentPath, entry.name), 'utf8'),
  }))
const filesWith = (pattern: RegExp, allowed: string[]) =>
  sources.filter(({ file, code }) => !allowed.includes(file) && pattern.test(code)).map(({ file }) => file)

// The terms are those of docs/dev/glossary.md.
describe('one term for each thing', () => {
  const frenchNo: [string, RegExp][] = [
    ['gérée, et non tenue', /\btenue?s? par (d’autres|l’admin|les super)/],
    ['pas compté, et non ni pour ni contre', /ni pour ni contre/],
    ['code QR', /\bQR codes?\b/],
    ['POI est invariable', /\bPOIs\b/],
    ['appartenir à une marque blanche', /(?<!appartient )\b(est|sont|pas) à (votre|une autre) marque blanche/],
    ['type, et non genre', /du genre attendu|de ce genre/],
    ['consulter et modifier ont une personne pour sujet', /se consulte(nt)?\b/],
    ['tag', /\b[ÉEée]tiquettes?\b/],
    ['super-administrateur', /\bsuperadmin/i],
  ]
  it.each(frenchNo)('French: %s', (_, pattern) => expect(matching(fr, pattern)).toEqual([]))
  const englishNo: [string, RegExp][] = [
    ['white-label, with a hyphen', /\bwhite labels?\b/i],
    [
      'British spelling',
      /\b(colou?rs?|kilomet(er|re)s?|cent(er|re)s?|organi[sz]ations?|favou?rites?|authori[sz]ed|recogni[sz]es?|cancel?led|meters?|gray)\b/i,
    ],
    ['e-mail', /\bemail\b/i],
    ['media file', /\b(a|this|that) medi(a|um)\b(?! file)/i],
    ['my white-label, not mine', /\b(on|from) mine\b/i],
    ['no longer exists, not is no more', /\bis no more\b/i],
    ['another structure manages it', /\bothers than you\b/i],
    ['reserved for', /\breserved to\b/i],
    ['website', /\bweb site\b/i],
    ['super-administrator', /\bsuper ?administrator/i],
  ]
  const british = /\b(colours?|kilometres?|centre|organisations?|favourites?|authorised|recognises?|cancelled)\b/gi
  it.each(englishNo)('English: %s', (_, pattern) =>
    expect(
      matching(
        en.map(({ key, text }) => ({ key, text: text.replace(british, '').replace(/\{\{\w+\}\}/g, '') })),
        pattern,
      ),
    ).toEqual([]),
  )

  // The specification words the two messages of a record: « {entity} sauvegardé ! », « Erreur lors de la sauvegarde … ».
  it('saving is « enregistrer », but for the two messages of the specification', () => {
    const messages = /(^|[.:])(saved|merged|saveError|save|failed|pageSaveError)$/
    expect(
      fr
        .filter(
          ({ key, text }) =>
            /sauvegard/i.test(text) &&
            !(messages.test(key) && (/^.+ sauvegardée? !/.test(text) || text.startsWith('Erreur lors de la sauvegarde d'))),
        )
        .map(({ key }) => key),
    ).toEqual([])
  })

  it('the threshold of reliability comes with the payload', () => {
    expect([...matching(fr, /\b95\b/), ...matching(en, /\b95\b/)]).toEqual([])
  })
})

describe('spaces are set by one helper', () => {
  it('no text holds a no-break space', () => expect([...matching(fr, /[\u00a0\u202f]/), ...matching(en, /[\u00a0\u202f]/)]).toEqual([]))
  it('French has a space before : ; ! ? %', () =>
    expect(
      matching(
        fr.map(({ key, text }) => ({ key, text: text.replace(/\b(mailto|tel|Bearer|Authorization):/g, '') })),
        /[^\s:;!?][;!?:](\s|$)|[\d}]%/,
      ),
    ).toEqual([]))
  it('English has none', () =>
    expect(matching(en, /\S [:;!?](?! (longitude|\{\{))(\s|$)|[\d}] %/).filter((text) => !text.includes('latitude ; longitude'))).toEqual(
      [],
    ))
  it('no code types a no-break space or a colon of its own', () => {
    const readers = ['i18n/typography.ts', 'ui/format.ts', 'ui/field/inputs.tsx']
    expect(filesWith(/\\u00a0|\\u202f|[\u00a0\u202f]/, readers)).toEqual([])
    expect(filesWith(/`[^`\n]*\} : \$\{[^`\n]*`|>\s?: \{/, ['i18n/typography.ts', 'ui/format.ts'])).toEqual([])
  })
})

describe('numbers', () => {
  it('a number that names a record is written as it is', () => {
    const named = [...fr, ...en].flatMap(({ text }) => [...text.matchAll(/(?:n°|no\.) \{\{(\w+)\}\}/g)].map(([, name]) => name ?? ''))
    expect(named.filter((name) => !identifiers.has(name))).toEqual([])
    expect(named.length).toBeGreaterThan(5)
  })
  it('nothing but the formatter writes a number in the language of the screen', () =>
    expect(filesWith(/\.toLocaleString\(/, [])).toEqual([]))
})
