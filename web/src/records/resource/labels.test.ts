import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areaOf, fields } from '@/records/translation/texts'

const root = join(import.meta.dirname, '../..')
const features = join(root, 'features')

interface Source {
  file: string
  code: string
}

/** The files of the features, tests left out. */
const sources: Source[] = readdirSync(features, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ file: relative(features, path), code: readFileSync(path, 'utf8') }))

type Labels = Record<string, unknown>
/** The texts under `field` or `section` of an area. */
function textsOf(locale: 'fr' | 'en', area: string, group: 'field' | 'section'): Labels {
  const messages = JSON.parse(readFileSync(join(root, `i18n/${locale}/${area}.json`), 'utf8')) as Record<string, Labels | undefined>
  return messages[group] ?? {}
}
const isText = (found: unknown) => typeof found === 'string' && found.trim() !== ''
const hasLabel = (area: string, name: string) =>
  (['fr', 'en'] as const).every(
    (locale) => isText(textsOf(locale, area, 'field')[name]) || isText(textsOf(locale, 'resource', 'field')[name]),
  )

const all = (code: string, pattern: RegExp) => [...code.matchAll(pattern)].map((found) => found[1] ?? '')
const quoted = (list: string) => all(list, /'(\w+)'/g)

/** The area of a form: that of its file, else the only one of the files in its folder. */
function areasOf({ file, code }: Source, among: Source[]): string[] {
  const own = all(code, /^\s+area: '(\w+)',$/gm)
  if (own.length > 0) return own
  const beside = among.filter((other) => dirname(other.file) === dirname(file))
  return [...new Set(beside.flatMap((other) => all(other.code, /^\s+area: '(\w+)',$/gm)))]
}

/** The names with which a form asks for labels: `f('title')`, `at('colors', 'primary')`, and `f(flag)` for each of a list. */
function namesAskedFor(code: string): string[] {
  const lists = Object.fromEntries([...code.matchAll(/const (\w+) = \[([^\]]*)\] as const/g)].map(([, name, list]) => [name, list ?? '']))
  const ofLists = [...code.matchAll(/(\w+)\.map\(\((\w+)\) =>/g)].flatMap(([, list = '', one]) =>
    new RegExp(`\\bf\\(${one}\\)`).test(code) ? quoted(lists[list] ?? '') : [],
  )
  return [...all(code, /\bf\('(\w+)'\)/g), ...all(code, /\bat\((?:'\w+', )?'(\w+)'\)/g), ...ofLists]
}

/** The names in the sections of a form. */
const namesOfSections = (code: string) => all(code, /^\s+(?:\{ key: '\w+', )?names: \[([^\]]*)\]/gm).flatMap(quoted)

/** The fields of forms without a label in both languages: `pois/fields.tsx: access`. */
function withoutLabel(forms: Source[], among = forms): string[] {
  return forms.flatMap((source) => {
    const names = [...new Set([...namesAskedFor(source.code), ...namesOfSections(source.code)])]
    if (names.length === 0) return []
    const [area, ...others] = areasOf(source, among)
    if (area === undefined || others.length > 0) return [`${source.file}: of which area are ${names.join(', ')}?`]
    return names.filter((name) => !hasLabel(area, name)).map((name) => `${source.file}: ${name}`)
  })
}

describe('the labels of a form', () => {
  const forms = sources.filter(({ code }) => /FieldOf\b/.test(code) || /\bsections: \[/.test(code))

  it('every field that a form names has one, in both languages', () => expect(withoutLabel(forms, sources)).toEqual([]))
  it('so have the parts of an address', () => {
    const names = namesAskedFor(readFileSync(join(root, 'records/form/AddressFields.tsx'), 'utf8'))
    expect(names).toEqual(expect.arrayContaining(['postcode', 'city', 'country']))
    expect(names.filter((name) => !hasLabel('resource', name))).toEqual([])
  })
  it('every column and filter that names a field has one', () => {
    const used = sources.flatMap(({ file, code }) =>
      [...code.matchAll(/\blabelOf\('(\w+)', '(\w+)'\)/g)].map(([, area = '', name = '']) => ({ file, area, name })),
    )
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter(({ area, name }) => !hasLabel(area, name))).toEqual([])
  })
  it('every section has a title', () => {
    const untitled = forms.flatMap((source) =>
      all(source.code, /\bkey: '(\w+)',\s+names: \[/g).filter((key) =>
        areasOf(source, sources).some((area) => (['fr', 'en'] as const).some((locale) => !isText(textsOf(locale, area, 'section')[key]))),
      ),
    )
    expect(untitled).toEqual([])
  })
  it('every translated field has one', () => {
    const translated = Object.entries(fields).flatMap(([kind, names]) =>
      Object.keys(names).map((name) => ({ area: areaOf[kind as keyof typeof fields], name })),
    )
    expect(translated.filter(({ area, name }) => !hasLabel(area, name))).toEqual([])
  })

  it('a form is read as it is written', () => {
    const def = { file: 'planted/planted.tsx', code: "const def = {\n  area: 'pois',\n  sections: [{ key: 'a', names: [] }],\n}" }
    const of = (code: string) => withoutLabel([def, { file: 'planted/fields.tsx', code }])
    expect(of("<TextField {...f('title')} />")).toEqual([])
    expect(of("<TextField {...f('absent')} />")).toEqual(['planted/fields.tsx: absent'])
    expect(of('<TextField name="x.absent" label={f(\'absent\').label} />')).toEqual(['planted/fields.tsx: absent'])
    expect(of("<ColorField {...at('colors', 'absent')} />")).toEqual(['planted/fields.tsx: absent'])
    expect(of("const flags = ['title', 'absent'] as const\nflags.map((flag) => <CheckField {...f(flag)} />)")).toEqual([
      'planted/fields.tsx: absent',
    ])
    expect(of("  sections: [\n    { key: 'a', names: ['title', 'absent'], Fields: A },\n  ]")).toEqual(['planted/fields.tsx: absent'])
    expect(of("    {\n      key: 'a',\n      names: ['absent'],\n    }")).toEqual(['planted/fields.tsx: absent'])
    expect(withoutLabel([{ file: 'alone/fields.tsx', code: "f('title')" }])).toEqual(['alone/fields.tsx: of which area are title?'])
  })
})
