// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { keepRecent, matches, ownGroups, readRecent } from './entries'

const t = (key: string) =>
  ({
    'action.newParcours': 'Nouveau parcours',
    'action.newUser': 'Inviter un utilisateur',
    'page.medias': 'Médias',
    'page.parcours': 'Parcours',
  })[key] ?? key

describe('the palette', () => {
  beforeEach(() => localStorage.clear())
  it('finds by the beginnings of words, whatever accents', () => {
    expect(matches('Médias', 'med')).toBe(true)
    expect(matches('Inviter un utilisateur', 'util inv')).toBe(true)
    expect(matches('Médias', 'dia')).toBe(false)
  })
  it('gives actions one may do, and actions alone after >', () => {
    const labels = (text: string, may: boolean) =>
      ownGroups(text, () => may, t as never).flatMap(({ entries }) => entries.map(({ label }) => label))
    expect(labels('parc', true)).toEqual(['Nouveau parcours', 'Parcours'])
    expect(labels('>parc', true)).toEqual(['Nouveau parcours'])
    expect(labels('parc', false)).toEqual(['Parcours'])
    expect(labels('bin', true)).toEqual(['page.bin'])
    expect(labels('bin', false)).toEqual([])
  })
  it('remembers the last ones once, newest first, and no more than six', () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7, 3]) keepRecent(1, { key: `${n}`, label: `n ${n}`, to: '/' })
    expect(readRecent(1).map(({ key }) => key)).toEqual(['3', '7', '6', '5', '4', '2'])
    expect(readRecent(2)).toEqual([])
    localStorage.setItem('jalon.recent.1', '{broken')
    expect(readRecent(1)).toEqual([])
  })
})
