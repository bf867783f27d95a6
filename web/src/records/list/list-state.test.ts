import { describe, expect, it } from 'vitest'
import { chipText, rangeOf, rangeText, toggled, type FilterDef } from './filters'
import { listQuery, readListState, turnedSort, withFilter, writeListState, type ListConfig } from './list-state'

const config: ListConfig = { filterKeys: ['practice', 'published'], defaultSort: '-updated_at' }

describe('the state of a list', () => {
  it('lives in the address: what is read is what was written', () => {
    const params = { search: 'lac brève', practice: '1,2', sort: 'title', page: '3', per_page: '50' }
    expect(writeListState(readListState(params, config), config)).toMatchObject(params)
  })
  it('leaves out what is as by default', () => {
    expect(Object.values(writeListState(readListState({}, config), config)).filter((value) => value !== undefined)).toEqual([])
  })
  it.each([{ page: '0' }, { page: '-3' }, { page: 'x' }, { per_page: '7' }, { per_page: '100000' }, { page: {} }])(
    'is not upset by %j',
    (params) => {
      expect(readListState(params, config)).toMatchObject({ page: 1, perPage: 25 })
    },
  )
  it('asks for all where nothing is chosen, though the API would show less by itself', () => {
    const narrowed: ListConfig = { filterKeys: ['owner'], defaultSort: 'title', unless: { owner: 'all' } }
    expect(listQuery(readListState({}, narrowed), narrowed)).toMatchObject({ owner: 'all' })
    expect(listQuery(readListState({ owner: 'mine' }, narrowed), narrowed)).toMatchObject({ owner: 'mine' })
  })
  it('ignores a filter it does not have, and asks the API for the others', () => {
    const state = readListState({ practice: '1', evil: 'x' }, config)
    expect(listQuery(state)).toEqual({ search: undefined, practice: '1', sort: '-updated_at', page: 1, per_page: 25 })
  })
  it('takes each filter of a white-label’s own fields, and forgets one that is taken away', () => {
    const own = { ...config, filterPrefix: 'custom.' }
    const state = readListState({ 'custom.sol': 'Sable', evil: 'x' }, own)
    expect(state.filters).toEqual({ 'custom.sol': 'Sable' })
    expect(listQuery({ ...state, filters: { ...state.filters, 'custom.lits': '2..4', practice: '1' } }, own)).toMatchObject({
      custom: 'sol:Sable;lits:2..4',
      practice: '1',
    })
    expect(writeListState(withFilter(state, 'custom.sol', undefined), own, { 'custom.sol': 'Sable' })).toHaveProperty(
      ['custom.sol'],
      undefined,
    )
  })
  it('goes back to the first page when a filter changes', () => {
    const state = readListState({ practice: '1', page: '4' }, config)
    expect(withFilter(state, 'published', 'true')).toMatchObject({ page: 1, filters: { practice: '1', published: 'true' } })
    expect(withFilter(state, 'practice', undefined)).toMatchObject({ page: 1, filters: {} })
  })
  it('turns the order at the second press', () => {
    expect([turnedSort('-updated_at', 'title'), turnedSort('title', 'title'), turnedSort('-title', 'title')]).toEqual([
      'title',
      '-title',
      'title',
    ])
  })
})

describe('a chip', () => {
  const filter: FilterDef = {
    key: 'practice',
    label: 'Pratique',
    kind: 'many',
    choices: [
      { value: '1', label: 'Vélo' },
      { value: '2', label: 'VTT' },
      { value: '3', label: 'Marche' },
    ],
  }
  it('names what it filters, and counts when there is much', () => {
    expect([chipText(filter, '1'), chipText(filter, '1,2'), chipText(filter, '1,2,3')]).toEqual([
      'Pratique\u202f: Vélo',
      'Pratique\u202f: Vélo, VTT',
      'Pratique\u202f: 3',
    ])
  })
  it('tells words as they are and a range by its two ends', () => {
    expect(chipText({ key: 'a', label: 'Sol', kind: 'words' }, 'sable')).toBe('Sol\u202f: sable')
    expect([rangeOf('2..5'), rangeOf('..5'), rangeOf('3'), rangeOf(undefined)]).toEqual([
      ['2', '5'],
      ['', '5'],
      ['3', '3'],
      ['', ''],
    ])
    expect([rangeText('2', ''), rangeText('', '')]).toEqual(['2..', undefined])
    expect(chipText({ key: 'a', label: 'Lits', kind: 'range', of: 'number' }, '2..')).toBe('Lits\u202f: 2 – …')
  })
  it('takes and gives back one value', () => {
    expect([toggled(undefined, '1'), toggled('1', '2'), toggled('1,2', '1'), toggled('2', '2')]).toEqual(['1', '1,2', '2', ''])
  })
})
