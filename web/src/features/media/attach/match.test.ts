import { describe, expect, it } from 'vitest'
import { readCsv } from '@/records/table/csv'
import { byName, byPlace, byTable, columnsOf, indexOf, inNameOrder, nameKey, numberInName, type Candidate, type Photo } from './match'

const candidate = (id: number, fr: string, en?: string): Candidate => ({ id, title: en === undefined ? { fr } : { fr, en } })
const photo = (id: number, fileName: string, place: Photo['place'] = null): Photo => ({ id, fileName, place })
const foundIn = (records: Candidate[], fileName: string) =>
  byName([photo(1, fileName)], 'poi', indexOf(records))[0]?.proposals.map(({ id, reason }) => `${id} ${reason.how}`)

describe('a name', () => {
  it.each([
    ['Lac des Vaches', 'lac-des-vaches'],
    ['L’Étang du Cœur', 'letang_du_coeur'],
    ['Lac des Vaches', 'LacDesVaches'],
    ['Refuge 1850', 'refuge1850'],
  ])('%s is %s', (title, name) => expect(nameKey(title)).toBe(nameKey(name)))
  it('keeps numbers apart', () => expect(nameKey('borne-1-2')).not.toBe(nameKey('borne 12')))
})

describe('by the name of the file', () => {
  const records = [candidate(12, 'Lac des Vaches', 'Cow Lake'), candidate(40, 'Borne 12'), candidate(41, 'Borne'), candidate(7, 'Croix')]
  it.each([
    ['lac-des-vaches.jpg', ['12 title']],
    ['Lac des Vaches (3).JPG', ['12 title']],
    ['lac_des_vaches_01-2.jpeg', ['12 title']],
    ['cow-lake.webp', ['12 title']],
    ['borne-12.jpg', ['40 title']],
    ['borne-12-2.jpg', ['40 title']],
    ['borne-3.jpg', ['41 title']],
    ['POI-12_1.jpg', ['12 number']],
    ['poi 012 arrivée.jpg', ['12 number']],
    ['n°12.jpg', ['12 number']],
    ['12.jpg', ['12 number']],
    ['12_2.jpg', ['12 number']],
    ['IMG_0012.jpg', []],
    ['0012.jpg', []],
    ['DSC12.jpg', []],
    ['20240712_143022.jpg', []],
    ['parcours-12.jpg', []],
  ])('%s', (name, found) => expect(foundIn(records, name)).toEqual(found))

  it('proposes every record of the same title', () =>
    expect(foundIn([candidate(1, 'Lavoir'), candidate(2, 'lavoir')], 'lavoir.jpg')).toEqual(['1 title', '2 title']))
  it('proposes the number and the title where both exist', () =>
    expect(foundIn([candidate(12, 'Lac'), candidate(3, 'Fiche 12')], 'fiche-12.jpg')).toEqual(['12 number', '3 title']))
  it('reads the number of a parcours', () => expect(numberInName('parcours-9_2.jpg', 'parcours')).toBe(9))
})

describe('by place', () => {
  const at = (id: number, ...line: [number, number][]) => ({ ...candidate(id, `Point ${id}`), line })
  const found = (place: Photo['place'], records: ReturnType<typeof at>[], withinM = 100) =>
    byPlace([photo(1, 'a.jpg', place)], records, withinM, () => true)[0]?.proposals.map(({ id }) => id)

  it('takes the nearest within the distance', () => {
    // 0.0005° of latitude are 56 m.
    expect(found([3, 45], [at(1, [3, 45.0008]), at(2, [3, 45.0005]), at(3, [3, 45.01])])).toEqual([2])
    expect(found([3, 45], [at(2, [3, 45.0005])], 50)).toEqual([])
  })
  it('leaves the choice between two that are nearly as far', () =>
    expect(found([3, 45], [at(1, [3, 45.0005]), at(2, [3, 44.9994])])).toEqual([1, 2]))
  it('measures to the line of a parcours', () => expect(found([3, 45], [at(1, [2.9, 45.0005], [3.1, 45.0005])])).toEqual([1]))
  it('says of a photo that it has no place, or was not compared', () => {
    const photos = [photo(1, 'a.jpg'), photo(2, 'b.jpg', [3, 45])]
    expect(byPlace(photos, [], 100, () => false).map(({ lack }) => lack)).toEqual(['place', 'compared'])
  })
})

describe('by a table', () => {
  const index = indexOf([candidate(12, 'Lac des Vaches'), candidate(7, 'Croix')])
  const photos = [photo(1, 'lac.jpg'), photo(2, 'Croix-Été.JPG'), photo(3, 'autre.jpg')]
  const read = (text: string) => {
    const rows = readCsv(text)
    return byTable(photos, rows, columnsOf(rows), index)
  }
  it('finds records by number and by title, in columns of any order', () => {
    const { matches, unknown } = read('Titre;Auteur;Nom du fichier\nlac des vaches;MC;photos/LAC.jpg\n7;MC;croix-été\nLac;MC;perdu.jpg\n')
    expect(matches.map(({ photoId, proposals, lack }) => [photoId, proposals.map(({ id }) => id), lack])).toEqual([
      [1, [12], undefined],
      [2, [7], undefined],
      [3, [], 'line'],
    ])
    expect(unknown).toEqual([{ line: 4, file: 'perdu.jpg' }])
    expect(matches[0]?.proposals[0]?.reason).toEqual({ how: 'line', line: 2 })
  })
  it('reads a table without names of columns', () =>
    expect(read('POI-12,lac.jpg\n').matches[0]?.proposals.map(({ id }) => id)).toEqual([12]))
  it('attaches one photo to two records where two lines say so', () => {
    const { matches } = read('file;record\nlac.jpg;12\nlac.jpg;7\nlac.jpg;12\n')
    expect(matches.filter(({ photoId }) => photoId === 1).map(({ key, proposals }) => [key, proposals[0]?.id])).toEqual([
      ['1 2', 12],
      ['1 3', 7],
    ])
  })
  it('keeps a line whose record is unknown as a choice to make', () =>
    expect(read('file;record\nlac.jpg;Nulle part\n').matches[0]).toEqual({ key: '1 2', photoId: 1, proposals: [] }))
})

it('orders photos by their numbers', () => {
  const names = ['lac-10.jpg', 'lac_2.jpg', 'Lac.jpg'].map((file_name, id) => ({ id, file_name }))
  expect(inNameOrder(names).map(({ file_name: name }) => name)).toEqual(['Lac.jpg', 'lac_2.jpg', 'lac-10.jpg'])
})
