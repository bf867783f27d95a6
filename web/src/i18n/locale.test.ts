// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as texts from './index'
import { localeOfPath, preferredLocale, readCookie, startLocale, switchLocale, withLocale, withoutLocale, writeCookie } from './locale'

describe('paths', () => {
  it.each([
    ['/', '/en'],
    ['/parcours/3', '/en/parcours/3'],
    ['/enigme', '/en/enigme'],
  ])('%s is %s in English', (fr, en) => {
    expect([withLocale(fr, 'en'), withLocale(en, 'fr'), withoutLocale(en), withLocale(en, 'en')]).toEqual([en, fr, fr, en])
    expect([localeOfPath(fr), localeOfPath(en)]).toEqual(['fr', 'en'])
  })
})

describe('the language of a first visit', () => {
  it.each([
    ['the cookie first', 'en', ['fr-FR'], 'fr', 'en'],
    ['then the browser', undefined, ['de-DE', 'fr-CA', 'en'], 'en', 'fr'],
    ['then the configuration', undefined, ['de-DE'], 'fr-FR', 'fr'],
    ['then English', undefined, ['de-DE'], undefined, 'en'],
    ['a cookie without meaning is none', 'xx', ['fr'], 'en', 'fr'],
  ])('%s', (_, cookie, accepted, configured, expected) => {
    expect(preferredLocale(cookie, accepted, configured)).toBe(expected)
  })

  it.each([
    ['an English address stays English', '/en/parcours', 'locale=fr', ['fr'], { locale: 'en', redirect: false }],
    ['a first visit follows the browser', '/parcours', '', ['en-GB'], { locale: 'en', redirect: true }],
    ['a later visit without a choice keeps the address', '/parcours', 'i18n_redirected=en', ['en-GB'], { locale: 'fr', redirect: false }],
    ['a choice always counts', '/parcours', 'i18n_redirected=fr; locale=en', ['fr'], { locale: 'en', redirect: true }],
  ])('%s', (_, path, cookies, accepted, expected) => {
    expect(startLocale(path, cookies, accepted, 'fr')).toEqual(expected)
  })
})

it('keeps the choice for 365 days and the redirection for 3', () => {
  const written: string[] = []
  const fake = {
    set cookie(value: string) {
      written.push(value)
    },
  } as Document
  writeCookie('locale', 'en', fake)
  writeCookie('i18n_redirected', 'en', fake)
  expect(written).toEqual(['locale=en; Path=/; Max-Age=31536000; SameSite=Lax', 'i18n_redirected=en; Path=/; Max-Age=259200; SameSite=Lax'])
})

describe('starting', () => {
  it('gives a page that asks for its texts at once those of the language that starts', async () => {
    vi.resetModules()
    const fresh = await import('./index')
    const started = fresh.startTexts('en')
    const page = fresh.ensureTexts('account')
    await Promise.all([started, page])
    expect([fresh.currentLocale(), fresh.textFor('account:title'), fresh.translate('cancel')]).toEqual(['en', 'My account', 'Cancel'])
  })
})

describe('switching', () => {
  beforeEach(async () => {
    await texts.startTexts('fr')
    document.cookie = 'locale=; Max-Age=0'
    window.history.replaceState(null, '', '/parcours')
  })
  afterEach(() => vi.restoreAllMocks())

  it('keeps the old page and address until the texts are there, then changes both together', async () => {
    const moves: string[] = []
    const done = switchLocale('en', {
      moveUrl: () => {
        moves.push(texts.currentLocale())
        return Promise.resolve()
      },
    })
    expect([texts.currentLocale(), document.documentElement.lang, window.location.pathname, moves]).toEqual([
      'fr',
      'fr-FR',
      '/parcours',
      [],
    ])
    await done
    expect([texts.currentLocale(), document.documentElement.lang, moves, readCookie('locale')]).toEqual(['en', 'en-US', ['en'], 'en'])
    expect(texts.translate('cancel')).toBe('Cancel')
  })

  it('brings the texts of a page that asked for them meanwhile', async () => {
    const done = switchLocale('en', { moveUrl: () => Promise.resolve() })
    const page = texts.ensureTexts('account')
    await done
    expect(texts.textFor('account:title')).toBe('My account')
    await page
    expect(texts.textFor('account:title')).toBe('My account')
  })

  it('has a page that asked just before wait for the other language too', async () => {
    const page = texts.ensureTexts('bin')
    texts.showLocale('en')
    await page
    expect(texts.textFor('bin:what')).toBe('Content')
  })

  it('changes nothing when the texts do not come', async () => {
    const move = vi.fn()
    vi.resetModules()
    const fresh = { ...(await import('./index')), ...(await import('./locale')) }
    // There is no file of this name, so that fetching it fails, and every switch after it asks for it again.
    await fresh.ensureTexts('absent').catch(() => undefined)
    await expect(fresh.switchLocale('en', { moveUrl: move })).rejects.toThrow('absent')
    expect([fresh.currentLocale(), document.documentElement.lang, readCookie('locale'), move.mock.calls.length]).toEqual([
      'fr',
      'fr-FR',
      undefined,
      0,
    ])
  })
})
