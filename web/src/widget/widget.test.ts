// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { counter } from './events'
import { textIn } from './feed'

const row = {
  id: 7,
  title: { fr: 'Tour du <b>lac</b>', en: 'Around the lake' },
  summary: { fr: 'Une journée.' },
  practice: { label: { fr: 'Randonnée' } },
  level: null,
  is_loop: true,
  distance_m: 13_040,
  duration_s: 14_700,
  ascent_m: 382,
  start: [4, 47],
  media: [],
  page_url: 'https://jalon.example/p/lac-7',
}
const brand = {
  name: 'Val d’Orsel',
  logo: '/media/7/w320-webp?v=1',
  css: '.box{--fill:#f6c445}',
  fonts: [{ family: 'jalon-text-8', path: '/media/8/file?v=1', weight: 'normal' }],
}
const requests: string[] = []
const styles: string[] = []
let answer: (url: string) => Response
let worn: () => Response

beforeEach(async () => {
  requests.length = 0
  styles.length = 0
  worn = () => Response.json(brand)
  // What the tests' browser does not have.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync(css: string) {
        styles.push(css)
      }
    },
  )
  vi.stubGlobal(
    'FontFace',
    class {
      constructor(
        readonly family: string,
        readonly source: string,
      ) {}
    },
  )
  Object.defineProperty(document, 'fonts', { configurable: true, value: new Set() })
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url)
    return Promise.resolve(url.includes('/widget/v1/brand?') ? worn() : answer(url))
  })
  await import('./v1')
})
afterEach(() => {
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function shown(attributes: string): Promise<ShadowRoot> {
  document.body.innerHTML = `<jalon-widget ${attributes}></jalon-widget>`
  const root = document.querySelector('jalon-widget')?.shadowRoot
  if (!root) throw new Error('the element has no shadow')
  await vi.waitFor(() => expect(root.querySelector('[role=status]') ?? root.firstElementChild === null).toBe(false))
  return root
}

it('a list says what each parcours is, as text', async () => {
  answer = () => Response.json({ total: 1, pages: 1, items: [row] })
  const root = await shown('key="w1-a" show="list" lang="fr" practices="3"')
  const card = root.querySelector('.card')
  expect(card?.querySelector('a')?.textContent).toBe('Tour du <b>lac</b> (nouvel onglet)')
  expect(card?.querySelector('.facts')?.textContent).toBe('13,0\u202fkm · 4\u202fh\u202f05 · D+\u202f382\u202fm')
  expect(card?.querySelector('.kinds')?.textContent).toBe('Randonnée · Boucle')
  expect(requests[0]).toContain('/api/public/v1/parcours?key=w1-a&practices=3&fields=')
})

it('asks for the favoured parcours first', async () => {
  answer = () => Response.json({ total: 1, pages: 1, items: [row] })
  await shown('key="w1-a" show="list" lang="fr"')
  expect(new URL(requests[0] ?? '', 'http://here').searchParams.get('sort')).toBe('priority')
})

it('a text that is not written in the language says which it is in', async () => {
  answer = () => Response.json({ total: 1, pages: 1, items: [row] })
  const root = await shown('key="w1-a" show="list" lang="en"')
  expect(root.querySelector('.summary')?.getAttribute('lang')).toBe('fr')
  expect(root.querySelector('.name a [dir=auto]')?.textContent).toBe('Around the lake')
  expect(root.querySelector('.name [lang]')).toBeNull()
  expect(textIn({ de: 'See', fr: '' }, 'fr', 'fr')).toEqual({ words: 'See', lang: 'de' })
})

it('in a page of a third language, texts that are not written in it are in the language of the widget’s own words', async () => {
  const practice = { label: { fr: 'Randonnée', en: 'Hiking' } }
  const level = { label: { fr: 'Facile', de: 'Leicht' } }
  answer = () => Response.json({ total: 1, pages: 1, items: [{ ...row, practice, level }] })
  const root = await shown('key="w1-a" show="list" lang="de"')
  expect(root.querySelector('.box')?.getAttribute('lang')).toBe('en')
  expect(root.querySelector('.name a')?.textContent).toBe('Around the lake (new tab)')
  expect(root.querySelector('.facts')?.textContent).toBe('13.0\u202fkm · 4\u202fh\u202f05 · ↑\u202f382\u202fm')
  expect(root.querySelector('.kinds')?.textContent).toBe('Hiking · Leicht · Loop')
  expect([...root.querySelectorAll('.kinds span')].map((one) => one.getAttribute('lang'))).toEqual([null, 'de'])
})

it('its words go from left to right, and each text of a sheet as its letters do', async () => {
  answer = () => Response.json({ total: 1, pages: 1, items: [row] })
  const root = await shown('key="w1-a" show="list" lang="ar"')
  expect(root.querySelector('.box')?.getAttribute('dir')).toBe('ltr')
  expect([...root.querySelectorAll('.name span:not(.sr), .kinds span, .summary')].map((one) => one.getAttribute('dir'))).toEqual([
    'auto',
    'auto',
    'auto',
  ])
})

it('a page may have several: none is a landmark with the name of another', async () => {
  answer = () => Response.json({ total: 1, pages: 1, items: [row] })
  const root = await shown('key="w1-a" show="list" lang="fr"')
  expect(root.querySelector('section, [role=region]')).toBeNull()
})

it('the site of a refusal is that of the frame, and a frame without one is told what it needs', async () => {
  answer = () => Response.json({ code: 'feed/origin' }, { status: 403 })
  const refusal = async () => (await shown('key="w1-a" show="list" lang="fr"')).querySelector('[role=alert]')?.textContent
  vi.stubGlobal('origin', 'https://mairie.example')
  expect(await refusal()).toContain('Le site https://mairie.example n’est pas autorisé')
  vi.stubGlobal('origin', 'null')
  expect(await refusal()).toContain('« allow-same-origin »')
})

it('a view is counted with the origin of the page, also in a frame that has no address', async () => {
  const referrers: unknown[] = []
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    referrers.push(JSON.parse(body).events[0].referrer)
    return Promise.resolve(new Response())
  })
  const seenFrom = (origin: string) => {
    vi.stubGlobal('origin', origin)
    counter('https://jalon.example', 1, 'fr', new AbortController().signal)(7)
  }
  vi.useFakeTimers()
  try {
    seenFrom('https://mairie.example')
    seenFrom('null')
    vi.runAllTimers()
  } finally {
    vi.useRealTimers()
  }
  expect(referrers).toEqual(['https://mairie.example', undefined])
})

