import { describe, expect, it } from 'vitest'
import { clientsNamed } from './names'

const clients = ['Claire Aubertin', 'Noé Petit', 'Zoé de La Tour']

describe('the clients that a word of welcome names', () => {
  it.each([
    ['Bonjour Claire, bienvenue.', ['Claire Aubertin']],
    ['Chers NOE et Zoé,', ['Noé Petit', 'Zoé de La Tour']],
    ['M. et Mme Aubertin, bonne route.', ['Claire Aubertin']],
    ['Une vue claire, un petit café.', []],
    ['La route de Tours', []],
    ['', []],
  ])('%s', (fr, named) => expect(clientsNamed({ fr }, clients)).toEqual(named))

  it('are found in each language, once', () => {
    expect(clientsNamed({ fr: 'Bonjour Claire', en: 'Hello Claire' }, [...clients, ...clients])).toEqual(['Claire Aubertin'])
    expect(clientsNamed({ en: 'Hello Noé' }, clients)).toEqual(['Noé Petit'])
  })
})
