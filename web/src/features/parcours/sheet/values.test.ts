import { describe, expect, it } from 'vitest'
import { FormStore } from '@/records/form/store'
import { mergeThreeWay } from '@/records/form/merge'
import { aParcours, aStep } from '../../../../test/parcours'
import { toPatch, toValues } from './values'

const open = (parcours = aParcours()) => new FormStore(toValues(parcours))

describe('what a save sends', () => {
  it('sends nothing for an untouched sheet, whatever is empty or absent', () => {
    const store = open(aParcours({ title: { fr: 'Lac' }, copyright: null }))
    store.set('title.en', '')
    store.set('copyright', '')
    expect(store.dirtyPaths()).toEqual([])
    expect(toPatch(store.patch())).toEqual({})
  })

  it('sends of a translated text the language that changed alone', () => {
    const store = open(aParcours({ title: { fr: 'Lac', en: 'Lake' } }))
    store.set('title.en', 'The lake')
    expect(toPatch(store.patch())).toEqual({ title: { en: 'The lake' } })
  })

  it('sends null for a line that was emptied and for a scale that was taken away', () => {
    const store = open(aParcours({ booking_url: 'https://a.example', special_levels: { vtt: 4, 'ffr-effort': 2 } }))
    store.set('booking_url', '  ')
    store.set('special_levels.vtt', null)
    expect(toPatch(store.patch())).toEqual({ booking_url: null, special_levels: { vtt: null } })
  })

  it('keeps 0 apart from nothing: a deposit of 0 disables it', () => {
    const store = open(aParcours({ deposit_percent: null }))
    store.set('deposit_percent', 0)
    expect(toPatch(store.patch())).toEqual({ deposit_percent: 0 })
  })

  it('sends steps whole, without what the server works out and without empty languages', () => {
    const store = open(
      aParcours({
        steps: [aStep({ id: 1, kind: 'departure', title: { fr: 'Halle' }, distance_to_next_m: 1200 }), aStep({ id: 2, kind: 'arrival' })],
      }),
    )
    store.set('steps.0.title.en', ' ')
    store.set('steps.0.title.fr', 'La halle')
    const { steps } = toPatch(store.patch())
    expect(steps).toHaveLength(2)
    expect(steps?.[0]).toMatchObject({ id: 1, title: { fr: 'La halle' } })
    expect(steps?.[0]).not.toHaveProperty('distance_to_next_m')
    expect(steps?.[0]?.title).not.toHaveProperty('en')
  })
})

describe('two people on one sheet', () => {
  it('merges what each changed alone, down to one language', () => {
    const before = toValues(aParcours({ title: { fr: 'Lac', en: 'Lake' }, level_id: 1 }))
    const theirs = toValues(aParcours({ title: { fr: 'Le lac', en: 'Lake' }, level_id: 1 }))
    const mine = toValues(aParcours({ title: { fr: 'Lac', en: 'The lake' }, level_id: 2 }))
    const merge = mergeThreeWay(before, theirs, mine)
    expect(merge.clashes).toEqual([])
    expect(merge.merged.title).toEqual({ fr: 'Le lac', en: 'The lake' })
    expect(merge.merged.level_id).toBe(2)
  })

  it('asks where both changed one field in two ways, and never drops the other fields', () => {
    const before = toValues(aParcours({ level_id: 1, summary: { fr: 'a' } }))
    const theirs = toValues(aParcours({ level_id: 2, summary: { fr: 'b' } }))
    const mine = toValues(aParcours({ level_id: 3, summary: { fr: 'a' }, copyright: 'Moi' }))
    const merge = mergeThreeWay(before, theirs, mine)
    expect(merge.clashes).toEqual([{ path: 'level_id', before: 1, theirs: 2, mine: 3 }])
    expect(merge.merged).toMatchObject({ summary: { fr: 'b' }, copyright: 'Moi' })
  })

  it('asks about steps as one whole', () => {
    const steps = [aStep({ id: 1, kind: 'departure' }), aStep({ id: 2 }), aStep({ id: 3, kind: 'arrival' })]
    const [a, b, c] = steps
    const before = toValues(aParcours({ steps }))
    const theirs = toValues(aParcours({ steps: a && b && c ? [a, { ...b, title: { fr: 'Four' } }, c] : [] }))
    const mine = toValues(aParcours({ steps: a && b && c ? [a, { ...b, kind: 'favourite' }, c] : [] }))
    expect(mergeThreeWay(before, theirs, mine).clashes.map(({ path }) => path)).toEqual(['steps'])
  })
})
