import { describe, expect, it } from 'vitest'
import { mergeThreeWay } from './merge'
import { changedPaths, patchOf, pathOfPointer, withValue } from './paths'

const before = { title: { fr: 'Lac', en: 'Lake' }, duration: 10, level: 1, tags: [1, 2], note: null as string | null }

describe('what changed', () => {
  it('is listed leaf by leaf, and nothing typed for nothing is no change', () => {
    expect(changedPaths(before, { ...before, title: { fr: 'Le lac', en: 'Lake' }, tags: [2, 1], note: '' })).toEqual(['title.fr', 'tags'])
    expect(changedPaths({ title: {} }, { title: { fr: '' } })).toEqual([])
  })
  it('becomes a merge patch of those leaves alone', () => {
    const now = { ...before, title: { fr: 'Le lac', en: 'Lake' }, level: undefined }
    expect(patchOf(now, changedPaths(before, now))).toEqual({ title: { fr: 'Le lac' }, level: null })
  })
  it('reaches into lists, and reads the server’s pointers', () => {
    expect(withValue({ availability: [{ from: 'a', to: null }] }, 'availability.0.to', 'b')).toEqual({
      availability: [{ from: 'a', to: 'b' }],
    })
    expect([pathOfPointer('/title/fr'), pathOfPointer('/availability/0/to')]).toEqual(['title.fr', 'availability.0.to'])
  })
})

describe('two people on one sheet', () => {
  it('merges what only one of them changed', () => {
    const merge = mergeThreeWay(
      before,
      { ...before, level: 2, title: { fr: 'Lac', en: 'The lake' } },
      { ...before, duration: 12, title: { fr: 'Le lac', en: 'Lake' } },
    )
    expect(merge.clashes).toEqual([])
    expect(merge.merged).toEqual({ ...before, level: 2, duration: 12, title: { fr: 'Le lac', en: 'The lake' } })
    expect([merge.theirPaths, merge.myPaths]).toEqual([
      ['title.en', 'level'],
      ['title.fr', 'duration'],
    ])
  })
  it('asks about a field that both changed in different ways, and shows the three values', () => {
    const merge = mergeThreeWay(before, { ...before, duration: 11, level: 3 }, { ...before, duration: 12, tags: [] })
    expect(merge.clashes).toEqual([{ path: 'duration', before: 10, theirs: 11, mine: 12 }])
    expect(merge.merged).toEqual({ ...before, duration: 11, level: 3, tags: [] })
  })
  it('asks nothing when both changed a field alike', () => {
    expect(mergeThreeWay(before, { ...before, duration: 11 }, { ...before, duration: 11 }).clashes).toEqual([])
  })
  it('asks about a whole text that one emptied and the other edited', () => {
    const merge = mergeThreeWay<{ title: { fr?: string } | null }>({ title: { fr: 'Lac' } }, { title: null }, { title: { fr: 'Le lac' } })
    expect(merge.clashes.map(({ path }) => path)).toEqual(['title'])
  })
})