it('a refusal is a sentence, and so is a widget without what it needs', async () => {
  answer = () => Response.json({ code: 'feed/origin' }, { status: 403 })
  expect((await shown('key="w1-a" show="map" lang="fr"')).querySelector('[role=alert]')?.textContent).toContain(
    'n’est pas autorisé à montrer ces parcours',
  )
  expect((await shown('key="w1-a" lang="en"')).querySelector('[role=alert]')?.textContent).toContain('does not say what to show')
  expect((await shown('key="w1-a" show="parcours" parcours="../x" lang="en"')).querySelector('[role=alert]')?.textContent).toContain(
    'does not say what to show',
  )
  answer = () => {
    throw new TypeError('no network')
  }
  expect((await shown('key="w1-a" show="list" lang="en"')).querySelector('[role=alert]')?.textContent).toContain('could not be loaded')
})

it('it wears the logo and the colours of the white-label, and its own where they do not come', async () => {
  answer = () => Response.json({ total: 1, pages: 1, items: [row] })
  const root = await shown('key="w1-a" show="list" lang="fr" color="#f6c445"')
  expect(requests[1]).toMatch(/\/widget\/v1\/brand\?key=w1-a&color=%23f6c445$/)
  const logo = root.querySelector('.logo img')
  expect([logo?.getAttribute('alt'), logo?.getAttribute('src')]).toEqual([
    'Val d’Orsel',
    expect.stringMatching(/\/media\/7\/w320-webp\?v=1$/),
  ])
  expect(styles).toContain('.box{--fill:#f6c445}')
  expect([...document.fonts].map(({ family }) => family)).toEqual(['jalon-text-8'])
  worn = () => Response.json({ code: 'feed/key-unknown' }, { status: 401 })
  const plain = await shown('key="w1-a" show="list" lang="en"')
  expect(plain.querySelector('.logo')).toBeNull()
  expect(plain.querySelector('.card')).not.toBeNull()
})
