import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compose, type Messages } from './messages'
import { typeset } from './typography'

const here = join(import.meta.dirname)
const read = (locale: string, area: string) => JSON.parse(readFileSync(join(here, locale, area), 'utf8')) as Messages
const areas = readdirSync(join(here, 'fr'))
const keysOf = (messages: Messages, before = ''): [string, string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[before + key, value] as [string, string]] : keysOf(value, `${before}${key}.`),
  )

/** Everything we wrote, to look for keys in. */
function sources(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

describe('the texts', () => {
  it('stand in the same areas in both languages', () => {
    expect(readdirSync(join(here, 'en')).sort()).toEqual([...areas].sort())
  })

  it.each(areas)('%s: the same keys with the same parameters', (area) => {
    const params = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}|<(\w+)>/g)].map(([whole]) => whole).sort()
    const [fr, en] = [keysOf(read('fr', area)), keysOf(read('en', area))]
    expect(en.map(([key]) => key).sort()).toEqual(fr.map(([key]) => key).sort())
    for (const [key, text] of fr) expect([key, new Set(params(Object.fromEntries(en)[key] ?? ''))]).toEqual([key, new Set(params(text))])
  })

  it.each(areas)('%s: none is empty, and none of a plural is without its other half', (area) => {
    for (const locale of ['fr', 'en']) {
      const keys = keysOf(read(locale, area))
      expect(keys.filter(([, text]) => text.trim() === '')).toEqual([])
      const names = new Set(keys.map(([key]) => key))
      expect(
        [...names].filter(
          (key) =>
            (key.endsWith('_one') && !names.has(key.replace(/_one$/, '_other'))) ||
            (key.endsWith('_other') && !names.has(key.replace(/_other$/, '_one'))),
        ),
      ).toEqual([])
    }
  })

  const code = sources(join(here, '..'))
  const found = (pattern: RegExp) => new Set([...code.matchAll(pattern)].map(([text]) => text))
  // A key is written in full, or with its beginning before a `${…}` and its end after it.
  const [whole, begun] = [found(/(?<=['":])[\w./-]+(?=['"])/g), found(/(?<=[`:])[\w./-]+(?=\.\$\{)/g)]
  // Codes of errors are the server's, and are tested with it.
  it.each(areas.filter((area) => area !== 'errors.json'))('%s: every text is used', (area) => {
    const used = (key: string) => {
      const stem = key.replace(/_(one|other)$/, '')
      const parts = stem.split('.')
      return whole.has(stem) || parts.slice(1).some((_, i) => begun.has(parts.slice(0, i + 1).join('.')))
    }
    expect(
      keysOf(read('fr', area))
        .map(([key]) => key)
        .filter((key) => !used(key)),
    ).toEqual([])
  })
})

describe('a text', () => {
  const messages: Messages = {
    one: 'Bonjour {{name}}',
    deep: { rows_one: '{{count}} ligne', rows_other: '{{count}} lignes' },
    'a/b': 'code',
  }
  it('takes its parameters, its plural, and a code as its key', () => {
    expect(compose(messages, 'one', { name: 'Maïlys' }, 'fr-FR')).toBe('Bonjour Maïlys')
    expect([0, 1, 2].map((count) => compose(messages, 'deep.rows', { count }, 'fr-FR'))).toEqual(['0 ligne', '1 ligne', '2 lignes'])
    expect([0, 1, 2].map((count) => compose(messages, 'deep.rows', { count }, 'en-US'))).toEqual(['0 lignes', '1 ligne', '2 lignes'])
    expect([0.5, 1.5, 12_408].map((count) => compose(messages, 'deep.rows', { count }, 'fr-FR'))).toEqual([
      '0,5 ligne',
      '1,5 ligne',
      '12\u202f408 lignes',
    ])
    expect([0.5, 12_408].map((count) => compose(messages, 'deep.rows', { count }, 'en-US'))).toEqual(['0.5 lignes', '12,408 lignes'])
    expect(compose({ a: 'n° {{id}}' }, 'a', { id: 12_408 }, 'fr-FR')).toBe('n° 12408')
    expect(compose(messages, 'a/b', {}, 'fr-FR')).toBe('code')
    expect(compose(messages, 'deep.absent', {}, 'fr-FR')).toBeUndefined()
  })
  it('is set as French is printed', () => {
    expect(typeset('Quitter ? « Oui » : 95 %, 12 km, {{n}} m, n° {{id}}', 'fr')).toBe(
      'Quitter\u202f? «\u00a0Oui\u00a0»\u202f: 95\u202f%, 12\u202fkm, {{n}}\u202fm, n°\u00a0{{id}}',
    )
  })
  it('keeps a unit with its figure in English, and nothing else', () => {
    expect(typeset('Ready: 12 km at 4 km/h, 3 minutes; 10 m', 'en')).toBe('Ready: 12\u202fkm at 4\u202fkm/h, 3 minutes; 10\u202fm')
  })
})
