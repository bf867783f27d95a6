import { describe, expect, it } from 'vitest'
import { guessPractice, guessShape, guessTitle } from './guess'

describe('the title of a file', () => {
  it.each([
    ['Tour du lac de Saint-Point', 'x.gpx', 'Tour du lac de Saint-Point'],
    ['Track 001', 'boucle_des_trois-bourgs.gpx', 'Boucle des trois bourgs'],
    [null, '2026-05-12 14:03.gpx', ''],
    ['  ', 'activity_8841.fit', ''],
    [null, 'GR5 étape 3.kml', 'GR5 étape 3'],
    ['Rando_du_matin', 'Rando_du_matin.gpx', 'Rando du matin'],
  ])('of %s in %s is « %s »', (name, file, title) => {
    expect(guessTitle(name, file)).toBe(title)
  })
})

it('is a loop when its ends meet, by the rule of the server', () => {
  expect(
    guessShape(
      [
        [4, 47],
        [4.01, 47],
        [4.0005, 47],
      ],
      1600,
    ),
  ).toBe('loop')
  expect(
    guessShape(
      [
        [4, 47],
        [4.01, 47],
        [4.0025, 47],
      ],
      1600,
    ),
  ).toBe('oneway')
  expect(
    guessShape(
      [
        [4, 47],
        [4.3, 47],
        [4.0025, 47],
      ],
      45_000,
    ),
  ).toBe('loop')
  expect(guessShape([], 0)).toBe('oneway')
})

describe('the practice', () => {
  const practices = [
    { id: 1, label: { fr: 'Randonnée pédestre', en: 'Hiking' }, attributes: { profile: 'hiking' } },
    { id: 2, label: { fr: 'VTT', en: 'Mountain biking' }, attributes: { profile: 'mtb' } },
    { id: 3, label: { fr: 'Cyclotourisme', en: 'Cycle touring' }, attributes: { profile: 'touring' } },
    { id: 4, label: { fr: 'Raquettes', en: 'Snowshoeing' }, attributes: {} },
  ]
  it.each([
    ['Grand tour VTT du Morvan', 12_000, 2],
    ['La voie verte à vélo', 9000, 3],
    ['Boucle en raquettes', 5000, 4],
    ['sentier_des_moines.gpx', 60_000, 1],
    ['Le lac', 8000, 1],
    ['Le lac', 70_000, 3],
  ])('of « %s », %d m long', (words, length, id) => {
    expect(guessPractice(words, length, practices)).toBe(id)
  })
  it('is asked where no practice fits', () => {
    expect(guessPractice('Le lac', 8000, [])).toBeNull()
  })
})
