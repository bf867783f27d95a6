// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { countDrafts, draftKey, draftsOf, keepDraft, offeredDrafts, readDraft, slotOf, slotsOf } from './draft'
import { FormStore } from './store'

describe('a form', () => {
  const base = { title: { fr: 'Lac', en: '' }, level: null as number | null }
  it('counts each changed leaf, and none once it is as it was', () => {
    const store = new FormStore(base)
    store.set('title.fr', 'Le lac')
    store.set('title.en', 'The lake')
    store.set('level', 2)
    expect(store.dirtyPaths()).toEqual(['title.fr', 'title.en', 'level'])
    expect(store.patch()).toEqual({ title: { fr: 'Le lac', en: 'The lake' }, level: 2 })
    store.set('title.fr', 'Lac')
    expect(store.dirtyPaths()).toEqual(['title.en', 'level'])
  })
  it('tells chosen files from what a draft stores', () => {
    const file = new File(['x'], 'tour.gpx')
    const store = new FormStore<Record<string, unknown>>({ name: '', file: null })
    store.set('file', file)
    expect([store.changes(), store.files()]).toEqual([{}, { file }])
    store.set('name', 'Tour')
    expect([store.changes(), store.files()]).toEqual([{ name: 'Tour' }, { file }])
  })
  it('keeps a fault until its field is written again', () => {
    const store = new FormStore(base)
    store.setFaults([{ code: 'a', field: '/title/fr' }, { code: 'b', field: '/level' }, { code: 'c' }])
    expect([store.fault('title.fr')?.code, store.faultWithin('title')?.code, store.faultPaths()]).toEqual(['a', 'a', ['title.fr', 'level']])
    store.set('title.fr', 'x')
    expect(store.faultPaths()).toEqual(['level'])
  })
  it('keeps what was typed while a save was on its way', () => {
    const store = new FormStore(base)
    store.set('title.fr', 'Le lac')
    const sent = store.values
    store.set('level', 3)
    store.settle({ title: { fr: 'Le lac', en: '' }, level: null }, sent)
    expect([store.dirtyPaths(), store.values.level]).toEqual([['level'], 3])
  })
})

const agoIso = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

describe('a draft', () => {
  it('is one a person, a kind and a record', () => {
    localStorage.clear()
    const draft = { version: 3, savedAt: '2026-11-20T10:00:00Z', changes: { 'title.fr': 'x' } }
    expect(keepDraft(draftKey(7, 'parcours', 12), draft)).toBe(true)
    keepDraft(draftKey(8, 'parcours', 12), draft)
    keepDraft(draftKey(7, 'poi', 12), draft)
    expect(draftsOf(7, 'parcours')).toEqual([{ id: 12, draft }])
  })
  it('of one record that two windows keep is read as one, what was kept last first', () => {
    localStorage.clear()
    const key = draftKey(7, 'poi', 120)
    keepDraft(slotOf(key, 'b'), { version: 4, savedAt: '2026-11-20T11:00:00Z', changes: { note: 'b' } })
    keepDraft(slotOf(key, 'a'), { version: 3, savedAt: '2026-11-20T10:00:00Z', changes: { note: 'a', level: 'x' } })
    keepDraft(draftKey(7, 'poi', 1201), { version: 1, savedAt: '2026-11-20T09:00:00Z', changes: {} })
    const draft = { version: 3, savedAt: '2026-11-20T11:00:00Z', changes: { note: 'b', level: 'x' } }
    expect(readDraft(key)).toEqual(draft)
    expect(draftsOf(7, 'poi').map(({ id }) => id)).toEqual([120, 1201])
    expect(countDrafts(7)).toBe(2)
  })
  it('of a new record is one for each record that was begun, the latest first', () => {
    localStorage.clear()
    const key = draftKey(7, 'contact', 'new')
    const zoe = { version: null, savedAt: agoIso(2), changes: { first_name: 'Zoé', last_name: 'Albertini' } }
    const bernard = { version: null, savedAt: agoIso(1), changes: { last_name: 'Bernard' } }
    keepDraft(slotOf(key, 'a'), zoe)
    keepDraft(slotOf(key, 'b'), bernard)
    expect(offeredDrafts(key)).toEqual([
      { draft: bernard, slots: [slotOf(key, 'b')] },
      { draft: zoe, slots: [slotOf(key, 'a')] },
    ])
    expect(readDraft(key)).toEqual(bernard)
    expect(draftsOf(7, 'contact').map(({ draft }) => draft)).toEqual([bernard, zoe])
    expect(countDrafts(7)).toBe(2)
  })
  it('of a new record goes after sixty days, and beyond the ten latest; that of a saved record stays', () => {
    localStorage.clear()
    const key = draftKey(7, 'contact', 'new')
    const begun = (name: string, hours: number) =>
      keepDraft(slotOf(key, name), { version: null, savedAt: agoIso(hours), changes: { last_name: name } })
    const names = () => offeredDrafts(key).map(({ draft }) => draft.changes['last_name'])
    begun('old', 61 * 24)
    begun('young', 59 * 24)
    keepDraft(slotOf(draftKey(7, 'contact', 12), 'a'), { version: 3, savedAt: agoIso(61 * 24), changes: { note: 'x' } })
    expect(names()).toEqual(['young'])
    expect(slotsOf(key)).toEqual([slotOf(key, 'young')])
    const later = Array.from({ length: 11 }, (_, i) => `n${i}`)
    later.forEach((name, i) => begun(name, i + 1))
    expect(names()).toEqual(later.slice(0, 10))
    expect(slotsOf(key)).toHaveLength(10)
    expect(readDraft(draftKey(7, 'contact', 12))?.changes).toEqual({ note: 'x' })
  })
  it('that is no draft is none, and a device that keeps nothing is no error', () => {
    localStorage.setItem('bad', '{"changes":1}')
    localStorage.setItem('worse', '{')
    expect([readDraft('bad'), readDraft('worse'), readDraft('absent')]).toEqual([null, null, null])
    const full = {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    } as unknown as Storage
    expect(keepDraft('k', { version: 1, savedAt: '', changes: {} }, full)).toBe(false)
  })
})
