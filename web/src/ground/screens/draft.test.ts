// @vitest-environment jsdom
import { beforeAll, expect, it } from 'vitest'
import { startTexts } from '@/i18n'
import { newEntry } from '../queue/entry'
import type { Download } from '../downloads/types'
import { draftOf, entryOf, missingIn, newDraft, stretchAround } from './draft'

beforeAll(() => startTexts('fr', ['common', 'reviews', 'ground']))

const download: Download = {
  id: 12,
  at: '2026-11-26T07:00:00Z',
  bytes: 0,
  complete: true,
  etag: null,
  traceRevision: null,
  parts: { title: { fr: 'Le tour du lac' }, distance_m: 9000, line: [], steps: [], pois: [], reports: [], closures: [], categories: [], pictures: [] },
}
const fix = (ageMs: number) => ({ position: [3, 44.9] as [number, number], accuracyM: 8.44, heading: null, at: Date.now() - ageMs })

it('an entry is where the device is, and where the map is once the position is old', () => {
  expect(newDraft('poi', download, fix(1000), [4, 45])).toMatchObject({ position: [3, 44.9], accuracyM: 8.4 })
  expect(newDraft('poi', download, fix(180_000), [4, 45])).toMatchObject({ position: [4, 45], accuracyM: null })
  expect(newDraft('poi', download, null, null)).toMatchObject({ position: null })
})

it('each kind says what it lacks', () => {
  const lacks = (kind: Parameters<typeof newDraft>[0]) => missingIn(newDraft(kind, download, null, null))
  expect(lacks('poi')).toEqual(['title', 'position'])
  expect(lacks('report')).toEqual(['reportKind'])
  expect(lacks('remark')).toEqual(['text'])
  expect(lacks('survey')).toEqual([])
  expect(lacks('closure')).toEqual(['closureKind'])
  // Marking is what is looked at most: its name is there.
  expect(lacks('equipment')).toEqual(['condition', 'position'])
  expect(lacks('track')).toEqual([])
  expect(lacks('photo')).toEqual(['photos'])
  expect(missingIn({ ...newDraft('report', download, null, null), reportKind: 'other' })).toEqual(['text'])
})

it('a remark begins with its step, and a report without anything else says its kind', () => {
  const remark = { ...newDraft('remark', download, null, null), text: ' Panneau retourné ' }
  expect(entryOf(remark, 'La halle').content.text).toBe('La halle\u202f: Panneau retourné')
  const report = { ...newDraft('report', download, null, null), reportKind: 'fallen_tree' as const }
  expect(entryOf(report, null).content.text).toBe('Arbre tombé')
  expect(entryOf({ ...report, position: [3, 44.9] }, null).content.text).toBe('')
})

it('a changed entry keeps its identifier, when it was made, and what is known of its photos', () => {
  const before = newEntry('e1', entryOf(newDraft('photo', download, fix(0), null), null).content, 'Le tour du lac')
  before.photos = [{ key: 'p1', bytes: 3, uploadUrl: '/u', mediaId: 7 }]
  before.state = 'refused'
  const draft = draftOf(before, [{ key: 'p1', blob: new Blob(['abc']) }])
  const after = entryOf({ ...draft, text: 'Plus net', photos: [...draft.photos, { key: 'p2', blob: new Blob(['abcd']) }] }, null)
  expect(after).toMatchObject({ id: 'e1', state: 'waiting', refusal: null, content: { text: 'Plus net', made_at: before.content.made_at } })
  expect(after.photos).toEqual([
    { key: 'p1', bytes: 3, uploadUrl: '/u', mediaId: 7 },
    { key: 'p2', bytes: 4, uploadUrl: null, mediaId: null },
  ])
})

it('a closure keeps its stretch and its last day, and a track its points, when they are changed', () => {
  const closed = { ...newDraft('closure', download, fix(0), null), closureKind: 'works' as const, until: '2026-12-31', stretch: stretchAround(8980, 9000) }
  const closure = entryOf(closed, null)
  expect(closure.content).toMatchObject({ closure_kind: 'works', until: '2026-12-31', from_m: 8930, to_m: 9000, condition: null, track: [] })
  expect(draftOf(closure, [])).toMatchObject({ closureKind: 'works', until: '2026-12-31', stretch: { fromM: 8930, toM: 9000 }, track: null })
  const walked = { ...newDraft('track', download, null, null), track: [[3, 44.9], [3.1, 44.9]] as [number, number][] }
  const track = entryOf(walked, null)
  expect(track.content).toMatchObject({ kind: 'track', parcours_id: 12, track: walked.track, until: null })
  expect(draftOf(track, []).track).toEqual(walked.track)
})
